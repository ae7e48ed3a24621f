/** Records of an import. Fields have the names of the API, and its types. */

import type { Fields, FieldValues } from '../../contract/field.ts';
import { recordKinds } from '../../contract/resources/changes.ts';
import { sessionFields } from '../../contract/resources/session.ts';
import { submissionFields } from '../../contract/resources/submission.ts';
import {
  optionFields,
  questionFields,
  type SurveyEnd,
  type SurveyResults,
  surveyFields,
} from '../../contract/resources/survey.ts';

export type RecordKind = (typeof recordKinds)[number];

export const isRecordKind = (word: string): word is RecordKind =>
  (recordKinds as readonly string[]).includes(word);

/** The fields of each kind of record, and those of the questions and options of a survey. */
export const fieldsByKind = {
  submission: submissionFields,
  session: sessionFields,
  survey: surveyFields,
  question: questionFields,
  option: optionFields,
} as const;

export const mapFieldsByKind = <Value>(map: (fields: Fields) => Value) =>
  Object.fromEntries(Object.entries(fieldsByKind).map(([kind, fields]) => [kind, map(fields)])) as Record<
    keyof typeof fieldsByKind,
    Value
  >;

/** A submission with all its fields. */
interface Submission extends FieldValues<typeof submissionFields> {}

export type SubmissionRecord = Submission & {
  /** The source has no support count for the submission; `supportCount` is 0. */
  isSupportCountMissing?: true;
};

interface Session extends FieldValues<typeof sessionFields> {}

export type SessionRecord = Omit<Session, 'submissionCount'> & {
  /** The source has no creation time for the session: the store keeps an earlier `createdAt`. */
  isCreatedAtEstimated?: true;
  /** Ids of submissions in the order of the agenda; undefined leaves the agenda unchanged. */
  submissions: string[] | undefined;
};

export type SurveyRecord = SurveyResults;

export type { SurveyEnd };

/** A survey on a page. */
export interface ShownSurvey extends SurveyRecord, SurveyEnd {
  /** Of all questions. A very long survey has only the first ones in `questions`. */
  questionCount: number;
}

/**
 * The `state` of the results (`findReleasedSurvey`) that the disclosure control compared a survey with; null: none. The store
 * rejects the survey if it has changed since.
 */
type SurveyState = string | null;

export type ImportRecord =
  | ({ kind: 'submission' } & SubmissionRecord)
  | ({ kind: 'session' } & SessionRecord)
  | ({
      kind: 'survey';
      follows?: SurveyState;
      /** Ids of similar surveys, from which a person has distinguished it. The store logs the decision. */
      besides?: readonly string[];
    } & SurveyRecord &
      Partial<SurveyEnd>);

/** The source says that the record must not be public. A published record is deleted. */
export interface Retraction {
  kind: 'retraction';
  of: RecordKind;
  /** UUID of the record. */
  id: string;
}

export type RecordWrite = ImportRecord | Retraction;
