/** Every test file belongs to a suite, and CONTRIBUTING.md shows what runs where. */
import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { test } from 'node:test';
import { planRuns, suiteNames, testFolders } from '../suites.ts';
import { checkout } from '../support/checkout.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { type FileResult, runFiles } from '../support/run-files.ts';

/** Figures of the trust report install packages below `test/`. */
const testFiles = globSync(join(checkout, 'test/**/*.test.ts'), { exclude: ['**/node_modules'] }).map(
  (file) => relative(checkout, file).split(sep).join('/'),
);

test('every folder with tests is in the table of suites', () => {
  const folders = new Set(testFiles.map((file) => dirname(file).replace('test/', '')));
  assert.deepEqual(new Set(testFolders.map(({ folder }) => folder)), folders);
});

test('each suite runs a file at most once on an engine, and all suites together run every file', () => {
  const all = new Set<string>();
  for (const suite of suiteNames) {
    const runs = planRuns(suite).map(({ engine, file }) => `${engine} ${file}`);
    assert.equal(new Set(runs).size, runs.length, suite);
    for (const run of runs) all.add(run.replace(/^\S+ /, ''));
  }
  assert.deepEqual([...all].sort(), testFiles.toSorted());
});

/** Files that the quick suite leaves to the others: they need minutes in a browser, or PostgreSQL. */
const isSlow = (file: string) =>
  file.startsWith('test/postgres/') || file === 'test/admin/pages/accessibility.test.ts';

test('the quick suite runs the tests that docs/recipes.md names', () => {
  const recipes = readFileSync(join(checkout, 'docs/recipes.md'), 'utf8');
  const named = new Set(recipes.match(/test\/[\w/-]+\.test\.ts/g));
  assert.ok(named.size > 10);
  const quick = new Set(planRuns('quick').map(({ file }) => file));
  assert.deepEqual(
    [...named.difference(quick)].filter((file) => !isSlow(file)),
    [],
  );
});

test('no test file waits after its first test: on its own, it would end before the others are known', () => {
  const waiting = testFiles.filter((file) => {
    const [, ...rest] = readFileSync(join(checkout, file), 'utf8').split(/^(?:test|suite)\(/m);
    // Code of a file is not indented, unlike that of a text in it.
    return /^(?:(?:const|let) .+ = )?await /m.test(rest.join('').replaceAll(/`[^`]*`/g, ''));
  });
  assert.deepEqual(waiting, []);
});

test('a failed test is reported with its title and its error, whatever line separators they contain', async (t) => {
  const file = join(createTemporaryFolder(t), 'failing.test.ts');
  const [title, error] = ['fails\u2028here', 'one\u2028two\u2029three\nfour'];
  writeFileSync(
    file,
    `import { test } from 'node:test';
    test(${JSON.stringify(title)}, () => { throw new Error(${JSON.stringify(error)}); });
    test('passes', () => undefined);`,
  );
  const left = [relative(checkout, file)];
  // With this variable of "node --test", a runner inside of it would report to the outer one.
  const { NODE_TEST_CONTEXT: _, ...environment } = process.env;
  const results = await Array.fromAsync(runFiles('SQLite', () => left.pop(), environment, 60_000));
  assert.equal(results.length, 1);
  const { passed, failures } = results[0] as FileResult;
  assert.deepEqual([passed, failures.map((failure) => failure.title)], [1, [title]]);
  assert.ok(failures[0]?.error.includes(error));
});

test('CONTRIBUTING.md lists the engines and suites of each folder', () => {
  const text = readFileSync(join(checkout, 'CONTRIBUTING.md'), 'utf8');
  const listed = [...text.matchAll(/^\| `test\/(\S+?)\/` \| .+ \| (.+) \| (.+) \|$/gm)].map(
    ([, folder, engines, suites]) => ({ folder, engines, suites }),
  );
  const declared = testFolders.map(({ folder, engines, isNightly, quick }) => ({
    folder,
    engines: engines.filter((name) => name !== 'Citus' || engines.length === 1).join(', '),
    suites: isNightly
      ? 'nightly'
      : engines[0] === 'Citus'
        ? 'citus'
        : quick === 'every file'
          ? 'all, quick'
          : 'all',
  }));
  const sort = (rows: typeof listed) =>
    rows.toSorted((a, b) => String(a.folder).localeCompare(String(b.folder)));
  assert.deepEqual(sort(listed), sort(declared));
});
