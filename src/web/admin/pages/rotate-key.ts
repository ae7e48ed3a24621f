/** Rotating a key: a successor is issued, and the old key keeps working for a grace period. */

import { pickKeyValues } from '../../../domain/keys/key-fields.ts';
import type { StoredKey } from '../../../domain/keys/stored-key.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import { actionLink, alert, paragraph, select } from '../../ui/components.ts';
import { toLocalDay } from '../../ui/formatter.ts';
import { html } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { form, formActions, formIdField } from '../forms/forms.ts';
import { currentActor, type TenantContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormState, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { createKeyOnce } from './issue-key.ts';
import { keyLink, keyPath, keySummary, requireKey } from './key-details.ts';
import { expiryField, parseExpiry } from './key-form.ts';

const hourMs = 3_600_000;

/** How long the old key keeps working, by the value in the form. */
const gracePeriodsMs: Record<string, number> = {
  '0': 0,
  '1h': hourMs,
  '24h': 24 * hourMs,
  '7d': 168 * hourMs,
  '30d': 720 * hourMs,
};
const defaultGracePeriod = '24h';

export function rotateKeyRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  function rotatePage(context: TenantContext, key: StoredKey, { values, errors }: FormState): Page {
    const { text, timeZone } = context;
    const expires = key.expiresAt === null ? '' : toLocalDay(key.expiresAt, timeZone);
    const fields = html`${formIdField()}
${select(
  'grace',
  text.rotate.grace,
  Object.keys(gracePeriodsMs).map((value) => ({ value, text: text.rotate.graces[value] ?? value })),
  values.get('grace') ?? defaultGracePeriod,
)}
${expiryField(context, text.rotate.expires, values.get('expires') ?? expires, errors.expires)}
${formActions(context, text.rotate.action, keyPath(key))}`;
    const body = html`${paragraph(keySummary(key))}${paragraph(text.rotate.intro)}${form(context, fields, errors)}`;
    return { title: text.rotate.action, parents: [keyLink(key)], body };
  }

  function inactiveKeyPage({ text }: TenantContext, key: StoredKey): Page {
    const body = html`${alert('warning', text.rotate.notActive, paragraph(keySummary(key)))}${actionLink(keyPath(key), text.revoke.toKey)}`;
    return { title: text.rotate.action, parents: [keyLink(key)], body, status: 409 };
  }

  async function replacedKeyPage(context: TenantContext, key: StoredKey): Promise<Page> {
    const { text, organization } = context;
    const successor = await store.findKey(organization.id, key.successorId ?? '');
    const body = html`${alert('info', text.rotate.replacedBefore, paragraph(keySummary(key)))}
${paragraph(text.rotate.replacedHint)}
${successor === undefined ? '' : actionLink(keyPath(successor), text.rotate.toSuccessor, 'primary')}`;
    return { title: text.rotate.action, parents: [keyLink(key)], body, status: 409 };
  }

  /** The page for a key that cannot be rotated; undefined for others. */
  async function findObstacle(context: TenantContext, key: StoredKey): Promise<Page | undefined> {
    if (key.successorId !== null) return replacedKeyPage(context, key);
    return key.state === 'active' ? undefined : inactiveKeyPage(context, key);
  }

  async function rotate(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text, nowMs } = context;
    const key = await requireKey(admin, context);
    const expiresAt = parseExpiry(context, values);
    if (expiresAt === 'invalid') throw new FormError({ expires: text.keyFields.expiresAt.wrong });
    const grace = values.get('grace') ?? '';
    const known = Object.hasOwn(gracePeriodsMs, grace) ? grace : defaultGracePeriod;
    const validUntil = new Date(nowMs + (gracePeriodsMs[known] as number)).toISOString();
    const keyValues = { ...pickKeyValues(key), expiresAt };
    try {
      return await createKeyOnce(admin, context, values.get('form') ?? '', keyValues, (successor) =>
        store.rotateKey(key, successor, validUntil, currentActor(context)),
      );
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      const present = await requireKey(admin, context);
      return (await findObstacle(context, present)) ?? inactiveKeyPage(context, present);
    }
  }

  return [
    {
      path: '/admin/organizations/:organizationId/keys/:keyId/rotate',
      access: 'keys',
      requiresRecentAuth: true,
      get: async (context, formState) => {
        const key = await requireKey(admin, context);
        return (await findObstacle(context, key)) ?? rotatePage(context, key, formState);
      },
      post: rotate,
    },
  ];
}
