/** Parses and validates the text of a mapping file. Messages name the line of a mistake. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { findField, getValueSchema } from '../../../contract/field.ts';
import type { Reason } from '../../../domain/reasons/reason.ts';
import { fieldsByKind } from '../../../domain/records/records.ts';
import { findReferenceSystem, referenceSystems } from '../../../domain/sources/reference-systems.ts';
import {
  type FieldMapping,
  maxHeaderRow,
  type TableMapping,
  tableMappingSchema,
} from '../../../domain/sources/table-mapping.ts';
import { isTimeZone } from '../../../domain/values/timestamps.ts';
import { didYouMean } from '../../../platform/did-you-mean.ts';
import { InputError } from '../../input-error.ts';
import { parseRecordsPath } from '../../readers/json/json-lists.ts';
import { fieldChecks, parseFieldText } from '../../records/field-validation.ts';
import { InvalidDatePatternError, parseDatePattern } from './parse-date-pattern.ts';

const schema = Compile(tableMappingSchema as TSchema);

type Path = readonly string[];
/** Throws an InvalidMappingError with the line of the path. */
type Fail = (path: Path, problem: Reason) => never;

/** A mistake in a mapping. */
class InvalidMappingError extends InputError {}

/**
 * @param name of the mapping, usually its file, for messages
 * @throws InvalidMappingError
 */
export function parseMapping(text: string, name = 'The mapping'): TableMapping {
  const lines = new LineCounter();
  // All scalars stay text, so that 007 is not a number, and "no" is not a boolean.
  const document = parseDocument(text, {
    schema: 'failsafe',
    prettyErrors: false,
    lineCounter: lines,
  });
  const [syntaxError] = document.errors;
  if (syntaxError !== undefined) {
    const { line } = lines.linePos(syntaxError.pos[0]);
    throw new InvalidMappingError({ code: 'mapping-malformed', name, line, detail: syntaxError.message });
  }
  const fail: Fail = (path, problem) => {
    const { line } = lines.linePos(findOffset(document, path));
    throw new InvalidMappingError({
      code: 'mapping-invalid',
      name,
      line: Math.max(line, 1),
      path,
      problem,
    });
  };
  if (!isMap(document.contents)) fail([], { code: 'must-be-mapping' });
  const mapping = toPlainValue(name, document);
  if (!schema.Check(mapping)) failForSchema(mapping, fail);
  const checked = mapping as TableMapping;
  assertMeaningful(checked, fail);
  return checked;
}

function toPlainValue(name: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new InvalidMappingError({ code: 'mapping-with-alias', name });
  }
}

/** @returns the offset of a key or list entry; if it is missing, of its parent */
function findOffset(document: Document, path: Path): number {
  for (let depth = path.length; depth > 0; depth -= 1) {
    const parent = document.getIn(path.slice(0, depth - 1), true);
    const last = path[depth - 1];
    const key = isMap(parent)
      ? parent.items.find((pair) => isScalar(pair.key) && pair.key.value === last)?.key
      : document.getIn(path.slice(0, depth), true);
    const range = (key as { range?: [number, number, number] } | undefined)?.range;
    if (range) return range[0];
  }
  return 0;
}

interface SchemaError {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  message: string;
  params: Record<string, unknown>;
}

/** Selects the error to report. A field can be a column or a table, so the validator reports errors of both. */
function failForSchema(mapping: unknown, fail: Fail): never {
  const errors = schema.Errors(mapping) as SchemaError[];
  const unknown = errors.find(({ keyword }) => keyword === 'boolean');
  if (unknown) failForUnknownKey(getPath(unknown), fail);
  const missing = errors.find(
    ({ keyword, schemaPath }) => keyword === 'required' && !schemaPath.includes('/oneOf/'),
  );
  if (missing?.schemaPath.startsWith('#/anyOf/')) fail([], { code: 'must-have-part' });
  if (missing) {
    const [first] = missing.params.requiredProperties as string[];
    fail([...getPath(missing), first as string], { code: 'is-missing' });
  }
  const tooShort = errors.find(({ keyword }) => keyword === 'minItems');
  if (tooShort) fail(getPath(tooShort), findSchemaProblem(tooShort));
  const deepest = errors
    .filter(({ keyword }) => keyword !== 'anyOf')
    .toSorted((a, b) => getPath(b).length - getPath(a).length)[0] as SchemaError;
  const path = getPath(deepest);
  const atPath = errors.filter(({ instancePath }) => instancePath === deepest.instancePath);
  const isTable = !atPath.some(({ keyword, params }) => keyword === 'type' && params.type === 'object');
  if (isTable && atPath.some(({ keyword }) => keyword === 'oneOf'))
    fail(path, { code: 'must-have-one-source' });
  const [part, field = ''] = path;
  if (path.length === 2 && (part === 'submission' || part === 'session' || part === 'agenda')) {
    const isList = field === 'id' || (part === 'agenda' && (field === 'session' || field === 'submission'));
    if (isList) fail(path, { code: 'must-be-columns' });
    if (part !== 'agenda') fail(path, { code: 'must-be-column' });
  }
  fail(path, findSchemaProblem(deepest));
}

function findSchemaProblem({ keyword, params, message }: SchemaError): Reason {
  if (keyword === 'enum') return { code: 'must-be-one-of', values: params.allowedValues as string[] };
  if (keyword === 'pattern') return { code: 'must-be-character' };
  if (keyword === 'minLength' || keyword === 'minItems') return { code: 'must-not-be-empty' };
  if (keyword !== 'type') return { code: 'must-be-valid', detail: message };
  const codes: Record<string, 'must-be-list' | 'must-be-table' | 'must-be-text'> = {
    array: 'must-be-list',
    object: 'must-be-table',
    string: 'must-be-text',
  };
  return { code: codes[String(params.type)] ?? 'must-be-word' };
}

