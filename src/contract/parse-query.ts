/**
 * Parses the query string of an operation. Unknown parameters are errors: a misspelt filter that silently returns
 * everything is the most common complaint about similar APIs.
 */
import { didYouMean } from '../platform/did-you-mean.ts';
import { isCalendarDate } from './field-schemas.ts';
import { documentLists, type Operation, operations, type QueryOf } from './operations.ts';
import {
  maxSearchWordLength,
  maxSearchWords,
  parseSearchWords,
  type SearchWordsProblem,
} from './search-words.ts';

/** The message is public: it names the parameter and its valid values. The status is 400. */
export class InvalidParameterError extends Error {
  /** The name that the client sent, abbreviated; undefined if it cannot be decoded. */
  readonly parameter: string | undefined;

  constructor(parameter: string | undefined, message: string) {
    super(message);
    this.parameter = parameter;
  }
}

/** The part of a parameter's schema that the parser uses. */
type ParameterSchema = IntegerSchema | TextSchema | WordSchema | ListSchema;

type ParameterValue = string | number | readonly string[];

interface IntegerSchema {
  type: 'integer';
  minimum: number;
  maximum: number;
  default: number;
}

interface TextSchema {
  type: 'string';
  format?: string;
  minLength: number;
  maxLength: number;
  pattern: string;
}

interface WordSchema {
  type: 'string';
  enum: readonly string[];
  default?: string;
}

/** The parameter may be repeated. */
interface ListSchema {
  type: 'array';
  items: TextSchema;
  maxItems: number;
}

/**
 * @param queryString application/x-www-form-urlencoded, without the question mark
 * @throws InvalidParameterError for the first parameter that is unknown, repeated, badly encoded or out of bounds
 */
export function parseQuery<Op extends Operation>(operation: Op, queryString: string): QueryOf<Op> {
  const schemas = (operation.query ?? {}) as Record<string, ParameterSchema>;
  const values: Record<string, ParameterValue> = {};
  for (const [name, schema] of Object.entries(schemas)) {
    if ('default' in schema && schema.default !== undefined) values[name] = schema.default;
  }
  if (queryString === '') return values as QueryOf<Op>;
  const seen = new Map<string, number>();
  for (const pair of queryString.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decode(equals === -1 ? pair : pair.slice(0, equals));
    if (!Object.hasOwn(schemas, name)) {
      const shown = abbreviateName(name);
      throw new InvalidParameterError(shown, describeUnknownParameter(name, shown, operation));
    }
    const schema = schemas[name] as ParameterSchema;
    countOccurrence(seen, name, schema);
    const text = decode(equals === -1 ? '' : pair.slice(equals + 1), name);
    values[name] =
      schema.type === 'array'
        ? addValue(values[name] as readonly string[] | undefined, readText(name, text, schema.items))
        : readValue(name, text, schema);
  }
  assertRanges(values);
  assertOneOrder(values);
  assertCombinations(values);
  return values as QueryOf<Op>;
}

function countOccurrence(seen: Map<string, number>, name: string, schema: ParameterSchema): void {
  const count = (seen.get(name) ?? 0) + 1;
  seen.set(name, count);
  if (schema.type !== 'array' && count > 1)
    throw new InvalidParameterError(name, `The parameter "${name}" must occur only once.`);
  if (schema.type === 'array' && count > schema.maxItems)
    throw new InvalidParameterError(
      name,
      `The parameter "${name}" must occur at most ${schema.maxItems} times.`,
    );
}

/** Sorted and without duplicates, because a cursor is valid for the same values in any order. */
const addValue = (values: readonly string[] = [], value: string): readonly string[] =>
  [...new Set([...values, value])].sort();

/** Dates whose names end with `from` and `to` are the first and the last day of a range. */
function assertRanges(values: Readonly<Record<string, ParameterValue>>): void {
  for (const [name, first] of Object.entries(values)) {
    const end = name.replace(/from$/, 'to');
    const last = values[end];
    if (end !== name && last !== undefined && first > last)
      throw new InvalidParameterError(name, `The parameter "${name}" must not be after "${end}".`);
  }
}

