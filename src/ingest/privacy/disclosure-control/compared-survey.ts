/** Surveys in the form in which they are compared with each other. */
import { isOtherAnswers } from '../../../domain/organizations/placeholder-words.ts';
import type { SimilarSurvey } from '../../../domain/runs/run-queue.ts';
import type { AskedSurvey } from '../../../domain/store.ts';
import type { CountedSurvey, OptionCount } from '../../records/counted-survey.ts';
import { type ComparedCounts, createComparedCounts } from './compare-counts.ts';
import { createSimilarityKey, removeLeadingNumber, splitLabel } from './similarity-keys.ts';

export interface ComparedQuestion {
  /** Without its number, unless it has no other text. */
  key: string;
  /** Parts of the text before and behind the last separator; empty without one. */
  stem: string;
  label: string;
  counts: ComparedCounts;
}

export interface ComparedSurvey extends SimilarSurvey {
  titleKey: string;
  year: string | undefined;
  questions: readonly ComparedQuestion[];
  /** Keys of all questions in each wording. */
  wordings: readonly ReadonlySet<string>[];
  optionKeys: ReadonlySet<string>;
  hasCombinedOptions: boolean;
  /** By the first and the last word of their keys, and by their stems. */
  byStart: ReadonlyMap<string, readonly ComparedQuestion[]>;
  byEnd: ReadonlyMap<string, readonly ComparedQuestion[]>;
  byStem: ReadonlyMap<string, readonly ComparedQuestion[]>;
  /** Questions with answers, by their number of answers. */
  answered: readonly ComparedQuestion[];
}

export function compareGiven({ title, questions, identity }: CountedSurvey, id: string): ComparedSurvey {
  const given = prepare(id, title, questions);
  const others = (identity?.otherWordings ?? []).map((texts) => new Set(texts.map(createQuestionKey)));
  return { ...given, wordings: [...given.wordings, ...others] };
}

export const comparePublished = ({ id, title, questions }: AskedSurvey): ComparedSurvey =>
  prepare(
    id,
    title,
    questions.map(({ questionText, options }) => ({
      questionText,
      options: options.map(({ optionText, responseCount }) => ({ text: optionText, count: responseCount })),
    })),
  );

function prepare(
  id: string,
  title: string,
  given: readonly { questionText: string; options: readonly OptionCount[] }[],
): ComparedSurvey {
  const questions = given.map(({ questionText, options }): ComparedQuestion => {
    const { stem = '', label = '' } = splitLabel(questionText) ?? {};
    return {
      key: createQuestionKey(questionText),
      stem: createSimilarityKey(stem),
      label: createSimilarityKey(label),
      counts: createComparedCounts(options),
    };
  });
  return {
    id,
    title,
    titleKey: createSimilarityKey(title),
    // The title of a survey of one year ends with the year in brackets.
    year: /\((\d{4})\)$/.exec(title.trim())?.[1],
    questions,
    wordings: [new Set(questions.map(({ key }) => key))],
    optionKeys: new Set(questions.flatMap(({ counts }) => [...counts.byOption.keys()])),
    hasCombinedOptions: given.some(({ options }) => options.some(({ text }) => isOtherAnswers(text))),
    byStart: Map.groupBy(questions, getFirstWord),
    byEnd: Map.groupBy(questions, getLastWord),
    byStem: Map.groupBy(questions, ({ stem }) => stem),
    answered: questions
      .filter(({ counts }) => counts.sum > 0)
      .toSorted((one, other) => one.counts.sum - other.counts.sum),
  };
}

const createQuestionKey = (text: string) =>
  createSimilarityKey(removeLeadingNumber(text)) || createSimilarityKey(text);

export const getFirstWord = ({ key }: ComparedQuestion): string => /^[^ ]*/.exec(key)?.[0] ?? '';
export const getLastWord = ({ key }: ComparedQuestion): string => key.slice(key.lastIndexOf(' ') + 1);
