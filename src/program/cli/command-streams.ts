/** Standard streams of the running command. Tests run many commands in one process, each with streams of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Readable, Writable } from 'node:stream';

export interface CommandStreams {
  stdin: Readable & { isTTY?: boolean };
  stdout: Writable & { columns?: number };
  stderr: Writable & { isTTY?: boolean };
}

const current = new AsyncLocalStorage<CommandStreams>();

export const getStreams = (): CommandStreams => current.getStore() ?? process;

export function withStreams<Result>(own: CommandStreams, work: () => Promise<Result>): Promise<Result> {
  return current.run(own, work);
}
