/** Carries out docs/add-a-field.md on a database, and reads the new field wherever fields appear. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startCli } from './cli-workspace.ts';
import { applyDocumentedChanges } from './documented-changes.ts';
import type { Scope } from './files.ts';

const record = {
  kind: 'submission',
  id: 'a',
  description: 'A bench for the park',
  createdAt: '2026-03-01T09:15:00Z',
};

/** @param createDatabase returns the options of `rostra migrate` for an empty database, of which the first two select it */
export async function checkAddedField(
  scope: Scope,
  createDatabase: (folder: string) => string[] | Promise<string[]>,
): Promise<void> {
  const { copy, files } = applyDocumentedChanges(scope, 'docs/add-a-field.md');
  const counted = files.filter((file) => /^(?:src|migrations)\//.test(file));
  // The types of the client are generated into src/.
  assert.ok(counted.length + 1 <= 8, counted.join(', '));

  const migration = await createDatabase(copy);
  const database = migration.slice(0, 2);
  const start = (...args: string[]) => startCli(['src/main.ts', ...args], { folder: copy }, process.execPath);
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await start(...args).result;
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`);
    return stdout.trimEnd();
  };
  await run('migrate', ...migration);
  const organization = ['--organization', await run('organization', 'add', 'Ort', ...database)];
  const key = await run('key', 'issue', ...organization, '--name', 'Test', ...database);

  const write = (name: string, text: string) => {
    writeFileSync(join(copy, name), text);
    return join(copy, name);
  };
  const records = [
    { ...record, district: 'Altstadt' },
    { ...record, id: 'b', district: 'Write to a@b.example' },
    { ...record, id: 'c' },
  ];
  const own = write('records.ndjson', records.map((each) => `${JSON.stringify(each)}\n`).join(''));
  await run('import', 'rostra', own, ...organization, '--redact', 'email', ...database);
  const table = write('table.csv', 'id;text;day;part\nd;A tree;2026-03-02;<b>Südstadt</b>\n');
  const mapping = write(
    'mapping.yaml',
    'submission:\n  id: id\n  description: text\n  createdAt: day\n  district: part\n',
  );
  const ofTable = ['--mapping', mapping, '--source', 'table', '--redact', 'off'];
  await run('import', 'table', table, ...organization, ...ofTable, ...database);

  const server = start('serve', '--port', '0', ...database);
  scope.after(() => void server.child.kill('SIGKILL'));
  const [origin] = await server.waitForOutput(/http:\/\/127\.0\.0\.1:\d+/);
  const get = async (path: string) => {
    const response = await fetch(`${origin}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
    // biome-ignore lint/suspicious/noExplicitAny: JSON of any shape
    return (await response.json()) as any;
  };
  const { data } = await get('/submissions');
  const districts = data.map(({ description, district }: Record<string, unknown>) => [description, district]);
  assert.deepEqual(districts.slice(0, 1), [['A tree', 'Südstadt']]);
  assert.deepEqual(
    new Set(districts.slice(1).map(([, district]: unknown[]) => district)),
    new Set(['Altstadt', 'Write to [E-Mail]', null]),
  );
  const document = await get('/openapi.json');
  assert.deepEqual(Object.keys(data[0]), Object.keys(document.components.schemas.Submission.properties));

  const keyFile = write('key', key);
  const mirror = ['--key-file', keyFile, '--to', join(copy, 'mirror'), '--format', 'csv'];
  await run('mirror', '--url', origin as string, ...mirror);
  assert.match(readFileSync(join(copy, 'mirror/submissions.csv'), 'utf8'), /\bdistrict\b[\s\S]+Südstadt/);
}
