/** Writes the pages that follow from the code: `npm run docs`. A test holds them against it. */
import { writeFileSync } from 'node:fs';
import { generatedPages } from './pages.ts';

for (const [file, text] of await generatedPages()) writeFileSync(new URL(file, import.meta.url), text);
