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

/**
 * The context of the page needs `addAxe`.
 *
 * @param measuresContrast whether to check the contrast of texts, which takes most of the time
 */
export function findViolations(page: Page, measuresContrast = true): Promise<Violation[]> {
  const options = {
    // Other results are described by one element only, which saves time.
    resultTypes: ['violations'],
    // Preloading fetches and parses each style sheet again, for one rule: css-orientation-lock.
    preload: isNightly,
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    rules: { 'color-contrast': { enabled: measuresContrast } },
  };
  return page.evaluate(async (given) => {
    const { axe, document } = globalThis as unknown as {
      axe: { run(root: unknown, options: unknown): Promise<{ violations: Violation[] }> };
      document: unknown;
    };
    const found = await axe.run(document, given);
    return found.violations;
  }, options);
}

export const describeViolation = ({ id, nodes }: Violation) =>
  `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`;

/** Elements that make the page scroll horizontally, rather than a box in it. */
export function measureOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { document } = globalThis as unknown as {
      document: { documentElement: { scrollWidth: number; clientWidth: number } };
    };
    return document.documentElement.scrollWidth - document.documentElement.clientWidth;
  });
}
