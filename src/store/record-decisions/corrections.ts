/** Corrections of published records by administrators. They apply to each row that a source delivers later. */

import type { SurveyTexts } from '../../domain/records/record-decision.ts';
import type { SurveyRecord } from '../../domain/records/records.ts';
import type { Row, SourcedRow } from '../engine.ts';

/** The column `correction` of `record_decision`, with other columns of a record that is corrected and not unpublished. */
export interface Correction<Values = SurveyCorrection | Row> {
  /** Columns of a submission or session, with their corrected values. */
  values: Values;
  reason: string;
  actor: string;
  decided_at: string;
}

/** Absent texts are those of the source. */
export interface SurveyCorrection {
  title?: string;
  /** `of`: the text of the source at this position. If the source changes it, the correction no longer applies. */
  questions: { position: number; of: string; text: string }[];
}

/** The row of a survey with the texts of its questions, as the source calls them. */
export type KeptSurvey = SourcedRow & SurveyTexts;

/** @param source the texts of the source @returns undefined: they are the same */
export function findSurveyCorrection(source: SurveyTexts, wanted: SurveyTexts): SurveyCorrection | undefined {
  const questions = source.questionTexts.flatMap((of, position) => {
    const text = wanted.questionTexts[position] ?? of;
    return text === of ? [] : [{ position, of, text }];
  });
  const hasTitle = wanted.title !== source.title;
  if (!hasTitle && questions.length === 0) return undefined;
  return { ...(hasTitle && { title: wanted.title }), questions };
}

export function correctTexts(source: SurveyTexts, { title, questions }: SurveyCorrection): SurveyTexts {
  const questionTexts = [...source.questionTexts];
  for (const { position, of, text } of questions)
    if (questionTexts[position] === of) questionTexts[position] = text;
  return { title: title ?? source.title, questionTexts };
}

export const readTexts = ({ title, questions }: Pick<SurveyRecord, 'title' | 'questions'>): SurveyTexts => ({
  title,
  questionTexts: questions.map(({ questionText }) => questionText),
});

export const withTexts = <Survey extends SurveyRecord>(
  survey: Survey,
  { title, questionTexts }: SurveyTexts,
): Survey => ({
  ...survey,
  title,
  questions: survey.questions.map((question, position) => ({
    ...question,
    questionText: questionTexts[position] ?? question.questionText,
  })),
});
