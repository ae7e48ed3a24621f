/**
 * Most pages, by night every page in every state: axe finds no violations, no page scrolls horizontally, the header leaves room on a
 * narrow screen, and by night no text is lost with wider spacing.
 */
import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import {
  addAxe,
  describeViolation,
  measurePage,
  measureTextSpacing,
} from '../../support/accessibility-checks.ts';
import { listAdminRoutes } from '../../support/admin-routes.ts';
import { launchBrowser } from '../../support/browser.ts';
import { isNightly } from '../../support/nightly.ts';
import {
  type Appearance,
  createPageStatesFixture,
  openContextAs,
  pageStates,
  type Role,
} from '../../support/page-states.ts';

const fixture = await createPageStatesFixture({ after });
const browser = await launchBrowser({ after });

interface Corner {
  x: number;
  y: number;
}

/** Whether an element is fully visible: inside the window, with its centre and corners uncovered. */
async function isOnTop(locator: Locator): Promise<boolean> {
  const box = await locator.boundingBox();
  const { width, height } = locator.page().viewportSize() ?? { width: 0, height: 0 };
  if (box === null || box.x < 0 || box.y < 0 || box.x + box.width > width || box.y + box.height > height)
    return false;
  const corners: Corner[] = [0.1, 0.5, 0.9].map((share) => ({
    x: box.x + box.width * share,
    y: box.y + box.height * share,
  }));
  return locator.evaluate((element, points: Corner[]) => {
    const { document } = globalThis as unknown as {
      document: { elementFromPoint(x: number, y: number): unknown };
    };
    return points.every(({ x, y }) => document.elementFromPoint(x, y) === element);
  }, corners);
}

/** Contrast ratios of the visible texts, measured by axe. */
function contrastsOf(page: Page, selector: string): Promise<number[]> {
  return page.evaluate(async (context) => {
    const { axe } = globalThis as unknown as {
      axe: { run(root: string, options: unknown): Promise<{ passes: Measured[]; violations: Measured[] }> };
    };
    const { passes, violations } = await axe.run(context, { runOnly: ['color-contrast'] });
    const nodes = [...passes, ...violations].flatMap((rule) => rule.nodes);
    return nodes.flatMap(({ any }) => any.map(({ data }) => data.contrastRatio));
  }, selector);
}

interface Measured {
  nodes: { any: { data: { contrastRatio: number } }[] }[];
}

/** Each language and each theme once. German has the longer words. */
const fewLooks: Appearance[] = [
  { language: 'de', theme: 'light', width: 320 },
  { language: 'en', theme: 'dark', width: 1280 },
];
const looks = isNightly ? listAllLooks() : fewLooks;

const states = pageStates.filter(({ byNight }) => isNightly || byNight !== true);

/** By night each state in each look; by day each state in one of them, in turn. */
const isShownIn = (state: number, look: number) => isNightly || state % looks.length === look;

/** Every combination, and forced colours once. */
function listAllLooks(): Appearance[] {
  const languages = ['de', 'en'] as const;
  const themes = ['light', 'dark'] as const;
  const all = languages.flatMap((language) =>
    themes.flatMap((theme) => [320, 1280].map((width) => ({ language, theme, width }))),
  );
  return [...all, { language: 'de', theme: 'light', width: 320, forcedColors: 'active' }];
}

/** Routes without a page: files, redirects, and addresses of forms. */
const routesWithoutPage = [
  '/admin',
  '/admin/',
  '/admin/assets/:digest/:name',
  '/admin/logos/:file',
  '/admin/audit.csv',
  '/admin/organizations/:organizationId/published.csv',
  '/admin/organizations/:organizationId/imports/:runId/rejected.csv',
  '/admin/organizations/:organizationId/imports/:runId/steps/rejected.csv',
  '/admin/organizations.json',
  '/admin/organizations/:organizationId/audit.csv',
  '/admin/organizations/:organizationId/approvals/:requestId/approve',
  '/admin/organizations/:organizationId/approvals/:requestId/withdraw',
  '/admin/organizations/:organizationId/data',
  '/admin/organizations/:organizationId/imports/:runId/steps/cancel',
  '/admin/organizations/:organizationId/imports/:runId/steps/confirm',
  '/admin/organizations/:organizationId/imports/:runId/steps/retry',
  '/admin/organizations/:organizationId/imports/:runId/steps/option',
  '/admin/organizations/:organizationId/imports/:runId/steps/replace',
  '/admin/organizations/:organizationId/imports/:runId/steps/statuses',
  '/admin/organizations/:organizationId/imports/:runId/steps/survey',
  '/admin/organizations/:organizationId/keys/:keyId/usage.csv',
  '/admin/organizations/:organizationId/logo',
  '/admin/organizations/:organizationId/sources/:sourceName/run',
];

