/**
 * The options of each format, as form fields. The registry of formats is not loaded here: it would take 75 MB in each server.
 * A test compares this table with it.
 */
import { recommendedValues } from '../../../contract/field-schemas.ts';

interface FormatOptionField {
  /** In camel case, as in the definition of a source. */
  name: string;
  /** `file`: the content of a file; `flag`: the text `true`. */
  kind: 'text' | 'number' | 'file' | 'flag' | 'choice';
  /** Of `choice`. */
  values?: readonly string[];
}

const threshold = { name: 'threshold', kind: 'number' } as const;
const otherText = { name: 'otherText', kind: 'text' } as const;
const alreadyAnonymised = { name: 'alreadyAnonymised', kind: 'flag' } as const;
const statuses = { name: 'statuses', kind: 'file' } as const;
/** Only spreadsheets have sheets. */
const sheet = { name: 'sheet', kind: 'text' } as const;
const survey = [
  { name: 'title', kind: 'text' },
  { name: 'surveyId', kind: 'text' },
  { name: 'continues', kind: 'text' },
  { name: 'newSurvey', kind: 'flag' },
  {
    name: 'status',
    kind: 'choice',
    values: recommendedValues.surveyStatus.filter((status) => status !== 'draft'),
  },
] as const;

/** By the name of the format. The mapping of a table has a form of its own. */
export const formatOptions: Readonly<Record<string, readonly FormatOptionField[]>> = {
  table: [sheet],
  rostra: [threshold, otherText, alreadyAnonymised, sheet],
  oparl: [{ name: 'paperTypes', kind: 'text' }, statuses],
  open311: [statuses, sheet],
  decidim: [{ name: 'locale', kind: 'text' }, statuses, sheet],
  consul: [statuses, sheet],
  pabulib: [],
  icalendar: [],
  'survey-rows': [
    ...survey,
    { name: 'structure', kind: 'file' },
    { name: 'questions', kind: 'text' },
    { name: 'incomplete', kind: 'flag' },
    threshold,
    otherText,
    sheet,
  ],
  'survey-table': [
    ...survey,
    { name: 'totalFromRows', kind: 'flag' },
    { name: 'metadata', kind: 'file' },
    threshold,
    otherText,
    alreadyAnonymised,
    sheet,
  ],
};

export type { FormatOptionField };

export const formatNames = Object.keys(formatOptions);

/** Each file of these formats holds some records only, so missing records are never deleted. */
export const partialFormats: readonly string[] = ['pabulib', 'survey-rows', 'survey-table'];
