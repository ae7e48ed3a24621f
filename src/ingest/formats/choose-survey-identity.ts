/** How the user relates the surveys of a file to published ones, in every format with surveys. */

import type { FormatOptions } from '../format-options.ts';
import { InputError } from '../input-error.ts';
import type { SurveyIdentity } from '../records/counted-survey.ts';

/** @throws InputError for contradicting options */
export function chooseSurveyIdentity({ continues, surveyId, newSurvey }: FormatOptions): SurveyIdentity {
  if (continues !== undefined && (newSurvey === true || surveyId !== undefined))
    throw new InputError({ code: 'survey-options-contradict' });
  return { decision: newSurvey === true ? 'new' : continues === undefined ? undefined : 'continues' };
}
