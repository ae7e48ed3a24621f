/** Copies the events of the audit log to a log, so that another machine can keep them. docs/decisions/0116 has the alternatives. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Logger } from 'pino';
import type { RecordedAuditEvent } from '../../domain/accounts/audit-log.ts';
import { settlesWithin } from './settles-within.ts';

export type CopyAuditEvents = (events: readonly RecordedAuditEvent[]) => void;

const message = 'audit';

/** Writes lines at every level but `silent`: other settings must not remove a copy. */
export function createAuditLogger(log: Logger): CopyAuditEvents {
  const copies = log.child({}, { level: log.level === 'silent' ? 'silent' : 'info' });
  return (events) => {
    for (const event of events) copies.info({ event }, message);
  };
}

/** The line of a command, in the form of a server's. */
export const composeAuditLine = (event: RecordedAuditEvent): string =>
  JSON.stringify({ level: 30, time: event.at, event, msg: message });

export interface SystemLog {
  write(line: string): void;
  /** @returns why lines may be missing, or undefined */
  close(): Promise<string | undefined>;
}

/** Of util-linux. Its limit is 1 kB by default, and an event has up to some tens of kilobytes. */
const loggerArguments = [
  '--tag',
  'rostra',
  '--priority',
  'authpriv.info',
  '--size',
  '65000',
  '--socket-errors=on',
];

/** A system log that does not answer must not hold up a command. */
const closeTimeoutMs = 5_000;

/** @param env to find the program */
export function openSystemLog(env: NodeJS.ProcessEnv): SystemLog {
  const child = spawn('logger', loggerArguments, { stdio: ['pipe', 'ignore', 'pipe'], env });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(0, 1_000);
  });
  // The program may end before it has read all lines.
  child.stdin.on('error', () => undefined);
  const ended = once(child, 'close').then(
    ([code]) => (code === 0 ? undefined : errors.trim().split('\n', 1)[0] || `logger ended with ${code}`),
    (error: Error) => error.message,
  );
  return {
    write: (line) => void child.stdin.write(`${line}\n`),
    close: async () => {
      child.stdin.end();
      if (await settlesWithin(closeTimeoutMs, ended)) return ended;
      child.kill();
      return 'logger did not end';
    },
  };
}
