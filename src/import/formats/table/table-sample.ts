/** Samples tables for a draft: the first rows, and the words of all possible status columns. */
import { InputError } from '../../input-error.ts';
import { formatLocation } from '../../parsed-record.ts';
import type { TableDialect } from '../../readers/delimited.ts';
import type { InputFile, InputOptions } from '../../readers/input-files.ts';
import { openInput } from '../../readers/open-input.ts';
import { readTable } from '../../readers/table.ts';
import { describeColumns, hasNameFor, isFilled, maxStatusWords } from './infer-columns.ts';
import { normalizeWord } from './mapping-rules.ts';

export interface TableSample extends TableDialect {
  /** Names of the files. */
  name: string;
  header: string[];
  /** Up to 200 of each file. */
  rows: string[][];
  /** Words in the whole input by column, without columns with too many different words. */
  statusWords: ReadonlyMap<string, readonly WordCount[]>;
  /** Rows that an import would reject as malformed. */
  malformed: { count: number; first: string } | undefined;
  /** Why a file cannot be read to its end. */
  readError: string | undefined;
}

interface WordCount {
  word: string;
  count: number;
}

const maxRows = 200;

/** @throws InputError for files that are not tables, or have different columns */
export async function sampleTables(
  sources: readonly [InputFile, ...InputFile[]],
  options: InputOptions,
): Promise<TableSample> {
  const [first] = sources;
  const name = sources.map((source) => source.name).join(', ');
  const sample = { name, header: [] as string[], rows: [] as string[][], delimiter: '', encoding: '' };
  let counters: WordCounter[] = [];
  let malformed: TableSample['malformed'];
  let readError: string | undefined;

  for (const source of sources) {
    let rowsRead = 0;
    await using input = await openInput(source, options);
    const rows = readTable(input, {}, (columns, dialect) => {
      if (columns === undefined || columns.length < 2) throw createNoTableError(source.name);
      if (source === first) {
        Object.assign(sample, dialect, { header: columns });
        counters = describeColumns(columns, [])
          .filter((column) => hasNameFor('status', column))
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
          const first = malformed?.first ?? `${formatLocation(location)}: ${problem}`;
          malformed = { count: (malformed?.count ?? 0) + 1, first };
          continue;
        }
        rowsRead += 1;
        if (rowsRead <= maxRows) sample.rows.push(sample.header.map((column) => cells[column] ?? ''));
        for (const counter of counters) countWord(counter, cells);
      }
    } catch (error) {
      if (!(error instanceof InputError) || rowsRead === 0) throw error;
      readError = error.message;
    }
  }
  if (sample.rows.length === 0)
    throw malformed ? new InputError(`${malformed.first}.`) : createNoTableError(name);
  const statusWords = new Map<string, WordCount[]>();
  for (const { column, words } of counters)
    if (words.size <= maxStatusWords)
      statusWords.set(
        column,
        [...words.values()].toSorted((a, b) => b.count - a.count),
      );
  return { ...sample, statusWords, malformed, readError };
}

const createNoTableError = (name: string) =>
  new InputError(`${name} is not a table with a first line of column names, and rows.`);

interface WordCounter {
  column: string;
  /** By normalized word; at most one more than `maxStatusWords`. */
  words: Map<string, WordCount>;
}

function countWord({ column, words }: WordCounter, cells: Readonly<Record<string, string>>): void {
  const word = cells[column]?.trim() ?? '';
  if (!isFilled(word)) return;
  const known = words.get(normalizeWord(word));
  if (known !== undefined) known.count += 1;
  else if (words.size <= maxStatusWords) words.set(normalizeWord(word), { word, count: 1 });
}