function failForUnknownKey(path: Path, fail: Fail): never {
  fail(path, { code: 'is-unknown', near: didYouMean(path.at(-1) ?? '', listKnownKeys(path)) });
}

interface SchemaWithKeys {
  properties?: Record<string, SchemaWithKeys>;
  anyOf?: SchemaWithKeys[];
}

const listKeys = ({ properties = {}, anyOf = [] }: SchemaWithKeys): Record<string, SchemaWithKeys> =>
  Object.assign({}, properties, ...anyOf.map(listKeys));

const listKnownKeys = (path: Path): string[] =>
  Object.keys(
    path
      .slice(0, -1)
      .reduce((keys, key) => listKeys(keys[key] ?? {}), listKeys(tableMappingSchema as SchemaWithKeys)),
  );

const getPath = ({ instancePath }: SchemaError): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Validates rules that a schema cannot express. */
function assertMeaningful(mapping: TableMapping, fail: Fail): void {
  const { encoding, records, headerRow, timeZone, replace = {}, submission, session, agenda } = mapping;
  if (Object.hasOwn(replace, '')) fail(['replace'], { code: 'has-empty-key' });
  if (encoding !== undefined && !isEncoding(encoding)) fail(['encoding'], { code: 'must-be-encoding' });
  if (records !== undefined && parseRecordsPath(records) === undefined)
    fail(['records'], { code: 'must-be-records-path' });
  if (
    headerRow !== undefined &&
    !(/^\d{1,3}$/.test(headerRow) && +headerRow >= 1 && +headerRow <= maxHeaderRow)
  )
    fail(['headerRow'], { code: 'must-be-row', max: maxHeaderRow });
  assertTimeZone(timeZone, ['timeZone'], fail);
  for (const kind of ['submission', 'session'] as const)
    for (const [field, given] of Object.entries({ submission, session }[kind] ?? {}))
      if (field !== 'id' && typeof given !== 'string')
        assertMeaningfulField(kind, field, given as FieldMapping, fail);
  if (agenda !== undefined && session === undefined) fail(['agenda'], { code: 'needs-session' });
  if (agenda?.separator !== undefined && Array.isArray(agenda.submission) && Array.isArray(agenda.session))
    fail(['agenda', 'separator'], { code: 'needs-single-column' });
}

function assertMeaningfulField(
  kind: 'submission' | 'session',
  field: string,
  detail: FieldMapping,
  fail: Fail,
): void {
  const path = [kind, field];
  const columnKind = findField(fieldsByKind[kind], field)?.fromColumn?.kind;
  assertTimeZone(detail.timeZone, [...path, 'timeZone'], fail);
  for (const pattern of [detail.date ?? []].flat()) assertDatePattern(pattern, [...path, 'date'], fail);
  if (columnKind === 'timeSlot' && detail.columns && detail.columns.length > 2)
    fail([...path, 'columns'], { code: 'must-be-start-and-end' });
  if (columnKind === 'point') assertMeaningfulPoint(detail, path, fail);
  if (detail.thousands !== undefined && detail.thousands === detail.decimal)
    fail([...path, 'thousands'], { code: 'equals-decimal' });
  if (columnKind === 'time' || columnKind === 'day' || columnKind === 'timeSlot') return;
  if (columnKind === 'presence' && detail.default !== undefined && detail.values === undefined)
    fail([...path, 'default'], { code: 'needs-values' });
  assertWord(kind, field, detail.constant, [...path, 'constant'], fail);
  assertWord(kind, field, detail.filled, [...path, 'filled'], fail);
  assertWord(kind, field, detail.default, [...path, 'default'], fail);
  for (const [word, published] of Object.entries(detail.values ?? {}))
    assertWord(kind, field, published, [...path, 'values', word], fail);
}

function assertMeaningfulPoint({ columns, crs }: FieldMapping, path: Path, fail: Fail): void {
  if (columns !== undefined && columns.length !== 2)
    fail([...path, 'columns'], { code: 'must-be-two-columns' });
  if (crs !== undefined && findReferenceSystem(crs) === undefined)
    fail([...path, 'crs'], { code: 'must-be-one-of', values: Object.keys(referenceSystems) });
}

function isEncoding(name: string): boolean {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}

function assertTimeZone(zone: string | undefined, path: Path, fail: Fail): void {
  if (zone !== undefined && !isTimeZone(zone)) fail(path, { code: 'must-be-time-zone' });
}

function assertDatePattern(pattern: string, path: Path, fail: Fail): void {
  try {
    parseDatePattern(pattern);
  } catch (error) {
    if (error instanceof InvalidDatePatternError) fail(path, error.reason);
    throw error;
  }
}

function assertWord(
  kind: 'submission' | 'session',
  field: string,
  given: string | undefined,
  path: Path,
  fail: Fail,
): void {
  if (given === undefined) return;
  const check = fieldChecks[kind][field];
  if (check === undefined || check.schema.Check(parseFieldText(field, given))) return;
  const { type, format } = getValueSchema(check.field);
  const wanted = [format, type].find((one) => one === 'uri' || one === 'integer' || one === 'boolean');
  fail(path, { code: 'word-invalid', value: given, wanted: wanted ?? 'word' });
}
