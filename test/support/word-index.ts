/** Reads the index of words in the database, and checks that its tables agree with each other. */
import assert from 'node:assert/strict';
import type { Sql } from './database.ts';

type Kind = 'submission' | 'session';

const keyLength = 23;
const emptyKey = '00'.repeat(keyLength);

interface SegmentRow {
  segment: number;
  first: Buffer;
  last: Buffer;
  count: number;
  nextNumber: number;
}

const toNumbers = (bytes: Buffer) =>
  Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(2 * index));

/** @returns the keys of the records with each word, and of all records under the empty word */
export async function readWordIndex(
  sql: Sql,
  organizationId: string,
  kind: Kind,
): Promise<Map<string, string[]>> {
  const segments = await sql<SegmentRow>(
    `SELECT segment, first_key AS first, last_key AS last, count, next_number AS "nextNumber" FROM word_segment
    WHERE organization_id = $1 AND kind = $2 ORDER BY first_key`,
    [organizationId, kind],
  );
  const index = new Map<string, string[]>();
  const add = (word: string, keys: readonly string[]) =>
    index.set(word, [...(index.get(word) ?? []), ...keys]);
  let previous = '';
  for (const { segment, first, last, count, nextNumber } of segments) {
    const [from, to] = [first.toString('hex'), last.toString('hex')];
    assert.ok(previous < from && from <= to, `segment ${segment} overlaps with another one`);
    previous = to;
    const rows = await sql<{ keys: Buffer }>(
      'SELECT keys FROM word_segment_keys WHERE organization_id = $1 AND segment = $2 ORDER BY part',
      [organizationId, segment],
    );
    const bytes = Buffer.concat(rows.map(({ keys }) => keys)).toString('hex');
    const keys = bytes.match(/.{46}/g) ?? [];
    assert.equal(keys.length, Number(nextNumber), `segment ${segment}: next_number`);
    const present = keys.filter((key) => key !== emptyKey);
    assert.equal(present.length, Number(count), `segment ${segment}: count`);
    assert.ok(present.length > 0, `segment ${segment} is empty`);
    assert.ok(
      present.every((key) => key >= from && key <= to),
      `segment ${segment} has keys outside`,
    );
    assert.equal(new Set(present).size, present.length, `segment ${segment} has a record twice`);
    add('', present);
    const postings = await sql<{ word: string; numbers: Buffer }>(
      'SELECT word, numbers FROM word_posting WHERE organization_id = $1 AND segment = $2',
      [organizationId, segment],
    );
    for (const { word, numbers } of postings) {
      const own = toNumbers(numbers);
      assert.equal(new Set(own).size, own.length, `segment ${segment}: ${word} has a record twice`);
      for (const number of own)
        assert.notEqual(
          keys[number] ?? emptyKey,
          emptyKey,
          `segment ${segment}: ${word} has a removed record`,
        );
      add(
        word,
        own.map((number) => keys[number] as string),
      );
    }
  }
  for (const keys of index.values()) keys.sort();
  // What no segment has.
  const numbers = segments.map(({ segment }) => Number(segment));
  for (const table of ['word_posting', 'word_segment_keys']) {
    const found = await sql<{ segment: number }>(
      `SELECT DISTINCT segment FROM ${table} WHERE organization_id = $1 AND segment % 2 = $2`,
      [organizationId, kind === 'submission' ? 0 : 1],
    );
    for (const { segment } of found)
      assert.ok(numbers.includes(Number(segment)), `${table}: segment ${segment} is missing`);
  }
  return index;
}
