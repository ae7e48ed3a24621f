import type { CountedSurvey } from '../../records/counted-survey.ts';
import { convertMarkup } from '../../records/html-to-text.ts';

/** Converts the texts of tables and columns, which may contain markup. @throws InvalidFieldError */
export function convertSurveyMarkup(survey: CountedSurvey): CountedSurvey {
  return {
    ...survey,
    title: convertMarkup(survey.title),
    questions: survey.questions.map((question) => ({
      ...question,
      questionText: convertMarkup(question.questionText),
      options: question.options.map((option) => ({ ...option, text: convertMarkup(option.text) })),
    })),
  };
}
