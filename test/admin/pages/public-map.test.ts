/** The map of submissions in a browser: on a plain ground, on tiles of another server, and without scripts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, type TestContext, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { followTo, launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { byNight } from '../../support/nightly.ts';
import { createSubmission } from '../../support/records.ts';
import { waitUntil } from '../../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a } = fixture;
const start = (environment = {}) =>
  fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }), ...environment });
const server = await start();
const browser = await launchBrowser({ after });

await store.editOrganization(a, { slug: 'musterstadt', licenseName: 'CC-BY-4.0', openData: 'on' });
const points = [
  [8.404, 49.014],
  [8.404, 49.014],
  [8.41, 49.01],
  [8.42, 49.02],
] as const;
await fixture.putRecords(
  a,
  points.map(([longitude, latitude], n) => ({
    kind: 'submission' as const,
    ...createSubmission(900 + n, {
      description: `Laterne ${n}`,
      location: { type: 'Point', coordinates: [longitude, latitude] },
    }),
  })),
);

/** 1 by 1 pixel. */
const tile = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
  'base64',
);

async function startTileServer(t: TestContext) {
  const requests: { url: string; headers: IncomingHttpHeaders }[] = [];
  const tiles = createServer(({ url = '', headers }, response) => {
    requests.push({ url, headers });
    response.writeHead(200, { 'content-type': 'image/png' }).end(tile);
  });
  tiles.listen(0, '127.0.0.1');
  await once(tiles, 'listening');
  t.after(() => {
    tiles.close();
    tiles.closeAllConnections();
  });
  return { requests, origin: `http://127.0.0.1:${(tiles.address() as AddressInfo).port}` };
}

/** @returns the page, and all requests and messages of it */
async function openMap(
  { port } = server,
  options: Parameters<typeof openBrowserContext>[1] = {},
  query = '?words=laterne',
) {
  const context = await openBrowserContext(browser, {
    locale: 'de-DE',
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 1000 },
    ...options,
  });
  const page = await context.newPage();
  const urls: string[] = [];
  const messages: string[] = [];
  page.on('request', (request) => void urls.push(request.url()));
  page.on('console', (message) => void messages.push(message.text()));
  page.on('pageerror', (error) => void messages.push(String(error)));
  await page.goto(`http://127.0.0.1:${port}/open/musterstadt/submissions/map${query}`);
  return { page, urls, messages };
}

const waitForAreas = (page: Page) => page.locator('path.map-area').first().waitFor();

/** Of the areas, in pixels. */
const measure = (page: Page) =>
  page.locator('path.map-area').evaluateAll((areas) =>
    areas.map((area) => {
      const { left, top, width, height } = area.getBoundingClientRect();
      return { left, top, width, height };
    }),
  );

/** By day the other tests show that a browser draws the map, and that keyboards and screen readers reach it. */
const drawsAgain = byNight('a browser draws the map once more');

