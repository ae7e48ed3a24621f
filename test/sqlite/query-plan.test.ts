import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findActiveKey } from '../../src/store/sqlite/admit-key.ts';
import { createFixture } from '../support/fixture.ts';

test('the look-up of a key is an index seek by its hash, and one of its municipality', async (t) => {
  const { explain } = await createFixture(t);
  const { seeks, scans, text } = await explain(findActiveKey, [Buffer.alloc(32), '2026-01-01T00:00:00.000Z']);
  assert.deepEqual(scans, [], text);
  assert.deepEqual(
    seeks.map(({ bounds }) => bounds),
    [['secret_hash ='], ['id =']],
  );
});
