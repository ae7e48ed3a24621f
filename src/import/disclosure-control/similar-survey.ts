/**
 * Finds the published surveys that a survey may continue, repeat or be a part of. If it became another survey beside one of
 * them, the difference between both would reveal the answers of the few people who are in one of them only.
 *
 * A survey is similar if
 *
 * - half of the questions of the shorter survey are in both, and they share an option;
 * - a question is in both, whose counts in one survey are not higher than in the other: a part of a questionnaire, or of
 *   the people who answered it;
 * - the same holds for half of the questions whose texts begin or end alike, such as the tables of several districts;
 * - half of the questions have nearly the same counts, whatever their texts: codes in place of texts.
 *
 * Surveys of different years ask the same questions to other people.
 */
import { isOtherAnswers } from '../../domain/published-words.ts';
import type { SimilarSurvey } from '../../domain/run-queue.ts';
import type { AskedSurvey, ReleasedSurveyStore } from '../../domain/store.ts';
import {
  type ComparedCounts,
  type CountDifference,
  compareCounts,
  createComparedCounts,
  mayBeNear,
} from './compare-counts.ts';
import { createSimilarityKey, removeLeadingNumber, splitLabel } from './similarity-keys.ts';
import type { CountedSurvey } from './unsuppressed-survey.ts';

interface ComparedQuestion {
  /** Without its number, unless it has no other text. */
  key: string;
  /** Whether the text is only a number. */
  isNumber: boolean;
  /** Parts of the text before and behind the last separator; empty without one. */
  stem: string;
  label: string;
  counts: ComparedCounts;
}

interface ComparedSurvey extends SimilarSurvey {
  year: string | undefined;
  questions: ComparedQuestion[];
  /** Keys of all questions in each wording. */
  wordings: ReadonlySet<string>[];
  optionKeys: ReadonlySet<string>;
  hasCombinedOptions: boolean;
}

/** Compares the surveys of one import with published ones, and with each other. */
export interface SurveyComparison {
  /** @param threshold smallest published count */
  findSimilar(survey: CountedSurvey, surveyId: string, threshold: number): Promise<SimilarSurvey[]>;
  /** A survey as this import publishes it: the store may have it later. */
  add(survey: AskedSurvey): void;
}

export function createSurveyComparison(
  store: Pick<ReleasedSurveyStore, 'listSurveyQuestions'>,
  organizationId: string,
): SurveyComparison {
  let published: Promise<ComparedSurvey[]> | undefined;
  const added: ComparedSurvey[] = [];
  return {
    findSimilar: async (survey, surveyId, threshold) => {
      published ??= store.listSurveyQuestions(organizationId).then((surveys) => surveys.map(toCompared));
      const given = prepareGiven(survey, surveyId);
      const similar = [...(await published), ...added].filter(
        // With this id, another import has published the survey in the meantime.
        (other) =>
          other.id !== surveyId && !isOfOtherYear(given, other) && isSimilar(given, other, threshold),
      );
      return [...new Map(similar.map(({ id, title }) => [id, { id, title }])).values()];
    },
    add: (survey) => void added.push(toCompared(survey)),
  };
}

const prepareGiven = ({ title, questions, identity }: CountedSurvey, id: string): ComparedSurvey => {
  const given = prepare(id, title, questions);
  const others = (identity?.otherWordings ?? []).map((texts) => new Set(texts.map(createQuestionKey)));
  return { ...given, wordings: [...given.wordings, ...others] };
};

const toCompared = ({ id, title, questions }: AskedSurvey): ComparedSurvey =>
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
  given: readonly { questionText: string; options: readonly { text: string; count: number }[] }[],
): ComparedSurvey {
  const questions = given.map(({ questionText, options }): ComparedQuestion => {
    const { stem = '', label = '' } = splitLabel(questionText) ?? {};
    return {
      key: createQuestionKey(questionText),
      isNumber: removeLeadingNumber(questionText) === '',
      stem: createSimilarityKey(stem),
      label: createSimilarityKey(label),
      counts: createComparedCounts(options),
    };
  });
  return {
    id,
    title,
    year: /\((\d{4})\)$/.exec(title.trim())?.[1],
    questions,
    wordings: [new Set(questions.map(({ key }) => key))],
    optionKeys: new Set(questions.flatMap(({ counts }) => [...counts.byOption.keys()])),
    hasCombinedOptions: given.some(({ options }) => options.some(({ text }) => isOtherAnswers(text))),
  };
}

const createQuestionKey = (text: string) =>
  createSimilarityKey(removeLeadingNumber(text)) || createSimilarityKey(text);

/** The title of a survey of one year ends with the year in brackets. */
const isOfOtherYear = (one: ComparedSurvey, other: ComparedSurvey) =>
  one.year !== undefined && other.year !== undefined && one.year !== other.year;

