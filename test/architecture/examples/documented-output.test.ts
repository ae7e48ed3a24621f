/** The examples of the documentation print the documented output. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createExampleRunner, hasExamples, normalize } from '../../../docs/console-examples.ts';
import { demoResponsesFile, readDemoResponses } from '../../../docs/demo-responses.ts';
import { checkout } from '../../support/checkout.ts';
import { rostraFile } from '../../support/server-process.ts';
import { skipWithout } from '../../support/system-programs.ts';

// The examples change the working directory of the process, so pages run one after another.
suite('documented output', { concurrency: 1 }, () => {
  const runner = createExampleRunner(rostraFile);
  after(runner.close);

  const pages = globSync('docs/**/*.md', { cwd: checkout })
    .map((page) => ({ page, text: readFileSync(join(checkout, page), 'utf8') }))
    .filter(({ text }) => hasExamples(text));

  test('at least ten pages have examples', () => {
    assert.ok(pages.length >= 10, `${pages.length} pages with examples`);
  });

  test('the page at /docs has the responses of the demo', async () => {
    const documented = readFileSync(join(checkout, 'docs', demoResponsesFile), 'utf8');
    const actual = await readDemoResponses(await runner.connect());
    assert.equal(normalize(documented), normalize(actual), '"npm run docs" updates them');
  });

  for (const { page, text } of pages) {
    const programs = (['curl', 'jq'] as const).filter((name) =>
      new RegExp(`^\\$.*\\b${name} `, 'm').test(text),
    );
    test(`${page} shows the output of its examples`, {
      skip: skipWithout(...programs),
    }, async () => {
      for (const { command, documented, actual } of await runner.run(text))
        assert.equal(
          normalize(documented),
          normalize(actual),
          `"npm run docs" updates the output of: ${command}`,
        );
    });
  }
});
