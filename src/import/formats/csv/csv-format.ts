/** Any CSV file through a mapping file: what `rostra import csv` takes and tells. */

import { didYouMean } from '../../../text/did-you-mean.ts';
import {
  applyRules,
  type Format,
  type FormatOptions,
  type FormatReadOptions,
} from '../../format-definition.ts';
import { parseRecord, toImportRecord } from '../../parse-record.ts';
import { InputError, type ParsedRecord } from '../../parsed-record.ts';
import { readTable, type TableDialectOptions } from '../../readers/delimited.ts';
import { type InputFile, readInputFile, tableExtensions } from '../../readers/input-files.ts';
import {
  assertTimeZone,
  type Cells,
  createIdReader,
  createRules,
  listColumns,
  normalizeWord,
} from './mapping-rules.ts';
import type { CsvMapping } from './mapping-schema.ts';
import { readMappingFile } from './read-mapping.ts';
import { suggestMapping } from './suggest-mapping.ts';

export const csv: Format = {
  name: 'csv',
  fileExtensions: tableExtensions,
  isFallback: true,
  description: 'Any CSV: submissions from a table of any system, through a mapping file',
  mappings: [],
  getMappings: (own) => [{ kind: 'submission', fieldSources: createRules(mappingOf(own)) }],
  omitted: 'A column that the mapping does not name stays where it is.',
  options: [
    {
      flags: '--mapping <file>',
      description: 'YAML file that tells which column becomes what; --suggest drafts one',
      parse: readMappingFile,
    },
  ],
  detect: ({ table }) =>
    table === undefined ? undefined : 'any table, through a mapping file; --suggest drafts one',
  suggestMapping: suggestMapping,
  readRecords: readCsv,
};

function mappingOf({ mapping }: FormatOptions): CsvMapping {
  if (mapping !== undefined) return mapping as CsvMapping;
  throw new InputError(
    'A mapping is needed: name its file with --mapping. "rostra import csv FILE --suggest" drafts one.',
  );
}

async function* readCsv(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const mapping = mappingOf(options.formatOptions);
  assertTimeZone(mapping, options.timeZone);
  const form = tableForm(mapping);
  const columns = listColumns(mapping);
  // The headers of all files first, so that a wrong one among them is told before anything is imported.
  for (const source of sources) {
    // A pipe can be read once.
    if (source.size !== undefined) await checkHeader(source, form, columns, options);
  }
  const rules = createRules(mapping);
  // Of several columns that are an id together, some are often texts; the line tells which row it is.
  const toldId = Array.isArray(mapping.submission.id) ? () => undefined : createIdReader(mapping);
  for (const source of sources) {
    const rows = readTable(
      source.name,
      readInputFile(source, options),
      form,
      (header) => refuseUnknownColumns(source.name, columns, header),
      ofMapping,
    );
    for await (const { location, cells, problem } of rows) {
      if (cells === undefined) yield { location, rejectionReason: problem };
      else if (isSkipped(mapping, cells)) yield { location, ignored: true };
      else
        yield parseRecord(location, toldId(cells), () =>
          toImportRecord('submission', applyRules(rules, cells, options), options),
        );
    }
  }
}

function tableForm({ delimiter, encoding }: CsvMapping): TableDialectOptions {
  return { delimiter: delimiter === 'tab' ? '\t' : delimiter, encoding };
}

const ofMapping = { encodingHint: ', or name its encoding in the mapping, as in "encoding: windows-1252"' };

async function checkHeader(
  source: InputFile,
  form: TableDialectOptions,
  columns: readonly string[],
  { signal }: FormatReadOptions,
): Promise<void> {
  const bytes = readInputFile(source, { signal, observer: {} });
  const refuse = (header: string[] | undefined) => refuseUnknownColumns(source.name, columns, header);
  const rows = readTable(source.name, bytes, form, refuse, ofMapping);
  await rows.next();
  await rows.return(undefined);
}

function refuseUnknownColumns(name: string, columns: readonly string[], header: string[] | undefined): void {
  if (header === undefined)
    throw new InputError(
      `${name} is no table: its first line cannot be read. "rostra import detect" tells which format a file is of.`,
    );
  const unknown = columns.find((column) => !header.includes(column));
  if (unknown === undefined) return;
  const near =
    header.find((column) => normalizeWord(column) === normalizeWord(unknown)) ?? didYouMean(unknown, header);
  // A file without a header has a record in its first line, so what stands there is not told.
  const hint =
    near === undefined ? `"rostra import csv FILE --suggest" tells which it has.` : `Is it "${near}"?`;
  throw new InputError(`${name} has no column "${unknown}", which the mapping names. ${hint}`);
}

function isSkipped({ skip = {} }: CsvMapping, cells: Cells): boolean {
  return Object.entries(skip).some(([column, words]) =>
    words.some((word) => normalizeWord(word) === normalizeWord(cells[column] ?? '')),
  );
}
