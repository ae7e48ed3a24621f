/** Generates survey results in the shapes that imports publish: aggregates without small counts. */

import type { SurveyEnd, SurveyRecord } from '../../domain/records/records.ts';
import { createUuidV5 } from '../../domain/values/uuid.ts';
import type { MunicipalityProfile, Question } from './municipality-profile.ts';
import type { Random } from './seeded-random.ts';

type PublishedQuestion = SurveyRecord['questions'][number];

/** Options with fewer responses are combined. */
const threshold = 10;

export function generateSurveys(random: Random, profile: MunicipalityProfile): (SurveyRecord & SurveyEnd)[] {
  return profile.surveys.map(({ title, status, endedOn = null, year, totalResponses, questions }, index) => ({
    surveyId: createUuidV5(`survey/${index}`, profile.id),
    title,
    status,
    totalResponses,
    endedOn,
    year: endedOn === null ? (year ?? null) : Number(endedOn.slice(0, 4)),
    questions: questions.flatMap((question) => {
      // Not everyone answers every question.
      const answered = Math.floor((totalResponses * random.nextInteger(90, 100)) / 100);
      return generateQuestions(random, question, answered, profile);
    }),
  }));
}

/** @returns a question for each row of a matrix and for each rank of a ranking, otherwise one question */
function generateQuestions(
  random: Random,
  { type, text, rows, options }: Question,
  answered: number,
  { rankLabel, otherAnswersText }: MunicipalityProfile,
): PublishedQuestion[] {
  const createQuestion = (suffix: string, counts: readonly number[]): PublishedQuestion => ({
    questionText: `${text}${suffix}`,
    questionType: type,
    options: combineSmallCounts(
      options.map((optionText, index) => ({ optionText, responseCount: counts[index] ?? 0 })),
      otherAnswersText,
    ),
  });
  if (type === 'matrix')
    return (rows ?? []).map((row) => createQuestion(` – ${row}`, generateCounts(random, options, answered)));
  if (type === 'ranking') {
    // A Latin square: the counts of every rank and of every option have the same sum.
    const counts = generateCounts(random, options, answered, 60);
    return counts.map((_, rank) =>
      createQuestion(` – ${rankLabel} ${rank + 1}`, [...counts.slice(rank), ...counts.slice(0, rank)]),
    );
  }
  // A response may choose several options of a multiple choice question.
  const choices = type === 'multiple_choice' ? 2 : 1;
  return [createQuestion('', generateCounts(random, options, choices * answered, 1, answered))];
}

/** @returns a count for each option. Their sum is at most `sum`, and none exceeds `maxCount`. */
function generateCounts(
  random: Random,
  options: readonly string[],
  sum: number,
  minWeight = 1,
  maxCount = sum,
): number[] {
  const weights = options.map(() => random.nextInteger(minWeight, 100));
  const total = weights.reduce((subtotal, weight) => subtotal + weight, 0);
  return weights.map((weight) => Math.min(maxCount, Math.floor((sum * weight) / total)));
}

/** As docs/importing/surveys.md describes for imports: small counts become one option, at the end. */
function combineSmallCounts(
  options: PublishedQuestion['options'],
  otherAnswersText: string,
): PublishedQuestion['options'] {
  if (options.every(({ responseCount }) => responseCount === 0 || responseCount >= threshold)) return options;
  const ascending = options.toSorted((one, other) => one.responseCount - other.responseCount);
  const combined = new Set<PublishedQuestion['options'][number]>();
  let sum = 0;
  let smallOptions = 0;
  for (const option of ascending) {
    if (option.responseCount >= threshold && sum >= threshold && smallOptions > 1) break;
    combined.add(option);
    sum += option.responseCount;
    if (option.responseCount > 0) smallOptions += 1;
  }
  return [
    ...options.filter((option) => !combined.has(option)),
    { optionText: otherAnswersText, responseCount: sum },
  ];
}
