/** The frame of the pages: two levels of navigation, the menu on narrow screens, breadcrumbs and the footer. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { addClientCookies, launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createFixture } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient, type FormClient } from '../../support/form-client.ts';

const fixture = await createFixture({ after });
const { store, a } = fixture;
const footerUrls = {
  ROSTRA_IMPRINT_URL: 'https://stadt.example/impressum',
  ROSTRA_PRIVACY_URL: 'https://stadt.example/datenschutz?a=1&b=2',
  ROSTRA_ACCESSIBILITY_URL: 'https://stadt.example/barrierefreiheit',
};
const server = await fixture.startServer(footerUrls);
const browser = await launchBrowser({ after });
const administrator = await createSignedInClient(server, store, a);
const operator = await createSignedInClient(server, store);
const { id: keyId } = await fixture.issueKey(a, { name: 'Portal <b>' });
const municipality = `/admin/organizations/${a}`;

/** Opens a page with the cookies of a signed-in client. */
async function openAs(client: FormClient, path: string, options: Parameters<typeof openBrowserContext>[1]) {
  const context = await openBrowserContext(browser, options);
  await addClientCookies(context, client, server);
  const page = await context.newPage();
  await page.goto(server.address + path);
  return page;
}

const linksIn = (page: Page, name: string) =>
  page.getByRole('navigation', { name, exact: true }).getByRole('link').allInnerTexts();

/** Names of the links of a page's breadcrumbs, and the current page. */
function parseBreadcrumbs(body: string, label: string): string[] {
  const [, list = ''] = new RegExp(`aria-label="${label}">\\s*<ol[^>]*>(.*?)</ol>`, 's').exec(body) ?? [];
  return [...list.matchAll(/<bdi>(.*?)<\/bdi>/g)].map(([, name]) => name ?? '');
}

suite('the two levels', () => {
  test('an administrator sees the municipality, and nothing of the installation', async () => {
    const page = await openAs(administrator, `${municipality}/keys`, {});
    assert.equal(await page.getByRole('navigation', { name: 'Installation' }).count(), 0);
    const links = await linksIn(page, 'Municipality');
    assert.deepEqual(links.slice(0, 2), ['Overview', 'Published data']);
    assert.ok(links.includes('Audit log'), links.join());
    const lists = page.getByRole('navigation', { name: 'Municipality', exact: true }).getByRole('list');
    const access = await lists
      .and(page.getByLabel('Access', { exact: true }))
      .getByRole('link')
      .allInnerTexts();
    assert.deepEqual(access, ['Integrations / API keys', 'Accounts']);
    assert.ok(await page.locator('header').getByRole('link', { name: 'Musterstadt' }).isVisible());
    await page.context().close();
  });

  test('an operator sees the installation everywhere, and a municipality on its pages only', async () => {
    const page = await openAs(operator, '/admin/organizations', {});
    assert.ok((await linksIn(page, 'Installation')).includes('Municipalities'));
    assert.equal(await page.getByRole('navigation', { name: 'Municipality', exact: true }).count(), 0);
    await page.goto(`${server.address}${municipality}/keys`);
    assert.ok((await linksIn(page, 'Installation')).includes('Municipalities'));
    assert.ok((await linksIn(page, 'Municipality')).includes('Integrations / API keys'));
    await page.context().close();
  });

  test('the current page is marked, and so is the entry of a page below it', async () => {
    const current = (body: string) =>
      [...body.matchAll(/<a [^>]*aria-current="(page|true)"><bdi>([^<]*)/g)].map(
        ([, value, name]) => `${value} ${name}`,
      );
    const at = async (client: FormClient, path: string) => current((await client.get(path)).body);
    assert.deepEqual(await at(administrator, `${municipality}/keys`), ['page Integrations / API keys']);
    assert.deepEqual(await at(administrator, `${municipality}/keys/${keyId}`), [
      'true Integrations / API keys',
    ]);
    assert.deepEqual(await at(operator, '/admin/organizations'), ['page Municipalities']);
    assert.deepEqual(await at(operator, `${municipality}/audit`), ['page Audit log']);
  });

  test('the brand leads home, with a slash at the end too, and never to a page of others', async () => {
    for (const path of ['/admin', '/admin/']) {
      assert.equal(
        (await createFormClient(server.address).get(path)).location,
        `/admin/sign-in?return=${encodeURIComponent(path)}`,
      );
      assert.match((await administrator.get(path)).location ?? '', new RegExp(`^${municipality}`));
      assert.equal((await operator.get(path)).location, '/admin/organizations');
    }
    const page = await openAs(operator, `${municipality}/keys`, {});
    await page.getByRole('link', { name: 'Rostra' }).click();
    await page.getByRole('heading', { level: 1, name: 'Municipalities' }).waitFor();
    await page.context().close();
  });
});

