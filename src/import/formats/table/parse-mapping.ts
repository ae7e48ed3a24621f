/** Parses and validates the text of a mapping file. Messages name the line of a mistake. */
import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { findField, getValueSchema } from '../../../contract/field.ts';
import { fieldsByKind } from '../../../domain/records.ts';
import type { FieldMapping, TableMapping } from '../../../domain/table-mapping.ts';
import { isTimeZone } from '../../../domain/timestamps.ts';
import { didYouMean } from '../../../text/did-you-mean.ts';
import { fieldChecks, parseFieldText } from '../../field-validation.ts';
import { InputError } from '../../input-error.ts';
import { InvalidDatePatternError, parseDatePattern } from './date-pattern.ts';
import { tableMappingSchema } from './mapping-schema.ts';

const schema = Compile(tableMappingSchema as TSchema);

type Path = readonly string[];
/** Throws an InvalidMappingError with the line of the path. */
type Fail = (path: Path, problem: string) => never;

/** A mistake in a mapping. The message has the name of the mapping and the line. */
export class InvalidMappingError extends InputError {
  /** Keys that lead to the mistake, such as submission, createdAt, date; empty for the whole mapping. */
  readonly path: readonly string[];
  /** A clause without its subject, which is the path. */
  readonly problem: string;

  constructor(message: string, path: readonly string[], problem: string) {
    super(message);
    this.path = path;
    this.problem = problem;
  }
}

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
    const hint = 'Quote texts with special characters, such as - : # or ".';
    const problem = `${syntaxError.message.replace(/\.?$/, '.')} ${hint}`;
    throw new InvalidMappingError(`${name}, line ${line}: ${problem}`, [], problem);
  }
  const fail: Fail = (path, problem) => {
    const { line } = lines.linePos(findOffset(document, path));
    const subject = path.length === 0 ? 'the mapping' : path.join('.');
    const end = problem.endsWith('?') ? '' : '.';
    throw new InvalidMappingError(
      `${name}, line ${Math.max(line, 1)}: ${subject} ${problem}${end}`,
      path,
      problem,
    );
  };
  if (!isMap(document.contents)) fail([], 'must be a list of "name: value" lines, such as "submission:"');
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
    const problem = 'has an alias or anchor (* or &): repeat the text instead';
    throw new InvalidMappingError(`${name} ${problem}.`, [], problem);
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
  if (missing?.schemaPath.startsWith('#/anyOf/')) fail([], 'must have submission or session');
  if (missing) {
    const [first] = missing.params.requiredProperties as string[];
    fail([...getPath(missing), first as string], 'is missing');
  }
  const tooShort = errors.find(({ keyword }) => keyword === 'minItems');
  if (tooShort) fail(getPath(tooShort), explainError(tooShort));
  const deepest = errors
    .filter(({ keyword }) => keyword !== 'anyOf')
    .toSorted((a, b) => getPath(b).length - getPath(a).length)[0] as SchemaError;
  const path = getPath(deepest);
  const atPath = errors.filter(({ instancePath }) => instancePath === deepest.instancePath);
  const isTable = !atPath.some(({ keyword, params }) => keyword === 'type' && params.type === 'object');
  if (isTable && atPath.some(({ keyword }) => keyword === 'oneOf'))
    fail(path, 'must have exactly one of column, columns and constant');
  const [part, field = ''] = path;
  if (path.length === 2 && (part === 'submission' || part === 'session' || part === 'agenda')) {
    const isList = field === 'id' || (part === 'agenda' && (field === 'session' || field === 'submission'));
    if (isList) fail(path, 'must be a column, or a list of columns');
    if (part !== 'agenda') fail(path, 'must be a column, or a table');
  }
  fail(path, explainError(deepest));
}

