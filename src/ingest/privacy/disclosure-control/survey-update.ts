/** The results of a survey that follow on its published results. */
import { isDeepStrictEqual } from 'node:util';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import type { SurveyRecord } from '../../../domain/records/records.ts';
import type { CountedQuestion, CountedSurvey, OptionCount } from '../../records/counted-survey.ts';
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
import { InconsistentCountsError, type NewResponses, updateQuestion } from './question-update.ts';
import { isBelowThreshold, type PublishedCounts, type SuppressionRule } from './small-count-suppression.ts';
import { truncateMiddle } from './suppression-notes.ts';
import { isUnanimous, listGainsSinceUnanimous } from './unanimous-answers.ts';

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
    onNote({ code: 'survey-update-waits', title: truncateMiddle(survey.title), min: rule.threshold });
    return keepPublishedResults(survey, published);
  }
  const rankings = suppressRankings(survey, rule);
  const createOwnRule = (question: CountedQuestion) => createQuestionRule(question, survey, rule, true);
  const publishedOptions = published.questions.map(({ options }) =>
    options.map(({ optionText: text, responseCount: count }) => ({ text, count })),
  );
  const shared = findSharedCounts(publishedOptions);
  const update = (question: CountedQuestion, index: number, maySplit: boolean): PublishedCounts => {
    const options = publishedOptions[index] ?? [];
    const rank = rankings.get(question);
    // Ranks are published once: a source that anonymises them itself does not wait for the end of the survey.
    if (rank !== undefined) return options.length > 0 ? { options } : rank;
    const waitsForOthers = options.some(({ count }) => shared.has(count));
    const steps = { count: newResponses, maySplit, waitsForOthers };
    return updateQuestionCounts(question, options, survey, createOwnRule(question), published, steps);
  };
  const updateAll = (maySplit: boolean) =>
    updateTogether(
      survey.questions.map((question, index) => update(question, index, maySplit)),
      publishedOptions,
    );
  // An option that appears, alone or with its question, shows how many chose the same in a question with older figures.
  const whole = updateAll(true);
  const isWaiting = whole.some(isDelayed);
  const updates = isWaiting ? updateAll(false) : whole;
  return buildSurvey(survey, { rule, createOwnRule }, onNote, (_question, index) => {
    const isFirst = publishedOptions[index]?.length === 0 && (updates[index]?.options.length ?? 0) > 0;
    return isWaiting && isFirst ? withheldUntilUpdate : (updates[index] as PublishedCounts);
  });
}

const isDelayed = ({ suppression }: PublishedCounts) => suppression?.kind === 'delayed';

const listCounts = (options: readonly OptionCount[]) => new Set(options.map(({ count }) => count));

/** @returns counts that several questions have */
function findSharedCounts(published: readonly OptionCount[][]): ReadonlySet<number> {
  const [known, shared] = [new Set<number>(), new Set<number>()];
  for (const counts of published.map(listCounts))
    for (const count of counts) (known.has(count) ? shared : known).add(count);
  return shared;
}

/**
 * Delays questions that have a published count of a delayed one. It may count the same people, such as those who answered No and
 * those who were not asked the next question, and two states of it would reveal the answers in between. Such counts stay equal
 * from then on. Only published counts decide, because any other decision would reveal something about the new ones.
 */
function updateTogether(
  updates: readonly PublishedCounts[],
  published: readonly OptionCount[][],
): readonly PublishedCounts[] {
  const older = listCounts(
    published.filter((_options, index) => isDelayed(updates[index] as PublishedCounts)).flat(),
  );
  const waits = (update: PublishedCounts, index: number) =>
    !isDelayed(update) && published[index]?.some(({ count }) => older.has(count)) === true;
  if (!updates.some(waits)) return updates;
  const next = updates.map(
    (update, index): PublishedCounts =>
      waits(update, index) ? { options: published[index] ?? [], suppression: { kind: 'delayed' } } : update,
  );
  return updateTogether(next, published);
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
  steps: Omit<NewResponses, 'isFinal'>,
): PublishedCounts {
  const newResponses = steps.count;
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
  const update = { ...steps, isFinal: isFinal(survey.status) && isMergeable };
  try {
    const counts = updateQuestion(published, question.options, rule, update);
    return exceedsResponses(counts, survey)
      ? { options: [...published], suppression: { kind: 'delayed' } }
      : counts;
  } catch (error) {
    if (!(error instanceof InconsistentCountsError)) throw error;
    throw new InvalidFieldError({ code: error.code, question: truncateMiddle(question.questionText) });
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
  if (!isUnchanged)
    onNote({ code: 'survey-stays', title: truncateMiddle(survey.title), status: published.status });
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
