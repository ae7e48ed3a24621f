/** Creates the key of a form, and displays its secret once. */
import { html } from '@remix-run/html-template';
import { deriveKey, hashForStorage } from '../../domain/api-key.ts';
import type { KeyRecord, NewKey } from '../../domain/key-record.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { deriveSecret, type TenantContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response.ts';
import type { AdminContext, Route } from '../route.ts';
import { actionLink, alert, copyField, paragraph } from '../ui/components.ts';
import { keyPath, keySummary, requireKey } from './key-details.ts';

/** Two submissions of one form within this time are a double click: the browser shows the response to the second. */
const doubleClickMs = 10_000;

export type KeyProperties = Pick<NewKey, 'name' | 'requestLimit' | 'expiresAt'>;

/**
 * The id of the key that a form creates. It depends on the browser and the form only, so a form that is submitted twice
 * creates one key; and no client can choose it. A UUID of version 8 (RFC 9562).
 */
function deriveKeyId({ browserSecret, organization }: TenantContext, formId: string): string {
  const hex = deriveSecret(browserSecret, `key ${organization.id} ${formId}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The secret is not stored: the redirect's target derives it again from the browser's secret, the key's id and the salt. */
function deriveKeySecret({ browserSecret, organization }: TenantContext, keyId: string, salt: Buffer) {
  return deriveKey(deriveSecret(browserSecret, `secret ${organization.id} ${keyId} ${salt.toString('hex')}`));
}

/** Creates the key of a form with `create`, unless it exists, and redirects to the page that displays its secret. */
export async function createKeyOnce(
  { store }: AdminContext,
  context: TenantContext,
  formId: string,
  properties: KeyProperties,
  create: (key: NewKey) => Promise<KeyRecord>,
): Promise<AdminResponse> {
  const { organization, loginSession, nowMs } = context;

  async function redirectToExisting(key: KeyRecord): Promise<AdminResponse> {
    if (Date.parse(key.createdAt) < nowMs - doubleClickMs) return { redirectTo: keyPath(key) };
    await store.allowKeyReveal(loginSession.id, key.id);
    return { redirectTo: `${keyPath(key)}/issued` };
  }

  const id = deriveKeyId(context, formId);
  const existing = await store.findKey(organization.id, id);
  if (existing !== undefined) return redirectToExisting(existing);
  const salt = await store.allowKeyReveal(loginSession.id, id);
  const stored = hashForStorage(deriveKeySecret(context, id, salt));
  try {
    const key = await create({ id, organizationId: organization.id, ...properties, ...stored });
    return { redirectTo: `${keyPath(key)}/issued` };
  } catch (error) {
    // A second submission of the form may have been faster.
    const created =
      error instanceof StoreConflictError ? await store.findKey(organization.id, id) : undefined;
    if (created === undefined) throw error;
    return redirectToExisting(created);
  }
}

export function keyRevealRoutes(admin: AdminContext): Route[] {
  async function issuedPage(context: TenantContext): Promise<Page> {
    const { text, loginSession, publicUrl } = context;
    const key = await requireKey(admin, context);
    const toKey = actionLink(keyPath(key), text.newKey.toKey, 'primary');
    const salt = await admin.store.consumeKeyReveal(loginSession.id, key.id);
    if (salt === undefined) {
      const body = html`${alert('info', text.newKey.unavailable, paragraph(text.newKey.unavailableHint))}${toKey}`;
      return { title: text.newKey.title, body, status: 410 };
    }
    const secret = deriveKeySecret(context, key.id, salt);
    const request = `curl -H "Authorization: Bearer ${secret}" "${publicUrl}/api/v1/submissions?limit=3"`;
    const body = html`${alert('success', text.newKey.done, paragraph(keySummary(key)))}
${paragraph(html`<strong>${text.newKey.copyNow}</strong>`)}
${copyField(text.newKey.secret, 'secret', secret, text.newKey.copy, text.form.copied)}
${copyField(text.newKey.request, 'request', request, text.newKey.copyRequest, text.form.copied)}
${toKey}`;
    return { title: text.newKey.title, body, oneTime: true };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/keys/:keyId/issued',
      access: 'tenant',
      oneTime: true,
      get: issuedPage,
    },
  ];
}
