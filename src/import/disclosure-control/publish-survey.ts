/**
 * Every survey passes here before the store, whatever its format: its counts are checked and turned into the record that
 * may be published.
 */

import { isDeepStrictEqual } from 'node:util';
import type { ImportRecord, SurveyRecord } from '../../domain/records.ts';
import type { PublishedDataStore } from '../../domain/store.ts';
import { parseRecord, toSurveyRecord } from '../build-records.ts';
import { InvalidFieldError } from '../field-validation.ts';
import type { ParsedRecord, PublishableRecord } from '../parsed-record.ts';
import { deriveRecordId } from '../record-ids.ts';
import type { CountedQuestion, CountedSurvey, PublishedQuestions } from './counted-survey.ts';
import { InconsistentCountsError, type NewResponses, releaseUpdate } from './incremental-release.ts';
import {
  allowsOneAnswer,
  assertPlausible,
  createTextKey,
  isMultipleChoice,
  isRanking,
} from './plausibility-checks.ts';
import {
  hasSmallCount,
  type OptionCount,
  type PublishedCounts,
  type SuppressionRule,
  sumCounts,
  suppressLinkedQuestions,
  suppressSmallCounts,
} from './small-count-suppression.ts';
import { describeSuppression, truncate } from './suppression-notes.ts';

export interface PublicationOptions {
  organizationId: string;
  /** UUID that ids of the source are named under. */
  namespace: string;
  /** undefined: the source is anonymised already, so its counts are published as they are. */
  suppressionRule: SuppressionRule | undefined;
  /** Called with a sentence for each change to the counts. */
  onNote: (sentence: string) => void;
}

/** @returns the reading, with the record that may be published in place of a counted survey */
export async function protectSurvey(
  reading: ParsedRecord,
  store: Pick<PublishedDataStore, 'findSurveyResults'>,
  options: PublicationOptions,
): Promise<PublishableRecord> {
  if (!('record' in reading)) return reading;
  const { location, id, record } = reading;
  if (record.kind !== 'survey') return { location, id, record };
  const { suppressionRule: rule, organizationId, namespace, onNote } = options;
  const surveyId = deriveRecordId(namespace, record.counted.surveyId);
  // Other imports may publish the survey meanwhile, so the record says which state it follows.
  const document = rule && (await store.findSurveyResults(organizationId, surveyId));
  return parseRecord(location, id, (): ImportRecord => {
    assertPlausible(record.counted);
    if (rule === undefined)
      return { kind: 'survey', ...toSurveyRecord({ ...keepCounts(record.counted) }, options) };
    const counted = normalizeTexts({ ...record.counted, surveyId }, rule);
    const before: SurveyRecord | undefined = document && JSON.parse(document);
    const survey = releaseResults(counted, before, rule, onNote);
    return { kind: 'survey', ...toSurveyRecord({ ...survey }, options), follows: document ?? null };
  });
}

/** Texts in the form in which they are stored, so that they compare with published ones. */
function normalizeTexts(survey: CountedSurvey, { otherText }: SuppressionRule): CountedSurvey {
  const isOther = ({ text }: OptionCount) => createTextKey(text) === createTextKey(otherText);
  const questions = survey.questions.map((question) => ({
    ...question,
    questionText: question.questionText.normalize('NFC'),
    options: question.options.map((option) => ({
      text: isOther(option) ? otherText : option.text.normalize('NFC'),
      count: option.count,
    })),
  }));
  return { ...survey, questions };
}

function keepCounts(survey: CountedSurvey): SurveyRecord {
  const questions = survey.questions.map((question) => toPublishedQuestion(question, question.options));
  return { ...survey, questions, totalResponses: computeTotal(survey, questions) };
}

const computeTotal = ({ totalResponses }: CountedSurvey, questions: PublishedQuestions) =>
  typeof totalResponses === 'number' ? totalResponses : totalResponses(questions);

type Tell = (sentence: string) => void;

/** Responses may still arrive, unless the status says otherwise. */
const isFinal = (status: string) => ['closed', 'archived'].includes(createTextKey(status));

/** A survey of which nothing is published. */
function releaseFirstResults(survey: CountedSurvey, rule: SuppressionRule, tell: Tell): SurveyRecord {
  const rankings = suppressRankings(survey, rule);
  return buildSurvey(
    survey,
    rule,
    tell,
    (question) => rankings.get(question) ?? releaseFirstCounts(question, survey, rule),
  );
}

const notMergeable: PublishedCounts = { options: [], suppression: { kind: 'not-mergeable' } };

