/** The examples of the documentation print the documented output. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { hasExamples, normalize, runExamples } from '../../../docs/console-examples.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const isInstalled = (tool: string) => spawnSync(tool, ['--version']).error === undefined;

// The examples change the working directory of the process, so pages run one after another.
suite('documented output', { concurrency: 1 }, () => {
  const pages = globSync('docs/**/*.md', { cwd: root })
    .map((page) => ({ page, text: readFileSync(join(root, page), 'utf8') }))
    .filter(({ text }) => hasExamples(text));

  test('at least ten pages have examples', () => {
    assert.ok(pages.length >= 10, `${pages.length} pages with examples`);
  });

  for (const { page, text } of pages) {
    const tools = ['curl', 'jq'].filter((tool) => new RegExp(`^\\$.*\\b${tool} `, 'm').test(text));
    const missing = tools.find((tool) => !isInstalled(tool));
    test(`${page} shows the output of its examples`, { skip: missing && `needs ${missing}` }, async () => {
      for (const { command, documented, actual } of await runExamples(text))
        assert.equal(
          normalize(documented),
          normalize(actual),
          `"npm run docs" updates the output of: ${command}`,
        );
    });
  }
});
