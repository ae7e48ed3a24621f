/** The fields of a survey and of its results (specification section 2.6). */
import type { Static } from 'typebox';
import Type from 'typebox';
import { type Fields, type FieldValues, toProperties } from '../field.ts';
import {
  count,
  limits,
  list,
  localDate,
  nullable,
  openWord,
  recommendedValues,
  text,
  uuid,
} from '../field-schemas.ts';

export const surveyFields = {
  surveyId: { schema: uuid('Identifier of the survey.') },
  title: {
    schema: text('Title of the survey.', 'Cycling in the old town', limits.name),
    redaction: 'text',
  },
  status: {
    schema: openWord(
      'Status of the survey. Drafts are never published.',
      recommendedValues.surveyStatus,
      'closed',
    ),
    words: recommendedValues.surveyStatus,
    redaction: 'text',
  },
  totalResponses: { schema: count('Number of responses.', 512) },
} as const satisfies Fields;

/** When a survey ended. Beyond the specification: only operations that it lacks return these. */
export const surveyEnd = {
  endedOn: nullable(
    localDate('Day on which the survey ended, `YYYY-MM-DD`; null if it is unknown.', '2026-03-31'),
  ),
  year: nullable(
    Type.Integer({
      minimum: 1,
      maximum: 9_999,
      format: 'int32',
      description: 'Year in which the survey ended, also if its day is unknown; null if both are.',
      examples: [2026],
    }),
  ),
};

export interface SurveyEnd {
  endedOn: string | null;
  year: number | null;
}

export const surveyEndNames = Object.keys(surveyEnd) as (keyof typeof surveyEnd)[];

export const optionFields = {
  optionText: { schema: text('Text of the option.', 'Every day', limits.name), redaction: 'text' },
  responseCount: { schema: count('Number of responses that chose this option.', 118) },
} as const satisfies Fields;

export const questionFields = {
  questionText: {
    schema: text('Text of the question.', 'How often do you cycle to work?', limits.description),
    redaction: 'text',
  },
  questionType: {
    schema: openWord(
      'Type of the question. Questions of the type `text` have no options.',
      recommendedValues.questionType,
      'single_choice',
    ),
    words: recommendedValues.questionType,
    redaction: 'text',
  },
} as const satisfies Fields;

const { surveyId, ...summaryProperties } = toProperties(surveyFields);

export const SurveySummary = Type.Object(
  {
    id: uuid('Identifier of the survey, for `/surveys/{id}/results`.'),
    ...summaryProperties,
    ...surveyEnd,
  },
  { title: 'SurveySummary', description: 'A published survey without its questions.' },
);

export type SurveySummary = Static<typeof SurveySummary>;

export const SurveyOption = Type.Object(toProperties(optionFields), {
  title: 'SurveyOption',
  description: 'An answer option with the number of responses that chose it.',
});

export const SurveyQuestion = Type.Object(
  {
    ...toProperties(questionFields),
    options: list('SurveyOption', 'Answer options in the order of the questionnaire.'),
  },
  { title: 'SurveyQuestion', description: 'A question of a survey with aggregated answers.' },
);

export const SurveyResults = Type.Object(
  {
    surveyId,
    ...summaryProperties,
    questions: list('SurveyQuestion', 'Questions in the order of the questionnaire.'),
  },
  {
    title: 'SurveyResults',
    description:
      'Aggregated, anonymous results of a survey. Individual responses are neither published nor stored.',
  },
);

interface Option extends FieldValues<typeof optionFields> {}

interface Question extends FieldValues<typeof questionFields> {
  options: Option[];
}

export interface SurveyResults extends FieldValues<typeof surveyFields> {
  questions: Question[];
}
