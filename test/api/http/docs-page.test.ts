import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { addAxe, describeViolation, measurePage } from '../../support/accessibility-checks.ts';
import { launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { checkout } from '../../support/checkout.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { sendRequest } from '../../support/http-client.ts';
import { formatSubmissionId } from '../../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, alice } = fixture;
const { json: contract } = await server.get('/openapi.json');
const operationIds = Object.values<{ get: { operationId: string } }>(contract.paths).map(
  ({ get }) => get.operationId,
);

const browser = await launchBrowser({ after });

interface Visit {
  page: Page;
  /** URLs that the page requested. */
  requested: string[];
  /** Errors and warnings in the browser console. */
  complaints: string[];
}

async function openDocsPage(options: Parameters<Browser['newContext']>[0] = {}): Promise<Visit> {
  const context = await openBrowserContext(browser, options);
  await addAxe(context);
  const page = await context.newPage();
  const requested: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => requested.push(request.url()));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('requestfailed', (request) => complaints.push(`${request.url()}: ${request.failure()?.errorText}`));
  await page.goto(`${server.address}/docs`);
  return { page, requested, complaints };
}

/** Sends the form of an operation. @returns the status and the body that the page shows */
async function tryOperation(page: Page, operationId: string, values: Record<string, string> = {}) {
  const operation = page.locator('section.operation', { has: page.locator(`#${operationId}`) });
  const panel = operation.locator('details.try-out');
  if ((await panel.getAttribute('open')) === null) await panel.locator('summary').click();
  for (const [name, value] of Object.entries(values))
    await panel.getByLabel(name, { exact: true }).fill(value);
  await panel.getByRole('button', { name: 'Send request' }).click();
  await panel.getByRole('status').filter({ hasText: 'Status' }).waitFor();
  return {
    status: await panel.getByRole('status').textContent(),
    body: (await operation.locator('[data-response] code').textContent()) ?? '',
  };
}

for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [320, 1280]) {
    test(`the page is accessible and fits the window (${colorScheme}, ${width} pixels wide)`, async () => {
      const { page } = await openDocsPage({ colorScheme, viewport: { width, height: 800 } });
      for (const summary of await page.locator('main details > summary').all())
        await summary.evaluate((element) => element.parentElement?.setAttribute('open', ''));
      // The contrast of a page of this length takes most of the time.
      const { violations, overflow } = await measurePage(page);
      assert.deepEqual(violations.map(describeViolation), []);
      assert.ok(overflow <= 0, 'the page is wider than the window');
      const background = await page.evaluate('getComputedStyle(document.body).backgroundColor');
      assert.equal(background, colorScheme === 'dark' ? 'oklch(0 0 0)' : 'oklch(1 0 0)');
      await page.context().close();
    });
  }
}

