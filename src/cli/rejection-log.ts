/** What an import refused, for the person who has to mend it. */
import {
  closeSync,
  constants,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { formatLocation } from '../import/parsed-record.ts';
import type { Rejection } from '../import/pipeline.ts';
import { rejectionFolder } from '../import/readers/input-files.ts';
import { CommandError, exitCodes, printError } from './command-context.ts';

/** Of each cause, this many records are shown; more of them go to a file. */
const maxPlaces = 5;

/** Causes that are shown, and that are counted apart. */
const maxCauses = 20;
const maxCounted = 1_000;

interface Cause {
  reason: string;
  count: number;
  /** The first ones. */
  places: string[];
}

/** Counts what was refused by its cause, and writes every refusal to a file if not all are shown or a file was named. */
export function createRejectionLog(named: string | undefined) {
  const held: Rejection[] = [];
  const causes = new Map<string, Cause>();
  let count = 0;
  let path = named;
  let file = named === undefined ? undefined : openRefused(named);
  let unwritable: string | undefined;

  const countCause = ({ location, id, reason }: Rejection): Cause | undefined => {
    const cause = causes.get(reason) ?? { reason, count: 0, places: [] };
    if (cause.count === 0 && causes.size === maxCounted) return undefined;
    causes.set(reason, cause);
    cause.count += 1;
    if (cause.places.length < maxPlaces)
      cause.places.push(id === undefined ? formatLocation(location) : `${formatLocation(location)} (${id})`);
    return cause;
  };
  const openInFolder = () => {
    try {
      makeFolder(rejectionFolder);
      path = join(rejectionFolder, `${new Date().toISOString().replace(/[:.]/g, '-')}.ndjson`);
      file = openSync(path, 'wx', 0o600);
    } catch (error) {
      unwritable = (error as Error).message;
    }
  };
  const flush = () => {
    if (file === undefined) return;
    const lines = held
      .splice(0)
      .map(({ location, id, reason }) => `${JSON.stringify({ ...location, id, reason })}\n`);
    try {
      writeFileSync(file, lines.join(''));
    } catch (error) {
      // What is imported does not depend on it.
      unwritable = (error as Error).message;
      closeSync(file);
      file = undefined;
    }
  };
  return {
    add: (refusal: Rejection) => {
      count += 1;
      const cause = countCause(refusal);
      const isShown = cause !== undefined && cause.count <= maxPlaces && causes.size <= maxCauses;
      if (unwritable === undefined) held.push(refusal);
      if (!isShown && file === undefined && unwritable === undefined) openInFolder();
      flush();
    },
    /** One message for each cause, the commonest first. */
    show: () => {
      const shown = [...causes.values()].toSorted((a, b) => b.count - a.count).slice(0, maxCauses);
      for (const cause of shown) printError(messageOf(cause));
      const others = count - shown.reduce((sum, cause) => sum + cause.count, 0);
      if (others === 1) printError('1 more record was refused for another reason.');
      if (others > 1) printError(`${others} more records were refused for other reasons.`);
    },
    hint: () => {
      const all = count === 1 ? 'One record was refused' : `${count} records were refused`;
      if (file !== undefined) return `${all}; ${path} has each with its reason.`;
      if (unwritable === undefined) return `${all}.`;
      return `${all}, and the list of them could not be written (${unwritable}): name a file with --refused.`;
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}

function messageOf({ reason, count, places }: Cause): string {
  if (count === 1) return `Refused ${places[0]}: ${reason}`;
  const lines = [`Refused ${count} records: ${reason}`, ...places.map((place) => `  ${place}`)];
  if (count > places.length) lines.push(`  and ${count - places.length} more`);
  return lines.join('\n');
}

/** For its owner alone: ids and places of records may point at people. */
function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** The first line of such a file, as far as it matters. */
const ownLine = /^\{"source":.*"reason":/;

function openRefused(path: string): number {
  try {
    // What is opened first and then looked at cannot be exchanged in between.
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    if (fstatSync(file).isFile()) {
      refuseOthers(file, path);
      ftruncateSync(file);
    }
    return file;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `The file for refused records cannot be written: ${(error as Error).message}.`,
      exitCodes.usage,
    );
  }
}

/** The name may be mistaken for that of the input, the mapping or the database. */
function refuseOthers(file: number, path: string): void {
  const beginning = Buffer.alloc(65_536);
  const length = readSync(file, beginning, 0, beginning.length, 0);
  if (length === 0 || ownLine.test(beginning.toString('utf8', 0, length))) return;
  closeSync(file);
  throw new CommandError(
    `${path} is there already, and has no refused records of an earlier import: name another file for --refused.`,
    exitCodes.usage,
  );
}
