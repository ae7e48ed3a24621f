/** The options of `rostra-mirror` and `rostra mirror`. */

import { createIntervalParser } from '../../../src/domain/values/durations.ts';
import type { CommandOption } from '../../../src/platform/command-options.ts';
import { mirrorFormats } from './mirror-paths.ts';

/** The flag follows from the name: `keyFile` is `--key-file`. */
export const mirrorOptions = {
  url: {
    value: 'url',
    description: 'URL of the installation, such as https://api.stadt.example',
    isRequired: true,
  } as CommandOption<string>,
  keyFile: {
    value: 'file',
    description: 'file that contains the API key; - reads it from standard input',
    isRequired: true,
  } as CommandOption<string>,
  to: {
    value: 'file|directory',
    description: 'a mirror, or the file or directory to create',
    isRequired: true,
  } as CommandOption<string>,
  format: {
    value: 'format',
    description:
      'format of the mirror (default: sqlite if --to ends in .db, .sqlite or .sqlite3; the format of an existing mirror)',
    choices: mirrorFormats,
  } as CommandOption<(typeof mirrorFormats)[number] | undefined>,
  every: {
    value: 'time',
    description: 'keep running, and update at this interval: 15m, 1h, 1d',
    // Node.js timers overflow after 24 days.
    parse: createIntervalParser(14 * 86_400_000),
  } as CommandOption<number | undefined>,
  json: { description: 'print JSON' } as CommandOption<true | undefined>,
};

export type MirrorFlags = {
  [Name in keyof typeof mirrorOptions]: (typeof mirrorOptions)[Name] extends CommandOption<infer Value>
    ? Value
    : never;
};

export const mirrorDescription =
  'Copies the published data of a municipality into an SQLite database or a directory of CSV or NDJSON files. The first run fetches everything, later runs fetch the changes. Readers see all changes of a run or none. After an interruption, run the same command again: it continues.';
