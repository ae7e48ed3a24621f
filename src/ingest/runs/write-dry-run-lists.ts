/** Writes the lists of a dry run as files of JSON lines. */
import { appendFileSync } from 'node:fs';
import {
  type DryRunList,
  dryRunLists,
  type ListedCounts,
  type ListWriter,
  maxListBytes,
  maxListedEntries,
} from '../../domain/runs/dry-run-lists.ts';

/** Characters per write. */
const bufferLength = 65_536;

/**
 * @param locate the path of a list, which does not exist yet
 * @param hasSpace whether the disk has space for some more bytes
 */
export function writeDryRunLists(
  locate: (list: DryRunList) => string,
  hasSpace: () => boolean,
  onProblem: (sentence: string) => void,
): ListWriter {
  const writers = new Map(
    dryRunLists.map((list) => [list, createListFile(locate(list), hasSpace, onProblem)]),
  );
  return {
    add: (list, entry) => writers.get(list)?.add(JSON.stringify(entry)),
    close: () => Object.fromEntries([...writers].map(([list, { close }]) => [list, close()])) as ListedCounts,
  };
}

function createListFile(path: string, hasSpace: () => boolean, onProblem: (sentence: string) => void) {
  let buffer = '';
  let bytes = 0;
  let added = 0;
  let written = 0;
  let isComplete = false;
  const flush = () => {
    if (added === written) return;
    try {
      if (!hasSpace()) throw new Error('the disk is nearly full');
      appendFileSync(path, buffer, { mode: 0o600 });
      written = added;
    } catch (error) {
      isComplete = true;
      added = written;
      onProblem(`A list of the dry run was not written: ${(error as Error).message}`);
    }
    buffer = '';
  };
  return {
    add: (entry: string) => {
      bytes += Buffer.byteLength(entry) + 1;
      isComplete ||= added === maxListedEntries || bytes > maxListBytes;
      if (isComplete) return;
      buffer += `${entry}\n`;
      added += 1;
      if (buffer.length >= bufferLength) flush();
    },
    close: () => {
      flush();
      return written;
    },
  };
}
