/** Clauses about a record that is rejected or left out, without a full stop. */
import { formatExamples } from '../date-example.ts';
import type { AnyReason, Words } from '../sentence-types.ts';

interface Field {
  /** Its name in the API, or in the source. */
  field: string;
}

interface Limited extends Field {
  max: number;
}

/** The columns of a table that a field is read from, or the text that a mapping names instead. */
export interface Cell extends Field {
  columns: readonly string[];
  constant?: string | undefined;
}

const objects = {
  record: 'the record',
  agendaEntry: 'an entry of submissions',
  question: 'a question',
  option: 'an option',
  serviceRequest: 'the service request',
};

export const formatCell = (
  { field, columns, constant }: Cell,
  { isPage, field: name }: Pick<Words, 'isPage' | 'field'>,
) => {
  if (constant !== undefined)
    return isPage ? `${name(field)} (always “${constant}”)` : `${name(field)}: always "${constant}"`;
  return isPage
    ? `${name(field)} (${columns.length === 1 ? 'column' : 'columns'} ${columns.map((column) => `“${column}”`).join(', ')})`
    : `${name(field)}: ${columns.map((column) => `\`${column}\``).join(', ')}`;
};

const locationProblems = {
  'no-coordinates': 'its coordinates are not two numbers',
  zero: 'its coordinates are 0 and 0',
  'out-of-range':
    'its coordinates are beyond the poles or the 180th meridian, or outside of the area of their reference system: they may be swapped, or in a reference system that the mapping does not name',
  swapped: 'its latitude and longitude are swapped: as they are, the place is far from the country',
  'other-system': 'its coordinates are in another reference system than the mapping names',
};

export type LocationProblem = keyof typeof locationProblems;

/** Of JSON. */
const types: Readonly<Record<string, string>> = {
  string: 'a text',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
};

const longNumberHint = ' of at most 15 digits: write a longer one in quotation marks';

export const rejections = {
  'field-missing': ({ field }: Field, words: Words) => `${words.field(field)} is missing`,
  'fields-missing': ({ fields: [first, second] }: { fields: [string, string] }, words: Words) =>
    `${words.field(first)} and ${words.field(second)} are missing`,
  'field-unknown': ({ name, near }: { name: string; near?: string | undefined }) =>
    `${JSON.stringify(name)} is not a field${near === undefined ? '' : `; is it "${near}"?`}`,
  'type-wrong': ({ field, type }: Field & { type: string }, words: Words) =>
    `${words.field(field)} must be ${words.isPage ? (types[type] ?? type) : type}`,
  'text-too-long': ({ field, max, length }: Limited & { length: number }, words: Words) =>
    words.isPage
      ? `${words.field(field)} has ${words.number(length)} characters; at most ${words.number(max)} are allowed`
      : `${words.field(field)} must not have more than ${max} characters`,
  'text-too-short': ({ field, min }: Field & { min: number }, words: Words) =>
    `${words.field(field)} must not have fewer than ${min} characters`,
  'number-too-small': ({ field, min }: Field & { min: number }, words: Words) =>
    `${words.field(field)} must be ${words.isPage ? 'at least' : '>='} ${min}`,
  'number-too-large': ({ field, max }: Limited, words: Words) =>
    `${words.field(field)} must be ${words.isPage ? 'at most' : '<='} ${max}`,
  'field-invalid': ({ field }: Field, words: Words) => `${words.field(field)} is not allowed`,
  'location-invalid': ({ problem }: { problem: LocationProblem }, words: Words) =>
    `${words.field('location')}, because ${locationProblems[problem]}`,
  'url-invalid': ({ field }: Field, words: Words) =>
    `${words.field(field)} must be an address that starts with https:// or http://, without blanks and correctly percent-encoded`,
  'document-address-invalid': 'the address of a document is not a valid web address (https:// or http://)',
  'document-address-secret':
    'the address of a document or page contains a user name, a password, a key or a signature that expires',
  'document-address-internal': 'the address of a document or page leads to an internal network',
  'document-title-too-long': ({ max }: { max: number }, { number }: Words) =>
    `the title of a document has more than ${number(max)} characters`,
  'document-file-missing': 'a document is only referenced, and its file is missing',
  'problem-in-line': ({ line, problem }: { line: number; problem: AnyReason }, words: Words) =>
    `line ${line}: ${words.reason(problem)}`,
  'document-title-missing': 'the title of a document is missing',
  'time-slot-invalid': ({ field }: Field, words: Words) =>
    `${words.field(field)} must be HH:MM or HH:MM-HH:MM`,
  'time-slot-reversed': ({ field }: Field, words: Words) => `${words.field(field)} ends before it begins`,
  'date-invalid': ({ field }: Field, words: Words) =>
    `${words.field(field)} must be a date such as 2026-03-01`,
  'control-characters': ({ field }: Field, words: Words) =>
    `${words.field(field)} must not contain control characters`,
  'null-character': ({ field }: Field, words: Words) => `${words.field(field)} must not contain U+0000`,
  'incomplete-character': ({ field }: Field, words: Words) =>
    `${words.field(field)} has an incomplete character (lone surrogate)`,
  'personal-data-typed': ({ field }: Field, words: Words) =>
    `${words.field(field)} must not contain personal data, such as email addresses and telephone numbers`,
  'text-blank': ({ field }: Field, words: Words) => `${words.field(field)} must not be blank`,
  'not-whole-number': ({ field }: Field, words: Words) => `${words.field(field)} must be a whole number`,
  'not-text': ({ field }: Field, words: Words) => `${words.field(field)} must be a text`,
  'not-object': ({ what }: { what: keyof typeof objects }) => `${objects[what]} must be an object`,
  'entry-not-object': 'must be an object',
  'not-list': ({ field }: Field, words: Words) => `${words.field(field)} must be a list`,
  'list-too-long': ({ field, max }: Limited, words: Words) =>
    `${words.field(field)} must not have more than ${max} entries`,
  'id-invalid': ({ field, isLongNumber }: Field & { isLongNumber: boolean }, words: Words) =>
    `${words.field(field)} must be a text or a whole number${isLongNumber ? longNumberHint : ''}`,
  'object-id-invalid': 'its id is invalid',
  'time-invalid-form': ({ field, readFrom }: Field & { readFrom?: readonly string[] }, words: Words) =>
    words.isPage && readFrom !== undefined
      ? `${words.field(field)} must be a date, such as 17/03/2026 in Excel and 2026-03-17 in CSV files`
      : `${words.field(field)} must be a time such as 2026-03-01T09:15:00Z`,
  'time-without-offset': ({ field }: Field, words: Words) => `${words.field(field)} has no offset from UTC`,
  'time-invalid': ({ field }: Field, words: Words) => `${words.field(field)} is not a valid time`,
  'date-too-early': ({ field, min }: Field & { min: number }, words: Words) =>
    `${words.field(field)} is before ${min}, so it stands for an unknown date`,
  'year-invalid': ({ field }: Field, words: Words) =>
    `${words.field(field)} must be a year from 1 to 9999, as a number`,
  'survey-year-differs': (_: object, words: Words) =>
    `${words.field('year')} is not the year of ${words.field('endedOn')}`,
  'survey-end-in-future': ({ field }: Field, words: Words) =>
    `${words.field(field)} is in the future, so the survey has not ended: import it again after its end`,
  'date-too-late': ({ field, years }: Field & { years: number }, words: Words) =>
    `${words.field(field)} is more than ${years} years ahead, so it stands for an unknown date`,
  'kind-invalid': 'kind must be "submission", "session" or "survey"',
  'deleted-invalid': 'deleted must be true or false',
  'agenda-repeats-submission': (_: object, { isPage }: Words) =>
    `${isPage ? 'the agenda' : 'submissions'} names a submission twice`,
  'agenda-too-long': ({ max }: { max: number }) => `its agenda has more than ${max} submissions`,
  'agenda-unknown-submission': ({ entry, id }: { entry: number; id: string }, { isPage }: Words) =>
    `${isPage ? `entry ${entry} of the agenda` : `submissions: entry ${entry}`} refers to the unknown submission ${id}. Put submissions before sessions, or import the file again`,
  'published-meanwhile': 'another import has published or removed it in the meantime: import it again',
  'id-repeated': (_: object, { isPage }: Words) =>
    `an earlier record ${isPage ? 'of the same file' : 'in the same input'} has the same id; the first one counts`,
  'session-differs': 'an earlier row of the same session has other fields; the first one counts',
  'markup-too-long': ({ max }: { max: number }) => `its markup has more than ${max} characters`,
  'too-many-tags': ({ max }: { max: number }) => `its markup has more than ${max} tags`,
  'too-long-after-redaction': ({ field, max }: Limited, words: Words) =>
    `${words.field(field)} has more than ${max} characters after redaction`,
  'options-alike-after-redaction': ({
    question,
    first,
    second,
  }: {
    question: number;
    first: number;
    second: number;
  }) =>
    `question ${question}: options ${first} and ${second} are the same after redaction, and their counts must not be added; remove the personal data from them`,
  'pattern-too-slow': ({ pattern, field }: { pattern: string; field: string | undefined }, words: Words) =>
    `the pattern "${pattern}" takes too long on ${field === undefined ? 'a text' : `its ${words.field(field)}`}: simplify the pattern`,
  'word-unmapped': (values: Cell, words: Words) =>
    `${formatCell(values, words)} has a word that is not among the values of the mapping; add it, or add it to skip if such rows are not public`,
  'cell-not-number': (values: Cell & { hasDigits?: boolean }, words: Words) =>
    `${formatCell(values, words)} is not a whole number${values.hasDigits ? `; if it has separators, name them ${words.isPage ? 'in the mapping' : 'with thousands and decimal'}` : ''}`,
  'cell-not-date': (values: Cell & { patterns: readonly string[]; hasTime?: true }, words: Words) =>
    `${formatCell(values, words)} ${words.isPage ? `is not a date such as ${formatExamples(values.patterns, 'en', ' or ')}` : `does not match ${values.patterns.join(' or ')}`}${values.hasTime ? ' with a time' : ''}; correct the cell, or the date pattern in the mapping`,
  'cell-not-time': (values: Cell, words: Words) =>
    `${formatCell(values, words)} is not a time such as 18:00 or 18:00-20:00; if it has a date too, name its pattern ${words.isPage ? 'in the mapping' : 'with date'}`,
  'event-invalid': 'the event is not valid iCalendar',
  'event-start-invalid': 'DTSTART must be a date or a time',
  'event-time-invalid': 'DTSTART or DTEND is not a valid time',
  'event-end-invalid': 'DTEND or DURATION is invalid',
  'event-time-zone-unknown': 'the time zone of DTSTART is unknown, and the calendar does not define it',
  'rule-too-frequent': 'RRULE repeats several times a day',
  'rule-too-slow': 'RRULE takes too long to expand',
  'rule-invalid': 'RRULE, RDATE or EXDATE is invalid',
  'not-oparl-object': 'is not an OParl object: it has no id, or no type and no list that states its type',
  'request-pending': 'it has a token and no service_request_id yet: fetch it again later',
  'vote-dates-missing': 'date_begin and date_end of META are missing',
  'vote-date-invalid': ({ name }: { name: string }) => `${name} of META must be a date such as 16.09.2023`,
  'project-names-missing': ({ count }: { count: number }) =>
    `none of its ${count} projects has a name: the column "name" is missing or empty`,
  'proposal-date-missing': 'the date is missing, such as created_at',
  'response-without-proposals': 'is a response of the API without proposals: fetch it again',
  // Why an entry is left out.
  'record-repeated': (_: object, { isPage }: Words) =>
    `the same ${isPage ? 'file' : 'input'} contains this record before`,
  'removal-absent': 'the record to remove is not published',
  'record-unpublished': 'the municipality has unpublished the record',
  'record-matched':
    'the municipality has unpublished or removed an equal record; the page on decisions and "rostra record matches" list it',
};
