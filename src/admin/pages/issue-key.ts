/** Issuing a key, rotating one, and the page that shows the secret once. */
import { randomUUID } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import { deriveKey, hashForStorage } from '../../domain/api-key.ts';
import type { KeyRecord, NewKey } from '../../domain/key-record.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import { isValidName, maxNameLength } from '../../domain/validation.ts';
import { currentActor, deriveSecret, type TenantContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response.ts';
import type { AdminContext, Route } from '../routes.ts';
import { actionLink, alert, button, copyField, field, form, paragraph, select } from '../ui/components.ts';
import { endOfDay, localDay } from '../ui/formatter.ts';
import { keyPath, keySummary, requireKey } from './key-details.ts';

/** A form that was sent twice within this time was sent by one click too many: its key is shown after all. */
const doubleClickMs = 10_000;

const hourMs = 3_600_000;

/** How long the old key may stay valid, by the value in the form. */
const graces: Record<string, number> = {
  '0': 0,
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 168 * hourMs,
  '30d': 720 * hourMs,
};

/**
 * The id of the key that a form makes: of the same browser and form always the same, so that a form which is sent
 * twice makes one key; and nobody can choose it. A UUID of version 8 (RFC 9562).
 */
function keyIdFor({ browserSecret, organization }: TenantContext, formId: string): string {
  const hex = deriveSecret(browserSecret, `key ${organization.id} ${formId}`).toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Not stored anywhere: the browser's secret, the key's id and the salt of the reveal give it again. */
function secretOf({ browserSecret, organization }: TenantContext, keyId: string, salt: Buffer): string {
  return deriveKey(deriveSecret(browserSecret, `secret ${organization.id} ${keyId} ${salt.toString('hex')}`));
}

interface Wanted {
  name: string;
  requestLimit: number | undefined;
  expiresAt: string | undefined;
}

export function issueKeyRoutes(admin: AdminContext): Route[] {
  const { store, rateLimit, timeZone } = admin;

  function issuePage(
    context: TenantContext,
    typed: URLSearchParams,
    errors: Record<string, string> = {},
    status = 200,
  ): Page {
    const { text, format } = context;
    const fields = html`<input type="hidden" name="form" value="${randomUUID()}">
${field({ name: 'name', label: text.issue.name, hint: text.issue.nameHint, value: typed.get('name') ?? '', error: errors.name, autocomplete: 'off' })}
${expiryField(context, typed.get('expires') ?? '', errors.expires)}
${field({
  name: 'limit',
  label: text.issue.limit,
  hint: `${text.issue.limitHint(format.number(rateLimit))} ${text.keys.window(format.duration(admin.rateWindowMs))}`,
  value: typed.get('limit') ?? '',
  error: errors.limit,
  optional: text.form.optional,
  attributes: html` inputmode="numeric"`,
})}
<div class="actions">${button(text.issue.submit)} ${actionLink(listPath(context), text.form.cancel)}</div>`;
    const body = html`${paragraph(text.issue.intro)}${form(context, fields, errors)}`;
    return { title: text.issue.title, body, status };
  }

  function expiryField({ text, nowMs }: TenantContext, value: string, error: string | undefined): SafeHtml {
    const today = localDay(new Date(nowMs).toISOString(), timeZone);
    return field({
      name: 'expires',
      label: text.issue.expires,
      hint: text.issue.expiresHint,
      type: 'date',
      value,
      error,
      optional: text.form.optional,
      attributes: html` min="${today}" max="9999-12-31"`,
    });
  }

  function expiryOf(typed: URLSearchParams, nowMs: number): string | undefined | Error {
    const date = (typed.get('expires') ?? '').trim();
    if (date === '') return undefined;
    const at = endOfDay(date, timeZone);
    return at !== undefined && /^\d{4}-/.test(at) && Date.parse(at) > nowMs ? at : new Error();
  }

  /** What was typed, or what is wrong with it by the names of the fields. */
  function read(context: TenantContext, typed: URLSearchParams): Wanted | { errors: Record<string, string> } {
    const { text, format, nowMs } = context;
    const errors: Record<string, string> = {};
    const name = (typed.get('name') ?? '').trim();
    if (name === '') errors.name = text.issue.nameMissing;
    else if ([...name].length > maxNameLength) errors.name = text.issue.nameTooLong(maxNameLength);
    else if (!isValidName(name)) errors.name = text.issue.nameWrong;
    const expiresAt = expiryOf(typed, nowMs);
    if (expiresAt instanceof Error) errors.expires = text.issue.expiresWrong;
    const limitText = (typed.get('limit') ?? '').trim();
    const limit = format.parseInteger(limitText);
    if (limitText !== '' && (limit === undefined || limit > rateLimit))
      errors.limit = text.issue.limitWrong(format.number(rateLimit));
    if (Object.keys(errors).length > 0 || expiresAt instanceof Error) return { errors };
    return { name, expiresAt, requestLimit: limit };
  }

  /** Makes the key of this form with `make`, unless it has been made, and leads to its secret. */
  async function once(
    context: TenantContext,
    typed: URLSearchParams,
    wanted: Wanted,
    make: (key: NewKey) => Promise<KeyRecord>,
  ): Promise<AdminResponse> {
    const { organization, loginSession } = context;
    const id = keyIdFor(context, typed.get('form') ?? '');
    const present = await store.findKey(organization.id, id);
    if (present !== undefined) return again(context, present);
    const salt = await store.allowReveal(loginSession.id, id);
    const stored = hashForStorage(secretOf(context, id, salt));
    try {
      const key = await make({ id, organizationId: organization.id, ...wanted, ...stored });
      return { redirectTo: `${keyPath(key)}/issued` };
    } catch (error) {
      // The other click may have been faster.
      const made = error instanceof StoreConflictError ? await store.findKey(organization.id, id) : undefined;
      if (made === undefined) throw error;
      return again(context, made);
    }
  }

  /** A form that was sent before. */
  async function again({ loginSession, nowMs }: TenantContext, key: KeyRecord): Promise<AdminResponse> {
    if (Date.parse(key.createdAt) < nowMs - doubleClickMs) return { redirectTo: keyPath(key) };
    await store.allowReveal(loginSession.id, key.id);
    return { redirectTo: `${keyPath(key)}/issued` };
  }

  async function issue(context: TenantContext, typed: URLSearchParams): Promise<AdminResponse> {
    const wanted = read(context, typed);
    if ('errors' in wanted) return issuePage(context, typed, wanted.errors, 422);
    return once(context, typed, wanted, (key) => store.addKey(key, currentActor(context)));
  }

  async function issued(context: TenantContext): Promise<Page> {
    const { text, loginSession, publicUrl } = context;
    const key = await requireKey(admin, context);
    const toKey = actionLink(keyPath(key), text.issued.toKey, 'primary');
    const salt = await store.takeReveal(loginSession.id, key.id);
    if (salt === undefined) {
      const body = html`${alert('info', text.issued.gone, paragraph(text.issued.goneHint))}${toKey}`;
      return { title: text.issued.title, body, status: 410 };
    }
    const secret = secretOf(context, key.id, salt);
    const request = `curl -H "Authorization: Bearer ${secret}" "${publicUrl}/api/v1/submissions?limit=3"`;
    const body = html`${alert('success', text.issued.done, paragraph(keySummary(key)))}
${paragraph(html`<strong>${text.issued.once}</strong>`)}
${copyField(text.issued.secret, 'secret', secret, text.issued.copy, text.issued.copied)}
${copyField(text.issued.request, 'request', request, text.issued.copyRequest, text.issued.copied)}
${toKey}`;
    return { title: text.issued.title, body, oneTime: true };
  }

  function rotatePage(
    context: TenantContext,
    key: KeyRecord,
    typed: URLSearchParams,
    errors: Record<string, string> = {},
    status = 200,
  ): Page {
    const { text } = context;
    const expires = key.expiresAt === null ? '' : localDay(key.expiresAt, timeZone);
    const fields = html`<input type="hidden" name="form" value="${randomUUID()}">
${select(
  'grace',
  text.rotate.grace,
  Object.keys(graces).map((value) => ({ value, text: text.rotate.graces[value] ?? value })),
  typed.get('grace') ?? '24h',
)}
${expiryField(context, typed.get('expires') ?? expires, errors.expires)}
<div class="actions">${button(text.rotate.action)} ${actionLink(keyPath(key), text.form.cancel)}</div>`;
    const body = html`${paragraph(keySummary(key))}${paragraph(text.rotate.intro)}${form(context, fields, errors)}`;
    return { title: text.rotate.title, body, status };
  }

  async function askToRotate(context: TenantContext): Promise<Page> {
    const key = await requireKey(admin, context);
    return key.state === 'active' ? rotatePage(context, key, context.query) : notActive(context, key);
  }

  function notActive({ text }: TenantContext, key: KeyRecord): Page {
    const body = html`${alert('warning', text.rotate.notActive, paragraph(keySummary(key)))}${actionLink(keyPath(key), text.revoke.toKey)}`;
    return { title: text.rotate.title, body, status: 409 };
  }

  async function rotate(context: TenantContext, typed: URLSearchParams): Promise<AdminResponse> {
    const { text, nowMs } = context;
    const key = await requireKey(admin, context);
    const expiresAt = expiryOf(typed, nowMs);
    if (expiresAt instanceof Error)
      return rotatePage(context, key, typed, { expires: text.issue.expiresWrong }, 422);
    const wish = typed.get('grace') ?? '';
    const graceMs = graces[Object.hasOwn(graces, wish) ? wish : '24h'] as number;
    const validUntil = new Date(nowMs + graceMs).toISOString();
    const wanted = { name: key.name, requestLimit: key.requestLimit ?? undefined, expiresAt };
    try {
      return await once(context, typed, wanted, (successor) =>
        store.rotateKey(key, successor, validUntil, currentActor(context)),
      );
    } catch (error) {
      if (error instanceof StoreConflictError) return notActive(context, key);
      throw error;
    }
  }

  const base = '/admin/organizations/:organizationId/keys';
  return [
    {
      path: `${base}/new`,
      access: 'tenant',
      requiresRecentAuth: true,
      get: async (context) => issuePage(context, context.query),
      post: issue,
    },
    { path: `${base}/:keyId/issued`, access: 'tenant', oneTime: true, get: issued },
    {
      path: `${base}/:keyId/rotate`,
      access: 'tenant',
      requiresRecentAuth: true,
      get: askToRotate,
      post: rotate,
    },
  ];
}

const listPath = ({ organization }: TenantContext) => `/admin/organizations/${organization.id}/keys`;
