/** Generates survey results: aggregates without counts below the threshold. */

import type { SurveyRecord } from '../domain/records.ts';
import { createUuidV5 } from '../domain/uuid.ts';
import type { MunicipalityProfile, SurveyDefinition } from './municipality-profile.ts';
import type { Random } from './seeded-random.ts';

type Question = SurveyDefinition['questions'][number];

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

function generateOptionCounts(random: Random, question: Question, totalResponses: number) {
  // Not everyone answers every question.
  const answered = Math.floor((totalResponses * random.nextInteger(90, 100)) / 100);
  const counts = question.options.map(() => 0);
  for (const group of groupOptionsByRow(question)) {
    const weights = group.map(() => random.nextInteger(1, 100));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    group.forEach((option, index) => {
      // A response counts once in a group, unless the question allows several answers.
      const share = question.type === 'multiple_choice' ? 110 : sum;
      counts[option] = suppressSmallCount(Math.floor((answered * (weights[index] ?? 0)) / share));
    });
  }
  return question.options.map((optionText, option) => ({ optionText, responseCount: counts[option] ?? 0 }));
}

/** @returns indexes of the options, grouped by row of a matrix; other questions are one group */
function groupOptionsByRow({ type, options }: Question): number[][] {
  const row = (option: string) => (type === 'matrix' ? option.split(': ')[0] : '');
  const groups = Map.groupBy(options.keys(), (index) => row(options[index] ?? ''));
  return [...groups.values()];
}

function suppressSmallCount(count: number): number {
  return count < threshold ? 0 : count;
}
