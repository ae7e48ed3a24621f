/** Checks that the counts of a survey are possible, in every format and before suppression. */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import type { CountedQuestion, CountedSurvey } from '../../records/counted-survey.ts';
import { sumCounts } from './small-count-suppression.ts';

/** Texts that look the same to readers have the same key. */
export const createTextKey = (text: string) =>
  text.normalize('NFKC').toUpperCase().toLowerCase().replace(/\s+/g, ' ').trim();

/** `Single Choice` equals `single_choice`. */
const createTypeKey = (type: string) => createTextKey(type).replace(/[\p{P}\s]/gu, '');

const isText = ({ questionType }: CountedQuestion) =>
  /^((free|long|short)?text|freitext|open(ended)?|comment)$/.test(createTypeKey(questionType));
const isSingleChoice = ({ questionType }: CountedQuestion) => createTypeKey(questionType) === 'singlechoice';
export const isMultipleChoice = ({ questionType }: CountedQuestion) =>
  createTypeKey(questionType) === 'multiplechoice';
/** Whether a response chooses one option. A ranking question counts one rank. */
export const allowsOneAnswer = (question: CountedQuestion) =>
  isSingleChoice(question) || isRanking(question) || createTypeKey(question.questionType) === 'scale';
export const isMatrix = ({ questionType }: CountedQuestion) => createTypeKey(questionType) === 'matrix';
export const isRanking = ({ questionType }: CountedQuestion) => createTypeKey(questionType) === 'ranking';

/**
 * Messages name questions and options by number, because in a file that is not a survey their texts could be anything.
 *
 * @throws InvalidFieldError
 */
export function assertPlausible({ questions, totalResponses }: CountedSurvey): void {
  for (const [index, question] of questions.entries()) {
    const problem =
      findOptionsOfText(question) ??
      findAlikeOptions(question) ??
      // A total that is computed from the counts fits them.
      (typeof totalResponses === 'number' ? findImpossibleCount(question, totalResponses) : undefined);
    if (problem !== undefined)
      throw new InvalidFieldError({ code: 'question-implausible', number: index + 1, problem });
  }
}

function findOptionsOfText(question: CountedQuestion): Reason | undefined {
  if (!isText(question) || question.options.length === 0) return undefined;
  return { code: 'question-with-texts' };
}

function findAlikeOptions({ options }: CountedQuestion): Reason | undefined {
  const numbers = new Map<string, number>();
  for (const [index, { text }] of options.entries()) {
    const first = numbers.get(createTextKey(text));
    if (first !== undefined) return { code: 'question-repeats-option', first, second: index + 1 };
    numbers.set(createTextKey(text), index + 1);
  }
  return undefined;
}

function findImpossibleCount(question: CountedQuestion, total: number): Reason | undefined {
  const higher = question.options.findIndex(({ count }) => count > total);
  if (higher !== -1) return { code: 'question-exceeds-total', option: higher + 1 };
  if (isSingleChoice(question) && sumCounts(question.options) > total)
    return { code: 'question-adds-up-to-more' };
  return undefined;
}
