/** `npm test` runs `all.ts` of each folder. A file that no `all.ts` runs would never fail. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

const checkout = join(import.meta.dirname, '../..');
const { scripts } = JSON.parse(readFileSync(join(checkout, 'package.json'), 'utf8'));

const find = (pattern: string) => globSync(pattern, { cwd: checkout, exclude: ['**/node_modules/**'] });

/** Folders whose `all.ts` a script runs. */
const listFoldersOf = (script: string) =>
  find(/'(\S+\/all\.ts)'/.exec(scripts[script])?.[1] ?? '').map(dirname);

test('npm test runs every folder with tests, except the nightly ones and those of Citus', () => {
  const folders = new Set(find('test/**/*.test.ts').map(dirname));
  const nightly = find('test/nightly/**/*.test.ts').map(dirname);
  const run = new Set(['test:sqlite', 'test:postgres', 'test:citus'].flatMap(listFoldersOf));
  assert.deepEqual(run, folders.difference(new Set(nightly)));
});

test('every all.ts runs the files of its own folder', () => {
  for (const file of find('test/**/all.ts'))
    assert.match(
      readFileSync(join(checkout, file), 'utf8'),
      /^runTestFiles\(import\.meta\.dirname\);$/m,
      file,
    );
});
