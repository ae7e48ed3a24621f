/** Every page in every state, in both languages: axe finds nothing, and a window need not be scrolled sideways. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, suite, test } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { newBrowser } from '../support/browser.ts';
import { type Look, newWindow, openGallery, type Role, states } from '../support/gallery.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const gallery = await openGallery({ after });
const browser = await newBrowser({ after });

interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Past the page's policy, as no page may load scripts from elsewhere. */
async function violations(page: Page): Promise<Violation[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe, document } = globalThis as unknown as {
      axe: { run(root: unknown, options: unknown): Promise<{ violations: Violation[] }> };
      document: unknown;
    };
    const found = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return found.violations;
  });
}

const told = ({ id, nodes }: Violation) => `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`;

/** Widths that the page, and not a box in it, would have to be scrolled for. */
function overflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number; clientWidth: number } };
    };
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  });
}

/** Each language and each theme once: colours do not depend on words. German is the language of long ones. */
const looks: Look[] = [
  { language: 'de', theme: 'light', width: 320 },
  { language: 'en', theme: 'dark', width: 1280 },
];

for (const look of looks) {
  suite(`${look.language}, ${look.theme}, ${look.width} pixels wide`, () => {
    const windows = new Map<Role, Promise<BrowserContext>>();
    after(async () => {
      for (const window of windows.values()) await (await window).close();
    });

    /** One window for everybody who signs in once. */
    const windowOf = (role: Role) => {
      const window = windows.get(role) ?? newWindow(browser, gallery, role, look);
      windows.set(role, window);
      return window;
    };

    for (const { name, as, open } of states) {
      test(name, async () => {
        const page = await (await windowOf(as)).newPage();
        try {
          await open(page, gallery);
          assert.equal(await page.locator('html').getAttribute('lang'), look.language);
          assert.deepEqual((await violations(page)).map(told), []);
          assert.ok((await overflow(page)) <= 0, 'the page is wider than the window');
        } finally {
          await page.close();
        }
      });
    }
  });
}
