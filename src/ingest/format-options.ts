/** How options of formats are declared and parsed, and the options of several formats. */
import Type, { type Static, type TSchema } from 'typebox';
import { isCalendarDate, recommendedValues } from '../contract/field-schemas.ts';
import { organizationFields } from '../domain/organizations/organization-fields.ts';
import type { Reason } from '../domain/reasons/reason.ts';
import { maxHeaderRow } from '../domain/sources/table-mapping.ts';
import { isUuid } from '../domain/values/uuid.ts';
import { isWebUrl } from '../domain/values/web-url.ts';
import { InputError } from './input-error.ts';

/**
 * The flag on the command line follows from the name: `surveyId` is `--survey-id`. The form of the admin area, the text that a
 * stored source has, and the help follow from the schema: booleans are switches, arrays are words separated by commas.
 */
export interface FormatOption {
  schema: TSchema;
  /** For the help. The default and the limits follow it. */
  description: string;
  /** Placeholder of the value on the command line; undefined for a switch. */
  value?: string;
  /** The user names a file, and the reader parses its content. */
  isFile?: true;
  /** Why a text does not fit the schema; default: by its limits. */
  invalid?: Reason;
  /** For values that need more than a schema. @throws InputError */
  parse?(text: string): unknown;
}

export type OptionDeclarations = Readonly<Record<string, FormatOption>>;

/** The parsed options that were given, by name. */
export type FormatOptions = Readonly<Record<string, unknown>>;

/** What readers get. */
export type OptionValues<Declared extends OptionDeclarations> = {
  [Name in keyof Declared]?: Static<Declared[Name]['schema']>;
};

type OptionKind = 'file' | 'switch' | 'choice' | 'number' | 'words' | 'text';

interface OptionSchema {
  type?: string;
  enum?: readonly string[];
  minimum: number;
  maximum: number;
  pattern?: string;
  default?: unknown;
}

const getSchema = ({ schema }: FormatOption) => schema as TSchema & OptionSchema;

export function getOptionKind(option: FormatOption): OptionKind {
  const { type, enum: values } = getSchema(option);
  if (option.isFile) return 'file';
  if (values !== undefined) return 'choice';
  return ({ boolean: 'switch', integer: 'number', array: 'words' } as const)[type ?? ''] ?? 'text';
}

/** Of `choice`. */
export const listChoices = (option: FormatOption): readonly string[] => getSchema(option).enum ?? [];

/** Of `number`. */
export const getRange = (option: FormatOption): { min: number; max: number } => {
  const { minimum, maximum } = getSchema(option);
  return { min: minimum, max: maximum };
};

/** Call it where nothing expects a type: the compiler takes seconds to infer a schema from a type. */
export const getDefault = <Schema extends TSchema>({ schema }: { schema: Schema }): Static<Schema> =>
  (schema as { default?: unknown }).default as Static<Schema>;

/** The description with the values and the default. */
export function describeOption(option: FormatOption): string {
  const values = listChoices(option);
  const { default: fallback } = getSchema(option);
  return `${option.description}${values.length > 0 ? `: ${values.join(', ')}` : ''}${fallback === undefined ? '' : ` (default: ${fallback})`}`;
}

/** @returns the value of an option that names no file @throws InputError */
export function parseOption(option: FormatOption, text: string): unknown {
  if (option.parse !== undefined) return option.parse(text);
  const reject = (reason: Reason): never => {
    throw new InputError(option.invalid ?? reason);
  };
  switch (getOptionKind(option)) {
    case 'switch':
      return true;
    case 'number': {
      const { min, max } = getRange(option);
      const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
      return number >= min && number <= max ? number : reject({ code: 'option-not-number', min, max });
    }
    case 'words': {
      const words = text
        .split(',')
        .map((word) => word.trim())
        .filter((word) => word !== '');
      return words.length > 0 ? words : reject({ code: 'option-not-words' });
    }
    case 'choice': {
      const values = listChoices(option);
      return values.includes(text) ? text : reject({ code: 'option-not-one-of', values });
    }
    default: {
      const { pattern = '' } = getSchema(option);
      return new RegExp(pattern, 'u').test(text) ? text : reject({ code: 'option-empty' });
    }
  }
}

/** @returns why `parse` of the option rejects the text */
export function findOptionProblem(option: FormatOption, text: string): Reason | undefined {
  try {
    option.parse?.(text);
    return undefined;
  } catch (error) {
    if (error instanceof InputError) return error.reason;
    throw error;
  }
}

/** The format's reader receives it as `sheet` of its `InputOptions`. */
export const sheet: FormatOption = {
  schema: Type.String(),
  value: 'name',
  description: 'sheet of a spreadsheet (default: the only one with data)',
};

/** The format's reader receives it as `records` of its `InputOptions`. */
export const records: FormatOption = {
  schema: Type.String(),
  value: 'path',
  description: 'path of the records in JSON, such as result.records (default: the list with the most text)',
};

