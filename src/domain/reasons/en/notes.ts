/** Sentences about changes to the data that the counts do not show. */
import type { AnyReason, Words } from '../sentence-types.ts';
import { formatLocation, type Location } from './input-positions.ts';
import { type Cell, formatCell } from './rejections.ts';

interface Question {
  /** Of the survey. */
  title: string;
  question: string;
}

interface Counted {
  count: number;
}

/** A word of a column, with its rows. */
interface WordCount extends Counted {
  word: string;
}

const maxListedWords = 10;

/** @returns `"future" (3), "pending" (1)` */
export const listWords = (
  words: readonly WordCount[],
  quote: (word: string) => string,
  number: (count: number) => string,
): string =>
  [
    ...words.slice(0, maxListedWords).map(({ word, count }) => `${quote(word)} (${number(count)})`),
    ...(words.length > maxListedWords ? ['…'] : []),
  ].join(', ');

interface FieldValue extends Counted {
  field: string;
  value: string;
}

interface MergedValues {
  field: string;
  publishedAs: string;
  /** The most frequent ones. */
  values: readonly { value: string; count: number }[];
  /** The number of the others. */
  others: number;
}

/** What a source redacts. */
export interface Policy {
  kinds: readonly string[];
  country: string;
  /** Names. */
  patterns: readonly string[];
}

const createSuppression =
  <Values extends object>(explain: (values: Values) => string) =>
  (values: Question & Values) =>
    `“${values.title}”, “${values.question}”: ${explain(values)}.`;

/** Kinds of personal data. */
export const kindNouns: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  email: ['email address', 'email addresses'],
  phone: ['telephone number', 'telephone numbers'],
  iban: ['IBAN', 'IBANs'],
  plate: ['licence plate', 'licence plates'],
  address: ['address', 'addresses'],
};

const dependsOnCountry = (kind: string) => kind === 'phone' || kind === 'plate';

/** Returns a list such as `email, phone (DE), the pattern "Name"`, on pages `email addresses, telephone numbers (DE)`. */
export const listPolicy = ({ kinds, country, patterns }: Policy, isPage: boolean) =>
  [
    ...kinds.map((kind) => {
      const name = isPage ? (kindNouns[kind]?.[1] ?? kind) : kind;
      return dependsOnCountry(kind) ? `${name} (${country})` : name;
    }),
    ...patterns.map((name) => `the pattern "${name}"`),
  ].join(', ');

