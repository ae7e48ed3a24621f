/** Checks of pages in a browser: the rules of axe, horizontal scrolling, and wider spacing of texts. */
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

/** Of the rules of axe. docs/accessibility.md names them. */
export const checkedTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

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
export function measurePage(page: Page, rules: 'all' | 'all but contrast' = 'all'): Promise<PageMeasures> {
  const options = {
    // Other results are described by one element only, which saves time.
    resultTypes: ['violations'],
    // Preloading fetches and parses each style sheet again, for one rule: css-orientation-lock.
    preload: isNightly,
    runOnly: checkedTags,
    rules: { 'color-contrast': { enabled: rules === 'all' } },
  };
  // By day the rows of long tables and the items of long lists are checked up to the tenth: the others have the same elements.
  const context = isNightly ? {} : { exclude: ['tr:nth-child(n + 11)', 'li:nth-child(n + 11)'] };
  return page.evaluate(
    async ({ options, context }) => {
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
      const { violations } = await axe.run({ include: document, ...context }, options);
      return {
        language: documentElement.lang,
        violations,
        overflow: documentElement.scrollWidth - documentElement.clientWidth,
        headerHeight: document.querySelector('header')?.offsetHeight ?? 0,
      };
    },
    { options, context },
  );
}

export const describeViolation = ({ id, nodes }: Violation) =>
  `${id}: ${nodes.map(({ html }) => html).join('\n  ')}`;

/** WCAG 2.2, success criterion 1.4.12: readers may set these, and no text may be lost. */
const textSpacing = `
  * { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }
  p { margin-block-end: 2em !important }
`;

export interface SpacingLosses {
  overflow: number;
  /** Elements that cut their content only with the wider spacing. */
  clipped: string[];
  /** Texts that only then cover each other. */
  overlapping: string[];
}

/** Sets the spacing of texts and measures what it costs. It stays for the rest of the page. */
export function measureTextSpacing(page: Page): Promise<SpacingLosses> {
  return page.evaluate((rules) => {
    interface Shape {
      top: number;
      bottom: number;
      left: number;
      right: number;
    }
    interface Box {
      scrollWidth: number;
      clientWidth: number;
      scrollHeight: number;
      clientHeight: number;
      outerHTML: string;
      parentElement: Box | null;
      checkVisibility(): boolean;
      matches(selector: string): boolean;
      getBoundingClientRect(): Shape;
    }
    interface Text {
      data: string;
      parentElement: Box;
    }
    const { document, getComputedStyle, NodeFilter, CSSStyleSheet } = globalThis as unknown as {
      document: {
        documentElement: Box;
        body: Box;
        adoptedStyleSheets: unknown[];
        querySelectorAll(selector: string): Iterable<Box>;
        createTreeWalker(root: Box, what: number): { nextNode(): Text | null };
        createRange(): { selectNodeContents(text: Text): void; getClientRects(): Iterable<Shape> };
      };
      getComputedStyle(of: Box): { overflowX: string; overflowY: string; position: string };
      NodeFilter: { SHOW_TEXT: number };
      CSSStyleSheet: new () => { replaceSync(rules: string): void };
    };
    const describe = ({ outerHTML }: Box) => outerHTML.replace(/\s+/g, ' ').slice(0, 160);
    const cuts = (value: string) => value === 'hidden' || value === 'clip';

    function findClipped(): Set<Box> {
      const clipped = [...document.querySelectorAll('body *')].filter((box) => {
        // Texts for screen readers are one pixel wide, and a field moves its text as its reader types.
        if (box.clientWidth <= 1 || box.matches('input, select')) return false;
        const { overflowX, overflowY } = getComputedStyle(box);
        return (
          (cuts(overflowX) && box.scrollWidth > box.clientWidth + 1) ||
          (cuts(overflowY) && box.scrollHeight > box.clientHeight + 1)
        );
      });
      return new Set(clipped);
    }

    /** Whether an element is laid over others on purpose, or hidden for screen readers. */
    function isApart(box: Box | null): boolean {
      if (box === null) return false;
      const { position } = getComputedStyle(box);
      return (position !== 'static' && position !== 'relative') || isApart(box.parentElement);
    }

    /** The part of a line that no box around it hides or scrolls away. */
    function findVisiblePart({ top, bottom, left, right }: Shape, box: Box | null): Shape {
      if (box === null) return { top, bottom, left, right };
      const { overflowX, overflowY } = getComputedStyle(box);
      const limits = box.getBoundingClientRect();
      const part =
        overflowX === 'visible' && overflowY === 'visible'
          ? { top, bottom, left, right }
          : {
              top: Math.max(top, limits.top),
              bottom: Math.min(bottom, limits.bottom),
              left: Math.max(left, limits.left),
              right: Math.min(right, limits.right),
            };
      return findVisiblePart(part, box.parentElement);
    }

    function findOverlapping(): Set<string> {
      const lines: (Shape & { text: Text })[] = [];
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
        const { parentElement } = text;
        // The content of a closed `details` has a place, but is not shown.
        if (text.data.trim() === '' || !parentElement.checkVisibility() || isApart(parentElement)) continue;
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const line of range.getClientRects()) {
          const { top, bottom, left, right } = findVisiblePart(line, parentElement);
          // A line is higher than its letters.
          const margin = (bottom - top) / 4;
          if (right - left > 2 && bottom > top)
            lines.push({ text, top: top + margin, bottom: bottom - margin, left, right });
        }
      }
      lines.sort((one, other) => one.top - other.top);
      const overlapping = new Set<string>();
      for (const [index, line] of lines.entries())
        for (let next = index + 1; next < lines.length; next += 1) {
          const other = lines[next];
          if (other === undefined || other.top >= line.bottom) break;
          if (other.text !== line.text && other.left < line.right - 2 && line.left < other.right - 2)
            overlapping.add(`${line.text.data.trim()} | ${other.text.data.trim()}`);
        }
      return overlapping;
    }

    const [clippedBefore, overlappingBefore] = [findClipped(), findOverlapping()];
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const { scrollWidth, clientWidth } = document.documentElement;
    return {
      overflow: Math.max(0, scrollWidth - clientWidth),
      clipped: [...findClipped()].filter((box) => !clippedBefore.has(box)).map(describe),
      overlapping: [...findOverlapping()].filter((pair) => !overlappingBefore.has(pair)),
    };
  }, textSpacing);
}
