/** Stores, replaces and removes the key of the portal of a source. The page never shows the key. */

import { ReasonError } from '../../../../domain/reasons/reason.ts';
import type { StoredSource } from '../../../../domain/sources/import-source.ts';
import { takesPortalKey } from '../../../../ingest/presets/presets.ts';
import { field, paragraph } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { buttonForm, form, formActions } from '../../forms/forms.ts';
import { portalKeyField } from '../../requests/interrupted-form.ts';
import { currentActor, type TenantContext } from '../../requests/page-context.ts';
import {
  type AdminResponse,
  FormError,
  type FormErrors,
  type FormState,
  notFound,
} from '../../requests/response-types.ts';
import { addReturnUrl } from '../../requests/return-url.ts';
import type { Route } from '../../route.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { requireSource, sourceLink } from './source-details.ts';
import { portalKeyPath, sourcePath } from './source-path.ts';

export const portalKeyInput = ({ text }: TenantContext, label: string, errors: FormErrors): SafeHtml =>
  field({
    name: portalKeyField,
    label,
    hint: text.sources.portalKey.hint,
    type: 'password',
    autocomplete: 'off',
    error: errors[portalKeyField],
  });

/** @throws FormError for what cannot be a key, and a missing setting */
export function readPortalKey<Encrypted>(
  context: TenantContext,
  values: URLSearchParams,
  encrypt: (key: string) => Encrypted,
): Encrypted {
  const key = (values.get(portalKeyField) ?? '').trim();
  if (key === '') throw new FormError({ [portalKeyField]: context.text.sources.portalKey.missing });
  try {
    return encrypt(key);
  } catch (error) {
    if (!(error instanceof ReasonError)) throw error;
    throw new FormError({ [portalKeyField]: reasonText(context, error.reason) });
  }
}

export function portalKeyRoutes(admin: AdminContext): Route[] {
  async function requirePortal(context: TenantContext): Promise<StoredSource> {
    const source = await requireSource(admin, context);
    if (!takesPortalKey(source) && source.portalKeyOrigin === null) throw notFound();
    return source;
  }

  async function keyPage(context: TenantContext, { errors }: FormState): Promise<AdminResponse> {
    const { text, organization, path } = context;
    // The form asks for the password first, so that no page has to carry the key.
    if (!context.hasRecentAuth) return { redirectTo: addReturnUrl('/admin/confirm', path, { cancel: '1' }) };
    const source = await requirePortal(context);
    const words = text.sources.portalKey;
    const stored = source.portalKeyOrigin;
    const input = portalKeyInput(context, stored === null ? words.label : words.newLabel, errors);
    const submit = stored === null ? text.form.save : words.replace;
    const removal = buttonForm(context, path, words.remove, 'destructive', [['action', 'remove']]);
    const body = html`${paragraph(words.intro)}
${stored === null ? '' : paragraph(words.isStored(stored))}
${takesPortalKey(source) ? form(context, html`${input}${formActions(context, submit, sourcePath(organization, source.name))}`, errors) : ''}
${stored === null ? '' : removal}`;
    return { title: words.title, parents: [sourceLink(context, source)], body };
  }

  async function save(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const source = await requirePortal(context);
    const { id } = context.organization;
    const portalKey =
      values.get('action') === 'remove'
        ? null
        : readPortalKey(context, values, (key) => admin.encryptKeyOfSource(key, id, source));
    await admin.store.setPortalKey(source, portalKey, currentActor(context));
    return { redirectTo: `${sourcePath(context.organization, source.name)}?saved=1` };
  }

  return [
    {
      path: portalKeyPath('/admin/organizations/:organizationId/sources/:sourceName'),
      access: 'publish',
      requiresRecentAuth: true,
      get: keyPage,
      post: save,
    },
  ];
}