export const notes = {
  'status-times-corrected': ({ count }: Counted, { isPage, number }: Words) => {
    const submissions = `${number(count)} ${count === 1 ? 'submission' : 'submissions'}`;
    return isPage
      ? `The status of ${submissions} was changed before the submission: the time of the submission is published for both.`
      : `In ${submissions} statusChangedAt was before createdAt: createdAt is published for both.`;
  },
  'future-times-corrected': ({ count }: Counted, { isPage, number }: Words) =>
    `In ${number(count)} ${count === 1 ? 'session' : 'sessions'} ${isPage ? 'the recorded time' : 'createdAt'} was in the future: the time of the first import is published.`,
  'zero-days': ({ field, day, count }: Counted & { field: string; day: string }, words: Words) =>
    `${words.field(field)} is ${day} in ${count === 1 ? '1 record' : `${words.number(count)} records`}. Systems write this day for an unknown date: check ${count === 1 ? 'it' : 'them'}.`,
  'identifiers-shared': ({ count }: Counted, { number }: Words) =>
    `${count === 1 ? '1 row shares' : `${number(count)} rows share`} an identifier with other contents: only the first of each is published. If they are records of their own, the identifier needs another column, or several.`,
  'agenda-items-left-out': (
    { count, missing }: Counted & { missing: 'session' | 'submission' },
    { isPage, number }: Words,
  ) =>
    `${count === 1 ? '1 agenda item refers' : `${number(count)} agenda items refer`} to a ${missing} that the ${isPage ? 'file' : 'input'} lacks, and ${count === 1 ? 'is' : 'are'} left out.`,
  'live-records-repeated': ({ count }: Counted, { number }: Words) =>
    `The source returned records repeatedly (${count === 1 ? '1 repetition' : `${number(count)} repetitions`}). Each record was read once.`,
  'live-records-moved':
    'The records of the source changed while they were fetched. Therefore no missing record was removed.',
  'live-records-skipped': ({ count, total }: Counted & { total: number }, { number }: Words) =>
    `The source counts ${total === 1 ? '1 record' : `${number(total)} records`}, but did not return ${number(count)} of them. Therefore no missing record was removed.`,
  'endpoint-list-short': (
    { list, count, total }: Counted & { list: string; total: number },
    { number }: Words,
  ) =>
    `The list ${list} counts ${total === 1 ? '1 object' : `${number(total)} objects`}, but returned ${number(count)}. Therefore no missing record was removed.`,
  'live-windows-cut': ({ count, from, to }: Counted & { from: string; to: string }, { number }: Words) =>
    `The source returned only some of its records for ${count === 1 ? 'one period' : `${number(count)} periods`} (from ${from} to ${to}${count === 1 ? '' : ', for example'}). Therefore no missing record of ${count === 1 ? 'this period' : 'these periods'} is removed.`,
  'session-is-cancelled': ({ title }: { title: string }) =>
    `Not published, because its title says that the session is cancelled: ${title}`,
  'session-may-be-cancelled': ({ text }: { text: string }) =>
    `${JSON.stringify(text)} in the place, the description or another property of a session may mean that it is cancelled. It is published: remove it from the file if it does not take place.`,
  'files-repeated': ({ count, file }: Counted & { file: string }) =>
    count === 1
      ? `${file} is not read, because another file of the archive has the same content.`
      : `${count} files, such as ${file}, are not read, because other files of the archive have the same content.`,
  'encoding-detected': ({ file, encoding, count }: Counted & { file: string; encoding: string }) =>
    `${count === 1 ? `${file} is not UTF-8 and is` : `${count} files, such as ${file}, are not UTF-8 and are`} read as ${encoding.toUpperCase()}. Check letters with accents.`,
  'backslash-quotes': ({ file, count }: Counted & { file: string }) =>
    `${count === 1 ? `${file} has` : `${count} files, such as ${file}, have`} quotation marks in cells as \\" instead of "": a backslash before a mark is left out, and \\\\ is read as \\.`,
  'rows-hidden': ({ file, sheet, count }: Counted & { file: string; sheet: string }, { number }: Words) =>
    `${file}, sheet "${sheet}": ${count === 1 ? '1 row is hidden' : `${number(count)} rows are hidden`}, such as by a filter, and read like the others. Delete rows that must not be published.`,
  'no-meetings':
    'There was no meeting in the input: papers are published as if no meeting had discussed them. Import papers and meetings of a body together.',
  'column-withholds-rows': ({ column }: { column: string }) =>
    `The column ${JSON.stringify(column)} seems to say which rows are not public. They are published, unless "skip" in the mapping leaves them out.`,
  'words-pass-skip': ({ column, words }: { column: string; words: WordCount[] }, { number }: Words) =>
    `Of the column ${JSON.stringify(column)}, "skip" in the mapping lacks ${listWords(words, (word) => JSON.stringify(word), number)}. Their rows are published: add the words if they must not be.`,
  'rows-repeat-others': ({ column, count }: Counted & { column: string }, { number }: Words) =>
    `${count === 1 ? '1 row seems to repeat another record' : `${number(count)} rows seem to repeat other records`}, by the column ${JSON.stringify(column)}. ${count === 1 ? 'It is' : 'They are'} published, unless "skip" in the mapping leaves ${count === 1 ? 'it' : 'them'} out.`,
  'status-may-withhold': ({ status }: { status: string }) =>
    `The status ${JSON.stringify(status)} may mean that a record is not public. Such records are published, unless "skip" in the mapping leaves their rows out.`,
  'file-may-withhold': ({ file }: { file: string }) =>
    `The name ${JSON.stringify(file)} may mean that the records of the file are not public. They are published.`,
  'title-may-withhold': ({ note }: { note: string }) =>
    `${JSON.stringify(note)} in a title may mean that a record is not public, or a test. It is published: remove it from the file if it must not be.`,
  'column-cancels-sessions': ({ column }: { column: string }) =>
    `The column ${JSON.stringify(column)} seems to say which sessions are cancelled. They are published, unless "skip" in the mapping leaves their rows out.`,
  'consul-drafts-unmarked':
    'The file does not say which proposals are published. Exports of the admin area of CONSUL Democracy contain drafts, too, and so can responses of its API: remove them, or add published_at.',
  'amendments-published': ({ count }: Counted, { number }: Words) =>
    `${count === 1 ? '1 amendment is' : `${number(count)} amendments are`} published like proposals. If the platform shows amendments to their participants only, remove the rows with is_amend.`,
  'votes-hidden': ({ count }: Counted, { number }: Words) =>
    `${count === 1 ? '1 proposal has' : `${number(count)} proposals have`} no number of votes, because the platform hides it. 0 is published until a later import has the number.`,
  'no-papers':
    'There was no paper in the input: agendas and the statuses of papers are unchanged. Import papers and meetings of a body together.',
  'no-organizations':
    'There was no organization in the input: committees have the names of their meetings. Import the organizations too.',
  'repetitions-cut-off': ({
    source,
    entry,
    max,
  }: {
    source: string;
    entry: number | undefined;
    max: number;
  }) =>
    `A repeated event (${source}, entry ${entry}) has more than ${max} repetitions. Later ones were left out.`,
  'repetitions-unmatched': ({
    source,
    entry,
    count,
    example,
  }: Counted & { source: string; entry: number | undefined; example: string }) =>
    `${count === 1 ? 'One value' : `${count} values`} of EXDATE or RECURRENCE-ID of an event (${source}, entry ${entry}) ${count === 1 ? 'matches' : 'match'} none of its repetitions: ${example}${count === 1 ? '' : ', for example'}. Check these repetitions.`,
  'series-may-be-cancelled': ({ count }: Counted, { number }: Words) =>
    `${count === 1 ? 'One cancelled event' : `${number(count)} cancelled events`} may be a series that this import lacks. Its repetitions stay published: import the whole calendar with the cancellation again.`,
  'personal-columns-skipped': ({ columns }: { columns: readonly string[] }) =>
    `Skipped columns about the person or the time: ${columns.join(', ')}.`,
  'responses-excluded': ({ count }: Counted, { number }: Words) =>
    `${count === 1 ? '1 response is' : `${number(count)} responses are`} not counted: marked as a draft, a test, deleted or rejected.`,
  'responses-unfinished': ({ count }: Counted, { isPage, option, number }: Words) =>
    `${count === 1 ? '1 unfinished response is' : `${number(count)} unfinished responses are`} not counted. ${isPage ? `Choose ${option('incomplete')} to count them` : '--incomplete counts them'}.`,
  'responses-doubtful': (
    { column, word, count }: Counted & { column: string; word: string },
    { number }: Words,
  ) =>
    `The column ${JSON.stringify(column)} may say which responses count: ${count === 1 ? '1 response has' : `${number(count)} responses have`} ${JSON.stringify(word)}. They are counted: remove them from the file if they must not be.`,
  'answers-may-be-codes': (
    { column, answer, count }: Counted & { column: string; answer: string },
    { number }: Words,
  ) =>
    `“${column}”: ${answer} (${number(count)}) may be a code for a missing answer. It is published as an option: empty these cells if it is none.`,
  'questions-have-placeholders': ({ questions }: { questions: readonly string[] }, { isPage }: Words) =>
    `The survey shows a text of its own in place of the braces in these questions: ${questions.map((question) => `“${question}”`).join(', ')}. Correct them in the file, or in the published survey ${isPage ? 'on its page' : 'with "rostra record correct"'}.`,
  'answers-are-lists': ({ columns }: { columns: readonly string[] }) =>
    `Cells seem to have several answers: ${columns.join(', ')}. Each combination is published as one option. To count each answer, give each option a column such as "Question [Option]".`,
  'columns-without-answers': ({ columns }: { columns: readonly string[] }, { isPage, option }: Words) =>
    `Not published, because nobody answered them, as with the headings of pages: ${columns.join(', ')}. If they are questions, name all questions ${isPage ? `under ${option('questions')}` : 'with --questions'}.`,
  'questions-hidden': ({ questions }: { questions: readonly string[] }, { isPage, option }: Words) =>
    `Not published, because the survey hides them from respondents: ${questions.join(', ')}. If they are questions, name all questions ${isPage ? `under ${option('questions')}` : 'with --questions'}.`,
  'columns-numbered': ({ columns }: { columns: readonly string[] }) =>
    `Several columns have the same heading. They are numbered: ${columns.join(', ')}.`,
  'header-rows-joined': 'The first two rows are headings. The second one is not counted as a response.',
  'survey-shows-codes': ({ codes }: { codes: readonly string[] }, { isPage, option }: Words) =>
    `Readers would see codes in place of questions and answers: ${codes.map((code) => `“${code}”`).join(', ')}. ${isPage ? `Add ${option('structure')}` : 'Add the structure with --structure'}, or export full question texts and full answers.`,
  'answers-skipped': ({ question }: { question: string }) =>
    `Question ${question}: answers that are missing in the structure were skipped.`,
  'survey-update-waits': ({ title, min }: { title: string; min: number }) =>
    `“${title}” has fewer than ${min} new responses: its published results are unchanged.`,
  'survey-stays': ({ title, status }: { title: string; status: string }) =>
    `“${title}” was published as ${status}: its published results are unchanged.`,
  'answers-withheld': createSuppression(
    ({ threshold }: { threshold: number }) =>
      `too few answers for a threshold of ${threshold}, published without options`,
  ),
  'answers-delayed': createSuppression(
    ({ threshold }: { threshold: number }) =>
      `keeps its published counts until each option gained either no answer or at least ${threshold}`,
  ),
  'answers-unanimous': ({ title, question }: Question, { isPage, option }: Words) =>
    `“${title}”, “${question}”: everyone gave the same answer, so its options are not published. ${isPage ? `Choose ${option('publishUnanimous')}` : 'Pass --publish-unanimous'} to publish them.`,
  'answers-one-value': (
    { title, question, count, total }: Question & Counted & { total: number },
    { isPage, option, number }: Words,
  ) =>
    `“${title}”, “${question}”: ${number(count)} of ${number(total)} responses have a cell, all the same, so its options are not published. If the column is an option of a question, head it "Question [Option]". Otherwise ${isPage ? `choose ${option('publishUnanimous')}` : 'pass --publish-unanimous'} to publish them.`,
  'question-exceeds-responses': ({ title, question }: Question) =>
    `“${title}”, “${question}”: its options add up to more than the number of responses. Check whether people could choose several, and whether each option is a number of people.`,
  'options-identify': createSuppression(
    () => 'its options look like identifiers of persons. Check that they may be published',
  ),
  'survey-year-possible': (
    { title, year, isOfOneTable }: { title: string; year: number; isOfOneTable: boolean },
    { isPage, option }: Words,
  ) =>
    `“${title}” has no end. It may be of ${year}. If so, ${isOfOneTable ? (isPage ? `fill in ${option('ended')}` : `add --ended ${year}, or the day`) : `add "year": ${year} to its entry in the metadata`}.`,
  'answers-await-update': createSuppression(
    () =>
      'published without options until no other question keeps older figures, because questions reveal each other',
  ),
  'ranks-delayed': createSuppression(
    () => 'ranks are published when the survey is closed, because they reveal each other',
  ),
  'answers-not-mergeable': createSuppression(
    ({ threshold }: { threshold: number }) =>
      `options with fewer than ${threshold} answers cannot be merged, published without options`,
  ),
  'answers-merged': createSuppression(
    ({
      threshold,
      small,
      others,
      into,
    }: {
      threshold: number;
      small: number;
      others: number;
      into: string;
    }) =>
      `${small} ${small === 1 ? 'option' : 'options'} with fewer than ${threshold} answers${others === 0 ? '' : `, and ${others} more so that they cannot be computed`}, merged into “${into}”`,
  ),
  'redacts-as-before': (policy: Policy, { isPage }: Words) =>
    `${isPage ? 'Replaces' : 'Redacting'} ${listPolicy(policy, isPage)}, as earlier imports of this source did.`,
  'value-not-recommended': ({ field, value, count, near }: FieldValue & { near: string }, words: Words) =>
    `${words.field(field)} "${value}" (${words.number(count)}) is not a recommended value. Did you mean "${near}"?`,
  'values-merged': ({ field, publishedAs, values, others }: MergedValues, words: Words) =>
    `${words.field(field)} "${words.value(publishedAs)}" is published for ${[...values.map(({ value, count }) => `"${value}" (${words.number(count)})`), ...(others > 0 ? [`${others} other values`] : [])].join(', ')}.`,
  'final-words-open': (
    {
      values,
      others,
    }: { values: readonly { value: string; publishedAs: string; count: number }[]; others: number },
    words: Words,
  ) =>
    `Check the status: these words seem final, but an open status is published for them: ${[...values.map(({ value, publishedAs, count }) => `"${value}" as "${words.value(publishedAs)}" (${words.number(count)})`), ...(others > 0 ? [`${others} other words`] : [])].join(', ')}.`,
  'value-unmapped': (
    { value, publishedAs, count }: Counted & { value: string; publishedAs: string },
    words: Words,
  ) => `Unmapped value: "${value}" is published as "${words.value(publishedAs)}" (${words.number(count)}).`,
  'value-rejected': ({ cell, value, count }: Counted & { cell: Cell; value: string }, words: Words) =>
    `Rejected value: ${formatCell(cell, words)} has no rule for "${value}" (${words.number(count)}).`,
  'fields-change': ({ fields }: { fields: readonly (Counted & { field: string })[] }, words: Words) =>
    `Changes of published records: ${fields.map(({ field, count }) => `${words.field(field)} in ${words.number(count)}`).join(', ')}.`,
  'values-left-out': ({ problem, count }: Counted & { problem: AnyReason }, words: Words) =>
    `Left out of ${count === 1 ? '1 record' : `${words.number(count)} records`}: ${words.reason(problem)}.`,
  'locations-repeated': ({ count, total }: Counted & { total: number }, { number }: Words) =>
    `${number(count)} of ${number(total)} locations are at the same point: it may stand for an unknown place, such as the town hall.`,
  'records-matched': ({ count }: Counted, { number, isPage }: Words) =>
    `Not published: ${count === 1 ? '1 record that equals' : `${number(count)} records that equal`} an unpublished or removed one. ${isPage ? 'The page on decisions lists them.' : '"rostra record matches" lists them.'}`,
  'records-retracted': ({ because, count }: Counted & { because: AnyReason }, words: Words) =>
    `Removed: ${count === 1 ? '1 published record' : `${words.number(count)} published records`} (${words.reason(because)}).`,
  'text-left-out': ({ text, summary, count }: Counted & { text: string; summary: string }) =>
    `Not published: ${text} of proposals that have a ${summary} (${count}).`,
  'columns-left-out': ({ columns, others }: { columns: readonly string[]; others: number }) =>
    `Data that is not published: ${[...columns, ...(others > 0 ? [`and ${others} more`] : [])].join(', ')}.`,
  'problem-at': ({ location, problem }: { location: Location; problem: AnyReason }, words: Words) =>
    `${formatLocation(location)}: ${words.reason(problem)}`,
};
