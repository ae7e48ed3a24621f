/** The words of formats: titles, options, and sentences. Those about an option begin with "It". */
import type { AnyReason, Words } from '../sentence-types.ts';

export const formatTitles = {
  rostra: 'Rostra',
  oparl: 'OParl (council information system)',
  open311: 'Open311 (issue reporting)',
  decidim: 'Decidim proposals',
  consul: 'CONSUL Democracy proposals',
  pabulib: 'Participatory budget (Pabulib)',
  icalendar: 'Calendar of sessions (iCalendar)',
  'survey-rows': 'Survey responses, one row for each participant',
  'survey-table': 'Survey results, already counted',
  table: 'Table (CSV, Excel, OpenDocument, JSON, GeoJSON)',
};

export type FormatName = keyof typeof formatTitles;

export interface OptionWords {
  label: string;
  hint: string | ((limits: { min: number; fallback: unknown }) => string);
}

/** Of forms. The mapping of a table has a form of its own. */
export const optionWords: Readonly<Record<string, OptionWords>> = {
  mapping: { label: 'Mapping (YAML)', hint: '' },
  threshold: {
    label: 'Smallest published number',
    hint: ({ min, fallback }) =>
      `Smaller numbers of answers are combined or hidden, so that nobody can be identified. At least ${min}; usually ${fallback}.`,
  },
  publishUnanimous: {
    label: 'Publish questions that everyone answered alike',
    hint: 'Readers then know the answer of each person who took part.',
  },
  alreadyAnonymised: {
    label: 'The source has already anonymised the numbers',
    hint: 'All numbers are published unchanged.',
  },
  paperTypes: {
    label: 'Types of papers',
    hint: ({ fallback }) =>
      `Papers whose type contains one of these words are imported, separated by commas. Usually: ${fallback}`,
  },
  statuses: {
    label: 'Own statuses (JSON)',
    hint: 'For example {"Abgelehnt": "rejected"}. They extend the default table, and take precedence over it.',
  },
  sheet: {
    label: 'Sheet',
    hint: 'Only for Excel and OpenDocument files with several sheets: the name of the sheet with the data.',
  },
  headerRow: {
    label: 'Row with the headings',
    hint: 'Its number, if Rostra has found the wrong row. Rostra then reads the file again and suggests the columns anew.',
  },
  records: {
    label: 'List (JSON)',
    hint: 'Only for JSON files: the path of the list with the records, such as result.records.',
  },
  pageUrl: {
    label: 'Page of a record (URL)',
    hint: 'The address with {id} in the place of the identifier, such as https://participation.example.org/proposals/{id}. Pages then link to it.',
  },
  system: { label: 'System of the data portal', hint: '' },
  licenseName: { label: 'Name of the licence', hint: '' },
  licenseUrl: { label: 'Text of the licence (URL)', hint: '' },
  mayRepublish: {
    label: 'We have permission to publish this data under our licence',
    hint: 'Rostra records your confirmation in the audit log.',
  },
  changedColumn: { label: 'Column with the time of the last change', hint: '' },
  body: { label: 'Body', hint: '' },
  allowHost: { label: 'Other hosts that are requested', hint: '' },
  pause: { label: 'Pause between two requests (milliseconds)', hint: '' },
  maxRequests: { label: 'Maximum number of requests', hint: '' },
  locale: { label: 'Language of the texts', hint: 'Language code, such as ca or pt-BR.' },
  title: { label: 'Title of the survey', hint: 'Default: the name of the file.' },
  surveyId: {
    label: 'Identifier of the survey',
    hint: 'It must stay the same in later files. Default: the source, or the name of the file if the import has several.',
  },
  continues: {
    label: 'Continues this survey',
    hint: 'Identifier (UUID) of a published survey that this file continues.',
  },
  newSurvey: {
    label: 'It is a survey of its own',
    hint: 'For a survey that asks the questions of a published one, but was answered by other people.',
  },
  status: { label: 'Status of the survey', hint: '' },
  ended: {
    label: 'End of the survey',
    hint: 'The last day, such as 2026-03-31, or only the year, such as 2026. Lists begin with the latest survey.',
  },
  structure: {
    label: 'Survey structure',
    hint: 'Content of the structure file from LimeSurvey, .lss or tab-separated .txt.',
  },
  questions: {
    label: 'Questions',
    hint: 'Columns to publish as questions, separated by commas.',
  },
  incomplete: { label: 'Count unfinished responses too', hint: '' },
  totalFromRows: {
    label: 'Everyone answered each row',
    hint: 'Choose this only if nobody skipped a row. The largest total of a row is then published as the number of participants, from which all shares are computed. Otherwise the table or its description must have the number.',
  },
  metadata: {
    label: 'Titles and questions',
    hint: 'A file with the identifier, title, question and number of participants of each table. You need it only if the archive has no metadata.json, or to correct titles.',
  },
};