/** Words and days of creation are found in another order, and no index has both. */
function assertOneOrder(values: Readonly<Record<string, ParameterValue>>): void {
  const { days, other } = documentLists.searchSubmissions;
  const given = Object.keys(values);
  const changed = given.find((name) => name.startsWith(other.days.prefix));
  const excluded = given.find((name) => name === 'words' || name.startsWith(days.prefix));
  if (changed !== undefined && excluded !== undefined)
    throw new InvalidParameterError(
      changed,
      `The parameter "${changed}" cannot be combined with "${excluded}": leave it out, and compare ${other.days.field} of the results.`,
    );
}

/** Each combination of values is a seek in an index: this many take a few milliseconds. */
const maxCombinations = 400;

function assertCombinations(values: Readonly<Record<string, ParameterValue>>): void {
  const lists = Object.entries(values).filter(([, value]) => Array.isArray(value)) as [string, string[]][];
  const combinations = lists.reduce((product, [, { length }]) => product * length, 1);
  if (combinations <= maxCombinations) return;
  const names = lists.map(([name]) => `"${name}"`).join(', ');
  throw new InvalidParameterError(
    lists.at(-1)?.[0],
    `The values of the parameters ${names} have ${combinations} combinations, of which a request may have ${maxCombinations}: send several requests with fewer values.`,
  );
}

function readValue(
  name: string,
  text: string,
  schema: Exclude<ParameterSchema, ListSchema>,
): string | number {
  if (schema.type === 'integer') return readInteger(name, text, schema);
  if ('enum' in schema) return readWord(name, text, schema);
  if (schema.format === 'date') return readDate(name, text);
  const value = readText(name, text, schema);
  if (name === 'words') assertSearchWords(name, value);
  return value;
}

const searchWordsProblems: Record<SearchWordsProblem, string> = {
  'too many': `must have at most ${maxSearchWords} words`,
  'too long': `must have words of at most ${maxSearchWordLength} characters`,
  none: 'must have a word with a letter or a digit',
};

function assertSearchWords(name: string, text: string): void {
  const words = parseSearchWords(text);
  if (typeof words === 'string')
    throw new InvalidParameterError(name, `The parameter "${name}" ${searchWordsProblems[words]}.`);
}

/** @param parameter undefined: the text is the name of a parameter */
function decode(text: string, parameter?: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    const subject = parameter === undefined ? 'a parameter name' : `the parameter "${parameter}"`;
    throw new InvalidParameterError(parameter, `The value of ${subject} must be percent-encoded UTF-8.`);
  }
}

/** Accepts digits without sign, point, exponent or leading zero, so that each number has one spelling. */
function readInteger(name: string, text: string, { minimum, maximum }: IntegerSchema): number {
  const value = /^[1-9]\d{0,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= minimum && value <= maximum) return value;
  throw new InvalidParameterError(
    name,
    `The parameter "${name}" must be an integer from ${minimum} to ${maximum}.`,
  );
}

function readWord(name: string, text: string, { enum: words }: WordSchema): string {
  if (words.includes(text)) return text;
  const quoted = words.map((word) => `"${word}"`);
  const allowed = [quoted.slice(0, -1).join(', '), quoted.at(-1)].filter(Boolean).join(' or ');
  throw new InvalidParameterError(name, `The parameter "${name}" must be ${allowed}.`);
}

function readDate(name: string, text: string): string {
  if (isCalendarDate(text)) return text;
  throw new InvalidParameterError(
    name,
    `The parameter "${name}" must be a date of the calendar, such as 2026-03-17.`,
  );
}

/**
 * Returns the text in NFC, like stored texts, which have the same limits. JSON Schema counts code points: at most as many as
 * UTF-16 units, and at least half as many.
 */
function readText(name: string, given: string, { minLength, maxLength, pattern }: TextSchema): string {
  const text = given.normalize('NFC');
  const needsCount = text.length > maxLength && text.length <= 2 * maxLength;
  const length = needsCount ? [...text].length : text.length;
  if (length === 0 && name === 'cursor') throw new InvalidParameterError(name, emptyCursorMessage);
  if (length < minLength || length > maxLength) {
    throw new InvalidParameterError(
      name,
      `The parameter "${name}" must have ${minLength} to ${maxLength} characters.`,
    );
  }
  if (!compilePattern(pattern).test(text)) {
    throw new InvalidParameterError(
      name,
      name === 'cursor'
        ? invalidCursorMessage
        : `The parameter "${name}" must not contain control characters.`,
    );
  }
  return text;
}

