/** The documentation agrees with the code. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { diff } from 'node:util';
import { generatePages } from '../../docs/pages.ts';
import { listDocuments } from '../../packaging/documents.ts';
import { writeReports } from '../../packaging/release/steps.ts';
import { caveats } from '../../src/contract/caveats.ts';
import { errorCodes } from '../../src/contract/error-codes.ts';
import { createOpenapiDocument } from '../../src/contract/openapi.ts';
import { apiVersion, operations } from '../../src/contract/operations.ts';
import { restrictedHosts } from '../../src/domain/sources/portals-that-forbid-republishing.ts';
import { formats } from '../../src/ingest/formats/format-registry.ts';
import { presets } from '../../src/ingest/presets/presets.ts';
import { type SettingName, settings, toEnvironmentName } from '../../src/program/config/settings.ts';
import { en } from '../../src/web/messages/en.ts';
import { checkout } from '../support/checkout.ts';
import { composeDocumentedChanges } from '../support/documented-changes.ts';
import { byNight } from '../support/nightly.ts';
import { rostraFile } from '../support/server-process.ts';

const read = (file: string) => readFileSync(join(checkout, file), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'rostra-documentation-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const maxShownLines = 40;

/** @returns the lines of one text only */
const listDifferences = (found: string, generated: string): string[] =>
  diff(found.split('\n'), generated.split('\n'))
    .filter(([operation]) => operation !== 0)
    .map(([operation, line]) => `${operation === 1 ? 'found:    ' : 'generated:'} ${line}`);

for (const [file, text] of await generatePages()) {
  test(`docs/${file} is generated from the code`, () => {
    const found = read(`docs/${file}`);
    // assert.equal would print both texts whole.
    if (found !== text)
      assert.fail(['run "npm run docs"', ...listDifferences(found, text).slice(0, maxShownLines)].join('\n'));
  });
}

test('docs/api.md lists exactly the error codes and their statuses', () => {
  const rows = [...read('docs/api.md').matchAll(/^\| `([A-Z_]+)` \| ([\d, ]+) \|/gm)];
  const documented = rows.flatMap(([, code, statuses]) =>
    (statuses as string).split(',').map((status) => `${code} ${status.trim()}`),
  );
  const known = Object.entries(errorCodes).flatMap(([code, statuses]) =>
    statuses.map((status) => `${code} ${status}`),
  );
  assert.deepEqual(documented.sort(), known.sort());
});

test('docs/api.md lists exactly the operations and their query parameters', () => {
  const section = read('docs/api.md').split('## Operations')[1]?.split('## Fields')[0] ?? '';
  const paths = [...section.matchAll(/^\| `(\/[^`]*)` \|/gm)].map(([, path]) => path);
  assert.deepEqual(
    paths,
    Object.values(operations).map(({ path }) => path),
  );
  const parameters = [...section.matchAll(/^\| `([a-z_]+)` \|/gm)].map(([, name]) => name);
  assert.deepEqual(
    parameters.sort(),
    [...new Set(Object.values(operations).flatMap(({ query }) => Object.keys(query ?? {})))].sort(),
  );
});

test('docs/importing.md has a row for each format, system of a data portal, and portal with restricted data', () => {
  const rows = read('docs/importing.md').match(/^\| .* \|$/gm) ?? [];
  const names = [
    ...formats.map(({ name }) => `\`${name}\``),
    ...Object.values(presets).map(({ title }) => title),
    ...Object.values(restrictedHosts).map(({ system }) => system),
  ];
  assert.deepEqual(
    names.filter((name) => !rows.some((row) => row.includes(name))),
    [],
  );
});

test('docs/api.md and the OpenAPI document warn of the same misunderstandings', () => {
  const { info } = createOpenapiDocument() as { info: { description: string } };
  const listParts = (text: string) => {
    const section = text.split('## What a value may not mean')[1]?.split('\n## ')[0] ?? '';
    return [...section.matchAll(/^- \*\*(.+?)\*\*/gm)].map(([, part]) => part);
  };
  const page = read('docs/api.md');
  const parts = caveats.map(({ part }) => part);
  assert.deepEqual(listParts(page), parts);
  assert.deepEqual(listParts(info.description), parts);
  const words = page.replaceAll(/\s+/g, ' ');
  for (const { part, text } of caveats) assert.ok(words.includes(`**${part}**: ${text}`), text);
});

test('docs/api.md names the page of the admin area that issues keys', () => {
  assert.match(read('docs/api.md'), new RegExp(`under \\*\\*${en.keys.title}\\*\\*`));
});

