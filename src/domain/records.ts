/** Records of an import. Fields have the names of the API, and its types. */
import type { Submission } from '../contract/submission.ts';

export type SubmissionRecord = Submission & {
  /** The source has no support count for the submission; `supportCount` is 0. */
  isSupportCountMissing?: true;
};

export interface SessionRecord {
  id: string;
  committeeName: string;
  date: string;
  timeSlot: string | null;
  createdAt: string;
  /** The source has no creation time for the session: the store keeps an earlier `createdAt`. */
  isCreatedAtEstimated?: true;
  /** Ids of submissions in the order of the agenda; undefined leaves the agenda unchanged. */
  submissions: string[] | undefined;
}

export interface SurveyRecord {
  surveyId: string;
  title: string;
  status: string;
  totalResponses: number;
  questions: {
    questionText: string;
    questionType: string;
    options: { optionText: string; responseCount: number }[];
  }[];
}

export interface SurveySummary {
  id: string;
  title: string;
  status: string;
  totalResponses: number;
}

/**
 * The published results (`findSurveyResults`) that the disclosure control compared a survey with; null: none. The store
 * rejects the survey if the published results have changed since.
 */
type SurveyState = string | null;

export type ImportRecord =
  | ({ kind: 'submission' } & SubmissionRecord)
  | ({ kind: 'session' } & SessionRecord)
  | ({ kind: 'survey'; follows?: SurveyState } & SurveyRecord)
  | { kind: 'removal'; of: 'submission' | 'session' | 'survey'; id: string };

export type RecordKind = Exclude<ImportRecord['kind'], 'removal'>;
