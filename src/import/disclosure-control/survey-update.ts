/** The results of a survey that follow on its published results. */
import { isDeepStrictEqual } from 'node:util';
import type { SurveyRecord } from '../../domain/records.ts';
import { InvalidFieldError } from '../../reasons/reason.ts';
import {
  buildSurvey,
  createQuestionRule,
  exceedsResponses,
  hasSeveralRows,
  isFinal,
  notMergeable,
  type OnNote,
  releaseFirstCounts,
  releaseFirstResults,
  suppressRankings,
  toPublishedQuestion,
  withheldUnanimous,
} from './first-survey-release.ts';
import { InconsistentCountsError, updateQuestion } from './question-update.ts';
import {
  isBelowThreshold,
  type OptionCount,
  type PublishedCounts,
  type SuppressionRule,
} from './small-count-suppression.ts';
import { truncate } from './suppression-notes.ts';
import { isUnanimous, listGainsSinceUnanimous } from './unanimous-answers.ts';
import type { CountedQuestion, CountedSurvey } from './unsuppressed-survey.ts';

/**
 * @param published the latest public results, also if the survey was a draft or removed since; undefined: none
 * @throws InvalidFieldError if the survey cannot be published
 */
export function releaseResults(
  survey: CountedSurvey,
  published: SurveyRecord | undefined,
  rule: SuppressionRule,
  onNote: OnNote,
): SurveyRecord {
  const { status, totalResponses } = survey;
  if (status === 'draft') return withoutCounts(survey);
  const hasTotal = typeof totalResponses === 'number';
  if (!hasTotal && !isFinal((published ?? survey).status))
    throw new InvalidFieldError({ code: 'survey-total-needed' });
  // Published results without responses reveal nothing.
  if (published === undefined || published.totalResponses === 0)
    return releaseFirstResults(survey, rule, onNote);
  return !isFinal(published.status) && hasTotal
    ? updateActiveSurvey(survey, published, totalResponses - published.totalResponses, rule, onNote)
    : keepClosedSurvey(survey, published, rule, onNote);
}

/**
 * Updates an active survey in steps of at least as many responses as the threshold.
 *
 * @throws InvalidFieldError
 */
function updateActiveSurvey(
  survey: CountedSurvey,
  published: SurveyRecord,
  newResponses: number,
  rule: SuppressionRule,
  onNote: OnNote,
): SurveyRecord {
  assertSameQuestions(survey, published);
  if (newResponses < 0) throw new InvalidFieldError({ code: 'survey-lost-responses' });
  if (newResponses > 0 && newResponses < rule.threshold) {
    onNote({ code: 'survey-update-waits', title: truncate(survey.title), min: rule.threshold });
    return keepPublishedResults(survey, published);
  }
  const rankings = suppressRankings(survey, rule);
  const createOwnRule = (question: CountedQuestion) => createQuestionRule(question, survey, rule, true);
  const update = (question: CountedQuestion, options: readonly OptionCount[]) => {
    const rank = rankings.get(question);
    // Ranks are published once: a source that anonymises them itself does not wait for the end of the survey.
    if (rank !== undefined) return options.length > 0 ? { options: [...options] } : rank;
    return updateQuestionCounts(question, options, survey, createOwnRule(question), published, newResponses);
  };
  const publishedOptions = published.questions.map(({ options }) =>
    options.map(({ optionText: text, responseCount: count }) => ({ text, count })),
  );
  const updates = survey.questions.map((question, index) => update(question, publishedOptions[index] ?? []));
  // A question that is published for the first time would show how many chose the same in a question with older figures.
  const isWaiting = updates.some(({ suppression }) => suppression?.kind === 'delayed');
  return buildSurvey(survey, { rule, createOwnRule }, onNote, (_question, index) => {
    const isFirst = publishedOptions[index]?.length === 0 && (updates[index]?.options.length ?? 0) > 0;
    return isWaiting && isFirst ? withheldUntilUpdate : (updates[index] as PublishedCounts);
  });
}

const withheldUntilUpdate: PublishedCounts = { options: [], suppression: { kind: 'until-update' } };

/**
 * @param rule of this question
 * @param before the survey as it was published
 * @throws InvalidFieldError
 */
