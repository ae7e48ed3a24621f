import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openStore } from '../../src/store/open.ts';
import { createCliWorkspace } from '../support/cli-workspace.ts';
import { storeDefaults } from '../support/database.ts';

test('the database keeps the last run of each kind of maintenance, and the time of its last success', async (t) => {
  const { database } = await createCliWorkspace(t);
  const store = await openStore({ ...storeDefaults, database });
  t.after(() => store.close());
  assert.deepEqual(await store.listMaintenanceRuns(), []);
  const at = (minute: number) => ({
    startedAt: `2026-03-01T09:${minute}:00.000Z`,
    finishedAt: `2026-03-01T09:${minute}:30.000Z`,
  });
  const failure = { ...at(10), kind: 'prune', outcome: 'failed', detail: { error: 'no space' } } as const;
  await store.recordMaintenanceRun(failure);
  const success = { ...at(11), kind: 'backup', outcome: 'succeeded', detail: { bytes: 7 } } as const;
  await store.recordMaintenanceRun(success);
  assert.deepEqual(await store.listMaintenanceRuns(), [
    { ...success, lastSuccessAt: success.finishedAt },
    { ...failure, lastSuccessAt: null },
  ]);
  const later = { ...failure, ...at(12), kind: 'backup' } as const;
  await store.recordMaintenanceRun(later);
  assert.deepEqual((await store.listMaintenanceRuns())[0], { ...later, lastSuccessAt: success.finishedAt });
});
