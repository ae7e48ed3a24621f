/** What Rostra knows about the columns of a table, in words. */

import { recommendedValues } from '../../../../../contract/field-schemas.ts';
import { describePosition } from '../../../../../domain/reasons/reason.ts';
import type {
  ColumnSummary,
  Evidence,
  SuggestedMapping,
  SuggestionProblem,
} from '../../../../../domain/sources/suggested-mapping.ts';
import type { Messages } from '../../../../messages/en.ts';
import { alert, describeApiValue, longText, numeric, table, userText } from '../../../../ui/components.ts';
import { folded } from '../../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../../ui/html.ts';
import { excerpt } from '../../../../ui/records/imported-text.ts';
import type { PageContext } from '../../../requests/page-context.ts';
import { reasonText } from '../../../ui/reason-text.ts';
import { dateExample } from './date-example.ts';

/** @param files of the table */
export function describeEvidence(
  evidence: Evidence,
  files: SuggestedMapping['files'],
  context: PageContext,
): string {
  const { text, format } = context;
  const words = text.mappingSuggestion.evidence;
  const { number } = format;
  if (evidence.kind === 'name') return words.name(evidence.word);
  if (evidence.kind === 'distinct') {
    const describe = evidence.isExact ? words.distinct : words.atLeastDistinct;
    return describe(number(evidence.distinct), number(evidence.rows));
  }
  if (evidence.kind === 'dates')
    return words.dates(
      dateExample(evidence.pattern, files, context),
      number(evidence.matched),
      number(evidence.filled),
    );
  if (evidence.kind === 'numbers') return words.numbers(number(evidence.matched), number(evidence.filled));
  if (evidence.kind === 'statuses') return words.statuses(number(evidence.known), number(evidence.words));
  if (evidence.kind === 'texts') {
    const describe = evidence.isExact ? words.texts : words.atLeastTexts;
    return describe(number(evidence.distinct), number(evidence.length));
  }
  if (evidence.kind === 'addresses')
    return words.addresses(number(evidence.matched), number(evidence.examined));
  return words.filled(number(evidence.filled), number(evidence.rows));
}

/** For a column that is not suggested. */
export function listColumnEvidence(column: ColumnSummary, rows: number): Evidence[] {
  const { filled, distinct, isDistinctExact, date } = column;
  return [
    { kind: 'distinct', distinct, rows, isExact: isDistinctExact },
    { kind: 'filled', filled, rows },
    ...(date === null
      ? []
      : [{ kind: 'dates', pattern: date.pattern, matched: date.matched, filled } as const]),
  ];
}

const maxSamples = 2;
const maxSampleLength = 32;

/** A few different cells in one line. They may be right-to-left. */
export function sampleLine({ samples, personalData }: ColumnSummary, { text }: PageContext): SafeHtml {
  if (personalData !== null) return html`${text.importSettings.mapping.personalData}`;
  if (samples.length === 0) return html`${text.importSettings.mapping.noSamples}`;
  const shown = samples.slice(0, maxSamples).map((sample) => userText(excerpt(sample, maxSampleLength)));
  return html`${shown.map((sample, index) => html`${index > 0 ? ' · ' : ''}${sample}`)}`;
}

/** For example `“Reporter” (names of people)`. */
function namePersonalData({ name, personalData }: ColumnSummary, { text }: PageContext): string[] {
  if (personalData === null) return [];
  const kind = text.mappingSuggestion.personalDataKinds[personalData.kind];
  return [text.mappingSuggestion.personalColumn(nameColumn(name, text), kind)];
}

/** @returns undefined if no column seems to have personal data */
export function describePersonalData(
  columns: readonly ColumnSummary[],
  context: PageContext,
): string | undefined {
  const named = columns.flatMap((column) => namePersonalData(column, context));
  return named.length === 0 ? undefined : context.text.importSettings.mapping.personal(named.join(', '));
}

/** The name of a column. One without a heading has a number in mapping files. */
export function nameColumn(name: string, { importSettings }: Messages): string {
  const [, number] = /^column (\d+)$/.exec(name) ?? [];
  return number === undefined ? name : importSettings.mapping.unnamedColumn(number);
}

/** @param uses names of the published fields by column */
export function allColumns(
  context: PageContext,
  { columns, rows }: SuggestedMapping,
  uses: ReadonlyMap<string, string>,
): SafeHtml {
  const { text, format } = context;
  const { allColumns, column, values, fill, distinct, use, notPublished, personalData } =
    text.importSettings.mapping;
  const cells = columns.map((one) => [
    longText(nameColumn(one.name, text)),
    uses.get(one.name) ?? notPublished,
    one.personalData === null
      ? html`<span class="long-text">${userText(one.samples.join(' · ') || '–')}</span>`
      : `${personalData}: ${text.mappingSuggestion.personalDataKinds[one.personalData.kind]}`,
    format.percent(rows === 0 ? 0 : one.filled / rows),
    `${one.isDistinctExact ? '' : '≥ '}${format.number(one.distinct)}`,
  ]);
  const headings = [column, use, values, numeric(fill), numeric(distinct)];
  return folded(allColumns, table(allColumns, headings, cells, { cards: '' }));
}

/** The first column that a problem is about. */
function findProblemColumn(problem: SuggestionProblem): string | undefined {
  if ('column' in problem) return problem.column;
  return 'columns' in problem ? problem.columns[0] : undefined;
}

