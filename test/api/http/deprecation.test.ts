/** A server with a deprecated operation: `docs/versioning.md` declares it the same way. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Operation, operations } from '../../../src/contract/operations.ts';
import { forgetContract } from '../../support/contract.ts';
import { createFixture } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';
import { missingId } from '../../support/records.ts';

const deprecated: Operation = operations.getSubmission;
deprecated.deprecated = { since: '2026-01-01', sunset: '2027-01-01', link: '/docs' };
after(() => {
  delete deprecated.deprecated;
  forgetContract();
});

const fixture = await createFixture({ after });
const server = await fixture.startServer({ ROSTRA_CORS_ORIGINS: 'https://data.example.org' });
const path = '/api/v1/submissions';

const names = ['deprecation', 'sunset', 'link'];
const expected = [
  '@1767225600',
  'Fri, 01 Jan 2027 00:00:00 GMT',
  '</docs>; rel="deprecation"; type="text/html"',
];

test('every response of a deprecated operation has its two dates and the page with the reason', async () => {
  const { json } = await server.get('/submissions?limit=1', { key: fixture.alice });
  for (const [target, options, status] of [
    [`${path}/${json.data[0].id}`, { key: fixture.alice }, 200],
    [`${path}/${json.data[0].id}`, { key: fixture.alice, method: 'HEAD' }, 200],
    // Repeated, so it comes from the response cache.
    [`${path}/${json.data[0].id}`, { key: fixture.alice }, 200],
    [`${path}/${missingId}`, { key: fixture.alice }, 404],
    [`${path}/${missingId}?limit=1`, { key: fixture.alice }, 400],
    [`${path}/${missingId}`, {}, 401],
  ] as const) {
    const { headers, status: actual } = await sendRequest(server.port, target, options);
    assert.equal(actual, status);
    assert.deepEqual(
      names.map((name) => headers[name]),
      expected,
      target,
    );
  }
});

test('other operations and unknown paths have no such headers', async () => {
  for (const target of [path, '/api/v1/health', '/api/v1/nothing', '/docs']) {
    const { headers } = await sendRequest(server.port, target, { key: fixture.alice });
    assert.deepEqual(
      names.filter((name) => name in headers),
      [],
      target,
    );
  }
});

test('the OpenAPI document marks the deprecated operation and describes its headers', async () => {
  const { json } = await server.get('/openapi.json');
  const marked = Object.entries<{ get: { deprecated?: true; responses: object } }>(json.paths).filter(
    ([, { get }]) => get.deprecated,
  );
  assert.deepEqual(
    marked.map(([marked]) => marked),
    ['/submissions/{id}'],
  );
  const { headers } = json.paths['/submissions/{id}'].get.responses['200'];
  for (const [index, name] of ['Deprecation', 'Sunset', 'Link'].entries()) {
    assert.deepEqual(headers[name], { $ref: `#/components/headers/${name}` });
    const { schema } = json.components.headers[name];
    assert.match(expected[index] as string, new RegExp(schema.pattern));
  }
});

test('web pages of allowed origins can read the headers', async () => {
  const { headers } = await sendRequest(server.port, `${path}/${missingId}`, {
    key: fixture.alice,
    headers: { origin: 'https://data.example.org' },
  });
  assert.match(headers['access-control-expose-headers'] ?? '', /Deprecation, Sunset, Link/);
});
