/** Surveys as formats read them, before anything is kept back. */
import type { SurveyRecord } from '../../domain/records.ts';
import type { OptionCount } from './small-count-suppression.ts';

/** A survey as it was counted. It must not be published like this. */
export interface CountedSurvey {
  surveyId: string;
  title: string;
  status: string;
  /** A function if the source does not give the number: only an estimate from the published counts gives no small ones away. */
  totalResponses: number | ((published: PublishedQuestions) => number);
  questions: CountedQuestion[];
}

export type PublishedQuestions = SurveyRecord['questions'];

export interface CountedQuestion {
  questionText: string;
  questionType: string;
  /** None: the answers are free text. */
  options: OptionCount[];
  /** A matrix of one row: each response counts for one option at most. Otherwise the type decides. */
  isOneRow?: true;
}