/** The format's reader receives it as `headerRow` of its `InputOptions`. */
export const headerRow: FormatOption = {
  schema: Type.Integer({ minimum: 1, maximum: maxHeaderRow }),
  value: 'number',
  description:
    'row of a table, or line of a text, with the names of the columns (default: found below titles)',
};

/** The licence of the data of a source. */
export const licenseOptions = {
  licenseName: {
    schema: Type.String(),
    value: 'license',
    description:
      'licence of the data: an SPDX identifier such as CC-BY-4.0, or a name (default: that of the municipality)',
    parse: (text) => parseLicensePart('licenseName', text, { code: 'option-not-license-name' }),
  },
  licenseUrl: {
    schema: Type.String(),
    value: 'url',
    description: 'text of the licence',
    parse: (text) => parseLicensePart('licenseUrl', text, { code: 'option-not-license-url' }),
  },
} as const satisfies OptionDeclarations;

function parseLicensePart(field: 'licenseName' | 'licenseUrl', text: string, invalid: Reason): string {
  const parsed = organizationFields.declared[field].parse(text);
  if (parsed !== undefined) return parsed;
  throw new InputError(invalid);
}

/** Of stored sources of every format. */
export const commonOptions = {
  ...licenseOptions,
  mayRepublish: {
    schema: Type.Boolean(),
    description: 'the portal permits to publish its data, although its terms forbid it',
  },
} as const satisfies OptionDeclarations;

/** Of sources that need many requests. */
export const requestOptions = {
  pause: {
    schema: Type.Integer({ minimum: 0, maximum: 60_000, default: 200 }),
    value: 'milliseconds',
    description: 'pause between two requests to the server of a source',
  },
  maxRequests: {
    schema: Type.Integer({ minimum: 1, maximum: 1_000_000, default: 20_000 }),
    value: 'count',
    description: 'maximum number of requests per run of a source',
  },
} as const satisfies OptionDeclarations;

const idPlace = '{id}';

/** Of systems whose exports lack the addresses of their pages. */
export const pageUrl: FormatOption = {
  schema: Type.String(),
  value: 'url',
  description: `address of the page of each record in the system, with ${idPlace} in the place of its id`,
  parse: (text) => {
    if (text.includes(idPlace) && isWebUrl(text.replaceAll(idPlace, '1'))) return text;
    throw new InputError({ code: 'option-not-page-url' });
  },
};

/** @returns undefined without the option, and without an id */
export function composePageUrl(
  { pageUrl: pattern }: FormatOptions,
  id: string | undefined,
): string | undefined {
  if (typeof pattern !== 'string' || id === undefined || !id.isWellFormed()) return undefined;
  return pattern.replaceAll(idPlace, () => encodeURIComponent(id));
}

/** @param description the meaning of the words */
export const createStatusesOption = (
  description = 'JSON object that maps words of the source to statuses',
): FormatOption => ({
  schema: Type.String(),
  value: 'file',
  isFile: true,
  description: `${description}; it takes precedence over the default table`,
});

const minThreshold = 3;

/** Suppression of small counts. */
export const disclosureOptions = {
  threshold: {
    schema: Type.Integer({ minimum: minThreshold, maximum: 999_999, default: 10 }),
    value: 'count',
    description: `smallest published number of answers to an option, at least ${minThreshold}`,
    invalid: { code: 'option-not-threshold', min: minThreshold },
  },
  publishUnanimous: {
    schema: Type.Boolean(),
    description: 'also publish questions to which everyone gave the same answer',
  },
  alreadyAnonymised: {
    schema: Type.Boolean(),
    description: 'publish the counts of surveys unchanged, because the source has anonymised them',
  },
} as const satisfies OptionDeclarations;

/** Of formats of surveys. */
export const surveyOptions = {
  sheet,
  headerRow,
  title: {
    schema: Type.String(),
    value: 'text',
    description: 'title of the survey (default: name of the file)',
  },
  surveyId: {
    schema: Type.String(),
    value: 'id',
    description:
      'id of the survey, from which its UUID is derived (default: the source, and the name of the file without --source)',
  },
  continues: {
    schema: Type.String(),
    value: 'id',
    description: 'UUID of the published survey that this file continues',
    parse: (text) => {
      if (isUuid(text)) return text.toLowerCase();
      throw new InputError({ code: 'option-not-survey' });
    },
  },
  newSurvey: {
    schema: Type.Boolean(),
    description: 'publish a survey beside a similar one, because other people have answered it',
  },
  status: {
    schema: Type.Enum(
      recommendedValues.surveyStatus.filter((status) => status !== 'draft'),
      { default: 'closed' },
    ),
    value: 'word',
    description: 'status of the survey',
  },
  ended: {
    schema: Type.String(),
    value: 'date',
    description: 'last day of the survey, such as 2026-03-31, or its year, such as 2026',
    parse: (text) => {
      const { year = '', date } = /^(?:(?<year>\d{4})|(?<date>\d{4}-\d{2}-\d{2}))$/.exec(text)?.groups ?? {};
      if (isCalendarDate(date ?? `${year}-12-31`)) return text;
      throw new InputError({ code: 'option-not-end' });
    },
  },
} as const satisfies OptionDeclarations;
