import { createLiveCount } from '../../../platform/terminal-output.ts';
import type { OpenedStore } from '../../../store/open.ts';
import { getStreams } from '../command-streams.ts';
import { defineGroup, defineStoreCommand, json } from '../define-command.ts';
import { runInterruptible } from '../interruptible.ts';
import { printError, printJson } from '../output.ts';

/** `src/store/words/` has the index of words; imports write it together with their records. */
export const addWordIndexCommands = defineGroup('word-index', 'manage the index of the search by words', [
  defineStoreCommand({
    name: 'fill',
    summary: 'index records that cannot be found by words yet',
    description:
      'Indexes the words of all records that the index lacks: after an upgrade, and those that an earlier version has written. Servers do the same in the background, so run it only if none runs. With ROSTRA_WORD_SEARCH=off it removes the index. Works in short transactions while the server runs; an interrupted run can be repeated.',
    options: { json },
    run: async (flags, store, { wordSearch }) => {
      const filled = await fill(store);
      if (flags.json) return printJson(filled);
      if (wordSearch === 'off') printError('The index of words is removed.');
      else printError(`The index of words is complete: ${describe(filled)}.`);
    },
  }),
]);

interface Filled {
  records: number;
  municipalities: number;
}

const describe = ({ records, municipalities }: Filled) =>
  `${records} records of ${municipalities} ${municipalities === 1 ? 'municipality' : 'municipalities'} were added`;

const reportIntervalMs = 10_000;

/** @throws CommandError if it was interrupted */
function fill(store: OpenedStore): Promise<Filled> {
  const isTerminal = getStreams().stderr.isTTY === true;
  const progress = createLiveCount('records indexed', isTerminal, printError);
  const filled = { records: 0, municipalities: 0 };
  let reportedMs = performance.now();
  const work = async (signal: AbortSignal) => {
    for await (const organizationId of store.listUnindexed()) {
      for (let isComplete = false; !isComplete; ) {
        signal.throwIfAborted();
        const step = await store.fillWordIndex(organizationId);
        filled.records += step.filled;
        isComplete = step.isComplete;
        progress.set(filled.records);
        // For a log, which has no live count.
        if (isTerminal || performance.now() - reportedMs < reportIntervalMs) continue;
        reportedMs = performance.now();
        printError(`${filled.records} records indexed.`);
      }
      filled.municipalities += 1;
    }
    return filled;
  };
  return runInterruptible('Indexed records stay indexed; run the command again to continue.', work).finally(
    progress.stop,
  );
}
