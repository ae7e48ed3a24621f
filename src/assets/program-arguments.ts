import { isSea } from 'node:sea';

/** Arguments with which `process.execPath` runs this program, before those of a command. */
export const programArguments: readonly string[] = isSea()
  ? []
  : [...process.execArgv, process.argv[1] as string];
