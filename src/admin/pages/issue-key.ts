/** Issuing a key. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { isValidName, maxNameLength } from '../../domain/name-validation.ts';
import type { AdminContext } from '../admin-context.ts';
import { currentActor, type TenantContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { field, form, formActions, formIdField, paragraph } from '../ui/components.ts';
import { endOfDay, localDay } from '../ui/formatter.ts';
import { createKeyOnce, type KeyProperties } from './create-and-reveal-key.ts';

export function expiryField(
  { text, timeZone, nowMs }: TenantContext,
  label: string,
  value: string,
  error: string | undefined,
): SafeHtml {
  const today = localDay(new Date(nowMs).toISOString(), timeZone);
  return field({
    name: 'expires',
    label,
    hint: text.issue.expiresHint,
    type: 'date',
    value,
    error,
    optional: text.form.optional,
    attributes: html` min="${today}" max="9999-12-31"`,
  });
}

/** @returns the end of the day in the form as a timestamp; undefined for an empty field: the key does not expire */
export function parseExpiry(
  { timeZone, nowMs }: TenantContext,
  values: URLSearchParams,
): string | undefined | 'invalid' {
  const date = (values.get('expires') ?? '').trim();
  if (date === '') return undefined;
  const at = endOfDay(date, timeZone);
  return at !== undefined && /^\d{4}-/.test(at) && Date.parse(at) > nowMs ? at : 'invalid';
}

export function issueKeyRoutes(admin: AdminContext): Route[] {
  const { store, rateLimit, rateWindowMs } = admin;

  function issuePage(
    context: TenantContext,
    values: URLSearchParams,
    errors: Record<string, string> = {},
    status = 200,
  ): Page {
    const { text, format } = context;
    const fields = html`${formIdField()}
${field({ name: 'name', label: text.keys.name, hint: text.issue.nameHint, value: values.get('name') ?? '', error: errors.name, autocomplete: 'off' })}
${expiryField(context, text.issue.expires, values.get('expires') ?? '', errors.expires)}
${field({
  name: 'limit',
  label: text.keys.limit,
  hint: text.issue.limitHint(format.number(rateLimit), format.interval(rateWindowMs)),
  value: values.get('limit') ?? '',
  error: errors.limit,
  optional: text.form.optional,
  attributes: html` inputmode="numeric"`,
})}
${formActions(context, text.issue.submit, listPath(context))}`;
    const body = html`${paragraph(text.issue.intro)}${form(context, fields, errors)}`;
    return { title: text.issue.title, body, status };
  }

  function parseForm(
    context: TenantContext,
    values: URLSearchParams,
  ): KeyProperties | { errors: Record<string, string> } {
    const { text, format } = context;
    const errors: Record<string, string> = {};
    const name = (values.get('name') ?? '').trim();
    if (name === '') errors.name = text.issue.nameMissing;
    else if ([...name].length > maxNameLength) errors.name = text.issue.nameTooLong(maxNameLength);
    else if (!isValidName(name)) errors.name = text.issue.nameWrong;
    const expiresAt = parseExpiry(context, values);
    if (expiresAt === 'invalid') errors.expires = text.issue.expiresWrong;
    const limitText = (values.get('limit') ?? '').trim();
    const requestLimit = format.parseInteger(limitText);
    if (limitText !== '' && (requestLimit === undefined || requestLimit > rateLimit))
      errors.limit = text.issue.limitWrong(format.number(rateLimit));
    return Object.keys(errors).length > 0 ? { errors } : { name, expiresAt, requestLimit };
  }

  async function issue(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const parsed = parseForm(context, values);
    if ('errors' in parsed) return issuePage(context, values, parsed.errors, 422);
    return createKeyOnce(admin, context, values.get('form') ?? '', parsed, (key) =>
      store.addKey(key, currentActor(context)),
    );
  }

  return [
    {
      path: '/admin/organizations/:organizationId/keys/new',
      access: 'administrator',
      requiresRecentAuth: true,
      get: async (context) => issuePage(context, context.query),
      post: issue,
    },
  ];
}

const listPath = ({ organization }: TenantContext) => `/admin/organizations/${organization.id}/keys`;
