/** Editing name, contact, purpose, expiry and limit of a key. */

import { type KeyEntryName, type KeyValues, keyFields } from '../../../domain/keys/key-fields.ts';
import type { KeyChanges, StoredKey } from '../../../domain/keys/stored-key.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import { actionLink, alert, paragraph } from '../../ui/components.ts';
import { html } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { fillStored, findChangedFields, initialField } from '../forms/concurrent-edits.ts';
import { form, formActions } from '../forms/forms.ts';
import { currentActor, type TenantContext } from '../requests/page-context.ts';
import type { AdminResponse, FormState, Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { keyLink, keyPath, keySummary, requireKey } from './key-details.ts';
import { keyFormFields, keyFormLabels, keyFormNames, parseKeyForm, readKeyTexts } from './key-form.ts';

export function editKeyRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function editPage(context: TenantContext, { values: entered, errors }: FormState): Promise<Page> {
    const { text } = context;
    const key = await requireKey(admin, context);
    if (key.state === 'revoked') return revokedPage(context, key);
    const stored = readKeyTexts(key, context);
    const { values, initial } = fillStored(stored, entered);
    const fields = keyFormFields(admin, context, (name) => values[name], errors);
    const content = keyFormNames.map((name) => [initialField(name, initial[name]), fields[name]]);
    const isUnsaved =
      Object.keys(errors).length === 0 && keyFormNames.some((name) => values[name] !== stored[name]);
    const body = html`${isUnsaved ? alert('info', text.organizationSettings.unsaved) : ''}
${paragraph(keySummary(key))}
${form(context, html`${content}${formActions(context, text.form.save, keyPath(key))}`, errors)}`;
    return { title: text.editKey.action, parents: [keyLink(key)], body };
  }

  function revokedPage({ text }: TenantContext, key: StoredKey): Page {
    const body = html`${alert('warning', text.editKey.revoked, paragraph(keySummary(key)))}${actionLink(keyPath(key), text.revoke.toKey)}`;
    return { title: text.editKey.action, parents: [keyLink(key)], body, status: 409 };
  }

  async function save(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { changedMeanwhile } = context.text.organizationSettings;
    const labels = keyFormLabels(context);
    const key = await requireKey(admin, context);
    const { values, errors } = parseKeyForm(admin, context, entered);
    // An unchanged day keeps its time, and an expired key its past day.
    const changed = findChangedFields(
      readKeyTexts(key, context),
      entered,
      (name, opened, stored) => changedMeanwhile(labels[name], opened, stored),
      (name, value) => ({
        error: errors[name],
        // As stored: another person may have typed the same text in another form of Unicode.
        parsed: value.normalize('NFC'),
      }),
    );
    try {
      await store.editKey(key, pickChanges(values, changed), currentActor(context));
    } catch (error) {
      if (error instanceof StoreConflictError) return revokedPage(context, key);
      throw error;
    }
    return { redirectTo: `${keyPath(key)}?saved` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/keys/:keyId/edit',
      access: 'keys',
      requiresRecentAuth: true,
      get: editPage,
      post: save,
    },
  ];
}

const pickChanges = (values: KeyValues, changed: readonly KeyEntryName[]): KeyChanges =>
  Object.fromEntries(
    keyFields.names
      .filter((field) => changed.includes(keyFields.getEntryName(field)))
      .map((field) => [field, values[field]]),
  );
