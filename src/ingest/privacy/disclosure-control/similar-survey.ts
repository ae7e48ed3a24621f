/**
 * Finds the published surveys that a survey may continue, repeat or be a part of. If it became another survey beside one of
 * them, the difference between both would reveal the answers of the few people who are in one of them only.
 *
 * A survey is similar if
 *
 * - half of the questions of the shorter survey are in both, and they share an option;
 * - a question is in both, and its counts in one survey are not higher than in the other: a part of a questionnaire, or of
 *   the people who answered it;
 * - the same holds for half of the questions, whose texts begin or end alike, such as the tables of several districts, or whose
 *   surveys have the same title, or for one question behind different titles, if the difference is small;
 * - the titles are the same, and any number of people in one is nearly a number in the other;
 * - questions have nearly the same counts, too many for a coincidence, whatever their texts: codes in place of texts.
 *
 * Surveys of different years ask the same questions to other people.
 */
import type { SimilarSurvey } from '../../../domain/runs/run-queue.ts';
import type { AskedSurvey, ReleasedSurveyStore } from '../../../domain/store.ts';
import type { CountedSurvey } from '../../records/counted-survey.ts';
import { type CountDifference, compareCounts, mayBeNear } from './compare-counts.ts';
import {
  type ComparedQuestion,
  type ComparedSurvey,
  compareGiven,
  comparePublished,
  getFirstWord,
  getLastWord,
} from './compared-survey.ts';

/** Compares the surveys of one import with published ones, and with each other. */
export interface SurveyComparison {
  /** @param threshold smallest published count */
  findSimilar(survey: CountedSurvey, surveyId: string, threshold: number): Promise<SimilarSurvey[]>;
  /** A survey as this import publishes it. The store has it later. */
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
      // Read once, because an input can have many new surveys.
      published ??= store
        .listSurveyQuestions(organizationId)
        .then((surveys) => surveys.map(comparePublished));
      const given = compareGiven(survey, surveyId);
      const similar = [...(await published), ...added].filter(
        // With this id, another import has published the survey in the meantime.
        (other) =>
          other.id !== surveyId && !isOfOtherYear(given, other) && isSimilar(given, other, threshold),
      );
      return [...new Map(similar.map(({ id, title }) => [id, { id, title }])).values()];
    },
    add: (survey) => void added.push(comparePublished(survey)),
  };
}

const isOfOtherYear = (one: ComparedSurvey, other: ComparedSurvey) =>
  one.year !== undefined && other.year !== undefined && one.year !== other.year;

