import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { operations } from '../../../src/contract/operations.ts';
import { docsPaths, listDocsFiles } from '../../../src/web/api/docs-page/docs-page.ts';
import { mcpPath } from '../../../src/web/api/mcp/mcp-route.ts';
import { createRouter } from '../../../src/web/api/router.ts';
import { securityTxtPath } from '../../../src/web/api/security-txt.ts';
import { listPageFiles } from '../../../src/web/open/pages/page-layout.ts';
import { createFixture } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';
import { formatSubmissionId } from '../../support/records.ts';

const fixture = await createFixture({ after });

/** Paths that need no key. */
const publicRoutes = [
  '/api/v1/health',
  '/api/v1/openapi.json',
  ...docsPaths,
  ...listDocsFiles().map(({ path }) => path),
  ...listPageFiles().map(({ path }) => path),
  '/robots.txt',
  '/.well-known/api-catalog',
  '/ready',
];

/** Public, and 404 for everything but the present logos, colours, and what municipalities publish for everyone. */
const fileRoutes = ['/logos/:id', '/open', '/open/*', '/open/assets/colors/:id', '/docs/*'];

const redirects = ['/', '/docs/', '/openapi.json'];

const { paths } = createRouter({
  store: fixture.store,
  publicUrl: undefined,
  corsOrigins: [],
  mcp: true,
  footerUrls: { imprint: undefined, privacy: undefined, accessibility: undefined },
  keyContact: undefined,
  security: undefined,
  mount: undefined,
  openData: {
    addresses: [],
    respond: async () => undefined,
    respondNotFound: () => undefined,
    respondWithApiCatalog: () => Promise.reject(),
    sweep: async () => undefined,
    takeDown: async () => undefined,
  },
  metrics: undefined,
  isReady: () => true,
  respond: () => undefined,
  startKeyless: () => undefined,
  fail: () => undefined,
  rejectEarly: () => undefined,
  respondWhenDone: () => undefined,
  limitTime: (_context, work) => work,
});
const server = await fixture.startServer({ ROSTRA_PUBLIC_URL: 'https://api.example' });
const createUrl = (path: string) => path.replace(':id', formatSubmissionId(1));

const ofContract = Object.values(operations).map(({ path }) => `/api/v1${path.replace('{id}', ':id')}`);

test('only the operations and the OpenAPI document are below /api/v1', () => {
  const below = paths.filter((path) => path.startsWith('/api/v1'));
  assert.deepEqual(below.toSorted(), [...ofContract, '/api/v1/openapi.json'].toSorted());
});

test('the server responds to the operations of the contract and to the public paths only', () => {
  const expected = new Set([...ofContract, ...publicRoutes, ...redirects, ...fileRoutes, mcpPath]);
  assert.deepEqual(paths.toSorted(), [...expected].toSorted());
});

for (const path of paths) {
  if (publicRoutes.includes(path)) {
    test(`${path} is public`, async () => {
      assert.equal((await sendRequest(server.port, path)).status, 200);
    });
  } else if (fileRoutes.includes(path)) {
    test(`${path} is public`, async () => {
      assert.equal((await sendRequest(server.port, createUrl(path))).status, 404);
    });
  } else if (path === mcpPath) {
    test(`${path} requires a key, and POST`, async () => {
      const withoutKey = await sendRequest(server.port, path, { method: 'POST', body: '{}' });
      assert.equal(withoutKey.status, 401);
      const { status, headers } = await sendRequest(server.port, path, { key: fixture.alice });
      assert.deepEqual([status, headers.allow], [405, 'POST']);
    });
  } else if (redirects.includes(path)) {
    test(`${path} leads to the documentation`, async () => {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, text } = await sendRequest(server.port, path, { method });
        assert.deepEqual(
          [status, headers.location, text],
          [302, path === '/openapi.json' ? '/api/v1/openapi.json' : '/docs', ''],
        );
      }
      assert.equal((await server.get(path, { absolute: true, method: 'POST' })).status, 405);
    });
  } else {
    test(`${path} requires a key`, async () => {
      assert.equal((await server.get(createUrl(path), { absolute: true })).status, 401);
      assert.equal((await server.get(createUrl(path), { absolute: true, method: 'HEAD' })).status, 401);
      const { status } = await server.get(createUrl(path), { absolute: true, key: fixture.alice });
      assert.ok([200, 404].includes(status));
    });
  }
}

// https://www.rfc-editor.org/rfc/rfc9116#section-2.5
test('security.txt has the contacts in their order, and the end of the last day', async () => {
  const { port } = await fixture.startServer({
    ROSTRA_SECURITY_CONTACTS: 'sicherheit@bücher.example, https://stadt.example/sicherheit, tel:+49-721-1330',
    ROSTRA_SECURITY_EXPIRES: '2027-06-30',
  });
  const { status, headers, text } = await sendRequest(port, securityTxtPath);
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  assert.equal(
    text,
    [
      'Contact: mailto:sicherheit@xn--bcher-kva.example',
      'Contact: https://stadt.example/sicherheit',
      'Contact: tel:+49-721-1330',
      'Expires: 2027-06-30T23:59:59Z',
      '',
    ].join('\n'),
  );
  assert.equal((await sendRequest(port, securityTxtPath, { method: 'POST' })).status, 405);
});

test('security.txt is missing without contacts', async () => {
  assert.equal((await sendRequest(server.port, securityTxtPath)).status, 404);
});

test('the OpenAPI document has exactly the paths of the specification and the extensions, each with GET only', async () => {
  const { json } = await server.get('/openapi.json');
  assert.deepEqual(Object.keys(json.paths), [
    '/health',
    '/me',
    '/submissions',
    '/submissions/{id}',
    '/sessions',
    '/sessions/{id}',
    '/support',
    '/surveys/{id}/results',
    '/surveys',
    '/statistics',
    '/search/submissions',
    '/search/sessions',
    '/facets',
    '/organization',
    '/changes',
  ]);
  for (const item of Object.values(json.paths)) assert.deepEqual(Object.keys(item as object), ['get']);
});

test('the server returns no files of its machine', async () => {
  const self = fileURLToPath(import.meta.url);
  for (const path of [
    '/docs/../src/main.ts',
    '/docs/%2e%2e/package.json',
    '/docs/..%5cpackage.json',
    `/docs/${self}`,
    '/docs/assets/docs.css',
    '/docs/assets/0123456789abcdef/docs.css',
    `${listDocsFiles()[0]?.path}/../../../../package.json`,
    '/docs/package.json',
  ]) {
    assert.equal((await server.get(path, { absolute: true })).status, 404, path);
  }
});
