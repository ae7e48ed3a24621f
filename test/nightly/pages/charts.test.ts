/** The values of a chart can be read by keyboard and by pointing; in the table without scripts. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createSignIn, launchBrowser } from '../../support/browser.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createSubmission } from '../../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { id } = await fixture.store.addOrganization('Diagrammstadt', '00000000-0000-4000-8000-0000000000c4');
await fixture.putRecords(
  id,
  (
    [
      ['2024-01-15', 'accepted'],
      ['2024-01-16', 'rejected'],
      ['2024-01-17', 'rejected'],
      ['2024-12-15', 'Wiedervorlage'],
    ] as const
  ).map(([day, status], index) => ({
    kind: 'submission',
    ...createSubmission(index + 1, { createdAt: `${day}T12:00:00.000Z`, status }),
  })),
);
const browser = await launchBrowser({ after });
const signIn = createSignIn(browser, fixture.server, fixture.store);
const path = `/admin/organizations/${id}/published?period=2024`;

test('arrow keys, Home and End show the values of a column, and pointing at one does too', async () => {
  const page = await signIn(id);
  await page.goto(fixture.server.address + path);
  const values = page.locator('[data-chart-values]');
  assert.match((await values.textContent()) ?? '', /press the arrow keys/);
  await page.getByRole('application', { name: 'Submissions by month and status' }).focus();
  const read = async (key: string) => {
    await page.keyboard.press(key);
    return (await values.textContent())?.replaceAll('\u00a0', ' ');
  };
  const january = 'Jan 2024. accepted: 1, rejected: 2, Total: 3';
  assert.equal(await read('ArrowRight'), january);
  assert.equal(await read('ArrowLeft'), january);
  assert.equal(await read('ArrowRight'), 'Feb 2024. Total: 0');
  assert.equal(await read('End'), 'Dec 2024. Wiedervorlage: 1, Total: 1');
  assert.equal(await read('ArrowRight'), 'Dec 2024. Wiedervorlage: 1, Total: 1');
  assert.equal(await read('Home'), january);
  assert.equal(await page.locator('.chart-column--current').count(), 1);
  await page.locator('.chart-column').nth(11).hover();
  assert.match((await values.textContent()) ?? '', /^Dec/);
  await page.context().close();
});

test('without scripts, the table has the values, and no hint promises more', async () => {
  const page = await signIn(id);
  const state = await page.context().storageState();
  await page.context().close();
  const context = await browser.newContext({
    javaScriptEnabled: false,
    storageState: state,
    locale: 'en-GB',
  });
  const plain = await context.newPage();
  await plain.goto(fixture.server.address + path);
  assert.equal(await plain.locator('[data-chart-values]').isVisible(), false);
  await plain.getByText('Show as a table').click();
  assert.equal(await plain.getByRole('row', { name: /^Jan 2024 1 2 0 3$/ }).count(), 1);
  await context.close();
});

test('colours of statuses contrast with the background in both themes, and own statuses have a pattern', async () => {
  const page = await signIn(id);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.goto(fixture.server.address + path);
    const [background = '', ...fills] = await page.evaluate(() => {
      const scope = globalThis as unknown as {
        document: { body: object; querySelectorAll(selector: string): Iterable<object> };
        getComputedStyle(element: object): { fill: string; backgroundColor: string };
      };
      const bars = [...scope.document.querySelectorAll('.chart-box .chart-bar')];
      return [
        scope.getComputedStyle(scope.document.body).backgroundColor,
        ...bars.map((bar) => scope.getComputedStyle(bar).fill),
      ];
    });
    assert.equal(fills.length, 3);
    for (const fill of fills.slice(0, 2))
      assert.ok(contrast(fill, background) >= 3, `${colorScheme}: ${fill} on ${background}`);
    assert.match(fills[2] ?? '', /^url\("#chart-own-\d"\)/);
  }
  await page.context().close();
});

/** WCAG 2.2, contrast ratio of two colours in the form `rgb(0, 0, 0)` or `oklch(1 0 0)`. */
function contrast(one: string, other: string): number {
  const luminance = (color: string) => {
    // The design system has grey backgrounds in this form. Their luminance is the cube of the lightness.
    if (color.startsWith('oklch(')) return Number(/[\d.]+/.exec(color)?.[0]) ** 3;
    const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? [])
      .map((value) => Number(value) / 255)
      .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((left, right) => left - right);
  return (light + 0.05) / (dark + 0.05);
}