function releaseFirstCounts(
  question: CountedQuestion,
  survey: CountedSurvey,
  rule: SuppressionRule,
): PublishedCounts {
  if (hasSeveralRows(question, survey))
    return hasSmallCount(question.options, rule) ? notMergeable : { options: question.options };
  const counts = suppressSmallCounts(question.options, createQuestionRule(question, rule));
  return exceedsResponses(counts, survey) ? notMergeable : counts;
}

/**
 * Whether a question may hold several in one, such as all rows of a matrix. Small counts of different rows must not be
 * folded together, as their sum and the sums of rows would give them away.
 */
function hasSeveralRows(question: CountedQuestion, { totalResponses }: CountedSurvey): boolean {
  if (isMultipleChoice(question)) return false;
  const hasOneRow = question.isOneRow ?? allowsOneAnswer(question);
  return !hasOneRow || (typeof totalResponses === 'number' && sumCounts(question.options) > totalResponses);
}

/** Folded options of a question of several choices can count more answers than there are people. */
const exceedsResponses = ({ options }: PublishedCounts, { totalResponses }: CountedSurvey) =>
  typeof totalResponses === 'number' && options.some(({ count }) => count > totalResponses);

const createQuestionRule = (question: CountedQuestion, rule: SuppressionRule): SuppressionRule => ({
  ...rule,
  isMultipleResponse: isMultipleChoice(question),
});

/**
 * The ranks of each ranking: questions of that type with the same options. One rank can be computed from the others,
 * so they would have to move together; they are published once, at the end.
 */
function suppressRankings(
  { questions, status }: CountedSurvey,
  rule: SuppressionRule,
): Map<CountedQuestion, PublishedCounts> {
  const folded = new Map<CountedQuestion, PublishedCounts>();
  const rankings = Map.groupBy(questions.filter(isRanking), ({ options }) =>
    JSON.stringify(options.map(({ text }) => createTextKey(text)).sort()),
  );
  for (const ranks of rankings.values()) {
    if (ranks.length === 1) continue;
    const held: PublishedCounts = { options: [], suppression: { kind: 'until-closed' } };
    const counts = suppressLinkedQuestions(
      ranks.map(({ options }) => options),
      rule,
    );
    for (const [index, rank] of ranks.entries())
      folded.set(rank, isFinal(status) ? (counts[index] as PublishedCounts) : held);
  }
  return folded;
}

/** @throws InvalidFieldError for a survey with too few responses */
function buildSurvey(
  survey: CountedSurvey,
  rule: SuppressionRule,
  tell: Tell,
  countsOf: (question: CountedQuestion, index: number) => PublishedCounts,
): SurveyRecord {
  const counts = survey.questions.map(countsOf);
  const questions = survey.questions.map((question, index) =>
    toPublishedQuestion(question, counts[index]?.options ?? []),
  );
  const total = computeTotal(survey, questions);
  const isEmpty = survey.totalResponses === 0;
  if (total < rule.threshold && !isEmpty && survey.status !== 'draft')
    throw new InvalidFieldError(
      `has fewer than ${rule.threshold} responses, too few to be published: import it again when there are more`,
    );
  for (const [index, question] of survey.questions.entries()) {
    const folding = counts[index]?.suppression;
    if (folding !== undefined) tell(describeSuppression(survey, question, folding, rule));
  }
  return { ...survey, questions, totalResponses: total };
}

/**
 * A survey that follows on its published results.
 *
 * @param before undefined: nothing is published, or a draft
 * @throws InvalidFieldError when it cannot be published
 */
function releaseResults(
  survey: CountedSurvey,
  before: SurveyRecord | undefined,
  rule: SuppressionRule,
  tell: Tell,
): SurveyRecord {
  const { status, totalResponses } = survey;
  // Nobody sees the figures of a draft.
  if (status === 'draft') return releaseFirstResults(survey, rule, () => undefined);
  const isKnown = typeof totalResponses === 'number';
  if (!isKnown && !isFinal((before ?? survey).status))
    throw new InvalidFieldError(
      'is active, and moves by its number of responses: name totalResponses in the metadata',
    );
  // Without responses the published figures were about nobody.
  if (before === undefined || before.totalResponses === 0) return releaseFirstResults(survey, rule, tell);
  return !isFinal(before.status) && isKnown
    ? releaseUpdatedResults(survey, before, totalResponses - before.totalResponses, rule, tell)
    : keepFinalResults(survey, before, rule, tell);
}

/**
 * The figures of a survey that goes on move in steps of at least the threshold.
 *
 * @param more responses
 * @throws InvalidFieldError
 */