test('docs/api-changelog.md begins with the version of the API', () => {
  assert.equal(/^## (\d+\.\d+\.\d+)/m.exec(read('docs/api-changelog.md'))?.[1], apiVersion);
});

test('docs/dependencies.md gives a reason for exactly the dependencies of package.json', () => {
  const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read('package.json'));
  const listed = [...read('docs/dependencies.md').matchAll(/^\| (`.*`) \|/gm)].flatMap(([, names = '']) =>
    [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
  );
  const all = { ...dependencies, ...optionalDependencies, ...devDependencies };
  const used = Object.keys(all).map((name) => name.replace(/^(@types\/|@stoplight\/spectral-).*/, '$1*'));
  assert.deepEqual(new Set(listed), new Set(used));
});

test('ARCHITECTURE.md and the pages about the code name existing files and identifiers', () => {
  const files = globSync('{src,test}/**/*.ts', { cwd: checkout, exclude: ['**/node_modules/**'] });
  const code = files.map(read).join('\n');
  const text = ['ARCHITECTURE.md', 'docs/recipes.md', 'docs/glossary.md'].map(read).join('\n');
  const words = [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);
  for (const word of words) {
    if (/^[\w/-]+\.ts$/.test(word))
      assert.ok(
        files.some((file) => file === word || file.endsWith(`/${word}`)),
        `no file ${word}`,
      );
    const identifier = /^(?:\w+\.)?([a-z]+[A-Z]\w*|[A-Z][a-z]\w*)$/.exec(word)?.[1];
    if (identifier !== undefined)
      assert.match(code, new RegExp(`\\b${identifier}\\b`), `no identifier ${word}`);
  }
});

const maxWords = { 'README.md': 700, 'ARCHITECTURE.md': 2_000 };

for (const [file, max] of Object.entries(maxWords))
  test(`${file} has at most ${max} words`, () => {
    const words = read(file).trim().split(/\s+/).length;
    assert.ok(words <= max, `${file} has ${words} words`);
  });

test('the glossary has at most ten terms', () => {
  const terms = read('docs/glossary.md').match(/^\| (?!term|---)/gm) ?? [];
  assert.ok(terms.length > 5 && terms.length <= 10, `${terms.length} terms`);
});

const pages = globSync(
  ['*.md', 'docs/**/*.md', 'examples/*.md', 'migrations/*.md', 'packaging/release/*.md'],
  { cwd: checkout },
);

/** Anchors of the headings of a page, as GitHub makes them. */
const anchorsOf = (page: string) =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('links between pages point to existing files and headings', () => {
  for (const page of pages) {
    for (const [, target = '', anchor] of read(page).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g)) {
      const file = target === '' ? page : join(dirname(page), target);
      assert.ok(existsSync(join(checkout, file)), `${page} links to ${target}`);
      if (anchor !== undefined)
        assert.ok(anchorsOf(file).includes(anchor), `${page} links to ${target}#${anchor}`);
    }
  }
});

test('docs/accessibility.md names the tasks that are tested by keyboard', () => {
  const tasks = globSync('test/nightly/pages/keyboard*.test.ts', { cwd: checkout }).flatMap((file) =>
    [...read(file).matchAll(/^test\('the keyboard alone (.+)', async/gm)].map(([, task]) => task),
  );
  const section = read('docs/accessibility.md').split('keyboard*.test.ts')[1]?.split('\n## ')[0] ?? '';
  const listed = [...section.matchAll(/^- (.+)$/gm)].map(([, task]) => task);
  assert.ok(tasks.length > 10);
  assert.deepEqual(listed.toSorted(), tasks.toSorted());
});

test('pages show every image of docs/images with a description, and each is small', () => {
  const shown = pages.flatMap((page) =>
    [...read(page).matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)].map(([, description = '', target = '']) => {
      assert.ok(description.length > 20, `${page} does not describe ${target}`);
      return join(dirname(page), target);
    }),
  );
  const images = globSync('docs/images/*', { cwd: checkout });
  assert.ok(images.length >= 4);
  for (const image of images) {
    assert.ok(shown.includes(image), `no page shows ${image}`);
    assert.ok(statSync(join(checkout, image)).size <= 60_000, `${image} is too large`);
  }
});

test('every file named in backticks exists', () => {
  // Decisions are dated records, so they may name files that no longer exist.
  for (const page of pages.filter((name) => !name.startsWith('docs/decisions/0'))) {
    for (const [, path = ''] of read(page).matchAll(
      /`((?:src|test|docs|bench|migrations|examples)\/[\w./*{},-]+)`/g,
    ))
      assert.ok(globSync(path, { cwd: checkout }).length > 0, `${page} names ${path}`);
  }
});

/** Files of code and migrations that each recipe changes, beside generated ones. A number only gets smaller. */
const filesOfRecipes: Readonly<Record<string, number>> = {
  'add-a-field': 6,
  'add-a-field-of-a-key': 5,
  'add-a-field-of-a-source': 8,
  'add-a-filter': 4,
  'add-a-preset': 2,
  'add-a-setting': 3,
  'add-an-admin-page': 4,
  'add-an-import-format': 5,
  'add-an-operation': 5,
};