/** The id of the warnings, for the marks at headings of columns. */
export const warningsId = 'checks';

/** What a person has to check: above the table, whose columns are too narrow. @returns with the names of the columns that it is about */
export function suggestionProblems(
  context: PageContext,
  { columns, files, problems }: SuggestedMapping,
): { warnings: SafeHtml; marked: ReadonlySet<string | undefined> } {
  const described = problems.flatMap((problem) => {
    const sentence = describeProblem(problem, files, context);
    return sentence === undefined ? [] : [{ column: findProblemColumn(problem), sentence }];
  });
  const personal = describePersonalData(columns, context);
  const privateColumns = columns.filter(({ personalData }) => personalData !== null);
  const marked = new Set([
    ...described.map(({ column }) => column),
    ...privateColumns.map(({ name }) => name),
  ]);
  const sentences = [
    ...described.map(({ sentence }) => sentence),
    ...(personal === undefined ? [] : [personal]),
  ];
  const items = sentences.map((sentence) => html`<li>${sentence}</li>`);
  const list = html`<ul class="checks kern-body" id="${warningsId}" tabindex="-1">${items}</ul>`;
  const { title } = context.text.mappingSuggestion.problems;
  return { warnings: items.length === 0 ? html`` : alert('warning', title, list), marked };
}

/** @returns undefined for a problem that the form shows beside its field */
function describeProblem(
  problem: SuggestionProblem,
  files: SuggestedMapping['files'],
  context: PageContext,
): SafeHtml | string | undefined {
  const { text, format, language } = context;
  const words = text.mappingSuggestion.problems;
  const fields: Readonly<Record<string, { label: string }>> = text.submissionFields;
  const { number } = format;
  const name = (column: string) => nameColumn(column, text);
  switch (problem.kind) {
    case 'survey_answers':
      return html`${words.surveyAnswers} ${userText(reasonText(context, problem.reason))}`;
    case 'malformed_rows':
      return html`${words.malformedRows(number(problem.count))} ${userText(reasonText(context, problem.reason))}`;
    case 'unreadable_rest':
      return html`${words.unreadableRest} ${userText(reasonText(context, problem.reason))}`;
    case 'header_below_title':
      return words.headerBelowTitle(number(problem.row));
    case 'backslash_quotes':
      return words.backslashQuotes;
    case 'guessed_encoding':
      return words.guessedEncoding(problem.encoding);
    case 'other_lists':
      return words.otherLists(problem.lists.join(', '));
    case 'empty_words':
      return words.emptyWords(problem.words.join(', '));
    case 'skipped_rows':
      return words.skippedRows(number(problem.count), name(problem.column));
    case 'unskipped_words':
      return words.unskippedWords(name(problem.column), problem.words.map(({ word }) => word).join(', '));
    case 'duplicate_rows':
      return words.duplicateRows(number(problem.count), name(problem.column));
    case 'skipped_statuses':
      return words.skippedStatuses(name(problem.column), problem.words.join(', '));
    case 'empty_cells':
      return words.emptyCells(number(problem.count), problem.columns.map(name));
    case 'combined_id':
      return words.combinedId(problem.columns.map(name).join(', '));
    case 'row_number_id':
      return words.rowNumberId(name(problem.column));
    case 'uncompared_ids':
      return words.uncomparedIds(number(problem.compared), name(problem.column));
    case 'unnamed_id':
      return words.unnamedId(name(problem.column));
    case 'unnamed_column':
      return words.unnamedColumn(name(problem.column), fields[problem.field]?.label ?? problem.field);
    case 'repeated_ids':
      return words.repeatedIds(
        number(problem.count),
        name(problem.column),
        problem.examples
          .map(({ value, first, again }) =>
            words.repeatedId(value, describePosition(first, language), describePosition(again, language)),
          )
          .join('; '),
      );
    case 'other_priorities':
      return words.otherPriorities(
        name(problem.column),
        problem.words.join(', '),
        recommendedValues.priorityLevel.map((value) => describeApiValue(value, context)).join(', '),
      );
    case 'only_years':
      return words.onlyYears(name(problem.column));
    case 'few_texts':
      return words.fewTexts(name(problem.column), number(problem.distinct));
    case 'topic_as_text':
      return words.topicAsText(name(problem.column));
    case 'unknown_statuses':
      return words.unknownStatuses(name(problem.column));
    case 'too_many_statuses':
      return words.tooManyStatuses(name(problem.column), number(problem.max));
    case 'invalid_dates':
      return words.invalidDates(
        number(problem.count),
        number(problem.filled),
        name(problem.column),
        // As the first rows show the dates of workbooks.
        dateExample(problem.pattern, [], context),
        describePosition(problem.first, language),
      );
    case 'ambiguous_dates':
      return words.ambiguousDates(
        name(problem.column),
        dateExample(problem.pattern, files, context),
        dateExample(problem.alternative, files, context),
      );
    case 'invalid_counts':
      return words.invalidCounts(
        number(problem.count),
        name(problem.column),
        describePosition(problem.first, language),
      );
    case 'empty_counts':
      return words.emptyCounts(number(problem.count), name(problem.column));
    case 'personal_data_in_text':
      return words.personalDataInText(
        name(problem.column),
        problem.found.map((kind) => text.mappingSuggestion.inTexts[kind]),
      );
    case 'damaged_text':
      return words.damagedText(name(problem.column), problem.example);
    default:
      return undefined;
  }
}