function releaseUpdatedResults(
  survey: CountedSurvey,
  before: SurveyRecord,
  more: number,
  rule: SuppressionRule,
  tell: Tell,
): SurveyRecord {
  assertSameQuestions(survey, before);
  if (more < 0)
    throw new InvalidFieldError(explainLostAnswers('there are fewer responses than are published already'));
  if (more > 0 && more < rule.threshold) {
    tell(
      `“${truncate(survey.title)}” has fewer than ${rule.threshold} responses more than are published: its figures stay as they are.`,
    );
    return keepPublishedFigures(survey, before);
  }
  const rankings = suppressRankings(survey, rule);
  return buildSurvey(survey, rule, tell, (question, index) => {
    const options = (before.questions[index]?.options ?? []).map(({ optionText, responseCount }) => ({
      text: optionText,
      count: responseCount,
    }));
    return rankings.get(question) ?? releaseUpdatedCounts(question, options, survey, rule, more);
  });
}

/** @throws InvalidFieldError */
function releaseUpdatedCounts(
  question: CountedQuestion,
  before: readonly OptionCount[],
  survey: CountedSurvey,
  rule: SuppressionRule,
  more: number,
): PublishedCounts {
  const isWhole = !hasSeveralRows(question, survey);
  if (!isWhole && before.length === 0) {
    // It was not published, so an option had 9 answers at most. If all the others had more, it must not be told now.
    const couldHaveHadLess = ({ count }: OptionCount) => count > 0 && count - more < rule.threshold - 1;
    return question.options.some(couldHaveHadLess)
      ? releaseFirstCounts(question, survey, rule)
      : notMergeable;
  }
  // Counts of several rows cannot be united at the end.
  const arrival: NewResponses = { count: more, isFinal: isFinal(survey.status) && isWhole };
  try {
    const counts = releaseUpdate(before, question.options, createQuestionRule(question, rule), arrival);
    return exceedsResponses(counts, survey)
      ? { options: [...before], suppression: { kind: 'delayed' } }
      : counts;
  } catch (error) {
    if (!(error instanceof InconsistentCountsError)) throw error;
    throw new InvalidFieldError(
      `question “${truncate(question.questionText)}”: ${explainLostAnswers(error.message)}`,
    );
  }
}

const keepPublishedFigures = (
  { surveyId, title, status }: CountedSurvey,
  before: SurveyRecord,
): SurveyRecord => ({
  ...before,
  surveyId,
  title,
  status,
});

/** After its end a survey keeps its figures. A note reports other ones. */
function keepFinalResults(
  survey: CountedSurvey,
  before: SurveyRecord,
  rule: SuppressionRule,
  tell: Tell,
): SurveyRecord {
  if (!isFinal(survey.status))
    throw new InvalidFieldError(`is published as ${before.status}, and cannot become active again`);
  assertSameSurvey(survey, before, rule);
  const { totalResponses, questions } = releaseFirstResults(survey, rule, () => undefined);
  const isAlike = totalResponses === before.totalResponses && isDeepStrictEqual(questions, before.questions);
  if (!isAlike)
    tell(`“${truncate(survey.title)}” is published as ${before.status}: its figures stay as they are.`);
  return keepPublishedFigures(survey, before);
}

/** @throws InvalidFieldError where nothing that can be chosen is the same: two surveys came by the same id */
function assertSameSurvey(
  { questions }: CountedSurvey,
  before: SurveyRecord,
  { otherText }: SuppressionRule,
): void {
  const known = new Set(
    before.questions.flatMap(({ options }) => options.map(({ optionText }) => optionText)),
  );
  const choices = questions.flatMap(({ options }) => options.map(({ text }) => text));
  // What is folded can be any of them.
  if (known.has(otherText)) return;
  if (known.size > 0 && choices.length > 0 && !choices.some((text) => known.has(text)))
    throw new InvalidFieldError(
      'is another survey than the one that is published under its id: name it with --survey-id, or take the other one away first',
    );
}

const explainLostAnswers = (what: string) =>
  `${what}; the difference could show single answers. Take the survey away first if it has to be replaced`;

/** A question under another text would be a new one, whose small counts the old one gives away. */
function assertSameQuestions({ questions }: CountedSurvey, before: SurveyRecord): void {
  const same =
    questions.length === before.questions.length &&
    questions.every(({ questionText }, index) => questionText === before.questions[index]?.questionText);
  if (!same)
    throw new InvalidFieldError(
      'has other questions than are published: count the same columns in the same order, or take the survey away first',
    );
}

const toPublishedQuestion = (
  { questionText, questionType }: CountedQuestion,
  options: readonly OptionCount[],
) => ({
  questionText,
  questionType,
  options: options.map(({ text, count }) => ({ optionText: text, responseCount: count })),
});
