/** Records as the API would publish them, beside their rows in the file. */

import { metresPerStep } from '../../../../domain/organizations/location-rules.ts';
import type { DryRunReport, QueuedRun } from '../../../../domain/runs/run-queue.ts';
import type { ColumnSummary } from '../../../../domain/sources/suggested-mapping.ts';
import { descriptionList, paragraph, userText } from '../../../ui/components.ts';
import { folded } from '../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { excerpt } from '../../../ui/records/imported-text.ts';
import { fieldLabel, recordFacts } from '../../../ui/records/record-fields.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { nameColumn } from './settings/column-evidence.ts';

type Sample = DryRunReport['samples'][number];

const maxTextLength = 600;

/** Shown at once; the others unfold. */
const maxOpen = 3;

export function sampleRecords(
  context: TenantContext,
  run: QueuedRun,
  samples: DryRunReport['samples'],
): SafeHtml {
  if (samples.length === 0) return html``;
  const { text, format } = context;
  const rows = listRows(run);
  const items = samples.map((sample, index) => sampleRecord(context, sample, index, findRow(rows, sample)));
  const others = samples.length - maxOpen;
  const list = (shown: readonly SafeHtml[], start: number) =>
    html`<ol class="sample-records" start="${start}">${shown}</ol>`;
  return html`<section class="dry-run-section"><h2 class="kern-heading-medium">${text.dryRun.samples(format.number(samples.length))}</h2>
${paragraph(text.dryRun.samplesHint)}
${list(items.slice(0, maxOpen), 1)}
${others > 0 ? folded(text.dryRun.moreSamples(format.number(others)), list(items.slice(maxOpen), maxOpen + 1)) : ''}</section>`;
}

function sampleRecord(
  context: TenantContext,
  { kind, document, hasLocation = false }: Sample,
  index: number,
  row: Row | undefined,
): SafeHtml {
  const { text, format, organization } = context;
  const words = text.dryRun;
  const location = words.sampleLocation(format.number(metresPerStep(organization.locationDecimals ?? 3)));
  const title = words.sampleRecord(format.number(index + 1), words.sampleKinds[kind] ?? kind);
  const published = html`${sampleText(document)}${recordFacts(context, kind, document, ids)}${hasLocation ? descriptionList([[fieldLabel(context, kind, 'location'), location]]) : ''}`;
  const pair =
    row === undefined
      ? published
      : html`<div class="sample-record__pair"><div><h4 class="kern-title kern-title--small">${words.rowOfFile}</h4>${rowOfFile(context, row)}</div>
<div><h4 class="kern-title kern-title--small">${words.asPublished}</h4>${published}</div></div>`;
  return html`<li class="sample-record"><h3 class="kern-heading-small">${title}</h3>${pair}</li>`;
}

/** The id of Rostra says nothing to a person. */
const ids = ['id', 'surveyId'];

const rowOfFile = ({ text }: TenantContext, row: Row): SafeHtml =>
  descriptionList(
    row.map(({ column, cell }) => {
      const shown = column.personalData === null ? userText(cell || '–') : text.dryRun.notShown;
      return [nameColumn(column.name, text), html`<span class="long-text">${shown}</span>`];
    }),
  );

type Row = readonly { column: ColumnSummary; cell: string }[];

/** The first rows of a table. */
function listRows({ detection, definition }: QueuedRun): Row[] {
  const suggestion = definition?.format === 'table' ? detection?.suggestion : undefined;
  if (suggestion == null) return [];
  return suggestion.firstRows.map((cells) =>
    suggestion.columns.map((column, index) => ({ column, cell: cells[index] ?? '' })),
  );
}

/** Shorter cells, such as a topic, can be the same in several rows. */
const minComparedLength = 12;

const comparedLength = 60;

/** The only row with the reference number of the record, or else with its text. */
function findRow(rows: readonly Row[], { document }: Sample): Row | undefined {
  const { referenceNumber, description } = document;
  const byNumber = rows.filter((row) => row.some(({ cell }) => cell !== '' && cell === referenceNumber));
  if (byNumber.length === 1) return byNumber[0];
  const beginning = foldBlanks(String(description ?? ''));
  const byText = rows.filter((row) =>
    row.some(({ cell }) => {
      const start = foldBlanks(cell);
      return start.length >= minComparedLength && beginning.startsWith(start);
    }),
  );
  return byText.length === 1 ? byText[0] : undefined;
}

const foldBlanks = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, comparedLength);

function sampleText({ description }: Readonly<Record<string, unknown>>): SafeHtml {
  if (typeof description !== 'string' || description.trim() === '') return html``;
  return html`<p class="kern-body sample-record__text" dir="auto">${excerpt(description, maxTextLength)}</p>`;
}
