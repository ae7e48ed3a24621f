/** Lists of what a dry run found, in pages, and the rejected records as a file. */

import { findField, getValueSchema } from '../../../../contract/field.ts';
import { fieldsByKind, type RecordKind } from '../../../../domain/records/records.ts';
import {
  type DryRunEntries,
  type DryRunList,
  dryRunLists,
  type FieldDifference,
  type ListedCounts,
} from '../../../../domain/runs/dry-run-lists.ts';
import type { QueuedRun } from '../../../../domain/runs/run-queue.ts';
import { actionLink, alert, paragraph, table, userText } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { describeRange, pager, parsePage, rowsPerPage } from '../../../ui/list-page.ts';
import { excerpt } from '../../../ui/records/imported-text.ts';
import { describeValue, fieldLabel } from '../../../ui/records/record-fields.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { type Download, notFound, type Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { createRejectionDownload, rejectionTable } from '../run-history.ts';
import { describedRecordTable, maxNameLength, recordLink } from './described-records.ts';
import { requireRun } from './run-page.ts';
import { describeInput, getRunStage, listPath, stepsPath } from './run-stage.ts';

const tables: {
  [List in DryRunList]: (context: TenantContext, entries: readonly DryRunEntries[List][]) => SafeHtml;
} = {
  changed: (context, records) => {
    const { changed, record, field, before, after, isChanged } = context.text.dryRun.lists;
    const rows = records.flatMap((one) =>
      one.fields.map((difference, index) => [
        // On wide screens the name of the record is above its first field only.
        index === 0
          ? recordLink(context, one)
          : html`<span class="repeated-name">${userText(excerpt(one.title, maxNameLength))}</span>`,
        fieldLabel(context, one.kind, difference.field),
        describeState(context, one.kind, difference, 'before', '–'),
        describeState(context, one.kind, difference, 'after', isChanged),
      ]),
    );
    return table(changed.title, [record, field, before, after], rows, { cards: '' });
  },
  removed: (context, records) =>
    describedRecordTable(context, context.text.dryRun.lists.removed.title, records),
  missing: (context, records) =>
    describedRecordTable(context, context.text.dryRun.lists.missing.title, records),
  rejected: rejectionTable,
};

function describeState(
  context: TenantContext,
  kind: RecordKind,
  difference: FieldDifference,
  state: 'before' | 'after',
  withoutValue: string,
): SafeHtml {
  const value = difference[state];
  if (value === undefined) return html`${withoutValue}`;
  const declared = findField(fieldsByKind[kind], difference.field);
  const isSwitch = declared !== undefined && getValueSchema(declared).type === 'boolean';
  return html`<span class="long-text">${describeValue(context, declared, isSwitch ? Boolean(value) : value)}</span>`;
}

export function dryRunListRoutes(admin: AdminContext): Route[] {
  const { uploads } = admin;

  /** @throws PageError 404 if the run has no dry run, or no longer */
  async function requireReport(context: TenantContext) {
    const run = await requireRun(admin, context);
    const { dryRun } = run;
    if (dryRun === null || getRunStage(run) !== 'confirmation') throw notFound();
    return { run, dryRun };
  }

  async function listPage<List extends DryRunList>(list: List, context: TenantContext): Promise<Page> {
    const { text, format } = context;
    const words = text.dryRun.lists;
    const { run, dryRun } = await requireReport(context);
    const { title, intro } = words[list];
    const counts: ListedCounts = { ...dryRun.counts, missing: dryRun.missing.count };
    const [listed, all] = [dryRun.listed[list], counts[list]];
    if (listed === 0) throw notFound();
    const pages = Math.max(1, Math.ceil(listed / rowsPerPage));
    const page = Math.min(parsePage(context), pages);
    const skipped = (page - 1) * rowsPerPage;
    const rows = await readRows(run, list, skipped);
    const body = html`${paragraph(intro)}
${listed < all ? paragraph(words.limit(format.number(listed), format.number(all))) : ''}
${list === 'rejected' ? actionLink(`${listPath(run, list)}.csv`, text.imports.download) : ''}
${
  rows.length === 0
    ? alert('warning', words.unavailable, paragraph(words.unavailableHint))
    : html`${paragraph(describeRange(context, skipped, rows.length, listed))}${tables[list](context, rows)}`
}
${pager(context, { rows, page, pages })}`;
    const parent = { path: stepsPath(run), name: text.importSteps.title(describeInput(run)) };
    return { title, parents: [parent], body };
  }

  async function readRows<List extends DryRunList>(run: QueuedRun, list: List, skipped: number) {
    const rows: DryRunEntries[List][] = [];
    for await (const entry of uploads.readList(run, list, skipped)) {
      rows.push(entry);
      if (rows.length === rowsPerPage) break;
    }
    return rows;
  }

  async function download(context: TenantContext): Promise<Download> {
    const { run } = await requireReport(context);
    return createRejectionDownload(context, uploads.readList(run, 'rejected', 0));
  }

  const base = '/admin/organizations/:organizationId/imports/:runId/steps';
  return [
    ...dryRunLists.map(
      (list): Route => ({
        path: `${base}/${list}`,
        access: 'importOrPublish',
        get: (context) => listPage(list, context),
      }),
    ),
    { path: `${base}/rejected.csv`, access: 'importOrPublish', get: download },
  ];
}
