/** Reads tables as an import would, for a draft: the first rows, and the words of every column that may be a status. */

import { formatLocation, InputError, type SourceLocation } from '../../parsed-record.ts';
import { readTable, type TableDialect } from '../../readers/delimited.ts';
import { type InputFile, type InputOptions, readInputFile } from '../../readers/input-files.ts';
import { describeColumns, isFilled, isNamedFor, maxStatusWords } from './infer-columns.ts';
import { normalizeWord } from './mapping-rules.ts';

export interface TableSample extends TableDialect {
  /** Names of the files. */
  name: string;
  header: string[];
  /** Up to 200 of each file. */
  rows: string[][];
  /** Of the whole input, by column; a column with too many different words is missing. */
  statusWords: ReadonlyMap<string, readonly WordCount[]>;
  /** Rows that an import would refuse as they are no rows of the table. */
  broken: { count: number; first: string } | undefined;
  /** Why a file could not be read to its end, as an import would say it. */
  unread: string | undefined;
}

export interface WordCount {
  word: string;
  count: number;
}

const maxRows = 200;

/** @throws InputError for files that are no tables, or whose columns differ */
export async function sampleTables(
  sources: readonly [InputFile, ...InputFile[]],
  options: InputOptions,
): Promise<TableSample> {
  const [first] = sources;
  const name = sources.map((source) => source.name).join(', ');
  const sample = { name, header: [] as string[], rows: [] as string[][], delimiter: '', encoding: '' };
  let counters: WordCounter[] = [];
  let broken: TableSample['broken'];
  let unread: string | undefined;

  for (const source of sources) {
    let rowsRead = 0;
    const rows = readTable(source.name, readInputFile(source, options), {}, (columns, form) => {
      if (columns === undefined || columns.length < 2) throw noTable(source.name);
      if (source === first) {
        Object.assign(sample, form, { header: columns });
        counters = describeColumns(columns, [])
          .filter((column) => isNamedFor('status', column))
          .map(({ name: column }) => ({ column, words: new Map() }));
      } else if (columns.join('\n') !== sample.header.join('\n')) {
        throw new InputError(
          `${source.name} has other columns than ${first.name}: draft a mapping for each.`,
        );
      }
    });
    try {
      for await (const { location, cells, problem } of rows) {
        if (cells === undefined) {
          broken = { count: (broken?.count ?? 0) + 1, first: broken?.first ?? brokenRow(location, problem) };
          continue;
        }
        rowsRead += 1;
        if (rowsRead <= maxRows) sample.rows.push(sample.header.map((column) => cells[column] ?? ''));
        for (const counter of counters) countWord(counter, cells);
      }
    } catch (error) {
      if (!(error instanceof InputError) || rowsRead === 0) throw error;
      unread = error.message;
    }
  }
  if (sample.rows.length === 0) throw broken ? new InputError(`${broken.first}.`) : noTable(name);
  const statusWords = new Map<string, WordCount[]>();
  for (const { column, words } of counters)
    if (words.size <= maxStatusWords) statusWords.set(column, byCount(words));
  return { ...sample, statusWords, broken, unread };
}

function noTable(name: string): InputError {
  return new InputError(`${name} has no table to draft from: it needs a first line of names, and rows.`);
}

const brokenRow = (location: SourceLocation, problem: string) => `${formatLocation(location)}: ${problem}`;

interface WordCounter {
  column: string;
  /** By the folded word; at most one more than a status may have. */
  words: Map<string, WordCount>;
}

/** Upper and lower case count as the same, as they do in a mapping. */
function countWord({ column, words }: WordCounter, cells: Readonly<Record<string, string>>): void {
  const word = cells[column]?.trim() ?? '';
  if (!isFilled(word)) return;
  const known = words.get(normalizeWord(word));
  if (known !== undefined) known.count += 1;
  else if (words.size <= maxStatusWords) words.set(normalizeWord(word), { word, count: 1 });
}

const byCount = (words: WordCounter['words']) => [...words.values()].toSorted((a, b) => b.count - a.count);