suite('the menu at a width of 375 pixels', () => {
  const narrow = { viewport: { width: 375, height: 700 } };

  for (const javaScriptEnabled of [true, false]) {
    const scripts = javaScriptEnabled ? 'with scripts' : 'without scripts';
    test(`opens by keyboard, shows all links, and Escape closes it ${scripts}`, async () => {
      const page = await openAs(operator, `${municipality}/keys`, { ...narrow, javaScriptEnabled });
      const header = await page.locator('header').boundingBox();
      assert.ok(header && header.height < 120, `the header is ${header?.height} pixels high`);
      const keys = page.getByRole('link', { name: 'Integrations / API keys' });
      const inMenu = page.getByRole('navigation', { name: 'Municipality', exact: true });
      assert.equal(await inMenu.isVisible(), false);
      const toggle = page.getByRole('button', { name: 'Menu', exact: true });
      await toggle.focus();
      await page.keyboard.press('Enter');
      assert.ok(await inMenu.isVisible());
      assert.ok(await page.getByRole('navigation', { name: 'Installation' }).isVisible());
      assert.ok(await page.getByRole('button', { name: 'Sign out' }).isVisible());
      await page.keyboard.press('Tab');
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      assert.equal(await inMenu.isVisible(), false);
      assert.ok(await toggle.evaluate((button) => button.matches(':focus')), 'the focus is lost');
      await toggle.click();
      await page.getByRole('button', { name: 'Close menu' }).click();
      assert.equal(await inMenu.isVisible(), false);
      await toggle.click();
      await keys.last().click();
      await page.context().close();
    });
  }

  test('a wide window shows the links without a menu', async () => {
    const page = await openAs(operator, `${municipality}/keys`, { viewport: { width: 1280, height: 700 } });
    assert.equal(await page.getByRole('button', { name: 'Menu', exact: true }).isVisible(), false);
    assert.ok(await page.getByRole('navigation', { name: 'Municipality', exact: true }).isVisible());
    await page.context().close();
  });

  test('a row of a wide window begins with a link, not with the line between two groups', async () => {
    await store.editOrganization(a, { approval: 'on' });
    const page = await openAs(operator, `${municipality}/keys`, { viewport: { width: 1024, height: 700 } });
    const navigation = page.getByRole('navigation', { name: 'Municipality', exact: true });
    const [first, last] = [
      navigation.getByRole('link').first(),
      navigation.getByRole('link', { name: 'Settings' }),
    ];
    const [above, below] = [await first.boundingBox(), await last.boundingBox()];
    assert.ok(above && below && below.y > above.y, 'the links are in one row');
    assert.equal(below.x, above.x);
    await page.context().close();
    await store.editOrganization(a, { approval: 'off' });
  });
});

