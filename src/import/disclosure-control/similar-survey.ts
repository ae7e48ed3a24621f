/**
 * Finds the published survey that a file may continue. If the file became a second survey beside it, the difference between
 * both would reveal the answers of the few people who have responded since.
 */

import { isOtherAnswers } from '../../domain/published-words.ts';
import type { SurveyRecord } from '../../domain/records.ts';
import type { SimilarSurvey } from '../../domain/run-queue.ts';
import type { ReleasedSurveyStore } from '../../domain/store.ts';
import { createTextKey } from './plausibility-checks.ts';
import type { CountedQuestion, CountedSurvey, SurveyIdentity } from './unsuppressed-survey.ts';

/** @returns undefined: no published survey is similar, or the user has decided */
export async function findSimilarSurvey(
  store: ReleasedSurveyStore,
  organizationId: string,
  surveyId: string,
  { questions }: CountedSurvey,
  { decision, year, otherWordings = [] }: SurveyIdentity,
): Promise<SimilarSurvey | undefined> {
  if (decision !== undefined) return undefined;
  const wordings = [questions.map(({ questionText }) => questionText), ...otherWordings].map(createTextKeys);
  for (const { id, title, questionTexts } of await store.listSurveyQuestions(organizationId)) {
    // With this id, another import has published the survey in the meantime.
    if (id === surveyId || isOfOtherYear(title, year)) continue;
    const published = createTextKeys(questionTexts);
    if (!wordings.some((keys) => isHalfShared(keys, published))) continue;
    const released = await store.findReleasedSurvey(organizationId, id);
    if (released !== undefined && mayShareOptions(questions, released.survey)) return { id, title };
  }
  return undefined;
}

const createTextKeys = (texts: readonly string[]) => new Set(texts.map(createTextKey));

/** Whether half of the questions of the shorter survey are in both: the wording of the others may have been corrected. */
function isHalfShared(own: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = own.intersection(other).size;
  return shared > 0 && shared * 2 >= Math.min(own.size, other.size);
}

/** The text of a question is the name of a file if the source has none. A combined option may be any option. */
function mayShareOptions(questions: readonly CountedQuestion[], published: SurveyRecord): boolean {
  const texts = new Set(questions.flatMap(({ options }) => options.map(({ text }) => createTextKey(text))));
  const publishedTexts = published.questions.flatMap(({ options }) =>
    options.map(({ optionText }) => optionText),
  );
  if (texts.size === 0 || publishedTexts.length === 0) return true;
  return publishedTexts.some((text) => texts.has(createTextKey(text)) || isOtherAnswers(text));
}

/** The title of a survey of one year ends with the year in brackets. */
function isOfOtherYear(title: string, year: string | undefined): boolean {
  const [, published] = /\((\d{4})\)$/.exec(title) ?? [];
  return year !== undefined && published !== undefined && published !== year;
}
