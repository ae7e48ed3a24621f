import type { Logger } from 'pino';
import type { RequestContext } from './request-context.ts';

/** Takes whole lines of JSON, as the log writes them. */
export interface LogStream {
  write(line: string): void;
}

/**
 * One line for each request, as the logger would write it. Composed by hand, which takes half of the time: what
 * goes into it is ours, down to the method, and needs no escaping. Addresses can hold what somebody searched for, so
 * the operation stands for them.
 */
export function requestLog(
  log: Logger,
  stream: LogStream,
): (exchange: RequestContext, status: number) => void {
  if (!log.isLevelEnabled('info')) return () => undefined;
  // What the logger puts into each of its lines, such as the process where there are several.
  const bound = Object.entries(log.bindings()).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const context = bound.join('');
  let latestMs = 0;
  let time = '';
  return ({ requestId, request, operation, startedMs, caller }, status) => {
    const nowMs = Date.now();
    if (nowMs !== latestMs) {
      latestMs = nowMs;
      time = new Date(nowMs).toISOString();
    }
    const durationMs = Math.round((performance.now() - startedMs) * 1000) / 1000;
    stream.write(
      `{"level":30,"time":"${time}"${context},"requestId":"${requestId}","method":"${request.method}","operation":${quoted(operation)},"status":${status},"durationMs":${durationMs},"organization":${quoted(caller?.organizationId)},"keyPrefix":${quoted(caller?.keyPrefix)},"msg":"request"}\n`,
    );
  };
}

const quoted = (text: string | null | undefined) => (text ? `"${text}"` : 'null');
