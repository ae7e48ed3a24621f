/** Removes a source. Its records stay published. */
import { html } from '@remix-run/html-template';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import type { AdminContext } from '../../admin-context.ts';
import { currentActor, type TenantContext } from '../../page-context.ts';
import { type AdminResponse, FormError, type FormErrors, type Page } from '../../response-types.ts';
import type { Route } from '../../route.ts';
import { alert, form, formActions, paragraph } from '../../ui/components.ts';
import { organizationPath } from '../../ui/navigation.ts';
import { requireSource, sourceLink } from './source-details.ts';
import { sourcePath } from './source-path.ts';

export function removeSourceRoutes(admin: AdminContext): Route[] {
  async function removalPage(
    context: TenantContext,
    _: URLSearchParams,
    { running }: FormErrors,
  ): Promise<Page> {
    const { text, organization } = context;
    const source = await requireSource(admin, context);
    const words = text.sources;
    const body = html`${running === undefined ? '' : alert('danger', running)}
${alert('warning', words.removeQuestion(source.name))}
${paragraph(words.removeConsequence)}
${form(context, formActions(context, words.remove, sourcePath(organization, source.name)))}`;
    return { title: words.remove, parents: [sourceLink(context, source)], body };
  }

  async function remove(context: TenantContext): Promise<AdminResponse> {
    const source = await requireSource(admin, context);
    try {
      await admin.store.removeSource(source, currentActor(context));
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      throw new FormError({ running: context.text.sources.runsNow });
    }
    return { redirectTo: `${organizationPath(context.organization)}/sources?removed=1` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/sources/:sourceName/remove',
      access: 'administrator',
      requiresRecentAuth: true,
      get: removalPage,
      post: remove,
    },
  ];
}
