/** Updates the generated pages and the outputs of examples: `npm run docs`. Tests fail if they are out of date. */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { createExampleRunner, hasExamples, normalize, replaceOutputs } from './console-examples.ts';
import { demoResponsesFile, readDemoResponses } from './demo-responses.ts';
import { generatePages } from './pages.ts';

for (const [file, text] of await generatePages()) writeFileSync(new URL(file, import.meta.url), text);

const runner = createExampleRunner();
for (const file of globSync('**/*.md', { cwd: import.meta.dirname })) {
  const path = new URL(file, import.meta.url);
  const page = readFileSync(path, 'utf8');
  if (hasExamples(page)) writeFileSync(path, replaceOutputs(page, await runner.run(page)));
}
const responsesPath = new URL(demoResponsesFile, import.meta.url);
const responses = await readDemoResponses(await runner.connect());
// Cursors and keys differ in each demo.
if (normalize(responses) !== normalize(readFileSync(responsesPath, 'utf8')))
  writeFileSync(responsesPath, responses);
await runner.close();
