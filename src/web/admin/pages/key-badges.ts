/** The state of a key and what needs attention, as badges of its page and filters of the list. */

import type { KeyState, KeySummary } from '../../../domain/keys/stored-key.ts';
import { expirySoonMs, unusedAfterMs } from '../../../domain/organizations/organization-overview.ts';
import { badge } from '../../ui/components.ts';
import { toLocalDay } from '../../ui/formatter.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { PageContext } from '../requests/page-context.ts';

const dayMs = 86_400_000;

const stateTones = { active: 'success', expired: 'warning', revoked: 'danger' } as const;
export const keyStates = Object.keys(stateTones) as KeyState[];

/** By the value of the filter. */
const conditions = {
  expiring: ({ state, expiresAt, successorId }: KeySummary, nowMs: number) =>
    state === 'active' &&
    successorId === null &&
    expiresAt !== null &&
    Date.parse(expiresAt) <= nowMs + expirySoonMs,
  replaced: ({ successorId }: KeySummary) => successorId !== null,
  never: ({ lastUsedAt }: KeySummary) => lastUsedAt === null,
  /** So long that the key may be obsolete. */
  unused: ({ state, lastUsedAt, createdAt }: KeySummary, nowMs: number) =>
    state === 'active' && Date.parse(lastUsedAt ?? createdAt) < nowMs - unusedAfterMs,
} as const;

type KeyCondition = keyof typeof conditions;
export const keyConditions = Object.keys(conditions) as KeyCondition[];

/** @param filter a state, a condition, or empty for all keys */
export function matchesFilter(key: KeySummary, filter: string, nowMs: number): boolean {
  if (Object.hasOwn(conditions, filter)) return conditions[filter as KeyCondition](key, nowMs);
  return filter === '' || key.state === filter;
}

export function keyBadges(key: KeySummary, context: PageContext): SafeHtml {
  const { text, nowMs } = context;
  const has = (condition: KeyCondition) => conditions[condition](key, nowMs);
  const badges = [
    badge(stateTones[key.state], text.keys.states[key.state]),
    has('expiring') && badge('warning', text.keys.expiresIn(countDays(key.expiresAt as string, context))),
    has('replaced') && badge('info', describeReplacement(key, context)),
    key.state === 'active' && has('never') && badge('info', text.keys.conditions.never),
    has('unused') && badge('warning', text.keys.conditions.unused),
  ];
  return html`<span class="badges">${badges.filter((each) => each !== false)}</span>`;
}

/** Calendar days until then; 0 for today. */
function countDays(timestamp: string, { nowMs, timeZone }: PageContext): number {
  const [today, day] = [new Date(nowMs).toISOString(), timestamp].map((at) => toLocalDay(at, timeZone));
  return Math.round((Date.parse(day as string) - Date.parse(today as string)) / dayMs);
}

function describeReplacement(
  { state, expiresAt }: KeySummary,
  { text, format, timeZone }: PageContext,
): string {
  return state === 'active' && expiresAt !== null
    ? text.keys.replacedUntil(format.day(toLocalDay(expiresAt, timeZone)))
    : text.keys.conditions.replaced;
}
