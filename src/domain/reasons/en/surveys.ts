/** Why a survey is rejected, as clauses without a full stop. */
import type { AnyReason, Words } from '../sentence-types.ts';

const staysPublished = 'the difference could reveal single answers, so the survey is not changed';

const addTotal = ({ isPage, option }: Words) =>
  `add a column "totalResponses", or ${isPage ? `describe the table under ${option('metadata')}` : 'totalResponses in the metadata'}`;

export const surveys = {
  'survey-has-no-questions': (_: object, { isPage, option }: Words) =>
    `has no column that looks like a question: name the columns ${isPage ? `under ${option('questions')}` : 'with --questions'}`,
  'survey-has-no-response': 'has no finished response',
  'survey-has-no-counts': 'has no row with counts',
  'survey-has-too-many-rows': ({ max }: { max: number }) => `has more than ${max} rows`,
  'survey-not-described': ({ file }: { file: string }) => `${file} is missing in the metadata`,
  'survey-count-unnamed': ({ column }: { column: string }) => `has a count in ${column}, which has no name`,
  'survey-count-missing': ({ column }: { column: string }) =>
    `has no count under ${JSON.stringify(column)}: write 0 if nobody chose it`,
  'survey-count-invalid': ({ column }: { column: string }) =>
    `has no whole number under ${JSON.stringify(column)}: a count is the number of answers, without separators`,
  'survey-column-percentage': ({ column }: { column: string }) =>
    `has percentages, weighted numbers, means or scores under ${JSON.stringify(column)}: give the number of answers`,
  'survey-column-base': ({ column }: { column: string }) =>
    `has a column ${JSON.stringify(column)} that seems to be the number of people, and no option: remove it. Give the number of people who answered the survey as totalResponses`,
  'survey-row-summary': ({ label }: { label: string }) =>
    `has a row ${JSON.stringify(label)} that is no option: remove it. Give the number of people who answered the survey as totalResponses`,
  'survey-column-sum': ({ column }: { column: string }) =>
    `has a column ${JSON.stringify(column)} that is the sum of the others: remove it, or name it "totalResponses" if it is the number of people who answered the survey`,
  'survey-of-each-year': (_: object, { isPage, option }: Words) =>
    `has a survey for each year, and ${isPage ? option('continues') : '--continues'} names one survey: leave it out`,
  'survey-year-missing': ({ line }: { line: number | undefined }) =>
    `has rows of several years, and no year in line ${line}: start each row with its year, or remove the others`,
  'survey-total-of-years':
    'has several years, and one totalResponses in the metadata: write it by year, such as {"2019": 2108}',
  'survey-totals-differ':
    'has rows with different totalResponses: write the number of people who answered the survey into each row',
  'survey-total-missing': (_: object, words: Words) =>
    `lacks the number of people who answered: ${addTotal(words)}; if everyone answered each row, ${words.isPage ? `choose ${words.option('totalFromRows')}` : 'use --total-from-rows'}`,
  'survey-total-hidden': (_: object, words: Words) =>
    `has small counts in its largest row, which is not published, so no row gives the number of people who answered: ${addTotal(words)}`,
  'survey-total-needed':
    'is active, so its updates need the number of responses: add totalResponses to the metadata, or as a column',
  'survey-too-small': ({ min }: { min: number }) =>
    `has fewer than ${min} responses, too few to be published: import it again when there are more`,
  'survey-lost-responses': `there are fewer responses than were already published; ${staysPublished}`,
  'survey-lost-answers': ({ question }: { question: string }) =>
    `question “${question}”: there are fewer answers than were already published; ${staysPublished}`,
  'survey-lost-option': ({ question }: { question: string }) =>
    `question “${question}”: a published option is missing; ${staysPublished}`,
  'survey-is-final': ({ status }: { status: string }) =>
    `was published as ${status}, and cannot become active again`,
  'survey-is-another': (_: object, { isPage, option }: Words) =>
    `is another survey than the published one with its id: choose another id ${isPage ? `under ${option('surveyId')}` : 'with --survey-id'}`,
  'survey-has-other-questions':
    'has other questions than the published survey: count the same columns in the same order. Otherwise the survey is not changed',
  'survey-not-published': ({ id }: { id: string }, { isPage }: Words) =>
    `continues the survey ${id}, which is not published${isPage ? '' : ': "rostra survey list" shows all'}`,
  'survey-similar': ({ id, title }: { id: string; title: string }, { isPage }: Words) =>
    isPage
      ? `may ask the same questions as the published survey “${title}”: choose whether it continues that survey, or is a survey of its own`
      : `may ask the same questions as the published survey “${title}”: add --continues ${id} if it continues that survey, or --new-survey if other people answered`,
  'question-implausible': ({ number, problem }: { number: number; problem: AnyReason }, words: Words) =>
    `question ${number} ${words.reason(problem)}`,
  'question-with-texts':
    'is a text question and has options: answers in free text are never published, so leave its options out',
  'question-repeats-option': ({ first, second }: { first: number; second: number }) =>
    `has two options with the same text, number ${first} and ${second}: give each option once`,
  'question-exceeds-total': ({ option }: { option: number }) =>
    `counts more responses for option ${option} than the survey has`,
  'question-adds-up-to-more':
    'is of type single_choice, and its options add up to more responses than the survey has',
};