test('every page of docs/ with a recipe shows changes of the current code, in as few files as before', () => {
  const counts = globSync('docs/add-*.md', { cwd: checkout }).map((page) => {
    const files = [...composeDocumentedChanges(page).keys()];
    return [
      basename(page, '.md'),
      files.filter((file) => /^(?:src|packages|migrations)\//.test(file)).length,
    ];
  });
  assert.deepEqual(Object.fromEntries(counts), filesOfRecipes);
});

test('every ROSTRA_ variable in the documentation is a setting', () => {
  const known = new Set((Object.keys(settings) as SettingName[]).map(toEnvironmentName));
  const others = ['ROSTRA_CONFIG', 'ROSTRA_TEST_CITUS', 'ROSTRA_TEST_POSTGRES'];
  for (const page of pages)
    for (const [name] of read(page).matchAll(/ROSTRA_[A-Z_]*[A-Z]/g))
      assert.ok(known.has(name.replace(/_FILE$/, '')) || others.includes(name), `${page} names ${name}`);
});

test('docs/decisions/README.md lists every decision with its title, and each has a date', () => {
  const index = read('docs/decisions/README.md');
  const files = globSync('docs/decisions/0*.md', { cwd: checkout });
  assert.ok(files.length > 40);
  for (const file of files) {
    const [, title] = /^# (\d{4}\. .+)$/m.exec(read(file)) ?? [];
    const line = `- [${title}](${file.replace('docs/decisions/', '')})\n`;
    assert.ok(index.includes(line), `the index lacks ${line}`);
    assert.match(read(file), /^Date: \d{4}-\d\d-\d\d\. Status: /m, file);
  }
});

test('the reports of a release have every stored result of npm run trust and of npm run bench:figures', {
  skip: byNight('it starts several processes'),
}, () => {
  writeReports({ tree: checkout, output: folder, version: '0' });
  const trust = readFileSync(join(folder, 'rostra_0_trust-report.md'), 'utf8');
  for (const file of globSync('test/trust/results/*.json', { cwd: checkout })) {
    const { figure, measured = '' } = JSON.parse(read(file));
    assert.ok(trust.includes(measured.replaceAll('|', '\\|')), `figure ${figure}`);
  }
  const performance = readFileSync(join(folder, 'rostra_0_performance-figures.md'), 'utf8');
  const outputs = globSync('bench/figures/*.md', { cwd: checkout });
  assert.ok(outputs.length > 0);
  for (const file of outputs) assert.ok(performance.includes(read(file)), file);
  assert.match(readFileSync(join(folder, 'rostra_0_self-assessment.md'), 'utf8'), /^# Self-assessment\n/);
});

test('the commands of README.md publish a municipality', {
  skip: byNight('it starts several processes'),
}, async () => {
  const block = /## Use it[^`]*```sh\n([\s\S]*?)```/.exec(read('README.md'))?.[1] ?? '';
  const workspace = join(folder, 'readme');
  mkdirSync(join(workspace, 'oparl-export'), { recursive: true });
  symlinkSync(rostraFile, join(workspace, 'rostra'));
  const paper = {
    id: 'https://council.example/papers/1',
    type: 'https://schema.oparl.org/1.1/Paper',
    paperType: 'Antrag',
    name: 'Sichere Querung',
    date: '2026-03-01',
  };
  writeFileSync(join(workspace, 'oparl-export/papers.json'), JSON.stringify([paper]));
  const environment = { ...process.env, ROSTRA_PORT: '0', ROSTRA_LOG_FORMAT: 'json' };
  // The key is a variable of the shell, so the shell prints it before the server replaces it.
  const script = block.replace('./rostra serve', 'echo "$KEY"; exec ./rostra serve');
  const shell = spawn('sh', ['-euc', script], { cwd: workspace, env: environment });
  let output = '';
  let log = '';
  shell.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const address = await new Promise<string>((resolve, reject) => {
    shell.stderr.on('data', (chunk) => {
      log += chunk;
      const found = /"address":"([^"]+)"/.exec(log)?.[1];
      if (found !== undefined) resolve(found);
    });
    shell.once('exit', () => reject(new Error(log)));
  });
  const key = /sk_rostra_\w+/.exec(output)?.[0];
  const response = await fetch(`${address}/api/v1/submissions`, {
    headers: { authorization: `Bearer ${key}` },
  });
  const { data } = (await response.json()) as { data: { description: string }[] };
  assert.deepEqual(
    data.map(({ description }) => description),
    ['Sichere Querung'],
  );
  shell.kill('SIGTERM');
  const [code] = await once(shell, 'exit');
  assert.equal(code, 0);
});

test('each document that a message, a setting or an alert refers to is in the packages', () => {
  const documents = listDocuments();
  const files = ['src/**/*.{ts,html,yaml}', 'packaging/{debian,monitoring}/**/*', 'examples/**/*'];
  const found = globSync(files, { cwd: checkout })
    .filter((name) => statSync(join(checkout, name)).isFile())
    .flatMap((name) => {
      const isCode = name.endsWith('.ts');
      const lines = read(name).split('\n');
      // Readers of a comment in the code have the checkout.
      const shown = isCode ? lines.filter((line) => !/^\s*(\/?\*|\/\/)/.test(line)) : lines;
      return [...shown.join('\n').matchAll(/\bdocs\/[\w./-]+\.\w+/g)].map(
        ([document]) => [name, document] as const,
      );
    });
  assert.ok(found.length > 10);
  for (const [name, document] of found)
    assert.ok(documents.includes(document), `${name} refers to ${document}`);
});