const isSimilar = (given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean =>
  sharesHalf(given, published) ||
  sharesQuestion(given, published, threshold) ||
  sharesTitle(given, published, threshold) ||
  isBreakdown(given, published, threshold) ||
  hasSameCounts(given, published, threshold);

/** The wording of the other questions may have been corrected. */
function sharesHalf(given: ComparedSurvey, published: ComparedSurvey): boolean {
  const isHalfShared = given.wordings.some((keys) =>
    published.wordings.some((publishedKeys) => {
      const shared = keys.intersection(publishedKeys).size;
      return shared > 0 && shared * 2 >= Math.min(keys.size, publishedKeys.size);
    }),
  );
  return isHalfShared && mayShareOptions(given, published);
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

/** All people who answered one survey are in the other, or the other way round. */
const directions = ['isMore', 'isLess'] as const;
type Direction = (typeof directions)[number];

const isPossible = (difference: CountDifference, direction: Direction) =>
  difference[direction] || difference.isNear;

function sharesQuestion(given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean {
  const shared = given.questions.flatMap((question) =>
    listSameTexts(question, published).flatMap((other) => {
      const difference = compareSharedQuestion(question, other, threshold);
      return difference === undefined ? [] : [{ key: question.key, difference }];
    }),
  );
  // Questions about age or gender are in unrelated surveys, too.
  const isEvidence = ({ key, difference }: (typeof shared)[number]) =>
    key.length >= minSharedLength || difference.isNear || difference.isRevealing;
  return (
    shared.some(isEvidence) &&
    directions.some((direction) => shared.every(({ difference }) => isPossible(difference, direction)))
  );
}

function compareSharedQuestion(
  { counts }: ComparedQuestion,
  { counts: published }: ComparedQuestion,
  threshold: number,
): CountDifference | undefined {
  // The counts of one may be withheld so far.
  if ((counts.sum === 0) !== (published.sum === 0))
    return { options: 'same', isMore: true, isLess: true, isNear: false, isRevealing: false, distance: 0 };
  const difference = compareCounts(counts, published, threshold);
  // Under the name of a file in place of its text, another question has other options.
  return difference?.options === 'other' && !difference.isNear ? undefined : difference;
}

function listSameTexts(question: ComparedQuestion, { byStart, byEnd }: ComparedSurvey): ComparedQuestion[] {
  const isSame = ({ key }: ComparedQuestion) => isSameText(question.key, key);
  const start = byStart.get(getFirstWord(question))?.filter(isSame) ?? [];
  const end = byEnd.get(getLastWord(question))?.filter(isSame) ?? [];
  return [...new Set([...start, ...end])];
}

/** Also if one has something in front or behind. */
function isSameText(one: string, other: string): boolean {
  if (one.length === other.length) return one === other && one !== '';
  const [shorter, longer] = one.length < other.length ? [one, other] : [other, one];
  const rest = longer.length - shorter.length;
  return (
    shorter.length >= minSharedLength &&
    ((longer[rest - 1] === ' ' && longer.endsWith(shorter)) ||
      (longer[shorter.length] === ' ' && longer.startsWith(shorter)))
  );
}

const haveSameTitle = (one: ComparedSurvey, other: ComparedSurvey) =>
  one.titleKey !== '' && one.titleKey === other.titleKey;

/**
 * Codes may replace all texts but the title. Parts of one questionnaire then share no text, and still count the same people: those
 * who answered No to a question of one part are those who were not asked a question of the other.
 */
function sharesTitle(given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean {
  if (!isSameText(given.titleKey, published.titleKey)) return false;
  const publishedNumbers = listNumbers(published);
  return listNumbers(given).some((number) => {
    const nearest = publishedNumbers[findFirst(publishedNumbers, (each) => each > number - threshold)];
    return nearest !== undefined && nearest < number + threshold;
  });
}

/** Numbers of people in ascending order: answers to each option, and to each question. */
const listNumbers = ({ answered }: ComparedSurvey): number[] =>
  answered
    .flatMap(({ counts: { sorted, others = 0, sum } }) => [...sorted, others, sum])
    .filter((number) => number > 0)
    .sort((one, other) => one - other);

function isBreakdown(given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean {
  const compare = (question: ComparedQuestion, other: ComparedQuestion) => {
    const difference = compareCounts(question.counts, other.counts, threshold);
    return difference?.options === 'same' ? difference : undefined;
  };
  const list = (question: ComparedQuestion) =>
    haveSameTitle(given, published) ? published.answered : listAlikeTexts(question, published);
  const half = Math.min(given.answered.length, published.answered.length) / 2;
  return directions.some((direction) => {
    const matched = matchQuestions(given, direction, list, compare);
    return matched.some(isSameBehindTitle) || (matched.length > 0 && matched.length >= half);
  });
}

/** Each file may have another title in front of its questions. */
const isSameBehindTitle = ({ question, other, difference }: Pair) =>
  question.label.length >= minSharedLength &&
  question.label === other.label &&
  (difference.isNear || difference.isRevealing);

/** The name of a district may be in front of the question, or behind it. */
const listAlikeTexts = (question: ComparedQuestion, { byEnd, byStem }: ComparedSurvey) => [
  ...new Set([
    ...(byEnd.get(getLastWord(question)) ?? []).filter((other) => endsAlike(question, other)),
    ...(question.stem.length >= minSharedLength ? (byStem.get(question.stem) ?? []) : []),
  ]),
];

function endsAlike(one: ComparedQuestion, other: ComparedQuestion): boolean {
  if (one.label !== '' && one.label === other.label) return true;
  const [words, otherWords] = [one.key.split(' '), other.key.split(' ')];
  const shorter = Math.min(words.length, otherWords.length);
  let end = 0;
  while (end < shorter && words.at(-1 - end) === otherWords.at(-1 - end)) end += 1;
  let start = 0;
  while (start < shorter - end && words[start] === otherWords[start]) start += 1;
  return (start + end) * 2 >= shorter;
}

/** Bits of information: unrelated surveys hardly match so well by chance. */
const minSurprise = 8;
const surpriseOfSharedWord = 5;

function hasSameCounts(given: ComparedSurvey, published: ComparedSurvey, threshold: number): boolean {
  const compare = ({ counts }: ComparedQuestion, other: ComparedQuestion) => {
    if (!mayBeNear(counts, other.counts, threshold)) return undefined;
    const difference = compareCounts(counts, other.counts, threshold);
    return difference?.isNear ? difference : undefined;
  };
  const list = ({ counts }: ComparedQuestion) => listNearSums(counts.sum, published.answered);
  const questions = Math.min(given.answered.length, published.answered.length);
  return directions.some((direction) => {
    const matched = matchQuestions(given, direction, list, compare);
    const isReworded = matched.some(
      ({ question, other, difference }) => difference.options === 'same' && sharesWord(question, other),
    );
    const surprises = matched.map((pair) => measureSurprise(pair, published.answered.length));
    return sumSurprises(surprises, questions) + (isReworded ? surpriseOfSharedWord : 0) >= minSurprise;
  });
}

/** The best ones of many questions match by chance more often than all of few. */
function sumSurprises(surprises: readonly number[], questions: number): number {
  let [sum, choices, most] = [0, 0, 0];
  for (const [index, surprise] of surprises.toSorted((one, other) => other - one).entries()) {
    sum += surprise;
    choices += Math.log2((questions - index) / (index + 1));
    most = Math.max(most, sum - Math.min(choices, questions - index - 1));
  }
  return most;
}

/**
 * How unlikely it is that one of some questions has so nearly the same counts by chance, in bits. The largest count follows from
 * the others and the number of people, and small counts are often the same.
 */
function measureSurprise({ question, other, difference }: Pair, questions: number): number {
  const [counts = [], otherCounts = []] = [question, other].map(({ counts: { sorted } }) => sorted);
  const options = Math.min(counts.length, otherCounts.length);
  const ofCounts = counts
    .slice(1, options)
    .map((count) => Math.max(0, Math.log2((count + 1) / (difference.distance + 1))))
    .reduce((sum, bits) => sum + bits, 0);
  // Sizes without texts may be in any order.
  let orders = 1;
  if (difference.options !== 'same') for (let size = 2; size <= options; size += 1) orders *= size;
  return Math.max(0, ofCounts - Math.log2(orders) - Math.log2(questions));
}

/** The differences of questions that are nearly the same are at most a quarter. */
function listNearSums(sum: number, answered: readonly ComparedQuestion[]): readonly ComparedQuestion[] {
  const findSum = (minSum: number) => findFirst(answered, ({ counts }) => counts.sum >= minSum);
  return answered.slice(findSum((sum * 3) / 4), findSum((sum * 4) / 3 + 1));
}

/** @returns the index of the first item; their number without one */
function findFirst<Item>(items: readonly Item[], isReached: (item: Item) => boolean): number {
  let low = 0;
  for (let high = items.length; low < high; ) {
    const middle = (low + high) >> 1;
    if (isReached(items[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function sharesWord(one: ComparedQuestion, other: ComparedQuestion): boolean {
  const words = new Set(one.key.split(' ').filter((word) => word.length >= 4));
  return other.key.split(' ').some((word) => words.has(word));
}

interface Pair {
  question: ComparedQuestion;
  other: ComparedQuestion;
  difference: CountDifference;
}

/**
 * Matches each question with at most one other.
 *
 * @param list questions that may match
 */
function matchQuestions(
  given: ComparedSurvey,
  direction: Direction,
  list: (question: ComparedQuestion) => readonly ComparedQuestion[],
  compare: (question: ComparedQuestion, other: ComparedQuestion) => CountDifference | undefined,
): Pair[] {
  const pairs: Pair[] = [];
  const taken = new Set<ComparedQuestion>();
  for (const question of given.answered)
    for (const other of list(question)) {
      const difference = taken.has(other) ? undefined : compare(question, other);
      if (difference === undefined || !isPossible(difference, direction)) continue;
      pairs.push({ question, other, difference });
      taken.add(other);
      break;
    }
  return pairs;
}