suite('breadcrumbs', () => {
  const open = async (client: FormClient, path: string) =>
    parseBreadcrumbs((await client.get(path)).body, 'Breadcrumbs');

  test('lead from the municipality to the page', async () => {
    assert.deepEqual(await open(administrator, `${municipality}/keys`), [
      'Musterstadt',
      'Integrations / API keys',
    ]);
    assert.deepEqual(await open(administrator, `${municipality}/keys/${keyId}`), [
      'Musterstadt',
      'Integrations / API keys',
      'Portal &lt;b&gt;',
    ]);
  });

  test('name each page once', async () => {
    const trail = await open(administrator, `${municipality}/settings/redaction`);
    assert.equal(trail.length, 3);
    assert.equal(new Set(trail).size, 3, trail.join());
  });

  test('begin with all municipalities for operators, and the last one is the page itself', async () => {
    const { body } = await operator.get(`${municipality}/keys`);
    assert.deepEqual(parseBreadcrumbs(body, 'Breadcrumbs'), [
      'Municipalities',
      'Musterstadt',
      'Integrations / API keys',
    ]);
    assert.match(
      body,
      /<li><span aria-current="page"><bdi>Integrations \/ API keys<\/bdi><\/span><\/li><\/ol>/,
    );
  });

  test('have a German name', async () => {
    const client = createFormClient(server.address, 'de');
    for (const [name, value] of administrator.cookies) client.cookies.set(name, value);
    const { body } = await client.get(`${municipality}/audit`);
    assert.deepEqual(parseBreadcrumbs(body, 'Sie sind hier'), ['Musterstadt', 'Änderungsprotokoll']);
  });

  test('are missing on the first page of the installation and on pages without a user', async () => {
    assert.deepEqual(await open(operator, '/admin/organizations'), []);
    assert.deepEqual(await open(createFormClient(server.address), '/admin/sign-in'), []);
  });

  test('lead to pages that exist', async () => {
    const { body } = await operator.get(`${municipality}/keys/${keyId}`);
    const [list = ''] = /<ol.*<\/ol>/.exec(body) ?? [];
    const paths = [...list.matchAll(/href="([^"]+)"/g)].map(([, path]) => path ?? '');
    assert.equal(paths.length, 3);
    for (const path of paths) assert.equal((await operator.open(path)).status, 200, path);
  });
});

suite('the footer', () => {
  const links = (body: string) => /<footer.*<\/footer>/s.exec(body)?.[0] ?? '';

  test('links to the pages of the operator, in both languages, signed in or not, and on /docs', async () => {
    const pages = [
      {
        body: links((await createFormClient(server.address).get('/admin/sign-in')).body),
        imprint: 'Imprint',
      },
      {
        body: links((await createFormClient(server.address, 'de').get('/admin/sign-in')).body),
        imprint: 'Impressum',
      },
      { body: links((await administrator.get('/admin/account')).body), imprint: 'Imprint' },
      { body: links(await (await fetch(`${server.address}/docs`)).text()), imprint: 'Imprint' },
    ];
    for (const { body, imprint } of pages) {
      assert.match(body, new RegExp(`href="https://stadt.example/impressum">${imprint}<`));
      assert.match(body, /href="https:\/\/stadt\.example\/datenschutz\?a=1&amp;b=2"/);
      assert.match(body, /href="https:\/\/stadt\.example\/barrierefreiheit"/);
    }
  });

  test('has none of these links without the settings', async () => {
    const plain = await fixture.startServer();
    for (const path of ['/admin/sign-in', '/docs'])
      assert.doesNotMatch(links(await (await fetch(plain.address + path)).text()), /Imprint|Privacy|Access/);
  });
});

test('/docs links to the admin area if it is on, and the admin area links back', async () => {
  const docs = await (await fetch(`${server.address}/docs`)).text();
  assert.match(docs, /<a class="kern-link" href="\/admin">Admin area<\/a>/);
  assert.match((await administrator.get('/admin/account')).body, /href="[^"]*\/docs">API documentation</);
  const withoutAdmin = await fixture.startServer({ ROSTRA_ADMIN: 'off' });
  assert.doesNotMatch(await (await fetch(`${withoutAdmin.address}/docs`)).text(), /href="\/admin"/);
});
