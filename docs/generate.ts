/** Writes what the documentation takes from the code: `npm run docs`. A test holds the documentation to it. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { hasExamples, runExamples, withActualOutput } from './console-examples.ts';
import { generatePages } from './pages.ts';

for (const [file, text] of await generatePages()) writeFileSync(new URL(file, import.meta.url), text);

for (const file of globSync('**/*.md', { cwd: import.meta.dirname })) {
  const path = new URL(file, import.meta.url);
  const page = readFileSync(path, 'utf8');
  if (hasExamples(page)) writeFileSync(path, withActualOutput(page, await runExamples(page)));
}