/** Paths below /docs, with an anchor, to which the guide links. */
async function listArticleLinks(): Promise<string[]> {
  const { text } = await sendRequest(server.port, '/docs');
  const guide = text.slice(text.indexOf('<main'), text.indexOf('</main>'));
  return [...new Set([...guide.matchAll(/href="(\/docs\/[^"]+)"/g)].map(([, link]) => link as string))];
}

test('the articles that the guide links to have the linked sections and lead back', async () => {
  const links = await listArticleLinks();
  assert.ok(links.length >= 3);
  for (const link of links) {
    const [path = '', anchor] = link.split('#');
    const { status, text } = await sendRequest(server.port, path);
    assert.equal(status, 200, link);
    if (anchor !== undefined) assert.equal(text.split(` id="${anchor}"`).length, 2, link);
    assert.match(text, /<a [^>]*href="\/docs"[^>]*>Guide and reference<\/a>/, link);
  }
});

test('the articles and the page for unknown addresses are accessible and fit the window', async () => {
  const paths = new Set((await listArticleLinks()).map((link) => link.replace(/#.*/, ''))).add(
    '/docs/unknown',
  );
  const { page } = await openDocsPage({ viewport: { width: 320, height: 800 } });
  for (const path of paths) {
    await page.goto(server.address + path);
    const { violations, overflow } = await measurePage(page);
    assert.deepEqual(violations.map(describeViolation), [], path);
    assert.ok(overflow <= 0, path);
  }
  await page.context().close();
});

/** The page of the following tests, in their order. */
let shared: Visit;
before(async () => {
  shared = await openDocsPage({ permissions: ['clipboard-read', 'clipboard-write'] });
});

test('the first Tab key shows the skip link, and Enter follows it', async () => {
  const { page } = shared;
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate('document.activeElement.getAttribute("href")'), '#content');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'content');
});

test('without scripts, the page shows the guide, every operation and every schema', async () => {
  const { page, complaints } = await openDocsPage({ javaScriptEnabled: false });
  const ids = await page.locator('[id]').evaluateAll((elements) => elements.map(({ id }) => id));
  assert.equal(new Set(ids).size, ids.length);
  for (const id of [...operationIds, 'errors', 'rate-limit', 'survey-results'])
    assert.ok(ids.includes(id), id);
  const text = await page.locator('main').innerText();
  for (const name of ['Submission', 'SurveyQuestion', 'Change', 'Error'])
    assert.ok(ids.includes(`schema-${name}`), name);
  assert.ok(text.includes('next_cursor') && text.includes('curl -sS -H'));
  assert.equal(await page.locator('.try-out:visible, search:visible').count(), 0);
  const operations = await page.locator('.operation').count();
  assert.equal(operations, operationIds.length);
  for (const name of ['curl', 'Python', 'TypeScript', 'R']) {
    await page.getByRole('radio', { name, exact: true }).check();
    const shown = page.locator('.operation .sample:visible .code-block__caption');
    assert.deepEqual(await shown.allTextContents(), Array(operations).fill(name));
  }
  assert.deepEqual(complaints, []);

  const targets = await page
    .locator('a[href^="#"]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
  assert.ok(targets.length > 50);
  assert.deepEqual(
    targets.filter((target) => !ids.includes(target.slice(1))),
    [],
  );
});

test('the page loads nothing from other origins, stores nothing and causes no errors in the browser', async () => {
  const { page, requested, complaints } = shared;
  const { status, body } = await tryOperation(page, 'getHealth');
  assert.match(status ?? '', /^Status 200\. Remaining requests: \d+\.$/);
  assert.match(body, /"status": "ok"/);
  const foreign = requested.filter((url) => !/^data:/.test(url) && new URL(url).origin !== server.address);
  assert.ok(requested.length >= 6);
  assert.deepEqual(foreign, []);
  assert.deepEqual(complaints, []);
  assert.equal(await page.evaluate('localStorage.length + sessionStorage.length'), 0);
  assert.deepEqual(await page.context().cookies(), []);
});

test('operations can be tried with a key, with parameters, and show errors', async () => {
  const { page } = shared;
  assert.match((await tryOperation(page, 'getMe')).status ?? '', /^Status 401/);
  assert.ok((await tryOperation(page, 'getMe', { 'API key': alice })).body.includes(fixture.a));
  await page.reload();
  assert.match((await tryOperation(page, 'getMe')).status ?? '', /^Status 401/);
  // One field is the key of all forms.
  await tryOperation(page, 'getMe', { 'API key': alice });
  const list = await tryOperation(page, 'listSubmissions', { limit: '2', status: 'in_review' });
  assert.equal(JSON.parse(list.body).data.length, 2);
  const one = await tryOperation(page, 'getSubmission', { id: formatSubmissionId(1) });
  assert.equal(JSON.parse(one.body).data.id, formatSubmissionId(1));
  const unknown = await tryOperation(page, 'getSession', { id: '../me?x=/' });
  assert.match(unknown.status ?? '', /^Status 404/);
});

/** @returns what the button beside a request copies */
async function copyRequest(page: Page, operationId: string): Promise<string> {
  const operation = page.locator('section.operation', { has: page.locator(`#${operationId}`) });
  await operation.getByRole('button', { name: 'Copy' }).first().click();
  await operation.getByRole('button', { name: 'Copied' }).waitFor();
  return page.evaluate<string>('navigator.clipboard.readText()');
}

/** Pastes a key into the field before the operations. */
async function enterKey(page: Page, key: string): Promise<void> {
  const field = page.locator('#own-key');
  await field.fill(key);
  await field.press('Tab');
}

test('before a key is entered, requests read it from the environment, and identifiers are placeholders', async () => {
  const { page } = await openDocsPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  const [submission, session, survey, me] = [
    await copyRequest(page, 'getSubmission'),
    await copyRequest(page, 'getSession'),
    await copyRequest(page, 'getSurveyResults'),
    await copyRequest(page, 'getMe'),
  ];
  assert.match(submission, /submissions\/SUBMISSION_ID"/);
  assert.match(session, /sessions\/SESSION_ID"/);
  assert.match(survey, /surveys\/SURVEY_ID\/results"/);
  assert.match(me, /Bearer \$KEY"/);
  await page.context().close();
});

test('with a key, every request that can be copied runs in a shell as it is', async (t) => {
  if (spawnSync('curl', ['--version']).error !== undefined) return t.skip('this machine has no curl');
  const { page, complaints } = await openDocsPage({ permissions: ['clipboard-read', 'clipboard-write'] });
  await enterKey(page, alice);
  await page.locator('#own-key-status').filter({ hasText: 'values of Musterstadt' }).waitFor();
  for (const operationId of operationIds) {
    const request = await copyRequest(page, operationId);
    assert.equal(request.includes(alice), operationId !== 'getHealth', operationId);
    const command = request.replace('curl -sS', 'curl -fsS');
    const { stdout } = await promisify(execFile)('sh', ['-euc', command], {
      env: { PATH: process.env.PATH },
    });
    const { data } = JSON.parse(stdout);
    assert.ok(data === undefined || !Array.isArray(data) || data.length > 0, `${command} finds nothing`);
  }
  const guide = page.locator('main code').filter({ hasText: 'KEY=' }).first();
  assert.ok((await guide.textContent())?.includes(`KEY=${alice}`));
  assert.deepEqual(complaints, []);
  await page.context().close();
});

test('the samples of all languages have the values of the form, quoted for each of them', async () => {
  const { page } = await openDocsPage();
  await enterKey(page, alice);
  await page.locator('#own-key-status').filter({ hasText: 'The samples have' }).waitFor();
  const operation = page.locator('section.operation', { has: page.locator('#searchSubmissions') });
  await operation.locator('.try-out > summary').click();
  await operation.getByLabel('words', { exact: true }).fill(`it's "a" $(touch x) \`y\` {key} !!`);
  for (const code of await operation.locator('.sample code').allTextContents()) {
    // Beside this filter of the reader, none is filled in.
    assert.match(
      code,
      /submissions\?limit=2&words=it%27s\+%22a%22\+%24%28touch\+x%29\+%60y%60\+%7Bkey%7D\+%21%21/,
    );
    assert.ok(code.includes(`Bearer ${alice}`));
  }
  // Values that a reader has entered stay when another key brings other records.
  await enterKey(page, fixture.charlie);
  await page.locator('#own-key-status').filter({ hasText: 'values of Beispielburg' }).waitFor();
  assert.match(await operation.getByLabel('words', { exact: true }).inputValue(), /it's/);
  const ids = await page.locator('[data-own="submission.id"]').first().inputValue();
  const { data } = (await server.get('/submissions?limit=1', { key: fixture.charlie })).json;
  assert.equal(ids, data[0].id);
  await page.context().close();
});

test('a key that is wrong, or no key at all, is named beside its field', async () => {
  const { page } = await openDocsPage();
  const status = page.locator('#own-key-status');
  await enterKey(page, 'sk_rostra_wrong');
  await status.filter({ hasText: 'A valid API key is required' }).waitFor();
  await enterKey(page, 'two words');
  await status.filter({ hasText: 'no key has' }).waitFor();
  const samples = await page.locator('.sample code').allTextContents();
  assert.equal(samples.filter((code) => code.includes('two words')).length, 0);
  await page.context().close();
});

test('the response appears beside the form, in place of that of the demo', async () => {
  const { page } = await openDocsPage({ viewport: { width: 1400, height: 900 } });
  const operation = page.locator('section.operation', { has: page.locator('#getMe') });
  await tryOperation(page, 'getMe', { 'API key': alice });
  const response = operation.locator('[data-response]');
  assert.match(
    (await response.locator('.code-block__caption').textContent()) ?? '',
    /^Your response: status 200/,
  );
  const form = await operation.locator('form').boundingBox();
  const shown = await response.boundingBox();
  assert.ok(form !== null && shown !== null);
  assert.ok(shown.x >= form.x + form.width, 'the response is not in the other column');
  assert.ok(shown.y < 900 && form.y < 900, 'they are not in the window together');
  await page.context().close();
});

test('the fields of a schema unfold where a field has it, on every level', async () => {
  const { page } = await openDocsPage();
  const operation = page.locator('section.operation', { has: page.locator('#getSurveyResults') });
  await operation.locator('summary', { hasText: 'Fields of SurveyResults' }).click();
  await operation.locator('summary', { hasText: 'Fields of SurveyQuestion' }).click();
  await operation.locator('summary', { hasText: 'Fields of SurveyOption' }).click();
  await operation.locator('code', { hasText: 'responseCount' }).last().waitFor();
  const { violations, overflow } = await measurePage(page);
  assert.deepEqual(violations.map(describeViolation), []);
  assert.ok(overflow <= 0);
  await page.context().close();
});

for (const [language, program, ...args] of [
  ['python', 'python3', '-c'],
  ['typescript', process.execPath, '--input-type=module-typescript', '--eval'],
  ['r', 'Rscript', '-e'],
] as const) {
  test(`the request in ${language} prints the response`, async (t) => {
    const check = language === 'r' ? 'library(jsonlite)' : '1';
    if (spawnSync(program, [...args, check]).status !== 0) return t.skip('this machine cannot run it');
    for (const operationId of ['getHealth', 'getMe', 'listSubmissions']) {
      const operation = shared.page.locator('.operation', { has: shared.page.locator(`#${operationId}`) });
      const code = await operation.locator(`[data-language="${language}"] code`).textContent();
      const { stdout } = await promisify(execFile)(program, [...args, code ?? ''], {
        env: { ...process.env, KEY: alice },
      });
      assert.match(stdout, /ok|organization_id|next_cursor/);
    }
  });
}

test('the commands of a console are copied without prompts and outputs', async () => {
  const { page } = shared;
  const block = page.locator('.code-block', { hasText: 'stauts' });
  await block.getByRole('button', { name: 'Copy' }).click();
  await block.getByRole('button', { name: 'Copied' }).waitFor();
  const lines = (await page.evaluate<string>('navigator.clipboard.readText()')).split('\n');
  assert.equal(lines.length, 3);
  for (const line of lines) assert.match(line, /^curl -sS /);
});

test('the chosen language is the only thing that the browser stores, and lasts', async () => {
  const { page } = shared;
  await page.locator('#language-bash').focus();
  await page.keyboard.press('ArrowRight');
  await page.reload();
  assert.ok(await page.locator('#language-python').isChecked());
  assert.equal(await page.locator('.sample[data-language="bash"]:visible').count(), 0);
  assert.deepEqual(await page.evaluate('[...Object.values(localStorage)]'), ['python']);
  await page.evaluate('localStorage.clear()');
});

test('the contents mark the present section', async () => {
  const { page } = shared;
  for (const id of ['listSupport', 'rate-limit']) {
    await page.locator(`nav a[href="#${id}"]`).click();
    await page.locator(`nav a[href="#${id}"][aria-current="true"]`).waitFor();
    assert.equal(await page.locator('nav [aria-current="true"]').count(), 1);
  }
});

test('the link to a schema opens it', async () => {
  const { page } = shared;
  await page.locator('.operation a[href="#schema-SurveyResults"]').first().click();
  await page.locator('details[open] > summary > #schema-SurveyResults').waitFor();
});

test('the search finds sections of all pages by words, without case and accents, and Enter follows the first', async () => {
  const { page } = shared;
  const search = page.getByRole('searchbox', { name: 'Search' });
  const results = page.locator('#search-results a');
  await search.fill('RESÜLTS survey');
  await results.first().waitFor();
  assert.equal(await results.first().textContent(), 'Read the results of a survey');
  await search.fill('chart-survey');
  await results.filter({ hasText: 'Samples: Draw a survey' }).waitFor();
  await search.fill('zeppelin');
  await page.getByRole('status').filter({ hasText: 'No section has all these words.' }).waitFor();
  await search.fill('updated since yesterday');
  await results.filter({ hasText: 'Mirror the data' }).waitFor();
  await search.fill('delta zeppelin');
  await page.getByRole('status').filter({ hasText: 'Sections with some of them' }).waitFor();
  await search.fill('tallies');
  await page.keyboard.press('Enter');
  await page.waitForFunction("location.hash === '#listSupport'");
  await search.press('Escape');
  assert.ok(await page.locator('#contents').isVisible());
  assert.equal(await results.count(), 0);
});

test('each operation shows a response of the demo', async () => {
  const { text } = await sendRequest(server.port, '/docs');
  assert.equal(text.split('Response of the demo').length - 1, operationIds.length);
  assert.match(text, /Stadt Lindenau am See/);
});

test('the page with its styles and scripts has at most 90 kB compressed', async () => {
  const { text } = await sendRequest(server.port, '/docs');
  const paths = [...text.matchAll(/="(\/docs\/assets\/[^"]+\.(?:css|js))"/g)].map(
    ([, path]) => path as string,
  );
  const files = await Promise.all(paths.map(async (path) => (await sendRequest(server.port, path)).text));
  const sizes = [text, ...files].map((content) => gzipSync(content).length);
  const total = sizes.reduce((sum, size) => sum + size);
  assert.ok(total <= 90_000, `${total} bytes`);
});

test('examples have the public URL, or else the host of the request', async () => {
  const read = async (port: number, headers: Record<string, string> = {}) =>
    (await sendRequest(port, '/docs', { headers })).text;
  assert.ok((await read(server.port)).includes(`&quot;${server.address}/api/v1/submissions?limit=2&quot;`));
  assert.ok(
    (await read(server.port, { host: 'api.stadt.example' })).includes(
      '"http://api.stadt.example/api/v1'.replace('"', '&quot;'),
    ),
  );
  const behindProxy = await read(server.port, { host: 'api.stadt.example', 'x-forwarded-proto': 'https' });
  assert.ok(behindProxy.includes('https://api.stadt.example/api/v1/me'));
  const forged = await sendRequest(server.port, '/docs', {
    headers: { host: '"><script>alert(1)</script>' },
  });
  assert.equal(forged.status, 400);
  assert.doesNotMatch(forged.text, /alert\(1\)/);
  const { port } = await fixture.startServer({ ROSTRA_PUBLIC_URL: 'https://daten.stadt.example' });
  const configured = await read(port, { host: 'intern.example' });
  assert.ok(configured.includes('https://daten.stadt.example/api/v1/me'));
  assert.doesNotMatch(configured, /intern\.example|127\.0\.0\.1/);
});

test('requests with many hosts each get their own URLs, and few of them a compression', async () => {
  const { port } = await fixture.startServer();
  const read = (host: string) => sendRequest(port, '/docs', { headers: { host, 'accept-encoding': 'gzip' } });
  assert.equal((await read('same.example')).headers['content-encoding'], 'gzip');
  let compressed = 0;
  for (let index = 0; index < 100; index += 1) {
    const { text, headers } = await read(`other-${index}.example`);
    assert.ok(text.includes(`http://other-${index}.example/api/v1/me`));
    assert.doesNotMatch(text, /127\.0\.0\.1|same\.example/);
    assert.equal(headers.vary, 'Accept, Accept-Encoding');
    if (headers['content-encoding'] !== undefined) compressed += 1;
  }
  assert.ok(compressed < 70, `${compressed} pages were compressed`);
  assert.equal((await read('same.example')).headers['content-encoding'], 'gzip');
});

test('the content security policy allows only the own origin, no inline code and no framing', async () => {
  const { status, headers, text } = await sendRequest(server.port, '/docs');
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  const policy = headers['content-security-policy'] ?? '';
  for (const part of [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "frame-ancestors 'none'",
  ])
    assert.ok(policy.split('; ').includes(part), part);
  assert.doesNotMatch(policy, /unsafe|https?:|\*/);
  assert.doesNotMatch(text, /\sstyle=|<script(?![^>]*\ssrc="\/docs\/assets\/)|\son\w+=/);
});

test('static files are cached forever under the digest of their content', async () => {
  const { text } = await sendRequest(server.port, '/docs');
  const paths = [...text.matchAll(/="(\/docs\/assets\/[^"]+)"/g)].map(([, path]) => path as string);
  assert.equal(paths.length, 7);
  for (const path of paths) {
    assert.match(path, /^\/docs\/assets\/[0-9a-f]{16}\/[\w.-]+$/);
    const { status, headers } = await sendRequest(server.port, path);
    assert.equal(status, 200, path);
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
    const type = { '.css': 'text/css', '.js': 'text/javascript', '.woff2': 'font/woff2' }[extname(path)];
    assert.ok(headers['content-type']?.startsWith(String(type)), path);
  }
});

test('the page about samples leads to every program, as plain text', async () => {
  const { text } = await sendRequest(server.port, '/docs/samples');
  const paths = [...text.matchAll(/href="(\/docs\/samples\/[^"]+)"/g)].map(([, path]) => path as string);
  const programs = globSync('examples/api/*/*.{sh,py,ts,R}', { cwd: checkout });
  assert.deepEqual(paths.map((path) => basename(path)).sort(), programs.map((path) => basename(path)).sort());
  for (const program of programs) {
    const path = paths.find((each) => basename(each) === basename(program)) as string;
    const { text: served, headers } = await sendRequest(server.port, path);
    assert.equal(served, readFileSync(join(checkout, program), 'utf8'));
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  }
});
