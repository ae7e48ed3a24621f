/** The first rows of a table, as a person knows them from the file, with a choice above each column. */

import type { SubmissionField } from '../../../../../contract/resources/submission.ts';
import type { SuggestedMapping } from '../../../../../domain/sources/suggested-mapping.ts';
import {
  maxHeaderRow,
  skippedValues,
  type TableMappingDraft,
} from '../../../../../domain/sources/table-mapping.ts';
import { type Column, link, paragraph, table, userText } from '../../../../ui/components.ts';
import { html, type SafeHtml } from '../../../../ui/html.ts';
import { excerpt } from '../../../../ui/records/imported-text.ts';
import type { TenantContext } from '../../../requests/page-context.ts';
import { nameColumn, warningsId } from './column-evidence.ts';
import { columnSelect } from './column-select.ts';
import { findSkipRule, listColumns, listUsedFor, mappedFields, toSkipChoice } from './mapping-draft.ts';

const maxCellLength = 40;

interface FirstRowsState {
  suggestion: SuggestedMapping;
  mapping: TableMappingDraft;
  publishesLocations: boolean;
}

/** @param marked names of the columns that have a warning */
export function firstRowsTable(
  context: TenantContext,
  { suggestion: { columns, firstRows, rowNumbers }, ...state }: FirstRowsState,
  marked: ReadonlySet<string | undefined>,
): SafeHtml {
  const { text } = context;
  const words = text.importSettings.mapping;
  const names = columns.map(({ name }) => userText(excerpt(nameColumn(name, text), maxCellLength)));
  const headings = names.map(
    (heading, index): Column => ({
      heading: marked.has(columns[index]?.name)
        ? html`${heading} <a class="first-rows__mark" href="#${warningsId}"><span class="kern-icon kern-icon--warning" aria-hidden="true"></span><span class="hidden-text">${text.mappingSuggestion.problems.title}</span></a>`
        : heading,
    }),
  );
  const choices = columns.map(({ name }, index) => columnUse(context, name, index, state));
  const rows = firstRows.map((cells, index) => [
    rowName(context, rowNumbers?.firstRows[index], rowNumbers?.headings, index + 1),
    ...cells.map((cell, column) =>
      columns[column]?.personalData
        ? html`<span class="kern-hint">${text.dryRun.notShown}</span>`
        : cell === ''
          ? '–'
          : userText(excerpt(cell, maxCellLength)),
    ),
  ]);
  const rowOfNames =
    rowNumbers === undefined
      ? []
      : [[rowName(context, rowNumbers.headings, rowNumbers.headings, rowNumbers.headings), ...names]];
  const headingsChoice =
    rowNumbers === undefined
      ? ''
      : html`${paragraph(words.headingsHint)}<input type="hidden" name="headings.shown" value="${rowNumbers.headings}">`;
  return html`<div class="first-rows">${headingsChoice}${table(
    words.firstRows,
    [words.row, ...headings],
    [[words.publishAs, ...choices], ...rowOfNames, ...rows],
    { hint: words.firstRowsHint },
  )}</div>`;
}

/** The number of the row, and the choice that the names of the columns are in it. @param position if the number is unknown */
function rowName(
  { text, format }: TenantContext,
  row: number | undefined,
  headings: number | undefined,
  position: number,
): SafeHtml {
  const number = format.number(row ?? position);
  if (row === undefined || row > maxHeaderRow) return html`${number}`;
  const label = text.importSettings.mapping.headingsInRow(number);
  return html`<label class="first-rows__row"><input class="kern-form-check__radio" type="radio" name="headings" value="${row}" aria-label="${label}"${row === headings ? html` checked` : ''}>${number}</label>`;
}

/** The choice is the first of the fields that the column fills, else what its cells leave out. */
function columnUse(
  context: TenantContext,
  column: string,
  index: number,
  { mapping, publishesLocations }: Omit<FirstRowsState, 'suggestion'>,
): SafeHtml {
  const { text } = context;
  const words = text.importSettings.mapping;
  const [use, ...others] = listUsedFor(column, mapping);
  const nameField = (field: SubmissionField) => text.submissionFields[field].label;
  const rule = findSkipRule(column, mapping.skip);
  const choices = [
    { value: '', text: words.doNotPublish },
    ...mappedFields.map((field) => ({ value: field, text: nameField(field) })),
    ...[...skippedValues, ...(rule === 'words' ? [rule] : [])].map((value) => ({
      value: toSkipChoice(value),
      text: words.leaveOut[value],
    })),
  ];
  const chosen = use ?? (rule === undefined ? '' : toSkipChoice(rule));
  const label = words.publishColumnAs(nameColumn(column, text));
  const partners = use === undefined ? [] : (listColumns(use, mapping.submission?.[use]) ?? []);
  const notes = [
    ...partners.filter((name) => name !== column).map((name) => words.togetherWith(nameColumn(name, text))),
    ...(others.length === 0 ? [] : [words.alsoAs(others.map(nameField).join(', '))]),
    // The selection is as narrow as the column, and cuts the choice off.
    ...(rule === undefined
      ? []
      : [use === undefined ? words.leaveOut[rule] : words.alsoAs(words.leaveOut[rule])]),
    ...(use === 'location' && !publishesLocations
      ? [html`${words.locationsOff} ${link('#locations', text.importSettings.locations.title)}`]
      : []),
  ].map((note) => html`<span class="first-rows__note">${note}</span>`);
  return html`${columnSelect(`use.${index}`, '', choices, chosen, undefined, label)}<div data-column-use="use.${index}"><input type="hidden" name="use.${index}.shown" value="${chosen}">${notes}</div>`;
}
