/** Reads Rostra's own format as CSV: records without nesting, with the published names, in UTF-8. */
import { getValueSchema, listNames } from '../../../contract/field.ts';
import { fieldsByKind } from '../../../domain/records/records.ts';
import { InputError } from '../../input-error.ts';
import type { ParsedJsonValue } from '../../readers/json/json-entries.ts';
import type { Input } from '../../readers/open-input.ts';
import { readTable } from '../../readers/tables/table.ts';
import { parseFieldText } from '../../records/field-validation.ts';
import type { SourceLocation } from '../../records/parsed-record.ts';

/** Yields each row as an object with typed values, like the JSON format. @throws InputError */
export async function* readRecordTable(input: Input): AsyncGenerator<ParsedJsonValue> {
  const { name } = input;
  const checkHeader = (columns: readonly string[] = []) => {
    if (!columns.includes('id') && !columns.includes('surveyId'))
      throw new InputError({ code: 'rostra-column-missing', file: name });
  };
  for await (const { location, cells, problem } of readTable(input, { encoding: 'utf-8' }, checkHeader))
    yield cells === undefined ? { location, problem } : parseRow(location, cells);
}

/** Words of other programs for a missing value. */
const missingWord = /^(?:NA|N\/A|#N\/A|NULL|null|NaN|None|nil)$/;
/** Columns in which these words are mistakes. In other columns they are texts. */
const columnsWithoutWords: ReadonlySet<string> = new Set([
  ...[fieldsByKind.submission, fieldsByKind.session].flatMap((fields) =>
    listNames(fields, (field) => {
      const { type, format } = getValueSchema(field);
      return !field.isDerived && (type !== 'string' || format !== undefined || field.form !== undefined);
    }),
  ),
  'deleted',
]);

function parseRow(location: SourceLocation, cells: Record<string, string>): ParsedJsonValue {
  for (const name of columnsWithoutWords) {
    const cell = cells[name];
    if (cell !== undefined && missingWord.test(cell))
      return { location, problem: { code: 'cell-with-missing-word', name, word: cell } };
  }
  return { location, value: toTypedValues(cells) };
}

/** As in the published files. */
const isCoordinateColumn = (name: string) => name === 'longitude' || name === 'latitude';

/** The validation reports other texts. */
const toNumber = (text: string): number | string =>
  /^-?\d{1,3}(?:\.\d{1,20})?$/.test(text) ? Number(text) : text;

/** Skips empty cells. Invalid values stay texts, and the validation reports them. */
function toTypedValues(row: Record<string, string>): Record<string, unknown> {
  const kind = row.kind || ('committeeName' in row ? 'session' : 'submission');
  const value: Record<string, unknown> = { kind };
  const { longitude = '', latitude = '' } = row;
  const hasPoint = kind === 'submission' && (longitude !== '' || latitude !== '');
  for (const [name, cell] of Object.entries(row)) {
    if (cell === '' || name === 'kind') continue;
    if (!hasPoint || !isCoordinateColumn(name)) value[name] = parseFieldText(name, cell);
  }
  if (hasPoint) value.location = { type: 'Point', coordinates: [longitude, latitude].map(toNumber) };
  return value;
}
