/** Undoes the last import of a source. */
import { html } from '@remix-run/html-template';
import { importCounts } from '../../../domain/import-history.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import type { AdminContext } from '../../admin-context.ts';
import { startUndo } from '../../import-jobs.ts';
import type { TenantContext } from '../../page-context.ts';
import type { AdminResponse, Page } from '../../response-types.ts';
import type { Route } from '../../route.ts';
import { actionLink, alert, form, formActions, paragraph, section } from '../../ui/components.ts';
import { resultTable } from '../import-history.ts';
import { jobPath } from '../imports/job-stage.ts';
import { requireSource, sourceLink } from './source-details.ts';
import { sourcePath } from './source-path.ts';

export function undoImportRoutes(admin: AdminContext): Route[] {
  async function undoPage(context: TenantContext, error?: string): Promise<Page> {
    const { text, format, organization } = context;
    const source = await requireSource(admin, context);
    const words = text.importJobs.undo;
    const path = sourcePath(organization, source.name);
    const [run] = await admin.store.listImportRunsOfSource(organization.id, source, 1);
    const isUseful = run !== undefined && importCounts.some((count) => count !== 'read' && run[count] > 0);
    const body = isUseful
      ? html`${error === undefined ? '' : alert('danger', error)}
${alert('warning', words.question(source.name), paragraph(`${words.lastRun}: `, format.time(run.startedAt)))}
${paragraph(words.consequence)}
${paragraph(words.noneHint)}
${section(text.imports.result, resultTable(context, run))}
${form(context, formActions(context, words.action, path))}`
      : html`${alert('info', words.none, paragraph(words.noneHint))}${actionLink(path, words.toSource)}`;
    return {
      title: words.title,
      parents: [sourceLink(context, source)],
      body,
      status: error === undefined ? 200 : 422,
    };
  }

  async function undo(context: TenantContext): Promise<AdminResponse> {
    const source = await requireSource(admin, context);
    try {
      return { redirectTo: jobPath(await startUndo(admin, context, source.name)) };
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      return undoPage(context, context.text.importJobs.start.errors.tooMany);
    }
  }

  return [
    {
      path: '/admin/organizations/:organizationId/sources/:sourceName/undo',
      access: 'administrator',
      // It changes published data.
      requiresRecentAuth: true,
      get: (context) => undoPage(context),
      post: undo,
    },
  ];
}
