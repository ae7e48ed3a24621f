/**
 * Limits, vocabularies and fields of the resources as JSON Schema. The specification has no limits: clients need them to
 * allocate memory, and imports reject records that exceed them.
 */
import Type, { type TInteger, type TString } from 'typebox';

export const limits = {
  /** Fields with a filter; the filter has the same limit. */
  word: 200,
  description: 100_000,
  name: 1_000,
  url: 2_048,
  documents: 50,
  mediaType: 127,
  /** Items of a list inside a resource: submissions of a session, questions, options. */
  entries: 1_000,
  count: 2_147_483_647,
} as const;

/** Recommended values of open vocabularies, from the specification. */
export const recommendedValues = {
  submissionStatus: ['submitted', 'received', 'in_review', 'accepted', 'rejected', 'completed', 'withdrawn'],
  priorityLevel: ['low', 'normal', 'high', 'urgent'],
  surveyStatus: ['draft', 'active', 'closed', 'archived'],
  questionType: ['single_choice', 'multiple_choice', 'scale', 'matrix', 'ranking', 'text'],
} as const;

/** Excludes the control characters C0, DEL and C1. */
export const printable = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$';

/** Excludes NUL, which PostgreSQL cannot store. */
export const freeText = '^[^\\u0000]*$';

/**
 * Widens the patterns of texts to a form that the regular expressions of all languages read alike: generated clients
 * contain it. It has no NUL, which breaks source code, no `\\u`, which some languages lack, and no characters above 7F,
 * which some languages compare with single bytes of UTF-8. All other patterns are portable as they are.
 */
export const toPortablePattern = (pattern: string) =>
  ({ [printable]: '^[^\\x01-\\x1f\\x7f]*$', [freeText]: '^[\\s\\S]*$' })[pattern] ?? pattern;

export const webUrlPattern = '^https?://';

/** A link to a page. */
export const webUrl = (description: string, example: string) =>
  Type.String({
    format: 'uri',
    pattern: webUrlPattern,
    maxLength: limits.url,
    description,
    examples: [example],
  });

/** From 0001-01 on: PostgreSQL has no year 0. */
const month = '(000[1-9]|00[1-9]\\d|0[1-9]\\d{2}|[1-9]\\d{3})-(0[1-9]|1[0-2])';
const day = `${month}-(0[1-9]|[12]\\d|3[01])`;

export const monthPattern = `^${month}$`;

export const datePattern = `^${day}$`;

const dateExpression = new RegExp(datePattern, 'u');

/** Date also accepts February 30, as March 2. */
export function isCalendarDate(text: string): boolean {
  const time = dateExpression.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

export const localDate = (description: string, example: string) =>
  Type.String({
    format: 'date',
    pattern: datePattern,
    minLength: 10,
    maxLength: 10,
    description,
    examples: [example],
  });

export const uuid = (description: string) =>
  Type.String({
    format: 'uuid',
    minLength: 36,
    maxLength: 36,
    description,
    examples: ['0b9f6f0e-5a3c-4c0e-9d57-2f6f1f7e3a10'],
  });

/** Text in one line. */
export const word = (description: string, example: string, maxLength: number = limits.word) =>
  Type.String({ minLength: 1, maxLength, pattern: printable, description, examples: [example] });

/** Text that may have several lines. */
export const text = (description: string, example: string, maxLength: number) =>
  Type.String({ minLength: 1, pattern: freeText, maxLength, description, examples: [example] });

export const openWord = (description: string, words: readonly string[], example: string) =>
  word(
    `${description} Open vocabulary; recommended values: ${words.map((each) => `\`${each}\``).join(', ')}.`,
    example,
  );

export const nullable = <Schema extends TString | TInteger>(schema: Schema) => {
  const { description, examples, ...bare } = schema as Schema & { description: string; examples: unknown[] };
  return Type.Union([bare as unknown as Schema, Type.Null()], { description, examples: [...examples, null] });
};

export const timestamp = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern: `^${day}T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$`,
    minLength: 24,
    maxLength: 24,
    description: `${description} ISO 8601 in UTC with exactly three decimals.`,
    examples: ['2026-03-01T09:15:00.000Z'],
  });

export const count = (description: string, example: number, maximum: number = limits.count) =>
  Type.Integer({ minimum: 0, maximum, format: 'int32', description, examples: [example] });

/** @param item name of a schema */
export const list = (item: string, description: string, maxItems: number = limits.entries) =>
  Type.Array(Type.Ref(item), { maxItems, description });

export const nextCursor = (description: string, maxLength = 200) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]+$',
    maxLength,
    description: `${description} Opaque: do not construct or change it.`,
    examples: ['AAABnBfZ4cALn28OWjxMDp1XL28ffjoQ'],
  });

export const hasMore = Type.Boolean({ description: 'Whether there are more pages.', examples: [true] });
