/** The page of open data of a municipality in a browser, with as much as its lists show. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { addAxe, describeViolation, measurePage } from '../../support/accessibility-checks.ts';
import { launchBrowser, openBrowserContext } from '../../support/browser.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSession, createSubmission, formatSurveyId } from '../../support/records.ts';
import { waitUntil } from '../../support/wait-until.ts';

const fixture = await createFixture({ after });
const { store, a } = fixture;
const server = await fixture.startServer({ ROSTRA_OPEN_DATA_FOLDER: createTemporaryFolder({ after }) });
const browser = await launchBrowser({ after });
const address = `http://127.0.0.1:${server.port}/open/grossstadt`;

const longTitle =
  'Sehr geehrte Damen und Herren, in der Grundschule am Wasserturm fällt der Schwimmunterricht aus. ';
const statuses = ['submitted', 'received', 'in_review', 'accepted', 'rejected', 'completed', 'withdrawn'];
const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin');

await store.editOrganization(a, {
  slug: 'grossstadt',
  licenseName: 'CC-BY-4.0',
  openData: 'on',
  language: 'de',
  attribution: 'Daten: Großstadt, CC BY 4.0',
  accentColor: '#ffcc00',
  contactName: 'Stabsstelle Offene Daten',
  contactEmail: 'offene-daten@grossstadt.example',
  contactUrl: 'https://www.grossstadt.example/offene-daten',
});
await fixture.putRecords(a, [
  ...Array.from({ length: 60 }, (_, n) => {
    const at = now
      .subtract({ days: 6 * n + 1 })
      .toInstant()
      .toString({ fractionalSecondDigits: 3 });
    return {
      kind: 'submission' as const,
      ...createSubmission(500 + n, {
        description: longTitle.repeat(3),
        status: statuses[n % statuses.length] as string,
        topicCategoryName: `Ein längeres Thema ${n % 12}`,
        supportCount: 1_000 + n,
        createdAt: at,
        statusChangedAt: now.toInstant().toString({ fractionalSecondDigits: 3 }),
      }),
    };
  }),
  ...Array.from({ length: 6 }, (_, n) => ({
    kind: 'session' as const,
    ...createSession(500 + n, {
      committeeName: 'Ausschuss für Umwelt, Klimaschutz, Mobilität und Stadtentwicklung',
      date: now
        .add({ days: n + 1 })
        .toPlainDate()
        .toString(),
      timeSlot: '18:00-20:00',
    }),
  })),
  ...Array.from({ length: 4 }, (_, n) => ({
    kind: 'survey' as const,
    surveyId: formatSurveyId(500 + n),
    title: 'Radfahren in der Altstadt: Wie sicher fühlen Sie sich auf dem Weg zur Arbeit?',
    status: 'closed',
    totalResponses: 2_000 + n,
    questions: [],
  })),
]);
await waitUntil(
  'statistics',
  async () => (await store.readStatistics(a, 'Europe/Berlin'))?.isCurrent === true,
);

async function openPage(width: number) {
  const context = await openBrowserContext(browser, {
    javaScriptEnabled: false,
    locale: 'de-DE',
    viewport: { width, height: 800 },
  });
  const page = await context.newPage();
  const response = await page.goto(address);
  return { page, bytes: (await response?.body())?.length ?? 0 };
}

test('the page of a municipality has two columns, 2,500 pixels and 50,000 bytes at most on a desk', async () => {
  const { page, bytes } = await openPage(1280);
  const height = (await page.locator('html').boundingBox())?.height ?? 0;
  assert.ok(height > 1_000 && height <= 2_500, `${height} pixels`);
  assert.ok(bytes > 10_000 && bytes <= 50_000, `${bytes} bytes`);
  const boxOf = async (heading: string) =>
    (await page.getByRole('heading', { name: heading }).boundingBox()) ?? { x: 0, y: 0 };
  const [left, right] = [await boxOf('Neueste Entscheidungen'), await boxOf('Nächste Sitzungen')];
  assert.ok(right.x > left.x + 400 && Math.abs(left.y - right.y) < 10, JSON.stringify({ left, right }));
  await page.context().close();
});

test('the page of a municipality has one column on a phone, and its first field is the search', async () => {
  const { page } = await openPage(390);
  const { width = 0 } = (await page.locator('body').boundingBox()) ?? {};
  assert.ok(width <= 390, `${width}`);
  const search = page.getByRole('searchbox').or(page.getByRole('textbox')).first();
  const { y: top } = (await search.boundingBox()) ?? { y: Number.POSITIVE_INFINITY };
  assert.ok(top < 800, `${top}`);
  await search.focus();
  await page.keyboard.type('schwimmunterricht');
  await page.keyboard.press('Enter');
  await page.waitForURL(/\/submissions\?.*words=schwimmunterricht/);
  assert.match(await page.locator('main').innerText(), /Schwimmunterricht/);
  await page.context().close();
});

for (const [colorScheme, bar] of [
  ['light', 'a shade of it'],
  ['dark', 'rgb(255, 204, 0)'],
] as const)
  test(`the page of a municipality shows its colour with enough contrast, also in all links: ${colorScheme}`, async () => {
    const context = await openBrowserContext(browser, { locale: 'de-DE', colorScheme });
    await addAxe(context);
    const page = await context.newPage();
    const readColor = (selector: string, property: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((element, name) => {
          const { getComputedStyle } = globalThis as unknown as {
            getComputedStyle(one: unknown): { getPropertyValue(name: string): string };
          };
          return getComputedStyle(element).getPropertyValue(name);
        }, property);
    for (const path of ['', '/submissions', '/downloads']) {
      await page.goto(address + path);
      assert.deepEqual((await measurePage(page)).violations.map(describeViolation), [], path);
      const shade = await readColor('main a', 'color');
      assert.equal(await readColor('.open-header', 'border-block-start-width'), '6px');
      const found = await readColor('.open-header', 'border-block-start-color');
      assert.ok(bar === 'a shade of it' ? found !== 'rgb(255, 204, 0)' : found === bar, found);
      const [red = 0, green = 0, blue = 0] = shade.match(/\d+/g)?.map(Number) ?? [];
      assert.ok(red > green && green > blue, `${shade} is yellow`);
    }
    await context.close();
  });
