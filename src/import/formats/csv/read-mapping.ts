/** Reads a mapping file, and says with its line what is wrong in it. */

import type { TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { type Document, isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { isTimeZone } from '../../../domain/timestamps.ts';
import { didYouMean } from '../../../text/did-you-mean.ts';
import { fieldValidators } from '../../field-validation.ts';
import { InputError } from '../../parsed-record.ts';
import { readOptionFile } from '../../readers/option-file.ts';
import { dateForm, InvalidDateFormError } from './date-pattern.ts';
import { type CsvMapping, csvMappingSchema, type FieldMapping } from './mapping-schema.ts';

const schema = Compile(csvMappingSchema as TSchema);

type Path = readonly string[];
/** Ends the reading with a sentence on what stands at a path. */
type Refuse = (path: Path, problem: string) => never;

/** @throws InputError that names file and line */
export function readMappingFile(file: string): CsvMapping {
  return mappingIn(file, readOptionFile(file));
}

/** @param name of the file, for the sentences of problems */
export function mappingIn(name: string, text: string): CsvMapping {
  const lines = new LineCounter();
  // Everything stays the text that it is: a 007 no number, a "no" no truth.
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false, lineCounter: lines });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line } = lines.linePos(fault.pos[0]);
    const hint = 'A text with signs in it, such as - : # or ", is safe between quotation marks.';
    throw new InputError(`${name}, line ${line}: ${fault.message.replace(/\.?$/, '.')} ${hint}`);
  }
  const refuse: Refuse = (path, problem) => {
    const { line } = lines.linePos(offsetOf(document, path));
    const subject = path.length === 0 ? 'the mapping' : path.join('.');
    throw new InputError(
      `${name}, line ${Math.max(line, 1)}: ${subject} ${problem}${problem.endsWith('?') ? '' : '.'}`,
    );
  };
  if (!isMap(document.contents)) refuse([], 'must be a list of "name: value" lines, such as "submission:"');
  const mapping = plain(name, document);
  if (!schema.Check(mapping)) refuseShape(mapping, refuse);
  refuseMeaning(mapping as CsvMapping, refuse);
  return mapping as CsvMapping;
}

function plain(name: string, document: Document): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch {
    throw new InputError(`${name} refers from one place to another (* and &): write it out.`);
  }
}

