/** Texts about decisions on single records. */
import { publications } from '../../../domain/reasons/en/publications.ts';

export const recordDecisions = {
  title: 'Unpublished and corrected',
  intro:
    'The municipality has unpublished, corrected or removed these records. Neither imports nor undos change that until the decision is taken back.',
  none: 'There are no decisions on records.',
  record: 'Record',
  matches: 'Equal records of other imports',
  matchesIntro:
    'These records equal an unpublished or removed one, so imports do not publish them. You can allow each: then the next import publishes it.',
  latestMatches: (count: string) =>
    `The latest ${count} are shown. The command “rostra record matches” lists all.`,
  matchId: 'Identifier',
  matchOf: 'Equals',
  matchSource: 'Source',
  matchedAt: 'Since',
  allow: 'Publish after all',
  allowed: 'Allowed on',
  allowTitle: 'Publish equal record',
  allowConsequence: (decision: string) =>
    `The record equals one with this decision: ${decision}. The next import that contains it publishes it, and so do later ones.`,
  kinds: publications.recordKinds,
  decision: 'Decision',
  decisionKinds: { corrected: 'Corrected', unpublished: 'Unpublished', removed: 'Removed for good' },
  at: { corrected: 'Corrected on', unpublished: 'Unpublished on', removed: 'Removed on' },
  by: { corrected: 'Corrected by', unpublished: 'Unpublished by', removed: 'Removed by' },
  reason: 'Reason',
  reasonHint:
    'All accounts of your municipality can read the reason, also in the audit log. Do not enter personal data.',
  reasonMissing: 'Enter a reason.',
  reasonTooLong: (max: string) => `The reason must be in one line with at most ${max} characters.`,
  reasonPersonal:
    'The reason contains personal data, such as an email address or a telephone number. Give the reason without it.',
  unpublish: 'Unpublish',
  unpublishTitle: {
    submission: 'Unpublish submission',
    session: 'Unpublish session',
    survey: 'Unpublish survey',
  },
  consequence: {
    submission:
      'The submission disappears from the API, the public page and all agendas with the next request. Later imports and undos do not publish it again. You can take the decision back at any time.',
    session:
      'The session disappears from the API and the public page with the next request. Later imports and undos do not publish it again. You can take the decision back at any time.',
    survey:
      'The survey and its results disappear from the API and the public page with the next request. Later imports do not change it. You can publish it again at any time, with exactly the results that it has now.',
  },
  remove: 'Remove for good',
  removeTitle: {
    submission: 'Remove submission for good',
    session: 'Remove session for good',
    survey: 'Remove survey for good',
  },
  removeWarning: 'The content cannot be restored',
  removeConsequence:
    'From the next request on, the record is no longer returned, and downloads that contain it end within seconds. This deletes the record, earlier versions of it that an undo would restore, and rejections that name it. Imports that have not been completed are cancelled, because their files may contain it. The last import that changed it can no longer be undone. No import publishes it again. Only its identifier, the reason, the time and the email address of your account are kept.',
  removeSource: 'Remove the record from its source as well.',
  remains: {
    title: 'Remaining copies',
    backups: 'Backups',
    backupsUntil: (removedAt?: string) =>
      `Those made before the removal${removedAt === undefined ? '' : ` (${removedAt})`} contain the record until the operator of this installation deletes them. Ask how long they are kept.`,
    importFile: 'File of a running import',
    importFileUntil: (time: string) => `Until the import ends. If it fails, until ${time} at the latest.`,
    databaseFiles: 'Files of the database',
    databaseFilesUntil:
      'Until other data replaces the record in space that has become free. The operator can clear this space.',
    mirrors: 'Copies of programs that mirror the data',
    mirrorsUntil: 'Until their next update, which deletes the record.',
    subscriptions: 'Calendars and feed readers',
    subscriptionsUntil:
      'Until they read the data again, usually within a day. Feed readers may keep an entry for longer.',
    searchEngines: 'Search engines',
    searchEnginesUntil: 'Until they visit the page again, usually within a few weeks.',
    savedCopies: 'Copies that people have saved',
    savedCopiesUntil: 'Your municipality has no influence on these copies.',
  },
  cancelledImports: (count: string) =>
    count === '1'
      ? 'One unfinished import was cancelled, because its file may contain the record.'
      : `${count} unfinished imports were cancelled, because their files may contain the record.`,
  copies: 'Copies that others have already fetched are not deleted.',
  correct: {
    submission: 'Correct submission',
    session: 'Correct session',
    survey: 'Correct title and questions',
  },
  correctIntro: {
    submission: 'Your changes outlast later imports. Other fields still follow the source.',
    session: 'Your changes outlast later imports. Other fields and the agenda still follow the source.',
    survey:
      'The API publishes the corrected texts, also after later imports. If the source changes a question, the new text of the source is published. Counts and answer options cannot be corrected, because that would undo the protection of small counts.',
  },
  correctSubmit: 'Publish correction',
  questionNumber: (number: string) => `Question ${number}`,
  unchanged: 'Change at least one field.',
  timeHint: 'Date and time in the time zone of the municipality.',
  documentsHint: 'Each document in a line of its own: its address, a blank, its title.',
  locationHint:
    'Latitude and longitude. Empty the field if the location must not be published; only a source sets another one.',
  correctedFields: 'Corrected fields',
  inSource: 'In the source',
  changedMeanwhile:
    'An import has changed the survey in the meantime. Check its texts and correct them again.',
  states: {
    removed: {
      submission: 'This submission was removed for good',
      session: 'This session was removed for good',
      survey: 'This survey was removed for good',
    },
    unpublished: {
      submission: 'This submission is not published',
      session: 'This session is not published',
      survey: 'This survey is not published',
    },
    corrected: {
      submission: 'This submission was corrected',
      session: 'This session was corrected',
      survey: 'This survey was corrected',
    },
  },
  latest: {
    submission: 'Latest content of the source',
    session: 'Latest content of the source',
    survey: 'Published again with these results',
  },
  missing: 'The source no longer has this record.',
  revert: {
    unpublished: 'Publish again',
    corrected: 'Take the correction back',
    removed: 'Allow publication again',
  },
  revertMissing: 'Take the decision back',
  revertConsequence: {
    unpublished: {
      submission: 'The submission is published as its source last delivered it, also in agendas.',
      session: 'The session is published as its source last delivered it.',
      survey: 'The survey is published with the results that it had before.',
    },
    corrected: {
      submission: 'The submission is published as its source last delivered it.',
      session: 'The session is published as its source last delivered it.',
      survey: 'The survey is published with the texts of its source.',
    },
  },
  correctedAgain: 'The earlier correction applies again.',
  revertMissingConsequence: 'The record is published when an import contains it.',
  corrected: 'The correction is published.',
  reverted: {
    unpublished: 'The record is published again from now on.',
    corrected: 'The correction was taken back. The record is now published as in its source.',
  },
  revertedMissing:
    'The decision no longer applies. The record is published again when an import contains it.',
};
