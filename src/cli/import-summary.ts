/** What an import tells at its end: the counts, and what was found on the way that they do not show. */

import type { ImportRecord } from '../domain/records.ts';
import {
  createStatisticsCollector,
  formatStatistics,
  type ImportStatistics,
} from '../import/import-statistics.ts';
import type { MissingRecords } from '../import/missing-records.ts';
import type { ImportSummary } from '../import/pipeline.ts';
import { createVocabularyCheck } from '../import/vocabulary-check.ts';
import { print, printJson } from './output.ts';

export interface ImportNotes {
  /** A word of the source, such as a status that no table knows, and what it was taken for. */
  unknownWord(word: string, takenFor: string): void;
  /** A word for which a record was refused, with field and column. */
  refusedWord(origin: string, word: string): void;
  note(sentence: string): void;
  record(record: ImportRecord): void;
  told(): Told;
}

/** How often each word was met. */
type UnknownWords = ReadonlyMap<string, { count: number; takenFor: string }>;

/** By field and column: how many records were refused for each word. */
type RefusedWords = ReadonlyMap<string, ReadonlyMap<string, number>>;

interface Told {
  unknownWords: UnknownWords;
  refusedWords: RefusedWords;
  notes: readonly string[];
  statistics: ImportStatistics;
}

/** Characters of a word that is told, and how many different ones: a column of free text has as many words as rows. */
const longestWord = 60;
const mostWords = 1_000;
/** Words that are printed; with --json all are. */
const mostPrinted = 20;

export function createImportNotes(): ImportNotes {
  const unknownWords = new Map<string, { count: number; takenFor: string }>();
  const refusedWords = new Map<string, Map<string, number>>();
  const notes: string[] = [];
  const spelling = createVocabularyCheck();
  const statistics = createStatisticsCollector();
  return {
    unknownWord: (text, takenFor) => {
      const word = text.slice(0, longestWord);
      const count = (unknownWords.get(word)?.count ?? 0) + 1;
      if (count > 1 || unknownWords.size < mostWords) unknownWords.set(word, { count, takenFor });
    },
    refusedWord: (origin, text) => {
      const words = refusedWords.get(origin) ?? new Map<string, number>();
      refusedWords.set(origin, words);
      const word = text.slice(0, longestWord);
      const count = (words.get(word) ?? 0) + 1;
      if (count > 1 || words.size < mostWords) words.set(word, count);
    },
    note: (sentence) => void notes.push(sentence),
    record: (record) => {
      spelling.add(record);
      statistics.add(record);
    },
    told: () => ({
      unknownWords: byCount(unknownWords),
      refusedWords,
      notes: [...notes, ...spelling.notes()],
      statistics: statistics.result(),
    }),
  };
}

/** @param condition of going on, with a comma behind it */
export function describeKeptRecords(kept: ImportSummary | undefined, condition = ''): string {
  const written = kept ? kept.inserted + kept.changed + kept.unchanged + kept.removed : 0;
  return written === 0
    ? 'Nothing was kept.'
    : `What was read before is kept, and consistent: ${condition}run the same command again to go on.`;
}

interface ReportFlags {
  json?: true;
  dryRun?: true;
  deleteMissing?: true;
}

export function report(
  summary: ImportSummary,
  durationMs: number,
  { unknownWords, refusedWords, notes: found, statistics }: Told,
  flags: ReportFlags,
  missing?: MissingRecords,
): void {
  const seconds = Math.round(durationMs / 10) / 100;
  const { redacted, ...counts } = summary;
  const notes = [...found, ...(missing ? missingNotes(missing, flags) : [])];
  if (flags.json) {
    printJson({
      ...counts,
      ...(missing && { missing: missing.count }),
      ...(Object.keys(redacted).length > 0 && { redacted }),
      dryRun: flags.dryRun === true,
      seconds,
      ...statistics,
      unknownWords: Object.fromEntries(unknownWords),
      ...(refusedWords.size > 0 && { refusedWords: refusedWordsAsJson(refusedWords) }),
      notes,
    });
    return;
  }
  if (flags.dryRun) print('Dry run: nothing was kept. It would have been:');
  for (const [name, count] of Object.entries(counts))
    print(`${name.padEnd(10)} ${String(count).padStart(10)}`);
  print(`${'seconds'.padEnd(10)} ${seconds.toFixed(2).padStart(10)}`);
  for (const line of formatStatistics(statistics)) print(line);
  const kinds = Object.entries(redacted).map(([name, count]) => `${name} ${count}`);
  if (kinds.length > 0) print(`Redacted in descriptions: ${kinds.join(', ')}.`);
  for (const sentence of notes) print(sentence);
  for (const [origin, words] of refusedWords) {
    print(`Records refused for a word that the mapping does not have, ${origin}:`);
    printWords(refusedByCount(words));
  }
  if (unknownWords.size === 0) return;
  print('Words without a rule, and what they were taken for:');
  printWords([...unknownWords].map(([word, { count, takenFor }]) => [`${word} → ${takenFor}`, count]));
}

const byCount = (words: UnknownWords): UnknownWords =>
  new Map([...words].sort(([, a], [, b]) => b.count - a.count));

const refusedByCount = (words: ReadonlyMap<string, number>) => [...words].sort(([, a], [, b]) => b - a);

const refusedWordsAsJson = (all: RefusedWords) =>
  Object.fromEntries([...all].map(([origin, words]) => [origin, Object.fromEntries(refusedByCount(words))]));

/** The first of them, and the sum of the others. */
function printWords(words: readonly (readonly [word: string, count: number])[]): void {
  for (const [word, count] of words.slice(0, mostPrinted)) print(`${String(count).padStart(8)}  ${word}`);
  const others = words.slice(mostPrinted);
  if (others.length === 0) return;
  const sum = others.reduce((total, [, count]) => total + count, 0);
  print(`${String(sum).padStart(8)}  in ${others.length} other words`);
}

function missingNotes(
  { count, deleted, isUncertain }: MissingRecords,
  { deleteMissing, dryRun }: ReportFlags,
): string[] {
  if (count === 0) return [];
  const records = count === 1 ? '1 published record' : `${count} published records`;
  const lacks = `${records} of this source ${count === 1 ? 'was' : 'were'} not in this input`;
  if (isUncertain) {
    const kept = deleteMissing ? ' No record was deleted.' : '';
    return [`Up to ${lacks}: refused records without a readable id may be among them.${kept}`];
  }
  if (!deleteMissing)
    return [`${lacks}. To delete ${count === 1 ? 'it' : 'them'}, import again with --delete-missing.`];
  return [`${lacks}, and ${dryRun ? 'would be' : deleted === 1 ? 'was' : 'were'} deleted.`];
}
