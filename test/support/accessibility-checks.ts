/** Checks of pages in a browser: the rules of axe, and horizontal scrolling. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { BrowserContext, Page } from 'playwright-core';
import { isNightly } from './nightly.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Defines the global `axe` of all pages that the context opens from now on. The browser compiles it once for all of them, and
 * the content security policy of the pages does not apply.
 */
export const addAxe = (context: BrowserContext): Promise<unknown> => context.addInitScript(axe);

export interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

export interface PageMeasures {
  language: string;
  violations: Violation[];
  /** Pixels by which the page is wider than the window: it scrolls horizontally, rather than a box in it. */
  overflow: number;
  /** Of the first header of the page, in pixels. */
  headerHeight: number;
}

/**
 * Measures a page in one call. Locators would send the script of Playwright to each page, which doubles the time. The context
 * of the page needs `addAxe`.
 *
 * @param rules which rules of axe to check. The contrast of texts takes most of the time
 */
export function measurePage(
  page: Page,
  rules: 'all' | 'all but contrast' | 'none' = 'all',
): Promise<PageMeasures> {
  const options = {
    // Other results are described by one element only, which saves time.
    resultTypes: ['violations'],
    // Preloading fetches and parses each style sheet again, for one rule: css-orientation-lock.
    preload: isNightly,
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { 'color-contrast': { enabled: rules === 'all' } },
  };
  // By day the rows of long tables and the items of long lists are checked up to the tenth: the others have the same elements.
  const context = isNightly ? {} : { exclude: ['tr:nth-child(n + 11)', 'li:nth-child(n + 11)'] };
  return page.evaluate(
    async ({ rules, options, context }) => {
      interface Box {
        scrollWidth: number;
        clientWidth: number;
        offsetHeight: number;
      }
      const { axe, document } = globalThis as unknown as {
        axe: { run(root: unknown, options: unknown): Promise<{ violations: Violation[] }> };
        document: { documentElement: Box & { lang: string }; querySelector(selector: string): Box | null };
      };
      const { documentElement } = document;
      const violations =
        rules === 'none' ? [] : (await axe.run({ include: document, ...context }, options)).violations;
      return {
        language: documentElement.lang,
        violations,
        overflow: documentElement.scrollWidth - documentElement.clientWidth,
        headerHeight: document.querySelector('header')?.offsetHeight ?? 0,
      };
    },
    { rules, options, context },
  );
}

export const describeViolation = ({ id, nodes }: Violation) =>
  `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`;
