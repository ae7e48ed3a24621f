/** Runs in the import history, without an import. */
import assert from 'node:assert/strict';
import type { Actor } from '../../src/domain/accounts/actor.ts';
import type { ImportHistoryStore, RunLease } from '../../src/domain/runs/run-history.ts';
import type { ImportSource } from '../../src/domain/sources/import-source.ts';
import { waitUntil } from './wait-until.ts';

interface RecordedRun {
  organizationId: string;
  format: string;
  sources: string;
  /** Default: that of the format without a name. */
  source?: ImportSource;
}

const latest = new Map<string, RunLease>();

/** A run that has begun. It holds the lease of its municipality until the next one begins. */
export async function beginRun(
  store: ImportHistoryStore,
  { organizationId, format, sources, source = { format, name: '' } }: RecordedRun,
  by?: Actor,
): Promise<RunLease> {
  const earlier = latest.get(organizationId);
  if (earlier !== undefined) await store.releaseRun(earlier);
  const lease = await store.acquireRun({ organizationId, source, sources }, by);
  assert.ok(lease, 'another run holds the lease');
  latest.set(organizationId, lease);
  await store.startRun(lease);
  return lease;
}

const acquireLease = (store: ImportHistoryStore, organizationId: string, name: string) =>
  store.acquireRun({ organizationId, source: { format: 'table', name }, sources: '' });

/** A run that only holds the lease of its municipality. */
export async function holdLease(
  store: ImportHistoryStore,
  organizationId: string,
  name = '',
): Promise<RunLease> {
  const lease = await acquireLease(store, organizationId, name);
  assert.ok(lease, 'another run holds the lease');
  return lease;
}

/** The same after a process that lives has lost its lease. It may renew it once more before. */
export async function takeOverLease(store: ImportHistoryStore, organizationId: string): Promise<RunLease> {
  const taken: RunLease[] = [];
  await waitUntil('the lease', async () => {
    const lease = await acquireLease(store, organizationId, '');
    if (lease) taken.push(lease);
    return taken.length > 0;
  });
  return taken[0] as RunLease;
}
