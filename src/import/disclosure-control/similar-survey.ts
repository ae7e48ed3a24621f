/**
 * Finds the published survey that a file may continue. If the file became a second survey beside it, the difference between
 * both would reveal the answers of the few people who have responded since.
 */
import type { SimilarSurvey } from '../../domain/import-job.ts';
import { isOtherAnswers } from '../../domain/published-words.ts';
import type { SurveyRecord } from '../../domain/records.ts';
import type { PublishedDataStore } from '../../domain/store.ts';
import type { CountedQuestion, CountedSurvey, SurveyIdentity } from './counted-survey.ts';

export type SurveyStore = Pick<PublishedDataStore, 'findSurveyResults' | 'findSurveysAsking'>;

/** @returns undefined: no published survey is similar, or the user has decided */
export async function findSimilarSurvey(
  store: SurveyStore,
  organizationId: string,
  surveyId: string,
  { questions }: CountedSurvey,
  { decision, year }: SurveyIdentity,
): Promise<SimilarSurvey | undefined> {
  if (decision !== undefined) return undefined;
  const texts = questions.map(({ questionText }) => questionText.normalize('NFC'));
  const found = await store.findSurveysAsking(organizationId, texts);
  for (const { id, title, questionTexts } of found) {
    // With this id, another import has published the survey in the meantime.
    if (id === surveyId || !isHalfShared(texts, questionTexts) || isOfOtherYear(title, year)) continue;
    const results = await store.findSurveyResults(organizationId, id);
    if (results !== undefined && mayShareOptions(questions, JSON.parse(results))) return { id, title };
  }
  return undefined;
}

/** Whether half of the questions of the shorter survey are in both: the wording of the others may have been corrected. */
function isHalfShared(texts: readonly string[], others: readonly string[]): boolean {
  const [one, other] = [texts, others].map((list) => new Set(list.map(toComparable))) as [
    Set<string>,
    Set<string>,
  ];
  return one.intersection(other).size * 2 >= Math.min(one.size, other.size);
}

const toComparable = (text: string) => text.toLowerCase().replaceAll(/\s+/g, ' ').trim();

/** The text of a question is the name of a file if the source has none. A combined option may be any option. */
function mayShareOptions(questions: readonly CountedQuestion[], published: SurveyRecord): boolean {
  const texts = new Set(questions.flatMap(({ options }) => options.map(({ text }) => text.normalize('NFC'))));
  const publishedTexts = published.questions.flatMap(({ options }) =>
    options.map(({ optionText }) => optionText),
  );
  if (texts.size === 0 || publishedTexts.length === 0) return true;
  return publishedTexts.some((text) => texts.has(text) || isOtherAnswers(text));
}

/** The title of a survey of one year ends with the year in brackets. */
function isOfOtherYear(title: string, year: string | undefined): boolean {
  const [, published] = /\((\d{4})\)$/.exec(title) ?? [];
  return year !== undefined && published !== undefined && published !== year;
}

export const describeSimilarSurvey = ({ id, title }: SimilarSurvey): string =>
  `has the questions of the published survey “${title}”: add --continues ${id} if it continues that survey, or --new-survey if other people answered`;
