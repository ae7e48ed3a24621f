/** One key: what is known of it, and revoking it. */
import { html } from '@remix-run/html-template';
import type { DailyKeyUsage } from '../../domain/administration.ts';
import type { KeyRecord } from '../../domain/store.ts';
import { actorOf, type MunicipalVisit } from '../request-context.ts';
import { type Answer, notFound, type Page } from '../response.ts';
import type { Route, Site } from '../routes.ts';
import { columnChart } from '../ui/chart.ts';
import {
  actionLink,
  actorName,
  alert,
  announcement,
  button,
  chosenName,
  descriptionList,
  form,
  paragraph,
  table,
} from '../ui/components.ts';
import { stateBadges, windowUse } from './key-list.ts';

const shownDays = 30;
const dayMs = 86_400_000;

/** @throws PageFailure when the municipality has no such key */
export async function keyOf({ store }: Site, visit: MunicipalVisit): Promise<KeyRecord> {
  const key = await store.findKey(visit.organization.id, visit.parameters.keyId?.toLowerCase() ?? '');
  if (key === undefined) throw notFound();
  return key;
}

/** The name as a person reads it in a sentence, with what tells keys of one name apart. */
export const described = ({ name, prefix }: KeyRecord) =>
  html`<q>${chosenName(name)}</q> (<code>${prefix}</code>)`;

export function keyPath({ organizationId, id }: Pick<KeyRecord, 'organizationId' | 'id'>): string {
  return `/admin/organizations/${organizationId}/keys/${id}`;
}

export function keyRoutes(site: Site): Route[] {
  const { store, rateLimit } = site;

  async function show(visit: MunicipalVisit): Promise<Page> {
    const { text, format, query, nowMs } = visit;
    const key = await keyOf(site, visit);
    const since = new Date(nowMs - (shownDays - 1) * dayMs).toISOString().slice(0, 10);
    const days = await store.listDailyUsage(key.organizationId, key.id, since);
    const limit = format.number(key.requestLimit ?? rateLimit);
    const facts = descriptionList([
      [text.keys.prefix, html`<code>${key.prefix}</code>`],
      [text.keys.state, stateBadges(key, visit)],
      ...(key.state === 'active'
        ? [[text.keys.thisWindow, windowUse(key, visit, rateLimit)] as [string, ReturnType<typeof html>]]
        : []),
      [text.keys.limit, key.requestLimit === null ? text.keys.usualLimit(limit) : text.keys.ownLimit(limit)],
      [text.keys.lastUsed, key.lastUsedAt === null ? text.keys.never : format.time(key.lastUsedAt)],
      [text.keys.expires, key.expiresAt === null ? text.keys.neverExpires : format.time(key.expiresAt)],
      ...(key.revokedAt === null
        ? []
        : [[text.keys.revokedAt, format.time(key.revokedAt)] as [string, ReturnType<typeof html>]]),
      [text.keys.created, html`${format.time(key.createdAt)}, ${actorName(key.createdBy, visit)}`],
    ]);
    const actions =
      key.state === 'active'
        ? html`<div class="actions">${actionLink(`${keyPath(key)}/rotate`, text.rotate.action)} ${actionLink(`${keyPath(key)}/revoke`, text.revoke.action)}</div>`
        : '';
    const body = html`${query.has('revoked') ? announcement(text.revoke.done) : ''}${facts}${actions}${use(visit, days)}`;
    return { title: key.name, body };
  }

  function use({ text, format, nowMs }: MunicipalVisit, days: readonly DailyKeyUsage[]) {
    const byDay = new Map(days.map((day) => [day.day, day]));
    const all = Array.from({ length: shownDays }, (_, back): DailyKeyUsage => {
      const day = new Date(nowMs - (shownDays - 1 - back) * dayMs).toISOString().slice(0, 10);
      return byDay.get(day) ?? { day, answered: 0, rejected: 0 };
    });
    if (days.length === 0)
      return html`<h2 class="kern-heading-medium">${text.use.title}</h2>${paragraph(text.use.none)}`;
    const chart = columnChart(
      text.use.chart,
      all.map(({ day }) => format.dayOfMonth(day)),
      [
        { name: text.use.answered, color: 'plain', values: all.map(({ answered }) => answered) },
        { name: text.use.refused, color: 'warning', values: all.map(({ rejected }) => rejected) },
      ],
      format.number,
    );
    const rows = all
      .toReversed()
      .map(({ day, answered, rejected }) => [
        format.day(day),
        format.number(answered),
        format.number(rejected),
      ]);
    const figures = table(
      text.use.title,
      [
        { heading: text.use.day },
        { heading: text.use.answered, numeric: true },
        { heading: text.use.refused, numeric: true },
      ],
      rows,
      { hideCaption: true, narrow: true },
    );
    return html`<h2 class="kern-heading-medium">${text.use.title}</h2>${paragraph(text.use.delay)}${chart}${figures}`;
  }

  async function askToRevoke(visit: MunicipalVisit): Promise<Page> {
    const { text } = visit;
    const key = await keyOf(site, visit);
    if (key.state === 'revoked') return alreadyRevoked(visit, key);
    const body = html`${alert('warning', text.revoke.question, paragraph(described(key)))}
${paragraph(text.revoke.consequence)}
${form(visit, html`<div class="actions">${button(text.revoke.action)} ${actionLink(keyPath(key), text.form.cancel)}</div>`)}`;
    return { title: text.revoke.title, body };
  }

  function alreadyRevoked({ text, format }: MunicipalVisit, key: KeyRecord): Page {
    const body = html`${alert('info', text.revoke.before, paragraph(described(key), ' – ', format.time(key.revokedAt)))}
${actionLink(keyPath(key), text.revoke.toKey)}`;
    return { title: text.revoke.title, body };
  }

  async function revoke(visit: MunicipalVisit): Promise<Answer> {
    const key = await keyOf(site, visit);
    const revokedNow = await store.revokeKey(key, actorOf(visit));
    return revokedNow ? { to: `${keyPath(key)}?revoked=1` } : alreadyRevoked(visit, await keyOf(site, visit));
  }

  const base = '/admin/organizations/:organizationId/keys/:keyId';
  return [
    { path: base, for: 'municipality', show },
    { path: `${base}/revoke`, for: 'municipality', fresh: true, show: askToRevoke, submit: revoke },
  ];
}
