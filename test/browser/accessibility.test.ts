/** Every page in every state, in both languages and themes: axe finds nothing, and a narrow window needs no scrolling. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, suite, test } from 'node:test';
import type { Page } from 'playwright-core';
import { newBrowser } from '../support/browser.ts';
import { type Look, newWindow, openGallery, states } from '../support/gallery.ts';

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

const looks: Look[] = [
  { language: 'de', theme: 'light', width: 320 },
  { language: 'de', theme: 'dark', width: 1280 },
  { language: 'en', theme: 'dark', width: 320 },
  { language: 'en', theme: 'light', width: 1280 },
];

for (const look of looks) {
  suite(`${look.language}, ${look.theme}, ${look.width} pixels wide`, () => {
    for (const { name, as, open } of states) {
      test(name, async () => {
        const window = await newWindow(browser, gallery, as, look);
        try {
          const page = await window.newPage();
          await open(page, gallery);
          assert.equal(await page.locator('html').getAttribute('lang'), look.language);
          assert.deepEqual((await violations(page)).map(told), []);
          assert.ok((await overflow(page)) <= 0, 'the page is wider than the window');
        } finally {
          await window.close();
        }
      });
    }
  });
}
