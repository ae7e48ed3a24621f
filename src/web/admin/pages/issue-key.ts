/** Issuing a key: its form, and the only page that displays its secret. docs/decisions/0050 has the alternatives. */

import { deriveKey, hashForStorage } from '../../../domain/keys/api-key.ts';
import type { KeyValues } from '../../../domain/keys/key-fields.ts';
import type { NewKey, StoredKey } from '../../../domain/keys/stored-key.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import { uuidPattern } from '../../../domain/values/uuid.ts';
import { actionLink, alert, copyField, link, paragraph, section } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { deriveSecret } from '../auth/browser-secret.ts';
import { form, formActions, formIdField } from '../forms/forms.ts';
import { currentActor, type TenantContext } from '../requests/page-context.ts';
import {
  type AdminResponse,
  FormError,
  type FormState,
  type Page,
  PageError,
} from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { codeSamples } from '../ui/code-samples.ts';
import { keyLink, keyPath, keySummary, requireKey } from './key-details.ts';
import { keyFormFields, keyFormNames, parseKeyForm } from './key-form.ts';

/** Two submissions of one form within this time are a double click: the browser shows the response to the second. */
const doubleClickMs = 10_000;

/** A secret that is not displayed within this time is lost; the key can be rotated. */
const revealTimeoutSeconds = 600;

/** Holds the id of the form between its submission and the display. One per key, for several windows. */
const revealCookie = (keyId: string) => `__Host-rostra-key-${keyId}`;

/**
 * The id and the secret of the key that a form creates. They depend on the browser's secret and the form's random id, so a
 * form that is submitted twice creates one key. The server stores neither of the two.
 */
function deriveKeyOfForm({ browserSecret, organization }: TenantContext, formId: string) {
  const hex = deriveSecret(browserSecret, `key ${organization.id} ${formId}`).toString('hex');
  return {
    /** A UUID of version 8 (RFC 9562). */
    id: `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
    secret: deriveKey(deriveSecret(browserSecret, `secret ${organization.id} ${formId}`)),
  };
}

/** Creates the key of a form with `create`, unless it exists, and redirects to the page that displays its secret. */
export async function createKeyOnce(
  { store }: AdminContext,
  context: TenantContext,
  formId: string,
  values: KeyValues,
  create: (key: NewKey) => Promise<StoredKey>,
): Promise<AdminResponse> {
  const { organization, nowMs } = context;
  if (!uuidPattern.test(formId)) throw new PageError(400);
  const { id, secret } = deriveKeyOfForm(context, formId);
  let key: StoredKey | undefined;
  try {
    key = await create({ id, organizationId: organization.id, ...values, ...hashForStorage(secret) });
  } catch (error) {
    key = error instanceof StoreConflictError ? await store.findKey(organization.id, id) : undefined;
    if (key === undefined) throw error;
    if (Date.parse(key.createdAt) < nowMs - doubleClickMs) return { redirectTo: keyPath(key) };
  }
  context.setCookie(revealCookie(id), formId, revealTimeoutSeconds);
  return { redirectTo: `${keyPath(key)}/issued` };
}

export function issueKeyRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function issuePage(context: TenantContext, { values, errors }: FormState): Promise<Page> {
    const { text } = context;
    const fields = keyFormFields(admin, context, (name) => values.get(name) ?? '', errors);
    const content = html`${formIdField()}${keyFormNames.map((name) => fields[name])}
${formActions(context, text.issue.submit, listPath(context))}`;
    const body = html`${paragraph(text.issue.intro)}${form(context, content, errors)}`;
    return { title: text.issue.title, body };
  }

  async function issue(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { values: keyValues, errors } = parseKeyForm(admin, context, values);
    if (Object.keys(errors).length > 0) throw new FormError(errors);
    return createKeyOnce(admin, context, values.get('form') ?? '', keyValues, (key) =>
      store.addKey(key, currentActor(context)),
    );
  }

  /** Returns the secret once: the response deletes the cookie. */
  function consumeReveal(context: TenantContext, key: StoredKey): string | undefined {
    const formId = context.cookie(revealCookie(key.id));
    if (formId === undefined) return undefined;
    context.setCookie(revealCookie(key.id), '', 0);
    const isTimely = Date.parse(key.createdAt) >= context.nowMs - revealTimeoutSeconds * 1000;
    const { id, secret } = deriveKeyOfForm(context, formId);
    return isTimely && id === key.id ? secret : undefined;
  }

  async function issuedPage(context: TenantContext): Promise<Page> {
    const { text, publicUrl } = context;
    const key = await requireKey(admin, context);
    const toKey = actionLink(keyPath(key), text.newKey.toKey);
    const secret = consumeReveal(context, key);
    if (secret === undefined) {
      const body = html`${alert('info', text.newKey.unavailable, paragraph(text.newKey.unavailableHint))}${toKey}`;
      return { title: text.newKey.title, parents: [keyLink(key)], body, status: 410 };
    }
    const body = html`${alert('success', text.newKey.done, paragraph(keySummary(key)))}
${paragraph(html`<strong>${text.newKey.copyNow}</strong>`)}
${copyField(text.newKey.secret, 'secret', secret, text.newKey.copy, text.form.copied, 'primary')}
${await predecessorNote(context, key)}
${section(text.keys.samples, codeSamples(context, secret))}
${paragraph(html`${text.newKey.documentation}: ${link(`${publicUrl}/docs`, `${publicUrl}/docs`)}`)}
${toKey}`;
    return { title: text.newKey.title, parents: [keyLink(key)], body, oneTime: true };
  }

  /** What to do with the old key after a rotation. */
  async function predecessorNote(context: TenantContext, key: StoredKey): Promise<SafeHtml> {
    const { text, format } = context;
    if (key.predecessorId === null) return html``;
    const old = await store.findKey(key.organizationId, key.predecessorId);
    if (old === undefined) return html``;
    const end = format.timeText(old.revokedAt ?? old.expiresAt ?? '');
    const body = html`${paragraph(keySummary(old))}
${paragraph(old.state === 'active' ? text.newKey.replaceOldKey : text.newKey.oldKeyHasEnded)}
${paragraph(link(keyPath(old), text.newKey.toOldKey))}`;
    return alert(
      'info',
      old.state === 'active' ? text.newKey.oldKeyEnds(end) : text.newKey.oldKeyEnded(end),
      body,
    );
  }

  return [
    {
      path: '/admin/organizations/:organizationId/keys/new',
      access: 'keys',
      requiresRecentAuth: true,
      get: issuePage,
      post: issue,
    },
    {
      path: '/admin/organizations/:organizationId/keys/:keyId/issued',
      access: 'keys',
      oneTime: true,
      get: issuedPage,
    },
  ];
}

const listPath = ({ organization }: TenantContext) => `/admin/organizations/${organization.id}/keys`;
