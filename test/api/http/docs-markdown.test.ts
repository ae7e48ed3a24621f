/** The documentation for programs: Markdown beside each page, /llms.txt, and the responses to unknown addresses. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { operations } from '../../../src/contract/operations.ts';
import { articleFiles } from '../../../src/web/api/docs-page/article-files.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';

const { server, startServer } = await createFixtureWithServer({ after });
const paths = [...articleFiles.keys()];

const get = (path: string, accept?: string, port = server.port) =>
  sendRequest(port, path, accept === undefined ? {} : { headers: { accept } });

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

test('each page has the same as Markdown at its address with .md, and names it', async () => {
  for (const path of paths) {
    const page = await get(path, browser);
    assert.ok(page.text.includes(`<link rel="alternate" type="text/markdown" href="${path}.md">`), path);
    const { status, headers, text } = await get(`${path}.md`);
    assert.deepEqual([status, headers['content-type']], [200, 'text/markdown; charset=utf-8'], path);
    const title = /^# (.+)$/m.exec(text)?.[1];
    assert.ok(title !== undefined && page.text.includes(`>${title}</h1>`), path);
    assert.doesNotMatch(text, /<!--|127\.0\.0\.1:8080/);
  }
});

test('a client that prefers Markdown gets it at the address of the page, and the response varies by Accept', async () => {
  for (const [accept, type] of [
    ['text/markdown, text/html, */*', 'markdown'],
    ['text/html;q=0.5, TEXT/Markdown;q=0.9', 'markdown'],
    ['text/markdown;q=0.5, text/html', 'html'],
    ['text/markdown;q=0', 'html'],
    [browser, 'html'],
    ['*/*', 'html'],
    [undefined, 'html'],
  ] as const)
    for (const path of paths) {
      const { headers } = await get(path, accept);
      assert.equal(headers['content-type'], `text/${type}; charset=utf-8`, `${path} ${accept}`);
      assert.match(headers.vary ?? '', /(^|, )Accept(,|$)/);
    }
  assert.doesNotMatch((await get('/docs.md')).headers.vary ?? '', /(^|, )Accept(,|$)/);
});

test('the Markdown of the guide has every operation with its request, parameters and fields', async () => {
  const { text } = await get('/docs.md');
  for (const { path, summary, query } of Object.values(operations)) {
    const section = text.split(`#### ${summary}\n\n\`GET ${path}\``)[1]?.split('\n#### ')[0];
    assert.ok(section !== undefined, path);
    assert.match(section, /```sh\ncurl -sS "http:\/\/127\.0\.0\.1:\d+\/api\/v1\//);
    for (const name of Object.keys(query ?? {}))
      assert.ok(section.includes(`\n- \`${name}\` (`), `${path} ${name}`);
  }
  assert.match(text, /#### Submission\n\n[^#]+\n- `supportCount` \(integer\): /);
});

/** Targets of the links outside of code, without anchors. */
const listLinks = (text: string) => [
  ...new Set(
    [...text.replaceAll(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)#\s]+)/g)].map(
      ([, link]) => link as string,
    ),
  ),
];

test('the links of the Markdown and of /llms.txt lead to this installation', async () => {
  let found = 0;
  for (const path of [...paths.map((path) => `${path}.md`), '/llms.txt'])
    for (const link of listLinks((await get(path)).text)) {
      if (!link.startsWith(server.address)) {
        assert.match(link, /^https:\/\/(?!127)/, `${path} ${link}`);
        continue;
      }
      found += 1;
      assert.equal((await get(link.slice(server.address.length))).status, 200, `${path} ${link}`);
    }
  assert.ok(found > 30);
});

// https://llmstxt.org
test('/llms.txt has a title, a quotation, and lists of links with the base URL of the installation', async () => {
  const { port } = await startServer({ ROSTRA_PUBLIC_URL: 'https://daten.stadt.example' });
  const { status, headers, text } = await get('/llms.txt', undefined, port);
  assert.deepEqual([status, headers['content-type']], [200, 'text/plain; charset=utf-8']);
  const [, title, quotation, rest = ''] = /^# (.+)\n\n> (.+)\n\n([\s\S]+)$/.exec(text) ?? [];
  assert.ok(title?.startsWith('Rostra API') && quotation !== undefined);
  const [, documentation = '', optional = ''] = rest.split(/^## .+$/m);
  for (const path of paths)
    assert.match(
      documentation,
      new RegExp(`^- \\[.+\\]\\(https://daten\\.stadt\\.example${path}\\.md\\): .+\\.$`, 'm'),
    );
  assert.match(documentation, /\(https:\/\/daten\.stadt\.example\/api\/v1\/openapi\.json\)/);
  assert.match(optional, /list-submissions\.sh/);
});

test('/llms.txt names the catalogue of open data only where the installation has one', async () => {
  const { port } = await startServer({ ROSTRA_PUBLIC_URL: 'https://daten.stadt.example' });
  for (const [at, hasCatalog] of [
    [port, true],
    [server.port, false],
  ] as const) {
    assert.equal((await get('/open/catalog.jsonld', undefined, at)).status, hasCatalog ? 200 : 503);
    assert.equal((await get('/llms.txt', undefined, at)).text.includes('catalog.jsonld'), hasCatalog);
  }
});

test('an unknown address below /docs is a page with links for browsers, and JSON for programs', async () => {
  for (const path of [
    '/docs/apo',
    '/docs/samples/',
    '/docs/index.html',
    '/docs/assets/0/x.js',
    '/docs/%3Cscript%3E',
  ]) {
    const { status, headers, text } = await get(path, browser);
    assert.deepEqual([status, headers['content-type']], [404, 'text/html; charset=utf-8'], path);
    assert.match(headers['content-security-policy'] ?? '', /default-src 'none'/);
    for (const known of paths) assert.ok(text.includes(`href="${known}"`), known);
    assert.doesNotMatch(text, /apo|index\.html|%3C/);
    for (const accept of [undefined, '*/*', 'application/json']) {
      const response = await get(path, accept);
      assert.equal(response.status, 404);
      assert.equal(JSON.parse(response.text).code, 'NOT_FOUND');
    }
  }
});
