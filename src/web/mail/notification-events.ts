/** Finds the events that accounts are notified of, and queues one message for each of their readers. */

import type {
  AddressedEvent,
  ExpiringKey,
  MailOutboxStore,
  NotificationEventStore,
} from '../../domain/accounts/mail-outbox.ts';
import { type ApprovalStore, decidingPermissions } from '../../domain/approvals/approval-request.ts';
import {
  findMaintenanceFaults,
  type MaintenanceRunStore,
} from '../../domain/installation/maintenance-run.ts';

const dayMs = 86_400_000;

/** Days before the expiry of a key, shortest first. */
const expiryStages = [3, 14] as const;

const maxStage = Math.max(...expiryStages);

/** A key that reached its limit on fewer of the last seven days is not reported. */
export const minLimitDays = 3;

/** The same key is reported again after this time. */
const limitQuietMs = 21 * dayMs;

/** An account receives one message about imports, and one about maintenance, in this time, with all that need attention. */
const faultQuietMs = dayMs;

/**
 * The reminder that is due for a key. It changes with the expiry, so a key that was extended is announced again. A key that
 * was issued for a week is not announced two weeks before.
 *
 * @returns undefined if none is due
 */
export function getExpiryEvent(
  { expiresAt, createdAt }: Pick<ExpiringKey, 'expiresAt' | 'createdAt'>,
  nowMs: number,
): string | undefined {
  const leftMs = Date.parse(expiresAt) - nowMs;
  if (leftMs <= 0) return undefined;
  const stage = expiryStages.find((days) => leftMs <= days * dayMs);
  if (stage === undefined || Date.parse(expiresAt) - Date.parse(createdAt) <= stage * dayMs) return undefined;
  return `${expiresAt} ${stage} days`;
}

const maxEventsPerStatement = 100;

/** Decisions are reported for this time, in case no process sends emails meanwhile. */
const approvalMailMs = 7 * dayMs;

/** Every event as it is now. Several processes may run it concurrently. @returns the number of queued messages */
export async function queueNotifications(
  store: NotificationEventStore &
    Pick<MailOutboxStore, 'queueNotifications'> &
    Pick<ApprovalStore, 'listCurrentApprovals'> &
    MaintenanceRunStore,
  nowMs: number,
  signal: AbortSignal,
): Promise<number> {
  let queued = 0;
  const queue = async (quietMs: number, events: AddressedEvent[]) => {
    for (let from = 0; from < events.length; from += maxEventsPerStatement) {
      signal.throwIfAborted();
      const batch = events.slice(from, from + maxEventsPerStatement);
      queued += await store.queueNotifications(batch.map((event) => ({ ...event, quietMs })));
    }
  };
  for await (const keys of store.scanExpiringKeys(nowMs, nowMs + maxStage * dayMs)) {
    const events = keys.flatMap(({ organizationId, id, ...key }) => {
      const event = getExpiryEvent(key, nowMs);
      return event === undefined
        ? []
        : [{ organizationId, kind: 'key_expiry' as const, subjectId: id, event }];
    });
    await queue(0, events);
  }
  const today = new Date(nowMs).toISOString().slice(0, 10);
  for await (const keys of store.scanKeysAtLimit(nowMs, minLimitDays))
    await queue(
      limitQuietMs,
      keys.map(({ organizationId, id }) => ({
        organizationId,
        kind: 'key_limit',
        subjectId: id,
        event: today,
      })),
    );
  await queueApprovals(
    await store.listCurrentApprovals(new Date(nowMs - approvalMailMs).toISOString()),
    queue,
  );
  await queueDigests(store, nowMs, queue);
  await queueImportFailures(await store.findLatestImportFaults(nowMs), queue);
  const [latest] = findMaintenanceFaults(await store.listMaintenanceRuns(), nowMs);
  if (latest !== undefined)
    await queue(faultQuietMs, [
      { organizationId: '', kind: 'maintenance_failure', subjectId: '', event: latest.at },
    ]);
  return queued;
}

/** After the end of a day (UTC): an import of its last minutes may still run. */
const digestDelayMs = 3_600_000;

async function queueDigests(
  store: Pick<NotificationEventStore, 'findPublishingOrganizations'>,
  nowMs: number,
  queue: (quietMs: number, events: AddressedEvent[]) => Promise<void>,
): Promise<void> {
  const day = new Date(nowMs - digestDelayMs - dayMs).toISOString().slice(0, 10);
  const publishing = await store.findPublishingOrganizations(day);
  const events = publishing.map(
    ({ organizationId, onlyAccountId }): AddressedEvent => ({
      ...{ organizationId, kind: 'publication_digest', subjectId: '', event: day },
      ...(onlyAccountId !== null && { exceptAccountId: onlyAccountId }),
    }),
  );
  await queue(0, events);
}

/** To those who may approve, and to the person who has asked. Nobody needs a message about their own withdrawal. */
async function queueApprovals(
  requests: Awaited<ReturnType<ApprovalStore['listCurrentApprovals']>>,
  queue: (quietMs: number, events: AddressedEvent[]) => Promise<void>,
): Promise<void> {
  const events = requests
    .filter(({ state, askedBy, decidedBy }) => state !== 'withdrawn' || decidedBy !== askedBy)
    .map(({ organizationId, id, kind, state, askedAccountId }): AddressedEvent => {
      const about = { organizationId, subjectId: id, event: state };
      const permission = decidingPermissions[kind];
      return state === 'open'
        ? { ...about, kind: 'approval_asked', permission, exceptAccountId: askedAccountId }
        : { ...about, kind: 'approval_decided', onlyAccountId: askedAccountId };
    });
  await queue(0, events);
}

async function queueImportFailures(
  latestMs: ReadonlyMap<string, number>,
  queue: (quietMs: number, events: AddressedEvent[]) => Promise<void>,
): Promise<void> {
  if (latestMs.size === 0) return;
  const events = [...latestMs, ['', Math.max(...latestMs.values())] as const].map(
    ([organizationId, beganMs]): AddressedEvent => ({
      organizationId,
      kind: 'import_failure',
      subjectId: '',
      event: new Date(beganMs).toISOString(),
    }),
  );
  await queue(faultQuietMs, events);
}
