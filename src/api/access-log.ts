import type { Logger } from 'pino';
import { type ErrorStatus, findErrorCode } from '../contract/error-codes.ts';
import type { RequestContext } from './request-context.ts';

/** Destination of complete lines of JSON. */
export interface LogStream {
  write(line: string): void;
}

/**
 * Creates the access log: one line per request in the format of the logger. Concatenation takes half the time of the
 * logger, and no value needs escaping. The line names the operation instead of the URL, which can contain search terms.
 */
export function createAccessLog(
  log: Logger,
  stream: LogStream,
): (context: RequestContext, status: number, durationMs: number) => void {
  if (!log.isLevelEnabled('info')) return () => undefined;
  // Fields that the logger adds to every line, such as the process id of a worker.
  const bindings = Object.entries(log.bindings()).map(
    ([name, value]) => `,${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  const boundFields = bindings.join('');
  let latestMs = 0;
  let time = '';
  return ({ requestId, request, operation, admission, span }, status, durationMs) => {
    const caller = admission?.caller;
    const nowMs = Date.now();
    if (nowMs !== latestMs) {
      latestMs = nowMs;
      time = new Date(nowMs).toISOString();
    }
    const errorField = status < 400 ? '' : `,"error":"${findErrorCode(status as ErrorStatus)}"`;
    const traceField = span === undefined ? '' : `,"traceId":"${span.traceId}"`;
    stream.write(
      `{"level":30,"time":"${time}"${boundFields},"requestId":"${requestId}","method":"${request.method}","operation":${quoteOrNull(operation)},"status":${status},"durationMs":${Math.round(durationMs * 1000) / 1000},"organization":${quoteOrNull(caller?.organizationId)},"keyPrefix":${quoteOrNull(caller?.keyPrefix)}${errorField}${traceField},"msg":"request"}\n`,
    );
  };
}

const quoteOrNull = (text: string | null | undefined) => (text ? `"${text}"` : 'null');
