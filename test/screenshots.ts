/**
 * Takes the pictures of the documentation, then a picture of every page of the admin area: both languages, light and dark,
 * wide and narrow.
 */
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './support/browser.ts';
import { writeDocumentationImages } from './support/documentation-images.ts';
import {
  type Appearance,
  createPageStatesFixture,
  openContextAs,
  pageStates,
} from './support/page-states.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    only: { type: 'string', default: '' },
    'docs-only': { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  process.stdout.write('npm run screenshots -- [--docs-only] [--out FOLDER] [--only PART-OF-A-NAME]\n');
  process.exit();
}

const looks: Appearance[] = (['de', 'en'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((theme) => [1280, 320].map((width) => ({ language, theme, width }))),
);

const endings: (() => void | Promise<void>)[] = [];
const scope = { after: (ending: () => void | Promise<void>) => void endings.unshift(ending) };
try {
  const browser = await launchBrowser(scope);
  if (values.only === '') await writeDocumentationImages(scope, browser, 'docs/images');
  if (!values['docs-only']) await writeGallery(browser);
} finally {
  for (const ending of endings) await ending();
}

async function writeGallery(browser: Browser): Promise<void> {
  const fixture = await createPageStatesFixture(scope);
  const chosen = pageStates.filter(({ name }) => name.includes(values.only));
  for (const look of looks) {
    const folder = `${values.out}/${look.language}-${look.theme}-${look.width}`;
    mkdirSync(folder, { recursive: true });
    for (const { name, as, open } of chosen) {
      const window = await openContextAs(browser, fixture, as, look);
      const page = await window.newPage();
      await open(page, fixture);
      await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
      await window.close();
    }
    process.stderr.write(`${folder}: ${chosen.length} pictures\n`);
  }
}
