/** Editing name, contact, purpose, expiry and limit of a key. */
import { html } from '@remix-run/html-template';
import type { KeyChanges, KeyRecord } from '../../domain/key-record.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { AdminContext } from '../admin-context.ts';
import { currentActor, type TenantContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { actionLink, alert, form, formActions, paragraph } from '../ui/components.ts';
import { keyLink, keyPath, keySummary, requireKey } from './key-details.ts';
import { type KeyFormField, keyFields, keyFormFields, parseKeyForm, readKeyValues } from './key-form.ts';

type Values = Record<KeyFormField, string>;

/** The hidden field with the value that the form was opened with, because somebody else may save meanwhile. */
const getInitialName = (name: KeyFormField) => `initial-${name}`;

export function editKeyRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  function editPage(
    context: TenantContext,
    key: KeyRecord,
    values: Values,
    initial: Values,
    errors: Partial<Values> = {},
  ): Page {
    const { text } = context;
    if (key.state === 'revoked') return revokedPage(context, key);
    const fields = keyFields(admin, context, (name) => values[name], errors);
    const content = keyFormFields.map((name) => [
      html`<input type="hidden" name="${getInitialName(name)}" value="${initial[name]}">`,
      fields[name],
    ]);
    const stored = readKeyValues(key, context);
    const isUnsaved =
      Object.keys(errors).length === 0 && keyFormFields.some((name) => values[name] !== stored[name]);
    const body = html`${isUnsaved ? alert('info', text.organizationSettings.unsaved) : ''}
${paragraph(keySummary(key))}
${form(context, html`${content}${formActions(context, text.editKey.submit, keyPath(key))}`, errors)}`;
    const status = Object.keys(errors).length > 0 ? 422 : 200;
    return { title: text.editKey.action, parents: [keyLink(key)], body, status };
  }

  function revokedPage({ text }: TenantContext, key: KeyRecord): Page {
    const body = html`${alert('warning', text.editKey.revoked, paragraph(keySummary(key)))}${actionLink(keyPath(key), text.revoke.toKey)}`;
    return { title: text.editKey.action, parents: [keyLink(key)], body, status: 409 };
  }

  async function openPage(context: TenantContext): Promise<Page> {
    const key = await requireKey(admin, context);
    const stored = readKeyValues(key, context);
    const [values, initial] = [{ ...stored }, { ...stored }];
    for (const name of keyFormFields) {
      const [entered, opened] = [context.query.get(name), context.query.get(getInitialName(name))];
      if (entered === null || entered === opened) continue;
      values[name] = entered;
      initial[name] = opened ?? stored[name];
    }
    return editPage(context, key, values, initial);
  }

  async function save(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { changedMeanwhile } = context.text.organizationSettings;
    const key = await requireKey(admin, context);
    const stored = readKeyValues(key, context);
    const values = { ...stored };
    const errors: Partial<Values> = {};
    const changed: KeyFormField[] = [];
    const parsed = parseKeyForm(admin, context, entered);
    for (const name of keyFormFields) {
      const [value, initial] = [(entered.get(name) ?? '').trim(), entered.get(getInitialName(name))];
      values[name] = value;
      // An unchanged day keeps its time, and an expired key its past day.
      if (value === stored[name]) continue;
      if (initial !== stored[name]) {
        errors[name] = changedMeanwhile(stored[name]);
        if (value === initial) values[name] = stored[name];
      } else if (parsed.errors[name] !== undefined) errors[name] = parsed.errors[name];
      else changed.push(name);
    }
    if (Object.keys(errors).length > 0) return editPage(context, key, values, stored, errors);
    try {
      await store.editKey(key, pickChanges(parsed.properties, changed), currentActor(context));
    } catch (error) {
      if (error instanceof StoreConflictError) return revokedPage(context, key);
      throw error;
    }
    return { redirectTo: `${keyPath(key)}?saved` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/keys/:keyId/edit',
      access: 'administrator',
      requiresRecentAuth: true,
      get: openPage,
      post: save,
    },
  ];
}

function pickChanges(
  { name, contact, purpose, expiresAt, requestLimit }: ReturnType<typeof parseKeyForm>['properties'],
  changed: readonly KeyFormField[],
): KeyChanges {
  const all: Record<KeyFormField, KeyChanges> = {
    name: { name },
    contact: { contact: contact ?? null },
    purpose: { purpose: purpose ?? null },
    expires: { expiresAt: expiresAt ?? null },
    limit: { requestLimit: requestLimit ?? null },
  };
  return Object.assign({}, ...changed.map((field) => all[field]));
}
