/** Finds options that may identify people: a column with numbers of customers is published like one with answers. */

import { sumCounts } from './small-count-suppression.ts';
import type { CountedQuestion } from './unsuppressed-survey.ts';

const minDifferent = 20;
/** Mean number of answers to an option. */
const minAnswers = 4;

const isAddress = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text);
const isUuid = (text: string) => /^[\da-f]{8}(-?[\da-f]{4}){3}-?[\da-f]{12}$/i.test(text);
/** Six digits or more, as of a customer or a file. */
const isNumber = (text: string) => /^\p{L}{0,4}[-/_ ]?\d{6,}$/u.test(text);

export function lookLikeIdentifiers({ options }: CountedQuestion): boolean {
  const texts = options.map(({ text }) => text.trim());
  const numbers = texts.filter(isNumber).length;
  const isDiverse = texts.length >= minDifferent && texts.length * minAnswers > sumCounts(options);
  return (
    texts.some((text) => isAddress(text) || isUuid(text)) ||
    numbers * 2 >= Math.max(2, texts.length) ||
    isDiverse
  );
}
