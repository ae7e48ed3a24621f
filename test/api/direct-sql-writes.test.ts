import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixture } from '../support/fixture.ts';

const fixture = await createFixture({ after });
const server = await fixture.startServer();
const id = '00000000-0000-4000-8000-00000000abcd';

async function insert(fields: Record<string, string | number | null>): Promise<void> {
  const row = {
    organization_id: fixture.a,
    id,
    created_at: '2026-03-01T09:15:00.000Z',
    status: 'submitted',
    status_changed_at: 'submitted',
    description: 'x',
    ...fields,
  };
  const names = Object.keys(row);
  await fixture.sql(
    `INSERT INTO submission (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}

test('rows written with SQL are published immediately', async () => {
  await insert({});
  const { json } = await server.get(`/submissions/${id}`, { key: fixture.alice });
  assert.equal(json.data.priorityLevel, 'normal');
  await fixture.sql('DELETE FROM submission WHERE id = $1', [id]);
});

/** Errors of constraints and of types. */
const refusal = /constraint|out of range|invalid byte sequence/;

const rejected: [what: string, fields: Record<string, string | number | null>][] = [
  ['an id that is not a UUID', { id: 'z'.repeat(36) }],
  ['an id in upper case', { id: id.toUpperCase() }],
  ['an id of hyphens', { id: '-'.repeat(36) }],
  ['a status with a line break', { status: 'a\nb' }],
  ['a status with a C1 control character', { status: 'a\u0085b' }],
  ['an empty status', { status: '' }],
  ['a status of 201 characters', { status: 'ä'.repeat(201) }],
  ['a topic with NUL', { topic_category_name: 'a\u0000b' }],
  ['an empty reference number', { reference_number: '' }],
  ['a description with NUL', { description: 'a\u0000b' }],
  ['a description of 100,001 characters', { description: 'x'.repeat(100_001) }],
  ['a URL with a space', { protocol_url: 'https://a b' }],
  ['a URL with another scheme', { protocol_url: 'ftp://a' }],
  ['a title of 1,001 characters', { title: 'x'.repeat(1_001) }],
  ['a title with a line break', { title: 'a\nb' }],
  ['a source with another scheme', { source_url: 'javascript:alert(1)' }],
  ['a time without milliseconds', { created_at: '2026-03-01T09:15:00Z' }],
  ['30 February', { created_at: '2026-02-30T09:15:00.000Z' }],
  ['the year 0000', { created_at: '0000-01-01T00:00:00.000Z' }],
  ['a negative count', { support_count: -1 }],
  ['a count beyond 32 bits', { support_count: 2_147_483_648 }],
  ['an invalid flag for attachments', { has_attachments: 2 }],
  ['no status', { status: null }],
];

for (const [what, fields] of rejected) {
  test(`the schema rejects ${what}`, async () => {
    await assert.rejects(insert(fields), refusal);
  });
}

async function insertKey(fields: Record<string, string | number | Buffer | null>): Promise<void> {
  const row = {
    organization_id: fixture.a,
    id,
    secret_hash: Buffer.alloc(32, 1),
    prefix: 'sk_rostra_abcdef',
    name: 'K',
    created_at: '2026-03-01T09:15:00.000Z',
    created_by: 'x',
    ...fields,
  };
  const names = Object.keys(row);
  await fixture.sql(
    `INSERT INTO api_key (${names.join(', ')}) VALUES (${names.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
}

const rejectedKeys: [what: string, fields: Record<string, string | number | Buffer | null>][] = [
  ['a contact with a line break', { contact: 'a\nb' }],
  ['a contact of 201 characters', { contact: 'ä'.repeat(201) }],
  ['an empty purpose', { purpose: '' }],
  ['a purpose with a C1 control character', { purpose: 'a\u0085b' }],
  ['a purpose of 501 characters', { purpose: 'ä'.repeat(501) }],
  ['a key that replaces itself', { predecessor_id: id }],
];

for (const [what, fields] of rejectedKeys) {
  test(`the schema rejects ${what}`, async () => {
    await assert.rejects(insertKey(fields), refusal);
  });
}

test('the schema rejects a second successor of a key', async () => {
  const { id: predecessor } = await fixture.issueKey(fixture.a, { name: 'Old' });
  await insertKey({ predecessor_id: predecessor });
  const other = { id: id.replace(/d$/, 'e'), secret_hash: Buffer.alloc(32, 2) };
  await assert.rejects(insertKey({ ...other, predecessor_id: predecessor }), refusal);
  await insertKey({ ...other, contact: 'ä'.repeat(200), purpose: 'ä'.repeat(500) });
  await fixture.sql('DELETE FROM api_key WHERE id IN ($1, $2)', [id, other.id]);
});

test('the schema rejects time slots after 23:59 and nonexistent dates', async () => {
  const insertSession = (date: string, slot: string | null) =>
    fixture.sql(
      'INSERT INTO session (organization_id, id, date, committee_name, time_slot, created_at) VALUES ($1, $2, $3, $4, $5, $6)',
      [fixture.a, id, date, 'Council', slot, '2026-03-01T09:15:00.000Z'],
    );
  for (const slot of ['24:00', '29:59', '09:00-24:00', '9:00', '09:00-']) {
    await assert.rejects(insertSession('2026-03-01', slot), refusal, slot);
  }
  await assert.rejects(insertSession('2026-02-30', null), refusal);
});
