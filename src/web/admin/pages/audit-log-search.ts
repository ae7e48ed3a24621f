/** Searches the audit log: an index serves one part of the filter, and the events that it finds are compared with the rest. */
import { setImmediate } from 'node:timers/promises';
import type { AuditAction, AuditEvent, AuditLogRange } from '../../../domain/accounts/audit-log.ts';
import { extractKey, getKeyPrefix } from '../../../domain/keys/api-key.ts';
import type { Store } from '../../../domain/store.ts';
import { endOfDay } from '../../ui/formatter.ts';
import type { TimeCursor } from '../../ui/list-page.ts';
import type { PageContext } from '../requests/page-context.ts';

export interface AuditFilter {
  /** undefined: all municipalities and the installation. */
  organizationId: string | undefined;
  actor: string | undefined;
  action: AuditAction | undefined;
  /** Ids of keys. Empty: no key matches. */
  keyIds: ReadonlySet<string> | undefined;
  /** RFC 3339, inclusive. */
  from: string | undefined;
  /** RFC 3339, exclusive. */
  until: string | undefined;
}

/** A batch is read and written as CSV in a few milliseconds. */
const batchSize = 200;

/** Events that a page reads at most, so that it is fast whatever the filter. */
const maxReadPerPage = 10_000;

/** Of the keys whose events an index finds. The events of more keys are found among all events. */
const maxIndexedKeys = 20;

/** Reads the filter from the query. Unknown values of `action`, `from` and `until` are ignored. */
export async function parseAuditFilter(
  store: Store,
  { query, text, timeZone, organization }: PageContext,
): Promise<AuditFilter> {
  const actor = (query.get('actor') ?? '').trim();
  const nameless = Object.entries(text.audit.actors).find(([, shown]) => shown === actor);
  const action = query.get('action') ?? '';
  const key = (query.get('key') ?? '').trim();
  return {
    organizationId: organization?.id,
    actor: actor === '' ? undefined : (nameless?.[0] ?? actor.toLowerCase()),
    action: Object.hasOwn(text.audit.actions, action) ? (action as AuditAction) : undefined,
    keyIds: key === '' ? undefined : await findKeyIds(store, organization?.id, key),
    from: firstMoment(query.get('from') ?? '', timeZone),
    until: momentAfter(query.get('until') ?? '', timeZone),
  };
}

/** Finds keys by id and by prefix, and by name within a municipality. */
async function findKeyIds(store: Store, organizationId: string | undefined, term: string) {
  const isOwn = (key: { organizationId: string }) =>
    organizationId === undefined || key.organizationId === organizationId;
  const exact = (await store.findKeys(getPrefix(term))).filter(isOwn);
  if (exact.length > 0 || organizationId === undefined) return toIds(exact);
  const wanted = term.toLowerCase();
  const named = (await store.listKeySummaries(organizationId)).filter(({ name }) =>
    name.toLowerCase().includes(wanted),
  );
  return toIds(named);
}

const toIds = (keys: readonly { id: string }[]) => new Set(keys.map(({ id }) => id));

function getPrefix(term: string): string {
  const pasted = extractKey(term);
  return pasted === undefined ? term : getKeyPrefix(pasted);
}

const isDay = (date: string) => /^\d{4}-\d\d-\d\d$/.test(date);

function momentAfter(date: string, timeZone: string): string | undefined {
  const end = isDay(date) ? endOfDay(date, timeZone) : undefined;
  return end === undefined ? undefined : new Date(Date.parse(end) + 1).toISOString();
}

function firstMoment(date: string, timeZone: string): string | undefined {
  if (!isDay(date) || Number.isNaN(Date.parse(date))) return undefined;
  const before = new Date(Date.parse(date) - 86_400_000).toISOString();
  return momentAfter(before.slice(0, 10), timeZone);
}

/** Reads the events of an index in batches, newest first. Other requests run between the batches. */
export async function* scanAuditLog(
  store: Store,
  filter: AuditFilter,
  after: TimeCursor | undefined,
): AsyncGenerator<AuditEvent[]> {
  if (filter.keyIds?.size === 0) return;
  const [organizationId, range] = chooseRange(filter);
  for (let cursor = after; ; ) {
    const events = await store.listAuditEvents(organizationId, cursor, batchSize, range);
    yield events;
    cursor = events.at(-1);
    if (events.length < batchSize) return;
    await setImmediate();
  }
}

/** The most selective index. */
function chooseRange(filter: AuditFilter): [organizationId: string | undefined, range: AuditLogRange] {
  const { organizationId, keyIds, actor, action, from, until } = filter;
  if (keyIds !== undefined && keyIds.size <= maxIndexedKeys)
    return [undefined, { from, until, subjectIds: [...keyIds] }];
  return [organizationId, { from, until, ...(actor === undefined ? { action } : { actor }) }];
}

export function matchesFilter(event: AuditEvent, filter: AuditFilter): boolean {
  const { organizationId, actor, action, keyIds } = filter;
  return (
    (organizationId === undefined || event.organizationId === organizationId) &&
    (actor === undefined || event.actor === actor) &&
    (action === undefined || event.action === action) &&
    (keyIds === undefined || (event.subjectId !== null && keyIds.has(event.subjectId)))
  );
}

/** @returns `older`: the page ends here, and older events may follow */
export async function findAuditPage(
  store: Store,
  filter: AuditFilter,
  after: TimeCursor | undefined,
  limit: number,
): Promise<{ events: AuditEvent[]; older: TimeCursor | undefined }> {
  const found: AuditEvent[] = [];
  let read = 0;
  for await (const batch of scanAuditLog(store, filter, after)) {
    for (const event of batch) {
      if (!matchesFilter(event, filter)) continue;
      if (found.length === limit) return { events: found, older: found.at(-1) };
      found.push(event);
    }
    read += batch.length;
    if (read >= maxReadPerPage) return { events: found, older: batch.at(-1) };
  }
  return { events: found, older: undefined };
}
