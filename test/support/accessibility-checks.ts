/** Checks of pages in a browser: the rules of axe, and horizontal scrolling. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

/** Defines the global `axe` of a page. */
export const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export interface Violation {
  id: string;
  impact: string;
  nodes: { html: string; failureSummary: string }[];
}

/** Bypasses the content security policy, which forbids scripts from elsewhere. */
export async function findViolations(page: Page): Promise<Violation[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe, document } = globalThis as unknown as {
      axe: { run(root: unknown, options: unknown): Promise<{ violations: Violation[] }> };
      document: unknown;
    };
    const found = await axe.run(document, {
      // Other results are described by one element only, which saves time.
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return found.violations;
  });
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
