import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createMalformedRequests } from '../../support/malformed-requests.ts';
import { isNightly } from '../../support/nightly.ts';
import { createSeededRandom } from '../../support/records.ts';

const { server, alice } = await createFixtureWithServer({ after });

const requestCount = isNightly ? 200_000 : 800;
const random = createSeededRandom(20_260_301);
const randomBelow = (bound: number) => Math.floor(random() * bound);
const pick = <Item>(items: readonly Item[]): Item => items[randomBelow(items.length)] as Item;
const createMalformedRequest = createMalformedRequests(random, alice);

/** The documentation page is not part of the API, so it lacks the standard headers. */
const isDocsRequest = (bytes: string) => /docs/.test(bytes);

test(`${requestCount} malformed requests: every response has the standard headers, none is 5xx, the server keeps running`, async () => {
  const requests = Array.from({ length: requestCount }, createMalformedRequest).filter(
    (bytes) => !isDocsRequest(bytes),
  );
  const statuses = new Map<number, number>();
  const client = async () => {
    for (let bytes = requests.pop(); bytes !== undefined; bytes = requests.pop()) {
      const head = bytes.includes('HEAD');
      const { responses } = await server
        .sendRaw(bytes, { end: true, ...(head ? { head } : {}) })
        .catch((error) => {
          throw new Error(`${JSON.stringify((bytes as string).slice(0, 400))}: ${error.message}`, {
            cause: error,
          });
        });
      for (const { status } of responses) {
        assert.ok(status < 500, JSON.stringify(bytes.slice(0, 400)));
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
  // The test is meaningful only if the damage causes many kinds of errors.
  for (const status of [200, 400, 401, 404, 405, 414, 431]) {
    assert.ok(
      (statuses.get(status) ?? 0) > 0,
      `no response has status ${status}: ${JSON.stringify([...statuses])}`,
    );
  }
  assert.equal((await server.get('/health')).status, 200);
  assert.equal((await server.get('/me', { key: alice })).status, 200);
});

test(`${requestCount} random queries return 200 or 400`, async () => {
  const pieces = [
    'limit',
    'cursor',
    'status',
    'topic',
    'submission_id',
    '=',
    '&',
    '5',
    '%',
    '%41',
    '%00',
    '%ff',
    '%F0%9F%8C%B3',
    '+',
    ';',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '__proto__',
    '.',
    '-1',
    '1e9',
    'in_review',
  ];
  for (let turn = 0; turn < requestCount; turn += 1) {
    const query = Array.from({ length: randomBelow(8) }, () => pick(pieces)).join('');
    const path = pick(['/submissions', '/sessions', '/support', '/me']);
    const { status } = await server.get(`${path}?${query}`, { key: alice });
    assert.ok(status === 200 || status === 400, `${path}?${query}: ${status}`);
  }
});
