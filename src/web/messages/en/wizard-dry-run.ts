/** Texts of the report of a dry run. */
import type { Session } from '../../../contract/resources/session.ts';
import type { SurveyEnd, SurveyResults } from '../../../contract/resources/survey.ts';
import { sessionFields, surveyFields } from '../../../domain/reasons/en/field-labels.ts';
import type { RecordKind } from '../../../domain/records/records.ts';
import type { ImportQuestion } from '../../../domain/runs/import-question.ts';

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const joinWithAnd = (parts: readonly string[]) => new Intl.ListFormat('en-GB').format(parts);

export const dryRun = {
  done: 'The dry run is complete. Nothing has been published yet.',
  question: 'Publish this data?',
  /** What the import would do. The first part names the records, the others only their number. */
  outcome: {
    records: (count: string, kind: RecordKind | 'record') => `${count} ${count === '1' ? kind : `${kind}s`}`,
    /** @param kinds of personal data in texts that the person has decided about */
    withData: (records: string, kinds: readonly string[]) =>
      `${records} with ${joinWithAnd(kinds.map((kind) => kind.charAt(0).toLowerCase() + kind.slice(1)))}`,
    inserted: (records: string, _isOne: boolean) => `${records} will be added`,
    changed: (records: string, _isOne: boolean) => `${records} will be changed`,
    removed: (records: string, _isOne: boolean) => `${records} will be removed`,
    unchanged: (records: string, isOne: boolean) => `${records} ${isOne ? 'stays' : 'stay'} unchanged`,
    /** @param isRow of a table */
    rejected: (count: string, isRow: boolean) => {
      const noun = isRow ? 'row' : 'record';
      return `${count === '1' ? `one ${noun}` : `${count} ${noun}s`} will be rejected`;
    },
    sentence: (parts: readonly string[]) => `${capitalize(joinWithAnd(parts))}.`,
    action: {
      inserted: (records: string) => `publish ${records}`,
      changed: (records: string) => `change ${records}`,
      removed: (records: string) => `remove ${records}`,
      nothing: 'Finish import without changes',
    },
    result: {
      inserted: (records: string) => `${records} published`,
      changed: (records: string) => `${records} changed`,
      removed: (records: string) => `${records} removed`,
      nothing: 'Nothing changed',
    },
    actions: (parts: readonly string[]) => capitalize(joinWithAnd(parts)),
  },
  confirmHint: 'The data is then available through the API immediately.',
  surveysStay: 'An import of surveys cannot be undone',
  surveysStayHint:
    'Later results are compared with the published ones to protect the answers of individuals. You can unpublish a survey on its page. Check titles, questions and the end before you publish.',
  surveyEndMissing:
    'The end of the survey is missing. It decides where lists show the survey. Add it in the settings.',
  nothingToImport: 'There is nothing to import: no record of this file can be published.',
  undecided: 'The texts contain possible personal data that would be published',
  undecidedHint:
    'Replace it and start the dry run again. Or publish it: all later imports of this source, including automatic ones, then publish such data as well.',
  replaceFirst: 'Replace personal data',
  cannotPublish: 'Publishing is not one of your tasks',
  similarSurvey: (title: string) => `This file may ask the same questions as the published survey “${title}”`,
  similarSurveyHint:
    'Does it continue that survey? Then Rostra updates it. If both were published side by side, although the same people took part, the difference could reveal the answers of individual people. This is also true of parts of a survey, such as the results of a district. If other people took part, for example in another year, it is a separate survey. The decision applies to each survey of the file that is rejected for this reason, and the audit log records it.',
  continuesSurvey: 'It continues this survey',
  newSurvey: 'It is a separate survey',
  questions: {
    'removes-many': 'The import would remove many published records',
    'repeats-published': 'Another source has published these records',
  } satisfies Record<ImportQuestion, string>,
  confirmAnyway: (action: string) => `Confirm: ${action}`,
  unchanged: 'All records are already published, and none of them has changed.',
  counts: 'Records',
  overview: 'Overview',
  ofServer: 'Data of the server',
  dates: 'Period',
  dateRange: (first: string, last: string) => (first === last ? first : `${first} to ${last}`),
  support: 'Supporters',
  supportFigures: (sum: string, max: string) => `${sum} in total, at most ${max} for one submission`,
  noSupport: 'This source has no numbers of supporters.',
  noSupportHint: 'The API publishes 0 for each submission. That does not mean that nobody supports it.',
  kinds: {
    submission: 'Submissions',
    session: 'Sessions',
    survey: 'Surveys',
    support: 'Numbers of supporters',
  } as Record<string, string>,
  statuses: 'Status of the submissions',
  statusWords: 'Status of each word of the source',
  statusWordsHint: 'Each word with the number of its records. Choose another status where it is wrong.',
  applyStatuses: 'Apply and check again',
  samples: (count: string) =>
    count === '1' ? 'A record as it would be published' : `${count} records as they would be published`,
  samplesHint: 'Check that every value is in the right place.',
  rowOfFile: 'In the file',
  asPublished: 'As published',
  notShown: 'not shown',
  /** @param metres that the published location is exact to */
  sampleLocation: (metres: string) => `rounded to about ${metres} metres`,
  moreSamples: (count: string) => (count === '1' ? 'Show 1 more' : `Show ${count} more`),
  sampleRecord: (number: string, kind: string) => `Record ${number}: ${kind}`,
  sampleKinds: { submission: 'submission', session: 'session', survey: 'survey' } as Record<string, string>,
  moreQuestions: (count: string) => (count === '1' ? 'and 1 more question' : `and ${count} more questions`),
  rejections: 'Rejected records',
  rejectionsHint: 'These records will not be published.',
  rejectionsInFile: 'Correct this in the source and import the file again.',
  rejectionsOf: (count: string) => (count === '1' ? '1 record' : `${count} records`),
  rejectedLine: (line: string, isOnly: boolean) => (isOnly ? ` (line ${line})` : `, first in line ${line}`),
  rejectionList: 'Where they are in the file',
  remedies: {
    mapping: 'Change the mapping',
    apply: 'Apply and check again',
    confirmFirst: 'Tick the box if this is true.',
  },
  rejectionsLimit: (shown: string, all: string) =>
    `The first ${shown} of ${all} rejected records are listed.`,
  lists: {
    changed: {
      title: 'Changed records',
      intro:
        'The import would change these published records. Of a long text, the part that changes is shown; of surveys, only the title.',
    },
    removed: {
      title: 'Records that will be removed',
      intro:
        'These published records are missing from the file, or the file marks them as deleted. After the import, the API no longer returns them.',
    },
    missing: {
      title: 'Records that are missing from the file',
      intro: 'These published records of the source are missing from the file. They stay published.',
    },
    rejected: {
      title: 'Rejected records',
      intro:
        'These records will not be published. The table shows where each record is in the file and why it is rejected.',
    },
    showAll: 'Show all',
    record: 'Record',
    field: 'Field',
    before: 'Before',
    after: 'After',
    isChanged: 'changed',
    kind: 'Kind',
    date: 'Date',
    limit: (listed: string, all: string) => `${listed} of ${all} records are listed.`,
    unavailable: 'This server does not have the list',
    unavailableHint:
      'The list is stored with the uploaded file on another server. Ask an operator to set up a shared folder for uploaded files.',
  },
  omitted: 'Data that is left out',
  titles: {
    title: 'Titles and questions',
    untitled: (count: number, shown: string) =>
      count === 1
        ? 'A table has the name of its file as title'
        : `${shown} tables have the name of their file as title`,
    untitledHint:
      'Choose a table to enter its title and question. For many tables, add a file metadata.json to the archive.',
    show: (tables: string) => (tables === '1' ? 'Show the table' : `Show ${tables} tables`),
    hint: 'Choose a table to correct its title or question.',
    table: 'Table',
    tableTitle: 'Title',
    titleHint: 'The year of each survey follows the title in brackets.',
    question: 'Question',
    questionHint: 'If the rows of the table have names, each is added to the question.',
    surveys: 'Surveys',
    intro: (file: string) =>
      `Title and question of the surveys in ${file}. The dry run is repeated, and the correction also applies to the next files of this source.`,
    submit: 'Correct and check again',
    wrong: (max: string) => `Enter a text of at most ${max} characters.`,
  },
  personalData: 'Possible personal data in texts',
  textsToCheck: 'Read these texts first',
  textsToCheckHint:
    'Of all texts, these are the most likely to name a person or contain other personal data. The passages are marked.',
  personalDataHint:
    'The table shows how often personal data occurs in texts. Anything replaced is not published.',
  personalDataNone: 'No personal data was found in texts.',
  personalDataKind: 'Kind',
  personalDataCount: 'Number',
  personalDataReplaced: 'Publication',
  replaced: 'replaced',
  published: 'stays visible in the text',
  changeRedaction: 'Change settings',
  missing: 'Missing records',
  wouldBeRemoved: (count: string) =>
    count === '1'
      ? '1 published record is missing from the file and will be removed.'
      : `${count} published records are missing from the file and will be removed.`,
  wouldStay: (count: string) =>
    count === '1'
      ? '1 published record is missing from the file. It stays published.'
      : `${count} published records are missing from the file. They stay published.`,
  repeated: {
    title: 'Equal records of other sources',
    sentence: (count: string, total: string) =>
      count === '1'
        ? `1 of ${total} compared new records is already published`
        : `${count} of ${total} compared new records are already published`,
    hint: (source: string) =>
      `${source === '' ? 'They come from another source' : `Some come from the source “${source}”`}. Text and day are the same, or committee and start of a session. After this import they would be published twice.`,
    continueSource: 'To continue a source, cancel the import and begin it with that source.',
    examples: 'Examples, as they are published',
  },
  notes: 'Notes',
  sessionFields: sessionFields satisfies Record<keyof Session | 'submissions', string>,
  surveyFields: surveyFields satisfies Record<keyof SurveyResults | keyof SurveyEnd, string>,
};
