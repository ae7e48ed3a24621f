/** What an import tells at its end: the counts, and what was found on the way that they do not show. */
import type { Summary } from '../import/run.ts';
import { createSpelling } from '../import/spelling.ts';
import type { ImportRecord } from '../store/store.ts';
import { print, printJson } from './context.ts';

export interface Findings {
  /** A word of the source, such as a status that no table knows, and what it was taken for. */
  unknownWord(word: string, takenFor: string): void;
  note(sentence: string): void;
  record(record: ImportRecord): void;
  told(): Told;
}

/** How often each word was met. */
type UnknownWords = ReadonlyMap<string, { count: number; takenFor: string }>;

interface Told {
  unknownWords: UnknownWords;
  notes: readonly string[];
}

/** Characters of a word that is told, and how many different ones: a column of free text has as many words as rows. */
const longestWord = 60;
const mostWords = 1_000;

export function createFindings(): Findings {
  const unknownWords = new Map<string, { count: number; takenFor: string }>();
  const notes: string[] = [];
  const spelling = createSpelling();
  return {
    unknownWord: (text, takenFor) => {
      const word = text.slice(0, longestWord);
      const count = (unknownWords.get(word)?.count ?? 0) + 1;
      if (count > 1 || unknownWords.size < mostWords) unknownWords.set(word, { count, takenFor });
    },
    note: (sentence) => void notes.push(sentence),
    record: spelling.look,
    told: () => ({ unknownWords, notes: [...notes, ...spelling.notes()] }),
  };
}

/** @param condition of going on, with a comma behind it */
export function whatIsKept(kept: Summary | undefined, condition = ''): string {
  const written = kept ? kept.inserted + kept.changed + kept.unchanged + kept.removed : 0;
  return written === 0
    ? 'Nothing was kept.'
    : `What was read before is kept, and consistent: ${condition}run the same command again to go on.`;
}

export function report(
  summary: Summary,
  durationMs: number,
  { unknownWords, notes }: Told,
  flags: { json?: true; dryRun?: true },
): void {
  const seconds = Math.round(durationMs / 10) / 100;
  const { redacted, ...counts } = summary;
  if (flags.json) {
    printJson({
      ...counts,
      ...(Object.keys(redacted).length > 0 && { redacted }),
      dryRun: flags.dryRun === true,
      seconds,
      unknownWords: Object.fromEntries(unknownWords),
      notes,
    });
    return;
  }
  if (flags.dryRun) print('Dry run: nothing was kept. It would have been:');
  for (const [name, count] of Object.entries(counts))
    print(`${name.padEnd(10)} ${String(count).padStart(10)}`);
  print(`${'seconds'.padEnd(10)} ${seconds.toFixed(2).padStart(10)}`);
  const kinds = Object.entries(redacted).map(([name, count]) => `${name} ${count}`);
  if (kinds.length > 0) print(`Redacted in descriptions: ${kinds.join(', ')}.`);
  for (const sentence of notes) print(sentence);
  if (unknownWords.size === 0) return;
  print('Words without a rule, and what they were taken for:');
  const byCount = [...unknownWords].sort(([, a], [, b]) => b.count - a.count);
  for (const [word, { count, takenFor }] of byCount)
    print(`${String(count).padStart(8)}  ${word} → ${takenFor}`);
}
