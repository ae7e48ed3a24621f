import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeenRecords } from '../../src/ingest/records/duplicates/seen-records.ts';

/** More than stay in memory. */
const count = 1_600_000;
const createId = (n: number) => `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`;

test('an import with more ids than fit into memory finds repeated, changed and removed records', () => {
  const seen = createSeenRecords();
  for (let n = 1; n <= count; n += 1) assert.equal(seen.add('submission', createId(n), { n }), 'new');
  for (const n of [1, 1000, count - 1, count]) {
    assert.equal(seen.add('submission', createId(n), { n }), 'same');
    assert.equal(seen.add('submission', createId(n), { n: 0 }), 'different');
    assert.ok(seen.has('submission', createId(n)));
    assert.ok(!seen.has('session', createId(n)));
    seen.forget('submission', createId(n));
    assert.equal(seen.add('submission', createId(n), { n }), 'different');
  }
  assert.ok(!seen.has('submission', createId(count + 1)));
  seen.close();
});
