/** Words of answers to the questions of a survey, in lower case. */
import { limeSurveyAnswers, limeSurveyComments, limeSurveyRanks } from './limesurvey-words.ts';

const toLowerCase = (words: readonly string[]) => words.map((word) => word.toLowerCase());

/** Cells of a column with the text of one option, if the response has chosen it. */
export const tickedWords: readonly string[] = [
  ...new Set([
    ...['y', 'j', 'x', '1', 'true', 'wahr', 'vrai', 'checked', 'selected', 'ausgewählt', '✓', '✔'],
    ...toLowerCase(limeSurveyAnswers.yes),
  ]),
];

/** Cells of such a column, if the response has not chosen the option. */
const untickedWords: readonly string[] = [
  ...new Set([
    ...['', 'n', '0', 'false', 'falsch', 'faux', 'n/a', 'unchecked', 'not selected', 'nicht ausgewählt'],
    ...['nicht gewählt', ...toLowerCase(limeSurveyAnswers.no)],
  ]),
];

const ticked = new Set(tickedWords);
const unticked = new Set(untickedWords);

export const isTicked = (cell: string): boolean => ticked.has(cell.toLowerCase());
export const isUnticked = (cell: string): boolean => unticked.has(cell.toLowerCase());

const otherItems = new Set(toLowerCase(limeSurveyAnswers.other));
const commentItems = new Set(toLowerCase(limeSurveyComments));

/** Whether the item in the brackets of a heading, such as `Sonstiges`, names the option for own words. */
export const isOtherItem = (item: string): boolean => otherItems.has(item.trim().toLowerCase());

/** Whether the item, such as `Kommentar` or `SQ001comment`, names a column with a comment on an answer. */
export const isCommentItem = (item: string): boolean =>
  commentItems.has(item.trim().toLowerCase()) || /^\w{1,30}comment$/i.test(item.trim());

const rankItems = new Set(toLowerCase(limeSurveyRanks));

/** Whether the item in the brackets of a heading, such as `Rang 1`, names a column with the option of this rank. */
export const isRankItem = (item: string): boolean =>
  rankItems.has(
    item
      .trim()
      .toLowerCase()
      .replace(/\d{1,3}/, '%s'),
  );
