/** What an import refused, for the person who has to mend it. */
import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeFileSync } from 'node:fs';
import { refusedName } from '../import/input/source.ts';
import { placeText } from '../import/reading.ts';
import type { Refusal } from '../import/run.ts';
import { CommandFailure, exitCodes, note } from './context.ts';

/** More refusals than this go to a file. */
const shownRefusals = 20;

/** Shows the first refusals, and writes all of them to a file where they are many or one was named. */
export function createRefusals(named: string | undefined) {
  const held: Refusal[] = [];
  let count = 0;
  const fallback = `${refusedName}${new Date().toISOString().replace(/[:.]/g, '-')}.ndjson`;
  const path = named ?? fallback;
  let file = named === undefined ? undefined : openRefused(named);
  let unwritable: string | undefined;

  const openFallback = () => {
    try {
      file = openSync(fallback, 'wx', 0o600);
    } catch (error) {
      unwritable = (error as Error).message;
    }
  };
  const flush = () => {
    if (file === undefined) return;
    const lines = held
      .splice(0)
      .map(({ place, id, reason }) => `${JSON.stringify({ ...place, id, reason })}\n`);
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
    add: (refusal: Refusal) => {
      count += 1;
      if (count <= shownRefusals) {
        const record = refusal.id === undefined ? '' : ` (${refusal.id})`;
        note(`Refused ${placeText(refusal.place)}${record}: ${refusal.reason}`);
      }
      if (unwritable === undefined) held.push(refusal);
      if (count > shownRefusals && file === undefined && unwritable === undefined) openFallback();
      flush();
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
    if (error instanceof CommandFailure) throw error;
    throw new CommandFailure(
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
  throw new CommandFailure(
    `${path} is there already, and has no refused records of an earlier import: name another file for --refused.`,
    exitCodes.usage,
  );
}
