/** Rejected records of an import: a summary by reason, and a file with all of them. */

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
import { formatLocation } from '../../../domain/reasons/en/input-positions.ts';
import { describeReason } from '../../../domain/reasons/reason.ts';
import { rejectionFolder } from '../../../ingest/readers/input-files.ts';
import type { Rejection } from '../../../ingest/records/import-observer.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { CommandError } from '../command-error.ts';
import { printError } from '../output.ts';

/** Records that the summary shows for each reason. */
const maxPlaces = 5;

/** Reasons that the summary shows. */
const maxShownReasons = 20;

/** Reasons that are counted separately. */
const maxCountedReasons = 1_000;

interface ReasonGroup {
  reason: string;
  count: number;
  /** The first `maxPlaces`. */
  places: string[];
}

/**
 * Groups rejected records by reason. Writes all of them to a file if the summary cannot show them all.
 *
 * @param filePath value of `--rejected`: where to write them in any case
 */
export function createRejectionLog(filePath: string | undefined) {
  const unwrittenLines: string[] = [];
  const groups = new Map<string, ReasonGroup>();
  let count = 0;
  let path = filePath;
  let file = filePath === undefined ? undefined : openForWriting(filePath);
  let writeError: string | undefined;

  /** @returns whether the summary will show the record */
  const addToGroup = ({ location, id, reason: found }: Rejection): boolean => {
    const reason = describeReason(found);
    const group = groups.get(reason) ?? { reason, count: 0, places: [] };
    if (group.count === 0 && groups.size === maxCountedReasons) return false;
    groups.set(reason, group);
    group.count += 1;
    if (group.places.length < maxPlaces) group.places.push(formatLocation(location, id));
    return group.count <= maxPlaces && groups.size <= maxShownReasons;
  };
  const openDefaultFile = (): number => {
    // Only the owner may read it: ids and locations of records may identify people.
    mkdirSync(rejectionFolder, { recursive: true, mode: 0o700 });
    path = join(rejectionFolder, `${new Date().toISOString().replace(/[:.]/g, '-')}.ndjson`);
    return openSync(path, 'wx', 0o600);
  };
  return {
    add: (rejection: Rejection) => {
      count += 1;
      const isShown = addToGroup(rejection);
      if (writeError !== undefined) return;
      const { location, id, reason } = rejection;
      unwrittenLines.push(`${JSON.stringify({ ...location, id, reason: describeReason(reason) })}\n`);
      if (isShown && file === undefined) return;
      try {
        file ??= openDefaultFile();
        writeFileSync(file, unwrittenLines.splice(0).join(''));
      } catch (error) {
        // The import continues without the file.
        writeError = (error as Error).message;
        if (file !== undefined) closeSync(file);
        file = undefined;
      }
    },
    /** Prints one message for each reason, the most frequent first. */
    printSummary: () => {
      const shown = [...groups.values()].toSorted((a, b) => b.count - a.count).slice(0, maxShownReasons);
      for (const group of shown) printError(describeGroup(group));
      const others = count - shown.reduce((sum, group) => sum + group.count, 0);
      if (others === 1) printError('1 more record was rejected for another reason.');
      if (others > 1) printError(`${others} more records were rejected for other reasons.`);
    },
    /** The sentence that the command ends with. */
    describeOutcome: () => {
      const total = count === 1 ? '1 record was rejected' : `${count} records were rejected`;
      if (file !== undefined)
        return `${total}. ${path} lists ${count === 1 ? 'it' : 'them'} with the reason.`;
      if (writeError === undefined) return `${total}.`;
      return `${total}, but the list of them could not be written (${writeError}). Name another file with --rejected.`;
    },
    close: () => {
      if (file !== undefined) closeSync(file);
    },
  };
}

function describeGroup({ reason, count, places }: ReasonGroup): string {
  if (count === 1) return `Rejected ${places[0]}: ${reason}`;
  const lines = [`Rejected ${count} records: ${reason}`, ...places.map((place) => `  ${place}`)];
  if (count > places.length) lines.push(`  and ${count - places.length} more`);
  return lines.join('\n');
}

/** The start of the first line of a file that this module wrote. */
const rejectionLine = /^\{"source":.*"reason":/;

/** Opens the file before checking its contents, so that nobody can exchange it in between. @throws CommandError */
function openForWriting(path: string): number {
  try {
    const file = openSync(path, constants.O_RDWR | constants.O_CREAT, 0o600);
    if (fstatSync(file).isFile()) {
      assertReplaceable(file, path);
      ftruncateSync(file);
    }
    return file;
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw new CommandError(
      `The file for rejected records cannot be written: ${(error as Error).message}.`,
      exitCodes.usage,
    );
  }
}

/** Protects the input, the mapping or the database from a wrong argument of `--rejected`. */
function assertReplaceable(file: number, path: string): void {
  const start = Buffer.alloc(65_536);
  const length = readSync(file, start, 0, start.length, 0);
  if (length === 0 || rejectionLine.test(start.toString('utf8', 0, length))) return;
  closeSync(file);
  throw new CommandError(
    `${path} exists and is not a list of rejected records. Name another file with --rejected.`,
    exitCodes.usage,
  );
}
