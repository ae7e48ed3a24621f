/** The results of a survey without published results. */

import type { Reason } from '../../../domain/reasons/reason.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import type { SurveyRecord } from '../../../domain/records/records.ts';
import type {
  CountedQuestion,
  CountedSurvey,
  OptionCount,
  PublishedQuestions,
} from '../../records/counted-survey.ts';
import {
  allowsOneAnswer,
  createTextKey,
  isMatrix,
  isMultipleChoice,
  isRanking,
} from './plausibility-checks.ts';
import {
  hasSmallCount,
  type PublishedCounts,
  type SuppressionRule,
  sumCounts,
  suppressLinkedQuestions,
  suppressSmallCounts,
} from './small-count-suppression.ts';
import { toSuppressionNote } from './suppression-notes.ts';
import { isUnanimous } from './unanimous-answers.ts';

export type OnNote = (note: Reason) => void;

/** @throws InvalidFieldError for a survey with too few responses */
export function releaseFirstResults(
  survey: CountedSurvey,
  rule: SuppressionRule,
  onNote: OnNote,
): SurveyRecord {
  const rankings = suppressRankings(survey, rule);
  const createOwnRule = (question: CountedQuestion) =>
    createQuestionRule(question, survey, rule, !isFinal(survey.status));
  return buildSurvey(
    survey,
    { rule, createOwnRule },
    onNote,
    (question) => rankings.get(question) ?? releaseFirstCounts(question, survey, createOwnRule(question)),
  );
}

export const withheldUnanimous: PublishedCounts = { options: [], suppression: { kind: 'unanimous' } };
export const notMergeable: PublishedCounts = { options: [], suppression: { kind: 'not-mergeable' } };

/** @param rule of this question */
export function releaseFirstCounts(
  question: CountedQuestion,
  survey: CountedSurvey,
  rule: SuppressionRule,
): PublishedCounts {
  if (!rule.publishUnanimous && isUnanimous(question, survey)) return withheldUnanimous;
  if (hasSeveralRows(question, survey))
    return hasSmallCount(question.options, rule) ? notMergeable : { options: question.options };
  const counts = suppressSmallCounts(question.options, rule);
  return exceedsResponses(counts, survey) ? notMergeable : counts;
}

/**
 * Whether a question may be several questions in one, such as all rows of a matrix. Small counts of different rows must
 * not be merged, because the merged count and the sums of the rows would reveal them.
 */
export function hasSeveralRows(question: CountedQuestion, { totalResponses }: CountedSurvey): boolean {
  if (isMultipleChoice(question)) return false;
  const hasOneRow = question.isOneRow ?? allowsOneAnswer(question);
  return !hasOneRow || (typeof totalResponses === 'number' && sumCounts(question.options) > totalResponses);
}

/** The merged options of a multiple-choice question can have more answers than the survey has responses. */
export const exceedsResponses = ({ options }: PublishedCounts, { totalResponses }: CountedSurvey) =>
  typeof totalResponses === 'number' && options.some(({ count }) => count > totalResponses);

/** Rows of an array may share two options, such as "not asked" and "no answer"; another question may count one option, too. */
const maxKnownOptions = { row: 2, question: 1 };

/**
 * The rule of a question among the others, which reveal counts of it.
 *
 * @param hasOtherStates whether other results of the survey were published before or may follow
 */
export function createQuestionRule(
  question: CountedQuestion,
  { questions }: CountedSurvey,
  rule: SuppressionRule,
  hasOtherStates: boolean,
): SuppressionRule {
  const isMultipleResponse = isMultipleChoice(question);
  const isLinked = questions.some((other) => other !== question && other.options.length > 0);
  if (!isLinked) return { ...rule, isMultipleResponse };
  return {
    ...rule,
    isMultipleResponse,
    // The comparison of two states may show that a number was just below the threshold. One answer more makes it a large one.
    threshold: hasOtherStates ? rule.threshold + 1 : rule.threshold,
    maxKnownOptions: maxKnownOptions[isMatrix(question) ? 'row' : 'question'],
  };
}

/** No further responses are expected. */
export const isFinal = (status: string) => ['closed', 'archived'].includes(createTextKey(status));

/**
 * The ranks of each ranking: questions of that type with the same options. Each rank can be computed from the other
 * ranks, so updates would have to treat them together. They are published once, when the survey is closed.
 */
export function suppressRankings(
  survey: CountedSurvey,
  rule: SuppressionRule,
): Map<CountedQuestion, PublishedCounts> {
  const { questions, status } = survey;
  const suppressed = new Map<CountedQuestion, PublishedCounts>();
  const rankings = Map.groupBy(questions.filter(isRanking), ({ options }) =>
    JSON.stringify(options.map(({ text }) => createTextKey(text)).sort()),
  );
  for (const ranks of rankings.values()) {
    if (ranks.length === 1) continue;
    const untilClosed: PublishedCounts = { options: [], suppression: { kind: 'until-closed' } };
    const counts = suppressLinkedQuestions(
      ranks.map(({ options }) => options),
      rule,
    );
    const isHidden = !rule.publishUnanimous && ranks.some((rank) => isUnanimous(rank, survey));
    for (const [index, rank] of ranks.entries()) {
      const final = isHidden ? withheldUnanimous : (counts[index] as PublishedCounts);
      suppressed.set(rank, isFinal(status) ? final : untilClosed);
    }
  }
  return suppressed;
}

interface SurveyRules {
  rule: SuppressionRule;
  /** The rule of a question, see `createQuestionRule`. */
  createOwnRule(question: CountedQuestion): SuppressionRule;
}

/** @throws InvalidFieldError for a survey with too few responses, or whose number of responses would be too low */
export function buildSurvey(
  survey: CountedSurvey,
  { rule, createOwnRule }: SurveyRules,
  onNote: OnNote,
  releaseCounts: (question: CountedQuestion, index: number) => PublishedCounts,
): SurveyRecord {
  const counts = survey.questions.map(releaseCounts);
  const questions = survey.questions.map((question, index) =>
    toPublishedQuestion(question, counts[index]?.options ?? []),
  );
  const total = computeTotal(survey, questions);
  const isEmpty = survey.totalResponses === 0;
  if (survey.status !== 'draft' && !isEmpty) {
    const { totalResponses: wanted } = keepCounts(survey);
    if (Math.max(total, wanted) < rule.threshold)
      throw new InvalidFieldError({ code: 'survey-too-small', min: rule.threshold });
    if (total < wanted) throw new InvalidFieldError({ code: 'survey-total-hidden' });
  }
  for (const [index, question] of survey.questions.entries()) {
    const suppression = counts[index]?.suppression;
    if (suppression !== undefined)
      onNote(toSuppressionNote(survey, question, suppression, createOwnRule(question)));
  }
  return { ...survey, questions, totalResponses: total };
}

/** The survey with every count of the source. */
export function keepCounts(survey: CountedSurvey): SurveyRecord {
  const questions = survey.questions.map((question) => toPublishedQuestion(question, question.options));
  return { ...survey, questions, totalResponses: computeTotal(survey, questions) };
}

export const computeTotal = ({ totalResponses }: CountedSurvey, questions: PublishedQuestions) =>
  typeof totalResponses === 'number' ? totalResponses : totalResponses(questions);

export const toPublishedQuestion = (
  { isOneRow: _, ...question }: CountedQuestion,
  options: readonly OptionCount[],
) => ({
  ...question,
  options: options.map(({ text, count }) => ({ optionText: text, responseCount: count })),
});
