/** What the documentation says and the code can tell is held together here. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { generatedPages } from '../../docs/pages.ts';
import { errorCodes } from '../../src/contract/error-codes.ts';
import { operations } from '../../src/contract/operations.ts';
import { succeed } from '../support/cli-workspace.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'rostra-documentation-'));
after(() => rmSync(folder, { recursive: true, force: true }));

for (const [file, text] of await generatedPages()) {
  test(`docs/${file} says what the code says`, () => {
    assert.equal(read(`docs/${file}`), text, 'run "npm run docs"');
  });
}

test('docs/api.md names every error code with its statuses, and no other', () => {
  const rows = [...read('docs/api.md').matchAll(/^\| `([A-Z_]+)` \| ([\d, ]+) \|/gm)];
  const documented = rows.flatMap(([, code, statuses]) =>
    (statuses as string).split(',').map((status) => `${code} ${status.trim()}`),
  );
  const known = Object.entries(errorCodes).flatMap(([code, statuses]) =>
    statuses.map((status) => `${code} ${status}`),
  );
  assert.deepEqual(documented.sort(), known.sort());
});

test('docs/api.md names every operation and every query parameter, and no other', () => {
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

test('ARCHITECTURE.md gives a reason for every dependency', () => {
  const { dependencies, devDependencies } = JSON.parse(read('package.json'));
  const architecture = read('ARCHITECTURE.md');
  for (const name of [...Object.keys(dependencies), ...Object.keys(devDependencies)]) {
    const covered = [name, name.replace(/^(@types\/|@stoplight\/spectral-).*/, '$1*')];
    assert.ok(
      covered.some((word) => architecture.includes(`\`${word}\``)),
      `${name} is not explained`,
    );
  }
});

test('every link between the pages leads to a page', () => {
  const pages = [...readdirSync(root), ...readdirSync(join(root, 'docs')).map((file) => `docs/${file}`)];
  for (const page of pages.filter((file) => file.endsWith('.md'))) {
    for (const [, target] of read(page).matchAll(/\]\((?!https?:)([^)#]+)\)/g)) {
      const from = page.startsWith('docs/') ? 'docs/' : '';
      assert.doesNotThrow(() => read(join(from, target as string)), `${page} links to ${target}`);
    }
  }
});

test('the commands of README.md publish a municipality', async () => {
  const block = /Publish a real[^`]*```sh\n([\s\S]*?)```/.exec(read('README.md'))?.[1] ?? '';
  const checkout = join(folder, 'readme');
  mkdirSync(join(checkout, 'oparl-export'), { recursive: true });
  symlinkSync(join(root, 'rostra'), join(checkout, 'rostra'));
  const paper = {
    id: 'https://council.example/papers/1',
    type: 'https://schema.oparl.org/1.1/Paper',
    paperType: 'Antrag',
    name: 'Sichere Querung',
    date: '2026-03-01',
  };
  writeFileSync(join(checkout, 'oparl-export/papers.json'), JSON.stringify([paper]));
  const environment = { ...process.env, ROSTRA_PORT: '0', ROSTRA_LOG_FORMAT: 'json' };
  // The key stays in the shell, so the shell tells it before it becomes the server.
  const script = block.replace('./rostra serve', 'echo "$KEY"; exec ./rostra serve');
  const shell = spawn('sh', ['-euc', script], { cwd: checkout, env: environment });
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

test('the examples of docs/importing.md are imported without a refusal', async () => {
  const examples = [...read('docs/importing.md').matchAll(/```(json|csv)\n([\s\S]*?)```/g)];
  assert.equal(examples.length, 2);
  const database = join(folder, 'importing.db');
  const rostra = (...args: string[]) => succeed([...args, '--database', database]);
  await rostra('organization', 'add', 'Beispiel');
  for (const [, kind, text] of examples) {
    const file = join(folder, `example.${kind}`);
    writeFileSync(file, text as string);
    const stdout = await rostra('import', 'rostra', file, '--organization', 'Beispiel', '--json');
    const { read, rejected } = JSON.parse(stdout);
    assert.equal(rejected, 0);
    assert.ok(read > 0);
  }
});
