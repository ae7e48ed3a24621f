/** Details of a key, and its revocation. */
import { html } from '@remix-run/html-template';
import type { KeyRecord } from '../../domain/key-record.ts';
import type { AdminContext } from '../admin-context.ts';
import { currentActor, mayEdit, type TenantContext } from '../page-context.ts';
import { type AdminResponse, notFound, type Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import {
  actionLink,
  actorName,
  alert,
  announcement,
  descriptionList,
  form,
  formActions,
  paragraph,
  userText,
} from '../ui/components.ts';
import type { PageLink } from '../ui/navigation.ts';
import { stateBadges, windowUsage } from './key-list.ts';
import { usageSections } from './key-usage.ts';

/** @throws PageError 404 for an unknown key */
export async function requireKey({ store }: AdminContext, context: TenantContext): Promise<KeyRecord> {
  const key = await store.findKey(context.organization.id, context.params.keyId?.toLowerCase() ?? '');
  if (key === undefined) throw notFound();
  return key;
}

/** Name and prefix, since several keys may have the same name. */
export const keySummary = ({ name, prefix }: KeyRecord) =>
  html`<q>${userText(name)}</q> (<code>${prefix}</code>)`;

export function keyPath({ organizationId, id }: Pick<KeyRecord, 'organizationId' | 'id'>): string {
  return `/admin/organizations/${organizationId}/keys/${id}`;
}

/** The parent of the pages below a key's page. */
export const keyLink = (key: KeyRecord): PageLink => ({ path: keyPath(key), name: key.name });

export function keyDetailsRoutes(admin: AdminContext): Route[] {
  const { store, rateLimit, rateWindowMs } = admin;

  async function keyPage(context: TenantContext): Promise<Page> {
    const { text, format, query } = context;
    const key = await requireKey(admin, context);
    const limit = format.number(key.requestLimit ?? rateLimit);
    const interval = format.interval(rateWindowMs);
    const facts = descriptionList([
      [text.keys.prefix, html`<code>${key.prefix}</code>`],
      [text.keys.state, stateBadges(key, context)],
      key.state === 'active' && [text.keys.thisWindow, windowUsage(key, context, rateLimit)],
      [
        text.keys.limit,
        key.requestLimit === null
          ? text.keys.defaultLimit(limit, interval)
          : text.keys.ownLimit(limit, interval),
      ],
      [text.keys.lastUsed, key.lastUsedAt === null ? text.keys.never : format.time(key.lastUsedAt)],
      [text.keys.expires, key.expiresAt === null ? text.keys.never : format.time(key.expiresAt)],
      key.revokedAt !== null && [text.keys.revokedAt, format.time(key.revokedAt)],
      [text.keys.created, html`${format.time(key.createdAt)}, ${actorName(key.createdBy, context)}`],
    ]);
    const actions =
      key.state === 'active' && mayEdit(context)
        ? html`<div class="actions">${actionLink(`${keyPath(key)}/rotate`, text.rotate.action)} ${actionLink(`${keyPath(key)}/revoke`, text.revoke.action)}</div>`
        : '';
    const body = html`${query.has('revoked') ? announcement(text.revoke.done) : ''}${facts}${actions}${await usageSections(admin, context, key)}`;
    return { title: key.name, body };
  }

  async function revocationPage(context: TenantContext): Promise<Page> {
    const { text } = context;
    const key = await requireKey(admin, context);
    if (key.state === 'revoked') return alreadyRevoked(context, key);
    const body = html`${alert('warning', text.revoke.question, paragraph(keySummary(key)))}
${paragraph(text.revoke.consequence)}
${form(context, formActions(context, text.revoke.action, keyPath(key)))}`;
    return { title: text.revoke.action, parents: [keyLink(key)], body };
  }

  function alreadyRevoked({ text, format }: TenantContext, key: KeyRecord): Page {
    const body = html`${alert('info', text.revoke.before, paragraph(keySummary(key), ' – ', format.time(key.revokedAt)))}
${actionLink(keyPath(key), text.revoke.toKey)}`;
    return { title: text.revoke.action, parents: [keyLink(key)], body };
  }

  async function revoke(context: TenantContext): Promise<AdminResponse> {
    const key = await requireKey(admin, context);
    const revokedNow = await store.revokeKey(key, currentActor(context));
    return revokedNow
      ? { redirectTo: `${keyPath(key)}?revoked=1` }
      : alreadyRevoked(context, await requireKey(admin, context));
  }

  const base = '/admin/organizations/:organizationId/keys/:keyId';
  return [
    { path: base, access: 'reader', get: keyPage },
    {
      path: `${base}/revoke`,
      access: 'administrator',
      requiresRecentAuth: true,
      get: revocationPage,
      post: revoke,
    },
  ];
}
