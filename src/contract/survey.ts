/** The fields of a survey and of its results (specification section 2.6). */
import Type from 'typebox';
import { count, limits, list, openWord, recommendedValues, text, uuid } from './field-schemas.ts';

/** Fields of a survey that its results have, too. */
export const surveyFields = {
  title: text('Title of the survey.', 'Cycling in the old town', limits.name),
  status: openWord(
    'Status of the survey. Drafts are never published.',
    recommendedValues.surveyStatus,
    'closed',
  ),
  totalResponses: count('Number of responses.', 512),
};

export const SurveySummary = Type.Object(
  {
    id: uuid('Identifier of the survey, for `/surveys/{id}/results`.'),
    ...surveyFields,
  },
  { title: 'SurveySummary', description: 'A published survey without its questions.' },
);

export const SurveyOption = Type.Object(
  {
    optionText: text('Text of the option.', 'Every day', limits.name),
    responseCount: count('Number of responses that chose this option.', 118),
  },
  { title: 'SurveyOption', description: 'An answer option with the number of responses that chose it.' },
);

export const SurveyQuestion = Type.Object(
  {
    questionText: text('Text of the question.', 'How often do you cycle to work?', limits.description),
    questionType: openWord(
      'Type of the question. Questions of the type `text` have no options.',
      recommendedValues.questionType,
      'single_choice',
    ),
    options: list('SurveyOption', 'Answer options in the order of the questionnaire.'),
  },
  { title: 'SurveyQuestion', description: 'A question of a survey with aggregated answers.' },
);

export const SurveyResults = Type.Object(
  {
    surveyId: uuid('Identifier of the survey.'),
    ...surveyFields,
    questions: list('SurveyQuestion', 'Questions in the order of the questionnaire.'),
  },
  {
    title: 'SurveyResults',
    description:
      'Aggregated, anonymous results of a survey. Individual responses are neither published nor stored.',
  },
);