interface File {
  file: string;
}

interface Named {
  name: string;
}

const detectHint = ({ isPage }: Words) =>
  isPage ? '' : ' "rostra import detect" shows the format of a file.';

export const formats = {
  'calendar-too-large': ({ file }: File) =>
    `${file} is larger than 32 MiB, alone or with the files before it: export a shorter period.`,
  'calendar-incomplete': ({ file }: File, words: Words) =>
    `${file} is not a complete iCalendar file.${detectHint(words)}`,
  'open311-root-unknown': ({ file, root }: File & { root: string }, words: Words) =>
    `${file} has no Open311 service requests: its root element is <${root}>.${detectHint(words)}`,
  'open311-column-missing': ({ file, column }: File & { column: string }, words: Words) =>
    `${file} has no Open311 service requests: its first line has no column "${column}".${detectHint(words)}`,
  'pabulib-too-many-projects': ({ file, max }: File & { max: number }) =>
    `${file} has more than ${max} projects.`,
  'pabulib-expected': ({ file }: File, words: Words) =>
    `${file} is not a .pb file: it does not begin with META.${detectHint(words)}`,
  'pabulib-column-missing': ({
    file,
    line,
    section,
    column,
  }: File & { line: number; section: string; column: string }) =>
    `${file}, line ${line}: the section ${section} has no column "${column}".`,
  'consul-column-missing': ({ file, field }: File & { field: 'id' | 'title' | 'date' }, words: Words) =>
    `${file} is not a table of CONSUL proposals: its first line has no column for the ${field}, in English, German or Spanish.${detectHint(words)}`,
  'slash-date-invalid': ({ field, isMonthFirst }: { field: string; isMonthFirst: boolean }, words: Words) =>
    `${words.field(field)} must be a date in the form ${isMonthFirst ? 'MM/DD/YYYY' : 'DD/MM/YYYY'}, as the country of the municipality writes it`,
  'decidim-column-missing': ({ file, column }: File & { column: string }, words: Words) =>
    `${file} is not a table of Decidim proposals: its first line has no column "${column}".${detectHint(words)}`,
  'decidim-locale-missing': ({
    file,
    locale,
    locales,
  }: File & { locale: string; locales: readonly string[] }) =>
    `${file} has no titles in "${locale}": its locales are ${locales.join(', ')}.`,
  'rostra-column-missing': ({ file }: File, words: Words) =>
    `${file} is neither JSON nor CSV in Rostra's format: its first line has no column "id".${detectHint(words)}`,
  'survey-results-expected': ({ file }: File) =>
    `${file} is not a table of survey results: its first line names no options.`,
  'survey-files-separate': 'Import one file of responses at a time: each is one survey.',
  'survey-options-of-one-table': (_: object, { isPage, option }: Words) =>
    isPage
      ? `${option('title')}, ${option('surveyId')}, ${option('ended')} and ${option('continues')} are for one table: describe several under ${option('metadata')}.`
      : '--title, --survey-id, --ended and --continues are for one table: describe several with --metadata.',
  'survey-column-missing': ({ file, column }: File & { column: string }) =>
    `${file} has no column ${JSON.stringify(column)}.`,
  'survey-id-missing': ({ file }: File, { isPage, option }: Words) =>
    `${file} has no file name to derive the id of the survey from: ${isPage ? `fill in ${option('surveyId')}` : 'add --survey-id'}.`,
  'survey-continues-one': (_: object, { isPage, option }: Words) =>
    isPage
      ? `The file has several surveys, and ${option('continues')} names one: import the survey that continues it in a file of its own.`
      : 'The input has several surveys, and --continues names one: import the survey that continues it in a file of its own.',
  'survey-options-contradict': (_: object, { isPage, option }: Words) =>
    isPage
      ? `${option('continues')} names the survey: leave out ${option('surveyId')} and ${option('newSurvey')}.`
      : '--continues names the survey: leave out --survey-id and --new-survey.',
  'structure-question-missing': ({ question }: { question: string }) =>
    `The structure has no question ${question}.`,
  'structure-column-missing': ({ file, column }: File & { column: string }) =>
    `${file} does not fit the structure: it has no column ${column}. Export responses and structure of the same survey, the responses with question codes as headings.`,
  'structure-answers-unknown': ({ file, question }: File & { question: string }) =>
    `${file} does not fit the structure: most answers to ${question} are none of its options. Export responses and structure of the same survey.`,
  'structure-is-archive': 'It is a zip archive (.lsa): export the survey structure (.lss) instead.',
  'structure-without-questions':
    'It has no questions: export the survey structure from LimeSurvey as .lss, or as tab-separated .txt.',
  'structure-text-invalid': ({ problem }: { problem: AnyReason }, words: Words) =>
    `It contains an invalid text: ${words.reason(problem)}.`,
  'structure-with-doctype': 'It has a DOCTYPE, unlike a LimeSurvey structure.',
  'structure-not-xml': ({ detail }: { detail: string }) => `It is not valid XML: ${detail}.`,
  'structure-unreadable': ({ detail }: { detail: string }) =>
    `It is neither an .lss file nor tab-separated text: ${detail}.`,
  'metadata-expected': ({ file }: { file: string }) =>
    `${file} must contain a JSON list or object that describes tables.`,
  'metadata-of-one-table': ({ file }: { file: string }) =>
    `${file} describes a single table, but there are several. Describe each by the name of its file, such as {"parks": {"title": "Parks"}}, or remove ${file}.`,
  'statuses-expected': 'It must contain a JSON object such as {"abgelehnt": "rejected"}.',
  'option-not-words': 'It must be a list of words, separated by commas.',
  'option-not-locale': 'It must be a locale such as ca or pt-BR.',
  'option-not-page-url':
    'It must be an address with {id}, such as https://participation.example.org/proposals/{id}.',
  'option-not-license-name': 'It must be a name of 1 to 200 characters in one line.',
  'option-not-license-url':
    'It must be a full address, such as https://creativecommons.org/licenses/by/4.0/.',
  'option-not-end': 'It must be a day such as 2026-03-31, or a year such as 2026.',
  'option-not-survey': (_: object, { isPage }: Words) =>
    isPage
      ? 'It must be the identifier (UUID) of a published survey.'
      : 'It must be the UUID of a survey: "rostra survey list" shows all.',
  'option-not-one-of': ({ values }: { values: readonly string[] }) =>
    `It must be one of ${values.join(', ')}.`,
  'option-empty': 'It must not be empty.',
  'option-not-threshold': ({ min }: { min: number }, { isPage, option }: Words) =>
    `It must be a whole number of at least ${min}. To publish anonymised counts unchanged, ${isPage ? `choose ${option('alreadyAnonymised')}` : 'use --already-anonymised'}.`,
  'option-not-number': ({ min, max }: { min: number; max: number }) =>
    `It must be a whole number from ${min} to ${max}.`,
  'option-not-hosts': 'It must be hosts such as ris.example or ris.example:8443.',
  // Why a file seems to have the format, as clauses about the file.
  'api-columns': 'its columns have the names of the API',
  'records-have-kind': 'its records have a "kind"',
  'has-root-element': ({ name }: Named) => `its root element is <${name}>`,
  'has-column': ({ name }: Named) => `it has a column "${name}"`,
  'has-property': ({ name }: Named) => `its objects have a "${name}"`,
  'has-oparl-types': ({ type }: { type: string }) => `its objects have OParl types, as ${type}`,
  'named-like-oparl-list': ({ type }: { type: string }) =>
    `its name is that of a list of OParl objects of the type ${type}`,
  'begins-with-calendar': 'it begins with BEGIN:VCALENDAR',
  'begins-with-meta': 'it begins with a section META of keys and values',
  'cells-are-counts': 'its cells are counts, a column for each option',
  'limesurvey-columns': 'it has the columns of LimeSurvey responses',
  'begins-with-time-stamp': 'its first column is a time stamp, as in responses to a form',
  'response-system-columns': ({ system }: { system: string }) =>
    `it has the columns of responses from ${system}`,
  'columns-are-questions': 'its columns are questions, and its rows look like the answers of single persons',
  'decidim-columns': ({ name }: Named) => `it has the columns of Decidim proposals, such as ${name}`,
  'consul-response': "it is a response of CONSUL's GraphQL API",
  'consul-columns': 'it has the title and the summary or votes of CONSUL proposals',
  'any-table': (_: object, { isPage }: Words) =>
    isPage
      ? 'any table, whose columns you assign'
      : 'any table, through a mapping file; --suggest drafts one',
  'json-objects': ({ records }: { records: string }, { isPage }: Words) =>
    `the objects of its list "${records}", ${isPage ? 'which you assign' : 'through a mapping file; --suggest drafts one'}`,
  // Why entries are left out: clauses, and a sentence for each format.
  'row-skipped': 'the mapping skips such rows',
  'sessions-cancelled': 'cancelled sessions',
  'sessions-postponed': 'sessions that wait for a new date',
  'events-private': 'events and repetitions that the calendar marks as private or confidential',
  'events-drafts': 'events that the calendar marks as drafts',
  'repetitions-excluded': 'repetitions that the calendar excludes (EXDATE)',
  'calendar-replies': 'answers and proposals of attendees',
  'objects-deleted': 'objects marked as deleted',
  'papers-of-other-types': 'papers whose type is not that of a submission',
  'meetings-cancelled': 'deleted or cancelled meetings',
  'relations-read':
    'organizations, consultations, agenda items and files, which are read for sessions, statuses and documents',
  'record-deleted': 'records marked as deleted',
  'record-private': 'records marked as not public',
  'record-draft': 'drafts, and records marked as unpublished',
  'record-superseded': 'earlier states of records that the input also has in a newer state',
  'proposal-hidden': 'the proposal is hidden',
  'proposal-unpublished': 'the proposal is not published',
  'omitted-consul':
    'Column names may be in English, German or Spanish. A proposal with `hidden_at` was taken down, and one with an empty `published_at` is a draft: both are removed. Authors, email addresses, comments and all other data are not imported.',
  'omitted-decidim':
    'Authors, endorsements by name, followers, addresses and all other data are not imported.',
  'omitted-icalendar':
    'Private events, descriptions, organizers, attendees, attachments and all other data are not imported.',
  'omitted-oparl': 'Names of people and files, and all other data, are not imported.',
  'omitted-open311': 'Addresses, reporters, responsible people and all other data are not imported.',
  'omitted-pabulib': 'Costs, target groups, voters and all other data are not imported.',
  'omitted-rostra': 'Records with an unknown field are rejected, because it is probably misspelt.',
  'omitted-survey-rows':
    'Responses, free text, ids, names, addresses, times and counts below the threshold are not stored.',
  'omitted-survey-table': 'All other data is not read. Counts below the threshold are not stored.',
  'omitted-table': 'Columns that the mapping does not name are not imported.',
};
