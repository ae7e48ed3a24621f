/** Any table through a mapping file. */
import type { TableMapping } from '../../../domain/table-mapping.ts';
import { didYouMean } from '../../../text/did-you-mean.ts';
import {
  applyRules,
  detectHint,
  type Format,
  type FormatOptions,
  type FormatReadOptions,
} from '../../format-definition.ts';
import { InputError } from '../../input-error.ts';
import { parseRecord, toImportRecord } from '../../parse-record.ts';
import type { ParsedRecord } from '../../parsed-record.ts';
import type { TableDialectOptions } from '../../readers/delimited.ts';
import { type InputFile, tableExtensions } from '../../readers/input-files.ts';
import { openInput } from '../../readers/open-input.ts';
import { readTable } from '../../readers/table.ts';
import { sheetOption } from '../../sheet-option.ts';
import {
  assertTimeZone,
  type Cells,
  createIdReader,
  createRules,
  listColumns,
  normalizeWord,
} from './mapping-rules.ts';
import { parseMapping } from './parse-mapping.ts';
import { suggestMapping } from './suggest-mapping.ts';

export const tableFormat: Format = {
  name: 'table',
  fileExtensions: tableExtensions,
  isFallback: true,
  description: 'Any table: submissions from a table of any system, through a mapping file',
  mappings: [],
  getMappings: (own) => [{ kind: 'submission', fieldSources: createRules(getMapping(own)) }],
  omitted: 'Columns that the mapping does not name are not imported.',
  options: [
    {
      flags: '--mapping <file>',
      description: 'YAML file that maps columns to fields; --suggest drafts one',
      isFile: true,
      parse: parseMapping,
    },
    sheetOption,
  ],
  detect: ({ table }) =>
    table === undefined ? undefined : 'any table, through a mapping file; --suggest drafts one',
  suggestMapping,
  readRecords: readMappedTables,
};

function getMapping({ mapping }: FormatOptions): TableMapping {
  if (mapping !== undefined) return mapping as TableMapping;
  throw new InputError(
    'A mapping is needed: name its file with --mapping. "rostra import table FILE --suggest" drafts one.',
  );
}

async function* readMappedTables(
  sources: readonly InputFile[],
  given: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const mapping = getMapping(given.formatOptions);
  const options = { ...given, sheet: given.sheet ?? mapping.sheet };
  assertTimeZone(mapping, options.formatOptions.timeZone);
  const { delimiter, encoding } = mapping;
  const dialect = { delimiter: delimiter === 'tab' ? '\t' : delimiter, encoding };
  const columns = listColumns(mapping);
  // A wrong header in any file is reported before the first record is imported.
  for (const source of sources) {
    // A pipe can be read only once.
    if (source.size !== undefined) await checkHeader(source, dialect, columns, options);
  }
  const rules = createRules(mapping);
  // A composite id often contains free text, so only the line is reported.
  const readReportedId = Array.isArray(mapping.submission.id) ? () => undefined : createIdReader(mapping);
  for (const source of sources) {
    await using input = await openInput(source, options);
    const rows = readTable(input, dialect, (header) => assertColumns(input.name, columns, header), {
      encodingHint,
    });
    for await (const { location, cells, problem } of rows) {
      if (cells === undefined) yield { location, rejectionReason: problem };
      else if (isSkipped(mapping, cells))
        yield { location, ignored: true, reason: 'the mapping skips such rows' };
      else
        yield parseRecord(location, readReportedId(cells), () =>
          toImportRecord('submission', applyRules(rules, cells, options), options),
        );
    }
  }
}

const encodingHint = ', or name its encoding in the mapping, as in "encoding: windows-1252"';

async function checkHeader(
  source: InputFile,
  dialect: TableDialectOptions,
  columns: readonly string[],
  options: FormatReadOptions,
): Promise<void> {
  await using input = await openInput(source, { ...options, observer: {} });
  const check = (header: string[] | undefined) => assertColumns(input.name, columns, header);
  const rows = readTable(input, dialect, check, { encodingHint });
  await rows.next();
  await rows.return(undefined);
}

function assertColumns(name: string, columns: readonly string[], header: string[] | undefined): void {
  if (header === undefined)
    throw new InputError(`${name} is not a table: its first line is unreadable. ${detectHint}`);
  const missing = columns.find((column) => !header.includes(column));
  if (missing === undefined) return;
  const similar =
    header.find((column) => normalizeWord(column) === normalizeWord(missing)) ?? didYouMean(missing, header);
  // Without a header the first line is a record, so the message does not quote it.
  const hint =
    similar === undefined ? '"rostra import table FILE --suggest" lists its columns.' : `Is it "${similar}"?`;
  throw new InputError(`${name} has no column "${missing}" of the mapping. ${hint}`);
}

function isSkipped({ skip = {} }: TableMapping, cells: Cells): boolean {
  return Object.entries(skip).some(([column, words]) =>
    words.some((word) => normalizeWord(word) === normalizeWord(cells[column] ?? '')),
  );
}
