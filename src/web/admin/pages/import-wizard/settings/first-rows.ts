/** The first rows of a table, as a person knows them from the file. */

import type { SuggestedMapping } from '../../../../../domain/sources/suggested-mapping.ts';
import { type Column, numeric, table, userText } from '../../../../ui/components.ts';
import { html, type SafeHtml } from '../../../../ui/html.ts';
import { excerpt } from '../../../../ui/records/imported-text.ts';
import type { PageContext } from '../../../requests/page-context.ts';
import { nameColumn } from './column-evidence.ts';

const maxCellLength = 40;

/** @param uses names of the published fields by column */
export function firstRowsTable(
  { text, format }: PageContext,
  { columns, firstRows }: SuggestedMapping,
  uses: ReadonlyMap<string, string>,
): SafeHtml {
  const words = text.importSettings.mapping;
  const headings = columns.map(({ name, personalData }): Column => {
    const use = uses.get(name);
    const note = use === undefined ? personalData && words.personalData : `→ ${use}`;
    return {
      heading: html`${userText(excerpt(nameColumn(name, text), maxCellLength))}${note ? html`<span class="first-rows__note">${note}</span>` : ''}`,
    };
  });
  const rows = firstRows.map((cells, index) => [
    format.number(index + 1),
    ...cells.map((cell) => (cell === '' ? '–' : userText(excerpt(cell, maxCellLength)))),
  ]);
  return html`<div class="first-rows">${table(words.firstRows, [numeric(words.row), ...headings], rows, { hint: words.firstRowsHint })}</div>`;
}
