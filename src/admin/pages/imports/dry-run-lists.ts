/** Lists of what a dry run found, in pages, and the rejected records as a file. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { type DryRunEntries, type DryRunList, dryRunLists } from '../../../domain/dry-run-lists.ts';
import type { QueuedRun } from '../../../domain/run-queue.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../page-context.ts';
import { type Download, notFound, type Page } from '../../response-types.ts';
import type { Route } from '../../route.ts';
import { actionLink, alert, paragraph } from '../../ui/components.ts';
import { describeRange, pager, parsePage, rowsPerPage } from '../../ui/list-page.ts';
import { createRejectionDownload, rejectionTable } from '../import-history.ts';
import { describeInput, getRunStage, listPath, stepsPath } from './run-stage.ts';
import { requireRun } from './run-steps.ts';

const tables: {
  [List in DryRunList]: (context: TenantContext, entries: readonly DryRunEntries[List][]) => SafeHtml;
} = {
  rejected: rejectionTable,
};

export function dryRunListRoutes(admin: AdminContext): Route[] {
  const { uploads } = admin;

  /** @throws PageError 404 if the run has no dry run, or no longer */
  async function requireReport(context: TenantContext) {
    const run = await requireRun(admin, context);
    const { dryRun } = run;
    if (dryRun === null || getRunStage(run) !== 'confirmation') throw notFound();
    return { run, dryRun };
  }

  async function listPage(list: DryRunList, context: TenantContext): Promise<Page> {
    const { text, format } = context;
    const words = text.dryRun.lists;
    const { run, dryRun } = await requireReport(context);
    const { title, intro } = words[list];
    const [listed, all] = [dryRun.listed[list], dryRun.counts[list]];
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
        access: 'administrator',
        get: (context) => listPage(list, context),
      }),
    ),
    { path: `${base}/rejected.csv`, access: 'administrator', get: download },
  ];
}