/** Where the key, or the entry of a list, stands in the text; of what is not there, where it is missing. */
function offsetOf(document: Document, path: Path): number {
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

interface Fault {
  keyword: string;
  schemaPath: string;
  instancePath: string;
  message: string;
  params: Record<string, unknown>;
}

/** A field can be a name or a table, so that the checker reports each way in which it is not one. */
function refuseShape(mapping: unknown, refuse: Refuse): never {
  const faults = schema.Errors(mapping) as unknown as Fault[];
  const unknown = faults.find(({ keyword }) => keyword === 'boolean');
  if (unknown) refuseUnknown(pathOf(unknown), refuse);
  const missing = faults.find(
    ({ keyword, schemaPath }) => keyword === 'required' && !schemaPath.includes('/oneOf/'),
  );
  if (missing) {
    const [first] = missing.params.requiredProperties as string[];
    refuse([...pathOf(missing), first as string], 'is missing');
  }
  const deepest = faults
    .filter(({ keyword }) => keyword !== 'anyOf')
    .toSorted((a, b) => pathOf(b).length - pathOf(a).length)[0] as Fault;
  const path = pathOf(deepest);
  const here = faults.filter(({ instancePath }) => instancePath === deepest.instancePath);
  const isTable = !here.some(({ keyword, params }) => keyword === 'type' && params.type === 'object');
  const origins = here.find(({ keyword }) => keyword === 'oneOf');
  if (origins && isTable) refuse(path, 'must have one of column, columns and constant, and only one');
  if (path.length === 2 && path[0] === 'submission')
    refuse(
      path,
      path[1] === 'id' ? 'must be a column, or a list of columns' : 'must be a column, or a table',
    );
  refuse(path, sentencePart(deepest));
}

function sentencePart({ keyword, params, message }: Fault): string {
  if (keyword === 'enum') return `must be one of ${(params.allowedValues as string[]).map(quoted).join(' ')}`;
  if (keyword === 'pattern') return 'must be one character, or "tab"';
  if (keyword === 'minLength' || keyword === 'minItems') return 'must not be empty';
  if (keyword !== 'type') return message;
  const named: Record<string, string> = {
    array: 'must be a list, such as [a, b]',
    object: 'must be a table of "name: value" lines',
    string: 'must be a text',
  };
  return named[String(params.type)] ?? 'must be a word';
}

const quoted = (text: string) => `"${text}"`;

function refuseUnknown(path: Path, refuse: Refuse): never {
  const near = didYouMean(path.at(-1) ?? '', knownAt(path));
  refuse(path, `is not known here${near === undefined ? '' : `; is it "${near}"?`}`);
}

function knownAt(path: Path): string[] {
  const { properties } = csvMappingSchema;
  if (path.length === 1) return Object.keys(properties);
  const fields: Record<string, TSchema> = properties.submission.properties;
  if (path.length === 2) return Object.keys(fields);
  const { anyOf = [] } = (fields[path[1] ?? ''] ?? {}) as { anyOf?: { properties?: object }[] };
  return anyOf.flatMap((branch) => Object.keys(branch.properties ?? {}));
}

const pathOf = ({ instancePath }: Fault): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** What is of the right shape, and can mean nothing: found before any row is read. */
function refuseMeaning(mapping: CsvMapping, refuse: Refuse): void {
  const { encoding, timeZone, replace = {}, submission } = mapping;
  if (Object.hasOwn(replace, ''))
    refuse(['replace'], 'has a line that looks for nothing: write what is damaged');
  if (encoding !== undefined && !isEncoding(encoding))
    refuse(['encoding'], 'must be an encoding such as utf-8, utf-16le or windows-1252');
  refuseTimeZone(timeZone, ['timeZone'], refuse);
  for (const [field, given] of Object.entries(submission)) {
    if (field === 'id' || typeof given === 'string') continue;
    const detail = given as FieldMapping;
    const path = ['submission', field];
    refuseTimeZone(detail.timeZone, [...path, 'timeZone'], refuse);
    refuseDate(detail.date, [...path, 'date'], refuse);
    if (detail.thousands !== undefined && detail.thousands === detail.decimal)
      refuse([...path, 'thousands'], 'is the decimal sign too');
    if (field === 'createdAt' || field === 'statusChangedAt') continue;
    if (field === 'hasAttachments' && detail.default !== undefined && detail.values === undefined)
      refuse(
        [...path, 'default'],
        'needs values: without them a filled cell is true, and an empty one false',
      );
    refuseWord(field, detail.constant, [...path, 'constant'], refuse);
    refuseWord(field, detail.default, [...path, 'default'], refuse);
    for (const [theirs, ours] of Object.entries(detail.values ?? {}))
      refuseWord(field, ours, [...path, 'values', theirs], refuse);
  }
}

function isEncoding(name: string): boolean {
  try {
    new TextDecoder(name);
    return true;
  } catch {
    return false;
  }
}

function refuseTimeZone(zone: string | undefined, path: Path, refuse: Refuse): void {
  if (zone !== undefined && !isTimeZone(zone)) refuse(path, 'must be a time zone such as Europe/Berlin');
}

function refuseDate(form: string | undefined, path: Path, refuse: Refuse): void {
  try {
    if (form !== undefined) dateForm(form);
  } catch (error) {
    if (error instanceof InvalidDateFormError) refuse(path, error.message);
    throw error;
  }
}

function refuseWord(field: string, given: string | undefined, path: Path, refuse: Refuse): void {
  if (given === undefined) return;
  const check = fieldValidators.submission[field];
  const value = typedWord(field, given);
  if (check === undefined || check.Check(value)) return;
  const wanted: Record<string, string> = {
    supportCount: 'a whole number',
    hasAttachments: 'true or false',
    protocolUrl: 'an address that starts with https:// or http://',
  };
  refuse(path, `is "${given}", and must be ${wanted[field] ?? 'a word of 1 to 200 characters'}`);
}

/** A word of the mapping as the value of a field. */
export function typedWord(field: string, word: string): unknown {
  if (field === 'supportCount') return /^\d{1,10}$/.test(word) ? Number(word) : word;
  if (field === 'hasAttachments') return word === 'true' ? true : word === 'false' ? false : word;
  return word;
}