/** By day their states are left out: they consist of the same elements as other pages. */
const routesByNight = [
  '/admin/account/second-factor/remove',
  '/admin/accounts/:accountId/invite',
  '/admin/accounts/:accountId/invited',
  '/admin/accounts/:accountId/remove',
  '/admin/imports/sources',
  '/admin/organizations/:organizationId/accounts/:accountId/invite',
  '/admin/organizations/:organizationId/accounts/:accountId/remove',
  '/admin/organizations/:organizationId/accounts/:accountId/role',
  '/admin/organizations/:organizationId/accounts/new',
  '/admin/organizations/:organizationId/data/sessions',
  '/admin/organizations/:organizationId/data/sessions/:sessionId/unpublish',
  '/admin/organizations/:organizationId/data/submissions/:submissionId/unpublish',
  '/admin/organizations/:organizationId/data/surveys',
  '/admin/organizations/:organizationId/data/surveys/:surveyId/unpublish',
  '/admin/organizations/:organizationId/imports/:runId/steps/key',
  '/admin/organizations/:organizationId/imports/:runId/steps/titles',
  '/admin/organizations/:organizationId/keys/:keyId/revoke',
  '/admin/organizations/:organizationId/sources/:sourceName/key',
  '/admin/organizations/:organizationId/sources/:sourceName/remove',
  '/admin/organizations/:organizationId/sources/:sourceName/undo',
  '/admin/sign-in',
  '/admin/sign-in/recovery-code',
];

async function openPage(role: Role, look: Appearance): Promise<Page> {
  const context = await openContextAs(browser, fixture, role, look);
  await addAxe(context);
  return context.newPage();
}

/** Paths of the opened pages. */
const opened = new Set<string>();

/** Without the ids in it. */
const toPattern = (path: string) => path.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, ':id');

suite('each page', { concurrency: 2 }, () => {
  for (const [number, look] of looks.entries()) {
    const { language, theme, width, forcedColors = 'none' } = look;
    const name = `${language}, ${theme}, ${width} pixels wide${forcedColors === 'active' ? ', forced colours' : ''}`;
    suite(name, { concurrency: 1 }, () => {
      before(() => fixture.renewAuthentication());
      const pages = new Map<Role, Promise<Page>>();
      const measuredPages = new Set<string>();
      after(async () => {
        for (const page of pages.values()) await (await page).context().close();
      });

      /** One page per role, because a new one for each state takes a tenth of the time. */
      const findPage = (role: Role) => {
        const page = pages.get(role) ?? openPage(role, look);
        pages.set(role, page);
        return page;
      };

      test('the first Tab key shows the skip link, readable and inside the window, and Enter follows it', async () => {
        const page = await findPage('nobody');
        await page.goto(`${fixture.server.address}/admin/sign-in`);
        const link = page.locator('a[href="#content"]');
        assert.equal(await isOnTop(link), false);
        await page.keyboard.press('Tab');
        assert.ok(await link.evaluate((element) => element.matches(':focus')));
        assert.ok(await isOnTop(link), 'the focused link is not visible');
        assert.deepEqual((await measurePage(page)).violations.map(describeViolation), []);
        const [contrast = 0] = await contrastsOf(page, 'a[href="#content"]');
        assert.ok(contrast >= 4.5, `contrast ${contrast}`);
        await page.keyboard.press('Enter');
        assert.ok(await page.locator('#content').evaluate((element) => element.matches(':focus')));
        assert.equal(await isOnTop(link), false);
      });

      for (const { name, as, hasNoHeader = false, open } of states.filter((_, state) =>
        isShownIn(state, number),
      )) {
        test(name, async () => {
          const page = await findPage(as);
          // A state of the sign-in may sign in.
          if (as === 'nobody') await page.context().clearCookies();
          await open(page, fixture);
          const path = new URL(page.url()).pathname;
          opened.add(path);
          // By day in one theme and in one state of each page, because it takes most of the time of the checks.
          const measuresContrast = isNightly || (theme === 'dark' && !measuredPages.has(toPattern(path)));
          measuredPages.add(toPattern(path));
          const measures = await measurePage(page, measuresContrast ? 'all' : 'all but contrast');
          assert.equal(measures.language, look.language);
          assert.deepEqual(measures.violations.map(describeViolation), []);
          assert.ok(measures.overflow <= 0, 'the page is wider than the window');
          assert.equal(
            measures.headerHeight === 0,
            hasNoHeader,
            'the page has no header, or one of a municipality',
          );
          assert.ok(
            width > 400 || measures.headerHeight < 120,
            `the header is ${measures.headerHeight} pixels high`,
          );
          // Colours do not change the sizes of texts.
          if (!isNightly || theme === 'dark' || forcedColors === 'active') return;
          const losses = await measureTextSpacing(page);
          assert.deepEqual(losses, { overflow: 0, clipped: [], overlapping: [] });
        });
      }
    });
  }
});

test('every route with a page has a state', async () => {
  const routes = await listAdminRoutes(fixture.store, undefined);
  const paths = routes.filter((route) => route.startsWith('GET')).map((route) => route.replace(/^.* /, ''));
  const isOpened = (path: string) => {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]{8,}')}$`);
    return [...opened].some((address) => pattern.test(address));
  };
  const stale = routesByNight.filter((path) => !paths.includes(path) || (!isNightly && isOpened(path)));
  assert.deepEqual(stale, []);
  const left = isNightly ? routesWithoutPage : [...routesWithoutPage, ...routesByNight];
  const missing = paths.filter((path) => {
    // Ids and secrets are longer than names of pages, such as `new`.
    // By day the forms of one kind of record stand for those of all.
    const anyKind = path.replace(
      /\/data\/\w+(?=\/:\w+\/(?:revert|remove|unpublish|allow|notes\/:\w+\/delete)$)/,
      isNightly ? '$&' : '/data/\\w+',
    );
    return !left.includes(path) && !isOpened(anyKind);
  });
  assert.deepEqual(missing, []);
});
