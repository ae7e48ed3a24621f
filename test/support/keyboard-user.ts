/** A page that is used with the keyboard alone. Nothing is clicked, and the focus is visible at each step. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { followTo } from './browser.ts';

/** Folder for a picture of each step; unset: no pictures. */
const { ROSTRA_TEST_SCREENSHOTS: pictures } = process.env;

const defaultMaxTabs = 80;
/** Runs in the browser. */
interface FocusedElement {
  name: string;
  isVisible: boolean;
}

function describeFocus(): FocusedElement {
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { activeElement: FocusTarget };
    getComputedStyle(element: FocusTarget): { outlineStyle: string; boxShadow: string };
  };
  interface FocusTarget {
    labels?: Iterable<{ textContent: string }>;
    textContent: string;
    getAttribute(name: string): string | null;
    parentElement: FocusTarget | null;
  }
  const element = document.activeElement;
  const label = [...(element.labels ?? [])].map(({ textContent }) => textContent).join(' ');
  const name = element.getAttribute('aria-label') ?? (label || element.textContent);
  // The design system draws the focus of some elements on their parent.
  const isVisible = [element, element.parentElement].some((shown) => {
    if (shown === null) return false;
    const { outlineStyle, boxShadow } = getComputedStyle(shown);
    return outlineStyle !== 'none' || boxShadow !== 'none';
  });
  return { name: name.replace(/\s+/g, ' ').trim(), isVisible };
}

/** Runs in the browser. */
function readChosenOption(): string {
  const { document } = globalThis as unknown as {
    document: { activeElement: { selectedOptions: Iterable<{ textContent: string }> } };
  };
  return [...document.activeElement.selectedOptions].map(({ textContent }) => textContent).join();
}

export interface KeyboardUser {
  /** Presses Tab until an element with this name has the focus. */
  moveTo(wanted: RegExp | string): Promise<void>;
  /** Presses the focused element, and waits for a page with this heading. */
  activate(heading: RegExp | string, key?: 'Enter' | 'Space'): Promise<void>;
  /** Moves to a link or a button and presses it. */
  press(name: RegExp | string, heading: RegExp | string): Promise<void>;
  /** Moves to a field and replaces its value. */
  enter(label: RegExp | string, value: string): Promise<void>;
  /** Moves to a selection and chooses an option by typing its beginning. */
  choose(label: RegExp | string, option: string): Promise<void>;
  /** Moves to a file field and chooses a file. */
  chooseFile(label: RegExp | string, path: string): Promise<void>;
  /** Presses that triggered something, as a mouse would click. */
  clicks(): number;
}

/** @param task name of the pictures @param maxTabs more than any page of the task has elements */
export function createKeyboardUser(page: Page, task: string, maxTabs = defaultMaxTabs): KeyboardUser {
  let clicks = 0;

  async function moveTo(wanted: RegExp | string): Promise<void> {
    const passed: string[] = [];
    for (let tabs = 0; tabs < maxTabs; tabs += 1) {
      await page.keyboard.press('Tab');
      const { name, isVisible } = await page.evaluate(describeFocus);
      if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) {
        assert.ok(isVisible, `the focus on "${name}" is visible`);
        return;
      }
      passed.push(name);
    }
    assert.fail(`Tab does not reach ${wanted} at ${page.url()}, but: ${passed.join(' | ')}`);
  }

  async function activate(heading: RegExp | string, key: 'Enter' | 'Space' = 'Enter'): Promise<void> {
    clicks += 1;
    await followTo(page, () => page.keyboard.press(key));
    await page.getByRole('heading', { level: 1, name: heading }).waitFor();
    // The result of a form has the focus, so that Tab goes on from there.
    if (new URL(page.url()).hash === '#result') await page.locator('#result:focus').waitFor();
    if (pictures === undefined) return;
    mkdirSync(pictures, { recursive: true });
    await page.screenshot({ path: `${pictures}/${task}-${clicks}.png`, fullPage: true });
  }

  return {
    moveTo,
    activate,
    press: async (name: RegExp | string, heading: RegExp | string) => {
      await moveTo(name);
      await activate(heading);
    },
    enter: async (label: RegExp | string, value: string) => {
      await moveTo(label);
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(value);
    },
    choose: async (label, option) => {
      await moveTo(label);
      clicks += 1;
      await page.keyboard.type(option);
      const chosen = await page.evaluate(readChosenOption);
      assert.ok(chosen.startsWith(option), `typing "${option}" chooses "${chosen}"`);
    },
    chooseFile: async (label, path) => {
      const open = async () => {
        await moveTo(label);
        clicks += 1;
        await page.keyboard.press('Space');
      };
      // Keys and the request for this event reach the page in any order. So the request comes before the move, whose
      // answers from the page show that it has arrived; otherwise the browser opens its own dialog under load.
      const [chooser] = await Promise.all([page.waitForEvent('filechooser'), open()]);
      await chooser.setFiles(path);
    },
    clicks: () => clicks,
  };
}
