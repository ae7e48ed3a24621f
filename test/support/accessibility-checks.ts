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

/** The context of the page needs `addAxe`. */
export function findViolations(page: Page): Promise<Violation[]> {
  // Preloading fetches and parses each style sheet again, for one rule: css-orientation-lock.
  return page.evaluate(async (preload) => {
    const { axe, document } = globalThis as unknown as {
      axe: { run(root: unknown, options: unknown): Promise<{ violations: Violation[] }> };
      document: unknown;
    };
    const found = await axe.run(document, {
      // Other results are described by one element only, which saves time.
      resultTypes: ['violations'],
      preload,
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return found.violations;
  }, isNightly);
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
