/** Changes the settings of a source. */

import { maxSourceUrlLength, type StoredSource } from '../../../../domain/sources/import-source.ts';
import { field, paragraph } from '../../../ui/components.ts';
import { html } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { form, formActions } from '../../forms/forms.ts';
import { currentActor, type TenantContext } from '../../requests/page-context.ts';
import { type AdminResponse, notFound, type Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { settingsFields } from '../import-wizard/settings/settings-form.ts';
import {
  openSettings,
  readSettings,
  type Settings,
  toDefinition,
} from '../import-wizard/settings/settings-values.ts';
import {
  addPermission,
  hasCredentials,
  isHttpsUrl,
  permissionField,
  readAddress,
} from '../import-wizard/start-import.ts';
import { requireSource, sourceLink } from './source-details.ts';
import { sourcePath } from './source-path.ts';

export function editSourceRoutes(admin: AdminContext): Route[] {
  async function editPage(
    context: TenantContext,
    source: StoredSource,
    settings: Settings,
    url: string,
    errors: Record<string, string> = {},
    entered?: URLSearchParams,
  ): Promise<Page> {
    const { text } = context;
    const words = text.sources;
    const fields = await settingsFields(context, {
      settings,
      suggestion: undefined,
      isNewSource: false,
      hasAddress: true,
      entered,
      errors,
    });
    const content = html`${field({
      name: 'url',
      label: words.url,
      hint: words.urlHint,
      value: url,
      error: errors.url,
      optional: text.form.optional,
      autocomplete: 'off',
      attributes: html` inputmode="url" spellcheck="false" maxlength="${maxSourceUrlLength}"`,
    })}${permissionField(context, url, source.options.mayRepublish === 'true')}${fields}
${formActions(context, text.form.save, sourcePath(context.organization, source.name))}`;
    const body = html`${paragraph(words.editIntro)}<div class="edit-source">${form(context, content, errors, { encoding: 'multipart/form-data' })}</div>`;
    const status = Object.keys(errors).length > 0 ? 422 : 200;
    return { title: words.editTitle, parents: [sourceLink(context, source)], body, status };
  }

  function readForm(context: TenantContext, source: StoredSource, values: URLSearchParams) {
    const { mayRepublish: _, ...others } = source.options;
    return {
      ...readSettings(context, values, openSettings(source, undefined), undefined),
      url: (values.get('url') ?? '').trim(),
      options: addPermission(others, values),
    };
  }

  async function reopen(
    context: TenantContext,
    source: StoredSource,
    values: URLSearchParams,
  ): Promise<Page> {
    const { settings, url, options } = readForm(context, source, values);
    return editPage(context, { ...source, options }, settings, url, {}, values);
  }

  async function save(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text, organization } = context;
    const source = await requireSource(admin, context);
    const { settings, errors, url, options } = readForm(context, source, values);
    const input = isHttpsUrl(url) ? readAddress(context, url, { name: source.name, options }) : { url };
    if (url !== '' && !isHttpsUrl(url)) errors.url = text.sources.urlWrong;
    if ('error' in input) errors.url = input.error;
    if (hasCredentials(url)) errors.url = text.importSteps.start.errors.urlWithPassword;
    if (url === '' && settings.interval !== '') errors.interval = text.importSettings.errors.scheduleNeedsUrl;
    if ('error' in input || Object.keys(errors).length > 0)
      return editPage(context, { ...source, options }, settings, url, errors, values);
    const { name, format, ...changes } = toDefinition(settings, input.url || null, {
      ...source,
      options,
    });
    const edited = await admin.store.editSource(source, changes, currentActor(context));
    if (edited === undefined) throw notFound();
    return { redirectTo: `${sourcePath(organization, source.name)}?saved=1` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/sources/:sourceName/edit',
      access: 'publish',
      // A scheduled source publishes whatever its address delivers.
      requiresRecentAuth: true,
      receivesUpload: true,
      get: async (context, { values }) => {
        const source = await requireSource(admin, context);
        if (context.isReopened) return reopen(context, source, values);
        return editPage(context, source, openSettings(source, undefined), source.url ?? '');
      },
      post: save,
    },
  ];
}
