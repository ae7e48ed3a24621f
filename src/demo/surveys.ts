/** Survey results as they are published: aggregated, and no group smaller than the anonymity threshold. */
import { v5 } from 'uuid';
import type { SurveyRecord } from '../domain/store.ts';
import type { Random } from './seeded-random.ts';
import type { Town } from './town.ts';
import type { SurveyDraft } from './vocabulary.ts';

type Question = SurveyDraft['questions'][number];

/** An option that fewer people chose is published as not chosen at all. */
const anonymityThreshold = 10;

/** Counts the answers to the municipality's surveys. */
export function countSurveys(random: Random, town: Town): SurveyRecord[] {
  return town.surveys.map((survey, index) => ({
    surveyId: v5(`survey/${index}`, town.id),
    title: survey.title,
    status: survey.status,
    totalResponses: survey.totalResponses,
    questions: survey.questions.map((question) => ({
      questionText: question.text,
      questionType: question.type,
      options: countOptions(random, question, survey.totalResponses),
    })),
  }));
}

function countOptions(random: Random, question: Question, totalResponses: number) {
  // Not everyone answers every question.
  const answered = Math.floor((totalResponses * random.integer(90, 100)) / 100);
  const counts = question.options.map(() => 0);
  for (const group of choiceGroups(question)) {
    const weights = group.map(() => random.integer(1, 100));
    const sum = weights.reduce((total, weight) => total + weight, 0);
    group.forEach((option, index) => {
      // Each response counts once within a group, except where several options may be ticked.
      const share = question.type === 'multiple_choice' ? 110 : sum;
      counts[option] = published(Math.floor((answered * (weights[index] ?? 0)) / share));
    });
  }
  return question.options.map((optionText, option) => ({ optionText, responseCount: counts[option] ?? 0 }));
}

/** Indexes of the options among which one response chooses: in a matrix, those of one row. */
function choiceGroups({ type, options }: Question): number[][] {
  const row = (option: string) => (type === 'matrix' ? option.split(': ')[0] : '');
  const groups = Map.groupBy(options.keys(), (index) => row(options[index] ?? ''));
  return [...groups.values()];
}

function published(count: number): number {
  return count < anonymityThreshold ? 0 : count;
}