function explainError({ keyword, params, message }: SchemaError): string {
  if (keyword === 'enum')
    return `must be one of ${(params.allowedValues as string[]).map((value) => `"${value}"`).join(' ')}`;
  if (keyword === 'pattern') return 'must be one character, or "tab"';
  if (keyword === 'minLength' || keyword === 'minItems') return 'must not be empty';
  if (keyword !== 'type') return message;
  const messages: Record<string, string> = {
    array: 'must be a list, such as [a, b]',
    object: 'must be a table of "name: value" lines',
    string: 'must be a text',
  };
  return messages[String(params.type)] ?? 'must be a word';
}

function failForUnknownKey(path: Path, fail: Fail): never {
  const similar = didYouMean(path.at(-1) ?? '', listKnownKeys(path));
  fail(path, `is unknown${similar === undefined ? '' : `; is it "${similar}"?`}`);
}

function listKnownKeys(path: Path): string[] {
  const { properties } = tableMappingSchema;
  if (path.length === 1) return Object.keys(properties);
  const { submission, session, agenda } = properties;
  const parts: Record<string, { properties: Record<string, TSchema> }> = { submission, session, agenda };
  const fields = parts[path[0] ?? '']?.properties ?? {};
  if (path.length === 2) return Object.keys(fields);
  const { anyOf = [] } = (fields[path[1] ?? ''] ?? {}) as { anyOf?: { properties?: object }[] };
  return anyOf.flatMap((branch) => Object.keys(branch.properties ?? {}));
}

const getPath = ({ instancePath }: SchemaError): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** Validates rules that a schema cannot express. */
function assertMeaningful(mapping: TableMapping, fail: Fail): void {
  const { encoding, timeZone, replace = {}, submission, session, agenda } = mapping;
  if (Object.hasOwn(replace, '')) fail(['replace'], 'has an empty key: write the damaged characters');
  if (encoding !== undefined && !isEncoding(encoding))
    fail(['encoding'], 'must be an encoding such as utf-8, utf-16le or windows-1252');
  assertTimeZone(timeZone, ['timeZone'], fail);
  for (const kind of ['submission', 'session'] as const)
    for (const [field, given] of Object.entries({ submission, session }[kind] ?? {}))
      if (field !== 'id' && typeof given !== 'string')
        assertMeaningfulField(kind, field, given as FieldMapping, fail);
  if (agenda !== undefined && session === undefined) fail(['agenda'], 'needs session');
  if (agenda?.separator !== undefined && Array.isArray(agenda.submission) && Array.isArray(agenda.session))
    fail(['agenda', 'separator'], 'needs a single column in session or submission');
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
    fail([...path, 'columns'], 'must be the start and the end');
  if (detail.thousands !== undefined && detail.thousands === detail.decimal)
    fail([...path, 'thousands'], 'equals the decimal separator');
  if (columnKind === 'time' || columnKind === 'day' || columnKind === 'timeSlot') return;
  if (columnKind === 'presence' && detail.default !== undefined && detail.values === undefined)
    fail([...path, 'default'], 'needs values: without values a filled cell is true, and an empty one false');
  assertWord(kind, field, detail.constant, [...path, 'constant'], fail);
  assertWord(kind, field, detail.filled, [...path, 'filled'], fail);
  assertWord(kind, field, detail.default, [...path, 'default'], fail);
  for (const [word, published] of Object.entries(detail.values ?? {}))
    assertWord(kind, field, published, [...path, 'values', word], fail);
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
  if (zone !== undefined && !isTimeZone(zone)) fail(path, 'must be a time zone such as Europe/Berlin');
}

function assertDatePattern(pattern: string, path: Path, fail: Fail): void {
  try {
    parseDatePattern(pattern);
  } catch (error) {
    if (error instanceof InvalidDatePatternError) fail(path, error.message);
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
  const { type, format = '' } = getValueSchema(check.field);
  const wanted: Record<string, string> = {
    integer: 'a whole number',
    boolean: 'true or false',
    uri: 'an address that starts with https:// or http://',
  };
  fail(
    path,
    `is "${given}", and must be ${wanted[format] ?? wanted[type] ?? 'a word of 1 to 200 characters'}`,
  );
}
