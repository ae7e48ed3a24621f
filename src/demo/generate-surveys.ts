/** Generates survey results: aggregates without counts below the threshold. */

import type { SurveyRecord } from '../domain/records.ts';
import { createUuidV5 } from '../domain/uuid.ts';
import type { MunicipalityProfile, Question } from './municipality-profile.ts';
import type { Random } from './seeded-random.ts';

/** Smaller counts are published as 0. */
const threshold = 10;

export function generateSurveys(random: Random, profile: MunicipalityProfile): SurveyRecord[] {
  return profile.surveys.map((survey, index) => ({
    surveyId: createUuidV5(`survey/${index}`, profile.id),
    title: survey.title,
    status: survey.status,
    totalResponses: survey.totalResponses,
    questions: survey.questions.map((question) => ({
      questionText: question.text,
      questionType: question.type,
      options: generateOptionCounts(random, question, survey.totalResponses),
    })),
  }));
}

function generateOptionCounts(random: Random, { type, rows, options }: Question, totalResponses: number) {
  // Not everyone answers every question.
  const answered = Math.floor((totalResponses * random.nextInteger(90, 100)) / 100);
  const prefixes = rows?.map((row) => `${row}: `) ?? [''];
  return prefixes.flatMap((prefix) => {
    const weights = options.map(() => random.nextInteger(1, 100));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    // A response counts once in a row, unless the question allows several answers.
    const share = type === 'multiple_choice' ? 110 : sum;
    return options.map((option, index) => {
      const count = Math.floor((answered * (weights[index] ?? 0)) / share);
      return { optionText: prefix + option, responseCount: count < threshold ? 0 : count };
    });
  });
}