const compiledPatterns = new Map<string, RegExp>();

const compilePattern = (pattern: string): RegExp =>
  compiledPatterns.getOrInsertComputed(pattern, () => new RegExp(pattern, 'u'));

/** The same for every invalid cursor, so that the message reveals nothing about the reason. */
export const invalidCursorMessage =
  'The parameter "cursor" must be the next_cursor of a previous page of the same list, with the same filters.';

/** Not the first page: a script that lost its cursor would start again forever. */
const emptyCursorMessage =
  'The parameter "cursor" must not be empty: the first page has no cursor, so leave the parameter out.';

const noPageNumbers =
  'lists have neither page numbers nor offsets. Set "cursor" to the next_cursor of the previous page.';
const fixedOrder = 'the order of a list is fixed.';
const changedSince =
  '/changes returns what changed after a cursor, and its last next_cursor is the start of the next request.';

/** Parameters of other APIs that lists lack on purpose, with the reason. */
const absentParameters = new Map([
  ['page', noPageNumbers],
  ['offset', noPageNumbers],
  ['per_page', 'the number of items per page is "limit".'],
  ['sort', fixedOrder],
  ['order', fixedOrder],
  ['since', changedSince],
  ['updated_since', changedSince],
  ['modified_since', changedSince],
]);

const searchWithWords = '/search/submissions and /search/sessions find words with "words".';

/** Names that other APIs give to a search by words. */
const searchParameters = ['q', 'query', 'search', 'text'];

/** Names of fields, and parameters of other operations, with the parameters of this API that a client may mean. */
const namesakes = new Map([
  ['topiccategoryname', ['topic']],
  ['category', ['topic']],
  ['committeename', ['committee']],
  ['submissionid', ['submission_id']],
  ...searchParameters.map((name): [string, string[]] => [name, ['words']]),
  ['from', ['created_from', 'date_from']],
  ['to', ['created_to', 'date_to']],
  ['changed_from', ['status_changed_from']],
  ['changed_to', ['status_changed_to']],
  ['sort', ['direction']],
  ['order', ['direction']],
]);

const filterNames: ReadonlySet<string> = new Set([
  ...Object.values(operations).flatMap(({ query }) => Object.keys(query ?? {})),
  ...absentParameters.keys(),
  ...namesakes.keys(),
]);

/** Whether clients expect that a parameter selects records: a parameter of an operation, or its name in other APIs. */
export const isFilterName = (name: string): boolean => filterNames.has(name.toLowerCase());

function abbreviateName(name: string): string {
  const printable = name.replace(/\p{Cc}/gu, '\ufffd');
  return printable.length > 40 ? `${printable.slice(0, 40).toWellFormed()}…` : printable;
}

function describeUnknownParameter(name: string, abbreviated: string, { path, query }: Operation): string {
  const known = Object.keys(query ?? {});
  const shown = JSON.stringify(abbreviated);
  if (known.length === 0) return `The parameter ${shown} is unknown: this URL has no query parameters.`;
  const allowed = `Allowed: ${known.join(', ')}.`;
  const lowercase = name.toLowerCase();
  const namesake = namesakes.get(lowercase)?.find((each) => known.includes(each));
  const reason = namesake === undefined ? explainAbsence(lowercase, path, known) : undefined;
  if (reason !== undefined) return `The parameter ${shown} is unknown: ${reason} ${allowed}`;
  const range = [`${lowercase}_from`, `${lowercase}_to`].filter((each) => known.includes(each));
  const near = namesake ?? didYouMean(lowercase, known);
  const meant = range.length > 0 || near === undefined ? range : [near];
  const hint = meant.length > 0 ? ` Did you mean ${meant.map((each) => `"${each}"`).join(' and ')}?` : '';
  return `The parameter ${shown} is unknown.${hint} ${allowed}`;
}

/** @returns why the list lacks the parameter, or which one has it */
function explainAbsence(name: string, path: string, known: readonly string[]): string | undefined {
  if ([...searchParameters, 'words'].includes(name) && !known.includes('words')) return searchWithWords;
  const search = Object.values(operations).find((each) => each.path === `/search${path}`);
  const ofSearch = Object.keys(search?.query ?? {});
  if (ofSearch.includes(name) && !known.includes(name)) return `${search?.path} has it.`;
  return absentParameters.get(name);
}