function isSimilar(given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean {
  const isHalfShared = given.wordings.some((keys) =>
    published.wordings.some((publishedKeys) => isHalf(keys, publishedKeys)),
  );
  if (isHalfShared && mayShareOptions(given, published)) return true;
  return (
    sharesQuestion(given, published, threshold) ||
    isBreakdown(given, published, threshold) ||
    hasSameCounts(given, published, threshold)
  );
}

/** The wording of the others may have been corrected. */
function isHalf(own: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  const shared = own.intersection(other).size;
  return shared > 0 && shared * 2 >= Math.min(own.size, other.size);
}

/** The text of a question is the name of a file if the source has none. A combined option may be any option. */
const mayShareOptions = (one: ComparedSurvey, other: ComparedSurvey) =>
  one.optionKeys.size === 0 ||
  other.optionKeys.size === 0 ||
  one.hasCombinedOptions ||
  other.hasCombinedOptions ||
  !one.optionKeys.isDisjointFrom(other.optionKeys);

/** Characters of a text that unrelated surveys hardly share by chance. */
const minSharedLength = 12;

const directions = ['isMore', 'isLess'] as const;

/** The people who answered one survey are all in the other, so none of its counts is higher there. */
function sharesQuestion(given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean {
  const shared: { key: string; difference: CountDifference }[] = [];
  for (const { key, counts } of given.questions)
    for (const other of published.questions) {
      if (!isSameText(key, other.key)) continue;
      const isUnknown = (counts.sum === 0) !== (other.counts.sum === 0);
      const difference = isUnknown ? unknown : compareCounts(counts, other.counts, threshold);
      if (difference !== undefined) shared.push({ key, difference });
    }
  // Questions about age or gender are in unrelated surveys, too.
  const isEvidence = ({ key, difference }: (typeof shared)[number]) =>
    key.length >= minSharedLength || difference.isNear || difference.isRevealing;
  return directions.some(
    (direction) =>
      shared.some(isEvidence) && shared.every(({ difference }) => difference[direction] || difference.isNear),
  );
}

/** A question whose counts are not published yet. */
const unknown: CountDifference = {
  hasSameOptions: false,
  isMore: true,
  isLess: true,
  isNear: false,
  isRevealing: false,
};

/** Also if one has something in front or behind. */
function isSameText(one: string, other: string): boolean {
  if (one === other) return one !== '';
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  return (
    shorter.length >= minSharedLength && (longer.endsWith(` ${shorter}`) || longer.startsWith(`${shorter} `))
  );
}

function isBreakdown(given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean {
  return directions.some((direction) =>
    matchHalf(given, published, (question, other) => {
      if (!isAlikeText(question, other)) return false;
      const difference = compareCounts(question.counts, other.counts, threshold);
      return difference?.hasSameOptions === true && (difference[direction] || difference.isNear);
    }),
  );
}

/** The name of a district may be in front of the question, or behind it. */
function isAlikeText(one: ComparedQuestion, other: ComparedQuestion): boolean {
  if (isSameText(one.key, other.key)) return true;
  if (one.label !== '' && one.label === other.label) return true;
  if (one.stem.length >= minSharedLength && one.stem === other.stem) return true;
  const shared = countSharedEnd(one.key, other.key);
  const minShared = Math.min(one.key.length, other.key.length) / 2;
  return shared >= 3 && shared + countSharedStart(one.key, other.key) >= minShared;
}

/** Length of the words that both texts begin with. */
function countSharedStart(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  const isWord = length === one.length && length === other.length;
  return isWord ? length : Math.max(0, one.lastIndexOf(' ', length - 1));
}

/** Length of the words that both texts end with. */
function countSharedEnd(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one.at(-1 - length) === other.at(-1 - length)) length += 1;
  const isWord = length === one.length || length === other.length;
  const shared = one.slice(one.length - length);
  const at = shared.indexOf(' ');
  return isWord ? length : at === -1 ? 0 : length - at - 1;
}

/** Options that vary independently: fewer may have nearly the same counts by chance. */
const minVaryingOptions = 3;

function hasSameCounts(given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean {
  return directions.some((direction) => {
    let varying = 0;
    let isRelated = true;
    const isHalfMatched = matchHalf(given, published, (question, other) => {
      const { counts } = question;
      if (!mayBeNear(counts, other.counts, threshold)) return false;
      const difference = compareCounts(counts, other.counts, threshold);
      if (difference === undefined || !difference.isNear) return false;
      if (!difference[direction] && difference.isMore !== difference.isLess) return false;
      varying += counts.byOption.size - 1;
      isRelated &&= difference.hasSameOptions && mayBeReworded(question, other);
      return true;
    });
    return isHalfMatched && (varying >= minVaryingOptions || (varying > 0 && isRelated));
  });
}

/** Whether a text is only a number, or both share a word. */
function mayBeReworded(one: ComparedQuestion, other: ComparedQuestion): boolean {
  if (one.isNumber || other.isNumber) return true;
  const words = new Set(one.key.split(' ').filter((word) => word.length >= 4));
  return other.key.split(' ').some((word) => words.has(word));
}

/** Whether half of the questions of the shorter survey match one question each of the other. Questions without answers do not count. */
function matchHalf(
  given: ComparedSurvey,
  published: ComparedSurvey,
  matches: (question: ComparedQuestion, other: ComparedQuestion) => boolean,
): boolean {
  const isAnswered = ({ counts }: ComparedQuestion) => counts.sum > 0;
  const answered = given.questions.filter(isAnswered);
  const others = new Set(published.questions.filter(isAnswered));
  const needed = Math.ceil(Math.min(answered.length, others.size) / 2);
  let matched = 0;
  for (const [index, question] of answered.entries()) {
    if (matched + answered.length - index < needed) return false;
    for (const other of others) {
      if (!matches(question, other)) continue;
      others.delete(other);
      matched += 1;
      break;
    }
  }
  return matched > 0 && matched >= needed;
}