function updateQuestionCounts(
  question: CountedQuestion,
  published: readonly OptionCount[],
  survey: CountedSurvey,
  rule: SuppressionRule,
  before: SurveyRecord,
  newResponses: number,
): PublishedCounts {
  const isMergeable = !hasSeveralRows(question, survey);
  if (!rule.publishUnanimous) {
    if (isUnanimous(question, survey)) return { ...withheldUnanimous, options: [...published] };
    const gains =
      published.length === 0
        ? listGainsSinceUnanimous(question, before.totalResponses, newResponses, rule)
        : [];
    // Readers may conclude that everyone had chosen the option, and compare.
    if (gains.some((gain) => isBelowThreshold(gain, rule)))
      return { options: [], suppression: { kind: 'delayed' } };
    // It may have been withheld for this reason, so that its release proves no other.
    if (gains.length > 0 && rule.maxKnownOptions === undefined)
      return releaseFirstCounts(question, survey, rule);
  }
  if (!isMergeable && published.length === 0) {
    // With a threshold of 10: the counts were not published, so an option had at most 9 answers. If every option
    // certainly had 9 or more, their publication would reveal that one had exactly 9.
    const mayHaveBeenSmaller = ({ count }: OptionCount) =>
      count > 0 && count - newResponses < rule.threshold - 1;
    return question.options.some(mayHaveBeenSmaller)
      ? releaseFirstCounts(question, survey, rule)
      : notMergeable;
  }
  const update = { count: newResponses, isFinal: isFinal(survey.status) && isMergeable };
  try {
    const counts = updateQuestion(published, question.options, rule, update);
    return exceedsResponses(counts, survey)
      ? { options: [...published], suppression: { kind: 'delayed' } }
      : counts;
  } catch (error) {
    if (!(error instanceof InconsistentCountsError)) throw error;
    throw new InvalidFieldError({ code: error.code, question: truncate(question.questionText) });
  }
}

/** A draft. Only counts that were public are kept, and the store keeps them beside it. */
export const withoutCounts = ({ identity: _, questions, ...survey }: CountedSurvey): SurveyRecord => ({
  ...survey,
  totalResponses: 0,
  questions: questions.map((question) => toPublishedQuestion(question, [])),
});

const keepPublishedResults = (
  { totalResponses: _total, questions: _questions, identity: _identity, ...fields }: CountedSurvey,
  published: SurveyRecord,
): SurveyRecord => ({ ...published, ...fields });

/** Results of a closed survey never change. A note reports different counts. */
function keepClosedSurvey(
  survey: CountedSurvey,
  published: SurveyRecord,
  rule: SuppressionRule,
  onNote: OnNote,
): SurveyRecord {
  if (!isFinal(survey.status))
    throw new InvalidFieldError({ code: 'survey-is-final', status: published.status });
  assertSameSurvey(survey, published, rule);
  const { totalResponses, questions } = releaseFirstResults(survey, rule, () => undefined);
  const isUnchanged =
    totalResponses === published.totalResponses && isDeepStrictEqual(questions, published.questions);
  if (!isUnchanged) onNote({ code: 'survey-stays', title: truncate(survey.title), status: published.status });
  return keepPublishedResults(survey, published);
}

/** @throws InvalidFieldError if no option is the same: two surveys have the same id */
function assertSameSurvey(
  { questions }: CountedSurvey,
  published: SurveyRecord,
  { otherText }: SuppressionRule,
): void {
  const publishedTexts = new Set(
    published.questions.flatMap(({ options }) => options.map(({ optionText }) => optionText)),
  );
  // Merged options may have any text.
  if (publishedTexts.has(otherText)) return;
  const texts = questions.flatMap(({ options }) => options.map(({ text }) => text));
  if (publishedTexts.size > 0 && texts.length > 0 && !texts.some((text) => publishedTexts.has(text)))
    throw new InvalidFieldError({ code: 'survey-is-another' });
}

/** A question with a changed text would be a new question, whose small counts the published one reveals. */
function assertSameQuestions({ questions }: CountedSurvey, published: SurveyRecord): void {
  const areSame =
    questions.length === published.questions.length &&
    questions.every(({ questionText }, index) => questionText === published.questions[index]?.questionText);
  if (!areSame) throw new InvalidFieldError({ code: 'survey-has-other-questions' });
}
