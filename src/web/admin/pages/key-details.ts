/** Details of a key, and its revocation. */

import { isKeyLine, keyFields } from '../../../domain/keys/key-fields.ts';
import type { StoredKey } from '../../../domain/keys/stored-key.ts';
import type { PageLink } from '../../ui/breadcrumbs.ts';
import {
  actionLink,
  alert,
  announcement,
  descriptionList,
  link,
  paragraph,
  section,
  userText,
} from '../../ui/components.ts';
import { toLocalDay } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { form, formActions } from '../forms/forms.ts';
import { currentActor, may, type TenantContext } from '../requests/page-context.ts';
import { type AdminResponse, notFound, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { actorName } from '../ui/actor-name.ts';
import { codeSamples } from '../ui/code-samples.ts';
import { keyBadges } from './key-badges.ts';
import { countRemaining, windowUsage } from './key-list.ts';
import { downloadUsage, usageSections } from './key-usage.ts';

/** Texts that a key may lack. */
const optionalLines = keyFields.names.filter((field) => isKeyLine(field) && !keyFields.isRequired(field));

/** @throws PageError 404 for an unknown key */
export async function requireKey({ store }: AdminContext, context: TenantContext): Promise<StoredKey> {
  const key = await store.findKey(context.organization.id, context.params.keyId?.toLowerCase() ?? '');
  if (key === undefined) throw notFound();
  return key;
}

/** Name and prefix, since several keys may have the same name. */
export const keySummary = ({ name, prefix }: StoredKey) =>
  html`<q>${userText(name)}</q> (<code>${prefix}</code>)`;

export function keyPath({ organizationId, id }: Pick<StoredKey, 'organizationId' | 'id'>): string {
  return `/admin/organizations/${organizationId}/keys/${id}`;
}

/** The parent of the pages below a key's page. */
export const keyLink = (key: StoredKey): PageLink => ({ path: keyPath(key), name: key.name });

export function keyDetailsRoutes(admin: AdminContext): Route[] {
  const { store, rateLimit, rateWindowMs } = admin;

  async function keyPage(context: TenantContext): Promise<Page> {
    const { text, query } = context;
    const key = await requireKey(admin, context);
    const [predecessor, successor] = await Promise.all([
      findRelated(key, key.predecessorId),
      findRelated(key, key.successorId),
    ]);
    const beside =
      key.state === 'revoked'
        ? ''
        : html`<div class="columns__part">${may(context, 'keys') ? keyActions(context, key) : ''}
${section(text.keys.samples, html`${paragraph(text.keys.samplesHint)}${codeSamples(context, text.keys.placeholder)}`)}</div>`;
    const body = html`${query.has('revoked') ? announcement(text.revoke.done) : ''}
${query.has('saved') ? announcement(text.editKey.done) : ''}
${query.has('found') ? foundNote(context, key) : ''}
${exhaustionWarning(context, key)}
<div class="columns">
<div class="columns__part">${facts(context, key, predecessor, successor)}</div>
${beside}
</div>
${await usageSections(admin, context, key)}`;
    return { title: key.name, body };
  }

  function exhaustionWarning({ text, format, nowMs }: TenantContext, key: StoredKey): SafeHtml | string {
    if (key.state !== 'active' || countRemaining(key, rateLimit) > 0) return '';
    const { limitExhausted, limitExhaustedHint } = text.keys;
    const end = format.relativeTime(key.windowEndsAt, nowMs);
    return alert(
      'warning',
      limitExhausted,
      paragraph(limitExhaustedHint(format.timeText(key.windowEndsAt), end)),
    );
  }

  const findRelated = ({ organizationId }: StoredKey, id: string | null) =>
    id === null ? undefined : store.findKey(organizationId, id);

  function facts(
    context: TenantContext,
    key: StoredKey,
    predecessor: StoredKey | undefined,
    successor: StoredKey | undefined,
  ): SafeHtml {
    const { text, format } = context;
    const limit = format.number(key.requestLimit ?? rateLimit);
    const interval = format.interval(rateWindowMs);
    return descriptionList([
      [text.keys.prefix, html`<code>${key.prefix}</code>`],
      [text.terms.status, keyBadges(key, context)],
      ...optionalLines.map(
        (field) =>
          key[field] !== null && ([text.keyFields[field].label, userText(String(key[field]))] as const),
      ),
      key.state === 'active' && [text.keys.thisWindow, windowUsage(key, context, rateLimit)],
      [
        text.keyFields.requestLimit.label,
        key.requestLimit === null
          ? text.keys.defaultLimit(limit, interval)
          : text.keys.ownLimit(limit, interval),
      ],
      [text.keys.lastUsed, key.lastUsedAt === null ? text.keys.never : format.time(key.lastUsedAt)],
      [text.keys.expires, key.expiresAt === null ? text.keys.noExpiry : format.time(key.expiresAt)],
      key.revokedAt !== null && [text.keys.revokedAt, format.time(key.revokedAt)],
      predecessor !== undefined && [text.keys.predecessor, relatedKey(predecessor, context)],
      successor !== undefined && [text.keys.successor, relatedKey(successor, context)],
      [text.keys.created, html`${format.time(key.createdAt)}, ${actorName(key.createdBy, context)}`],
    ]);
  }

  /** Keys of a rotation have the same name, so the prefix and the day distinguish them. */
  const relatedKey = (key: StoredKey, { format, timeZone }: TenantContext): SafeHtml =>
    link(
      keyPath(key),
      html`<span>${userText(key.name)} (<code>${key.prefix}</code>), ${format.day(toLocalDay(key.createdAt, timeZone))}</span>`,
    );

  function keyActions({ text }: TenantContext, key: StoredKey): SafeHtml {
    const isActive = key.state === 'active';
    return html`<div class="actions">
${actionLink(`${keyPath(key)}/edit`, text.editKey.action)}
${isActive && key.successorId === null ? actionLink(`${keyPath(key)}/rotate`, text.rotate.action) : ''}
${isActive ? actionLink(`${keyPath(key)}/revoke`, text.revoke.action) : ''}
</div>`;
  }

  /** Answers the search for a complete key, which may have leaked. */
  function foundNote(context: TenantContext, key: StoredKey): SafeHtml {
    const { text } = context;
    const title = text.keys.foundKey(key.name);
    if (key.state !== 'active') return alert('info', title, paragraph(text.keys.foundInactive));
    const body = html`${paragraph(keySummary(key), key.contact === null ? '' : html` – ${userText(key.contact)}`)}
${paragraph(text.keys.foundActive)}
${may(context, 'keys') ? actionLink(`${keyPath(key)}/revoke`, text.revoke.action, 'primary') : ''}`;
    return alert('warning', title, body);
  }

  async function revocationPage(context: TenantContext): Promise<Page> {
    const { text } = context;
    const key = await requireKey(admin, context);
    if (key.state === 'revoked') return alreadyRevoked(context, key);
    const body = html`${alert('warning', text.revoke.question, paragraph(keySummary(key)))}
${paragraph(text.revoke.consequence)}
${form(context, formActions(context, text.revoke.action, keyPath(key), 'destructive'))}`;
    return { title: text.revoke.action, parents: [keyLink(key)], body };
  }

  function alreadyRevoked({ text, format }: TenantContext, key: StoredKey): Page {
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
    { path: base, access: 'see', get: keyPage },
    {
      path: `${base}/usage.csv`,
      access: 'see',
      get: async (context) => downloadUsage(admin, context, await requireKey(admin, context)),
    },
    {
      path: `${base}/revoke`,
      access: 'keys',
      requiresRecentAuth: true,
      get: revocationPage,
      post: revoke,
    },
  ];
}