test('a map draws areas on a plain ground, and loads nothing from other servers', async () => {
  const { page, urls, messages } = await openMap();
  await waitForAreas(page);
  assert.equal((await measure(page)).length, 3);
  assert.deepEqual(messages, []);
  assert.deepEqual([...new Set(urls.map((url) => new URL(url).origin))], [`http://127.0.0.1:${server.port}`]);
  assert.equal(await page.locator('.leaflet-tile').count(), 0);
  assert.deepEqual(await page.locator('.map-count').allInnerTexts(), ['2', '1', '1']);
  assert.equal(await page.locator('.map-area--marked').count(), 0);
  assert.match(await page.locator('.leaflet-control-scale-line').innerText(), /^\d+ k?m$/);
  assert.deepEqual(
    await page
      .locator('.leaflet-bar a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('aria-label'))),
    ['Vergrößern', 'Verkleinern', 'Ausschnitt zurücksetzen'],
  );
  assert.equal(await page.getByText('Leaflet').count(), 0);
  await page.context().close();
});

test('a map is used by keyboard, and areas lead to their submissions', async () => {
  const { page } = await openMap();
  await waitForAreas(page);
  const [before] = await measure(page);
  await page.locator('.map').focus();
  await page.keyboard.press('+');
  await waitUntil('a larger area', async () => ((await measure(page))[0]?.width ?? 0) > (before?.width ?? 0));
  const [zoomed] = await measure(page);
  await page.keyboard.press('ArrowRight');
  await waitUntil('another place', async () => (await measure(page))[0]?.left !== zoomed?.left);
  await page.keyboard.press('-');
  await waitUntil('the size before', async () => (await measure(page))[0]?.width === before?.width);
  assert.equal(await page.evaluate("document.activeElement.getAttribute('role')"), 'application');
  // The first area has the most submissions.
  await page.locator('path.map-area').first().dispatchEvent('click');
  const popup = page.locator('.leaflet-popup-content');
  assert.match(await popup.innerText(), /^2 Anliegen mit Standort\s+Diesen Bereich zeigen$/);
  await followTo(page, () => popup.locator('a').click());
  assert.match(page.url(), /words=laterne&area=8\.4035,49\.0135,8\.4045,49\.0145#map$/);
  await waitForAreas(page);
  assert.equal(await page.locator('#result').innerText(), '2 Anliegen mit Standort');
  assert.deepEqual(await page.locator('.record-link').allInnerTexts(), ['Laterne 0', 'Laterne 1']);
  await page.context().close();
});

test('a map is a single stop of the Tab key, before its buttons', async () => {
  // No scrolling, which would move the map away below the mouse.
  const { page } = await openMap(server, { viewport: { width: 1280, height: 1600 } });
  await waitForAreas(page);
  const readFocus = () =>
    page.evaluate("document.activeElement.getAttribute('role') + ' ' + document.activeElement.className");
  await page.locator('.map').focus();
  const stops: unknown[] = [];
  for (let presses = 0; presses < 3; presses += 1) {
    stops.push(await readFocus());
    await page.keyboard.press('Tab');
  }
  assert.match(
    stops.join(),
    /^application map [^,]+,button leaflet-control-zoom-in,button leaflet-control-zoom-out$/,
  );
  await page.locator('path.map-area').first().hover();
  assert.equal(await page.locator('.leaflet-tooltip').innerText(), '2 Anliegen mit Standort');
  await page.context().close();
});

test('a map gives screen readers its name and buttons, and no numbers without places', async () => {
  const { page } = await openMap();
  await waitForAreas(page);
  assert.equal(
    await page.locator('.map').ariaSnapshot(),
    [
      '- application "Karte der Anliegen":',
      '  - button "Vergrößern"',
      '  - button "Verkleinern"',
      '  - button "Ausschnitt zurücksetzen"',
      '  - text: 200 m',
    ].join('\n'),
  );
  // The hint is the description of the map, and too long for a name.
  assert.match(await page.locator('.map-figure').ariaSnapshot(), /^- figure:\n/);
  await page.context().close();
});

test('a map moves and its page scrolls at once if motion is reduced', { skip: drawsAgain }, async () => {
  const { page } = await openMap();
  await waitForAreas(page);
  const [before] = await measure(page);
  await page.locator('.map').focus();
  await page.keyboard.press('ArrowRight');
  const [after] = await measure(page);
  assert.equal(Math.round((before?.left ?? 0) - (after?.left ?? 0)), 80);
  const behaviour = 'getComputedStyle(document.documentElement).scrollBehavior';
  assert.equal(await page.evaluate(behaviour), 'auto');
  await page.context().close();
});

test('a map leaves one finger to the page, and takes two', { skip: drawsAgain }, async () => {
  const { page } = await openMap(server, {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await waitForAreas(page);
  // Browsers pan with one finger, and Leaflet gets two.
  const readTouchAction = "getComputedStyle(document.querySelector('.map')).touchAction";
  assert.equal(await page.evaluate(readTouchAction), 'pan-x pan-y');
  assert.match(
    await page.locator('#map-hint').innerText(),
    /Auf einem Touchscreen nehmen Sie zwei Finger\.$/,
  );
  await page.context().close();
});

test('a map begins on the first screen, and its search is folded until it has a filter', async () => {
  const { page } = await openMap(server, { viewport: { width: 360, height: 740 } }, '');
  await waitForAreas(page);
  const readTop = async () => (await page.locator('.map').boundingBox())?.y ?? 999;
  assert.ok((await readTop()) < 740, `${await readTop()}`);
  await page.getByText('Suchen und filtern').click();
  await page.getByRole('searchbox').fill('laterne');
  await followTo(page, () => page.getByRole('button', { name: 'Suchen' }).click());
  assert.match(page.url(), /words=laterne/);
  assert.equal(await page.getByRole('searchbox').inputValue(), 'laterne');
  assert.ok(await page.getByRole('searchbox').isVisible());
  await page.context().close();
});

test('areas join as the map shows more, so that each can be chosen, and have their true size nearby', {
  skip: drawsAgain,
}, async () => {
  const { page } = await openMap(
    server,
    { viewport: { width: 320, height: 700 } },
    '?area=8.404,49.014,8.404,49.014',
  );
  await waitForAreas(page);
  for (let presses = 0; presses < 12; presses += 1) await page.locator('.leaflet-control-zoom-out').click();
  for (const { width, height } of await measure(page))
    assert.ok(width >= 23.5 && height >= 23.5, `${width} ${height}`);
  for (let presses = 0; presses < 12; presses += 1)
    await page.locator('.leaflet-control-zoom-in').click({ force: true });
  const [area] = await measure(page);
  // 0.001 degrees at 49° north are 73 metres wide, and 111 high.
  assert.ok(area !== undefined && area.width > 80);
  assert.ok(Math.abs(area.width / area.height - 73 / 111) < 0.02);
  assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth')) <= 320);
  await page.context().close();
});

test('the page of the municipality leads to the map, and a submission to the part around it', async () => {
  const { page } = await openMap(server, { viewport: { width: 1280, height: 1000 } });
  const origin = `http://127.0.0.1:${server.port}`;
  await page.goto(`${origin}/open/musterstadt?language=en`);
  await page.getByRole('link', { name: 'Map', exact: true }).click();
  await page.waitForURL(/\/submissions\/map\?language=en$/);
  await page.getByRole('link', { name: 'Laterne 2' }).click();
  await page.getByRole('link', { name: 'Show on a map' }).click();
  await page.waitForURL(
    /\/submissions\/map\?language=en&area=8\.400%2C49\.000%2C8\.420%2C49\.020&record=[\da-f-]{36}#map$/,
  );
  await waitForAreas(page);
  assert.equal(await page.locator('#result').innerText(), '5 submissions with a location');
  assert.equal(await page.locator('path.map-area--marked').count(), 1);
  await waitUntil(
    'the map in view',
    async () => ((await page.locator('.map').boundingBox())?.y ?? 999) < 200,
  );
  await page.locator('.map-figure').getByRole('link', { name: 'Laterne 2' }).click();
  await page.waitForURL(/\/submissions\/[\da-f-]{36}\?language=en$/);
  assert.ok(await page.getByText('The location is approximate: rounded to about 100 m.').isVisible());
  await page.context().close();
});

test('a map begins with the area of nearly all submissions, and shows the rest on request', async () => {
  const { id } = await store.addOrganization('Weitstadt', randomUUID(), { locationDecimals: '3' });
  await store.editOrganization(id, { slug: 'weitstadt', licenseName: 'CC-BY-4.0', openData: 'on' });
  const far = { type: 'Point' as const, coordinates: [-71.06, 42.36] as [number, number] };
  await fixture.putRecords(
    id,
    Array.from({ length: 1_300 }, (_, n) => ({
      kind: 'submission' as const,
      ...createSubmission(n, {
        location: {
          type: 'Point',
          coordinates: n < 1_200 ? [8.404, 49.014] : [8.405 + (n % 20) / 1000, 49.014 + (n % 19) / 1000],
        },
        ...(n === 0 && { location: far }),
      }),
    })),
  );
  const { page, messages } = await openMap(server, { viewport: { width: 320, height: 640 } }, '?language=de');
  await page.goto(page.url().replace('musterstadt', 'weitstadt'));
  await waitForAreas(page);
  const readWidth = async () => Math.max(...(await measure(page)).map(({ width }) => width));
  const countAreas = async () => (await measure(page)).length;
  assert.ok((await readWidth()) >= 23.5);
  assert.ok(await page.getByText('1 Anliegen liegt weit außerhalb.').isVisible());
  const near = await countAreas();
  for (let presses = 0; presses < 2; presses += 1) {
    await page.locator('.map').focus();
    await page.keyboard.press('+');
  }
  await waitUntil('more and smaller areas', async () => (await countAreas()) > near);
  assert.match((await page.locator('.map-count').allInnerTexts())[0] ?? '', /^1\.?199$/);
  await page.getByRole('button', { name: 'Ganze Karte zeigen' }).press('Enter');
  await waitUntil('two areas', async () => (await countAreas()) === 2);
  assert.match((await page.locator('.map-count').allInnerTexts()).join(' '), /^1\.?299 1$/);
  const popup = page.locator('.leaflet-popup-content');
  await page.locator('path.map-area').first().dispatchEvent('click');
  assert.match(await popup.innerText(), /^1\.299 Anliegen mit Standort/);
  await followTo(page, () => popup.locator('a').click());
  assert.equal(await page.locator('#result').innerText(), '1.299 Anliegen mit Standort');
  assert.deepEqual(messages, []);
  await page.context().close();
});

test('the popup of an area closes when other areas replace it', { skip: drawsAgain }, async () => {
  const { page } = await openMap();
  await waitForAreas(page);
  await page.locator('path.map-area').first().dispatchEvent('click');
  const popup = page.locator('.leaflet-popup-content');
  assert.match(await popup.innerText(), /^2 Anliegen/);
  for (let presses = 0; presses < 4; presses += 1) await page.locator('.leaflet-control-zoom-out').click();
  assert.deepEqual(await page.locator('.map-count').allInnerTexts(), ['3', '1']);
  assert.equal(await popup.count(), 0);
  await page.context().close();
});

test('the popup of an area fits into a narrow map', { skip: drawsAgain }, async () => {
  const { page } = await openMap(server, { viewport: { width: 320, height: 640 } }, '?language=en');
  await waitForAreas(page);
  await page.locator('path.map-area').first().dispatchEvent('click');
  const popup = page.locator('.leaflet-popup-content-wrapper');
  assert.match(await popup.innerText(), /^\d submissions with a location/);
  const readEdges = async (shown: Locator) => {
    const box = await shown.boundingBox();
    return [box?.x ?? 0, (box?.x ?? 0) + (box?.width ?? 0)] as const;
  };
  const [left, right] = await readEdges(popup);
  const [mapLeft, mapRight] = await readEdges(page.locator('.map'));
  assert.ok(left >= mapLeft && right <= mapRight, `${left} to ${right}, ${mapLeft} to ${mapRight}`);
  await page.context().close();
});

test('a button of a map returns to its first view', { skip: drawsAgain }, async () => {
  const { page } = await openMap();
  await waitForAreas(page);
  const readLefts = async () => (await measure(page)).map(({ left }) => Math.round(left));
  const start = await readLefts();
  await page.getByRole('button', { name: 'Vergrößern' }).press('Enter');
  await page.getByRole('button', { name: 'Vergrößern' }).press('Enter');
  assert.notDeepEqual(await readLefts(), start);
  await page.getByRole('button', { name: 'Ausschnitt zurücksetzen' }).press('Enter');
  assert.deepEqual(await readLefts(), start);
  await page.context().close();
});

test('a map says how many submissions are in view after it moved', { skip: drawsAgain }, async () => {
  const { page } = await openMap();
  await waitForAreas(page);
  const status = page.locator('.map-figure').getByRole('status');
  assert.equal(await status.innerText(), '');
  await page.locator('.map').focus();
  await page.keyboard.press('-');
  await waitUntil('all', async () => (await status.innerText()) === 'Im Ausschnitt: 4 Anliegen mit Standort');
  for (let presses = 0; presses < 20; presses += 1) await page.keyboard.press('ArrowRight');
  await waitUntil(
    'none',
    async () => (await status.innerText()) === 'Im Ausschnitt: 0 Anliegen mit Standort',
  );
  await page.context().close();
});

test('the space bar presses the buttons of a map, and leaves the page where it is', {
  skip: drawsAgain,
}, async () => {
  const { page } = await openMap();
  await waitForAreas(page);
  const readScale = () => page.locator('.leaflet-control-scale-line').innerText();
  const before = await readScale();
  await page.locator('.leaflet-control-zoom-in').focus();
  await page.keyboard.press(' ');
  assert.notEqual(await readScale(), before);
  assert.equal(await page.evaluate('scrollY'), 0);
  await page.context().close();
});

test('a map has the view that was left after a reload, and after Back', { skip: drawsAgain }, async () => {
  const { page } = await openMap();
  await waitForAreas(page);
  const readView = async () => (await measure(page)).map(({ left, width }) => [left, width]).join(' ');
  const start = await readView();
  await page.locator('.leaflet-control-zoom-out').click();
  await page.locator('.map').focus();
  await page.keyboard.press('ArrowRight');
  const left = await readView();
  assert.notEqual(left, start);
  await page.reload();
  await waitForAreas(page);
  assert.equal(await readView(), left);
  await page.locator('.record-link').last().click();
  await page.waitForURL(/\/submissions\/[\da-f-]{36}/);
  await page.goBack();
  await waitForAreas(page);
  assert.equal(await readView(), left);
  await page.context().close();
});

test('numbers are in the centres of tall areas, also at the pole', { skip: drawsAgain }, async () => {
  const { id } = await store.addOrganization('Nordstadt', randomUUID(), { locationDecimals: '3' });
  await store.editOrganization(id, { slug: 'nordstadt', licenseName: 'CC-BY-4.0', openData: 'on' });
  await fixture.putRecords(
    id,
    [49, 89.9].map((latitude, n) => ({
      kind: 'submission' as const,
      ...createSubmission(n, { location: { type: 'Point', coordinates: [8.4, latitude] } }),
    })),
  );
  const { page } = await openMap(server, {}, '?language=de');
  await page.goto(page.url().replace('musterstadt', 'nordstadt'));
  await waitForAreas(page);
  const readMiddles = (selector: string) =>
    page.locator(selector).evaluateAll((shown) =>
      shown
        .map((element) => element.getBoundingClientRect())
        .map(({ top, height }) => top + height / 2)
        .sort((one, other) => one - other),
    );
  const areas = await readMiddles('path.map-area');
  const numbers = await readMiddles('.map-count');
  assert.equal(numbers.length, 2);
  for (const [n, number] of numbers.entries())
    assert.ok(Math.abs(number - (areas[n] ?? 0)) < 2, `${number} ${areas[n]}`);
  await page.context().close();
});

test('a map on tiles tells their server only its own origin', async (t) => {
  const { requests, origin } = await startTileServer(t);
  const attribution = '© <i>Amt</i> für Karten';
  const withTiles = await start({
    ROSTRA_MAP_TILES: `${origin}/{z}/{x}/{y}.png`,
    ROSTRA_MAP_ATTRIBUTION: attribution,
  });
  const { page, urls, messages } = await openMap(withTiles);
  await waitForAreas(page);
  await page.locator('.leaflet-tile-loaded').first().waitFor();
  assert.deepEqual(messages, []);
  const own = `http://127.0.0.1:${withTiles.port}`;
  assert.deepEqual(new Set(urls.map((url) => new URL(url).origin)), new Set([own, origin]));
  for (const { url, headers } of requests) {
    assert.match(url, /^\/\d+\/\d+\/\d+\.png$/);
    assert.equal(headers.referer, `${own}/`);
    assert.equal(headers.cookie, undefined);
  }
  assert.ok(await page.getByText(attribution).isVisible());
  await page.context().close();
});

test('without scripts, and without the data of the map, the lists remain', async () => {
  const { page, urls } = await openMap(server, { javaScriptEnabled: false });
  const readLists = async () => [
    await page.locator('.map-figure').isVisible(),
    await page.locator('table').first().locator('tbody a').allInnerTexts(),
    await page.locator('table').last().locator('.record-link').allInnerTexts(),
  ];
  await page.locator('#map summary').click();
  const [, areas, submissions] = await readLists();
  assert.deepEqual(await readLists(), [false, areas, submissions]);
  assert.equal((areas as string[]).filter((text) => / der Mitte$/.test(text)).length, 3);
  assert.deepEqual(submissions, ['Laterne 0', 'Laterne 1', 'Laterne 2', 'Laterne 3']);
  assert.ok(!urls.some((url) => url.includes('map.json')));
  await page.context().close();
  const context = await openBrowserContext(browser);
  await context.route('**/map.json*', (route) => route.fulfill({ status: 503, body: '{}' }));
  const other = await context.newPage();
  await other.goto(`http://127.0.0.1:${server.port}/open/musterstadt/submissions/map`);
  await other.waitForLoadState('networkidle');
  assert.equal(await other.locator('.map-figure').isVisible(), false);
  assert.ok(await other.getByText('The map could not be loaded.').isVisible());
  await context.close();
});
