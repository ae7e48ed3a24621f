/** Surveys as formats read them, before suppression. */
import type { SurveyRecord } from '../../domain/records/records.ts';

export interface OptionCount {
  text: string;
  count: number;
}

/** When a survey ended, as its source says it: not checked yet. */
export interface GivenSurveyEnd {
  endedOn?: unknown;
  year?: unknown;
}

/** Must not be published before suppression. */
export interface CountedSurvey extends Omit<SurveyRecord, 'totalResponses' | 'questions'>, GivenSurveyEnd {
  /** A function if it is the largest row: only one that is computed from published counts reveals no small counts. */
  totalResponses: number | ((published: PublishedQuestions) => number);
  questions: CountedQuestion[];
  identity?: SurveyIdentity;
}

/** How the user relates a survey to published ones with the same questions. */
export interface SurveyIdentity {
  /** undefined: not yet, so a survey that is similar to a published one is not published. */
  decision: 'continues' | 'new' | undefined;
  /** Texts of all questions as they may have been published before somebody corrected them. */
  otherWordings?: readonly (readonly string[])[];
}

export type PublishedQuestions = SurveyRecord['questions'];

export interface CountedQuestion extends Omit<PublishedQuestions[number], 'options'> {
  /** Empty for free text. */
  options: OptionCount[];
  /** A matrix of one row: a response chooses at most one option. For other questions the type decides. */
  isOneRow?: true;
}
