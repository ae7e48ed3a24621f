/** Undoes the last import of a source. */

import { findUndoObstacle } from '../../../../domain/runs/undo.ts';
import { StoreConflictError } from '../../../../domain/store-errors.ts';
import { actionLink, alert, paragraph } from '../../../ui/components.ts';
import { html } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { form, formActions } from '../../forms/forms.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import { type AdminResponse, FormError, type FormState, type Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { askNote, publishLabel, waitingNote } from '../../ui/approval-note.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { publishOrAsk } from '../approvals/publishing-actions.ts';
import { findLastImport, undoFacts } from './last-import.ts';
import { requireSource, sourceLink } from './source-details.ts';
import { sourcePath } from './source-path.ts';

export function undoImportRoutes(admin: AdminContext): Route[] {
  async function undoPage(context: TenantContext, { errors }: FormState): Promise<Page> {
    const { text, organization } = context;
    const source = await requireSource(admin, context);
    const words = text.importSteps.undo;
    const path = sourcePath(organization, source.name);
    const last = await findLastImport(admin, context, source);
    const obstacle = findUndoObstacle(last);
    const body =
      last === undefined || obstacle !== undefined
        ? html`${alert('info', words.impossible, paragraph(reasonText(context, obstacle ?? { code: 'undo-nothing' })))}${actionLink(path, words.toSource)}`
        : html`${errors.run === undefined ? '' : alert('danger', errors.run)}
${undoFacts(context, source.name, last)}
${await waitingNote(admin.store, context, ['undo'], source.name)}${await askNote(admin.store, context)}
${form(
  context,
  html`<input type="hidden" name="run" value="${last.runId}">${formActions(context, publishLabel(context, words.action), path)}`,
)}`;
    return { title: text.sources.undo, parents: [sourceLink(context, source)], body };
  }

  async function undo(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const source = await requireSource(admin, context);
    const last = await findLastImport(admin, context, source);
    if (last === undefined || findUndoObstacle(last) !== undefined)
      return undoPage(context, { values, errors: {} });
    if (last.runId !== values.get('run'))
      throw new FormError({ run: context.text.importSteps.undo.importedAgain });
    try {
      return await publishOrAsk(admin, context, 'undo', source.name, { runId: last.runId });
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      throw new FormError({ run: context.text.importSteps.start.errors.tooMany });
    }
  }

  return [
    {
      path: '/admin/organizations/:organizationId/sources/:sourceName/undo',
      access: 'publish',
      // It changes published data.
      requiresRecentAuth: true,
      get: undoPage,
      post: undo,
    },
  ];
}
