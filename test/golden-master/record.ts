/**
 * Records what the program publishes and shows of real data, as texts. To see what a change changes, record the commit before
 * and after it, and compare the folders.
 */
import { createWriteStream, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import Database from 'better-sqlite3';
import { checkout } from '../support/checkout.ts';
import { createScope, createTemporaryFolder, type Scope } from '../support/files.ts';
import { createFormClient, password } from '../support/form-client.ts';
import { createCluster, findBinaries } from '../support/postgres-cluster.ts';
import { ownerRole, servingRole, templateName } from '../support/postgres-database.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { readAdminPages } from './admin-pages.ts';
import { administer, organizationId as administered } from './administration.ts';
import { readApiPages } from './api-pages.ts';
import { type DataSet, dataSets } from './data-sets.ts';
import { readMails } from './mails.ts';
import { createNormalizer, createProgram, type Program } from './program.ts';

const usage = `Usage: npm run golden-master -- FOLDER [options]

Records in FOLDER what the program publishes and shows of real data, as texts: reports of imports, every page of the API, mirrors,
undone imports, the administration of keys and sources, the pages of the admin area, the audit log and emails. To see the effect of a change, record the commit before and after it, and
run diff -r on both folders.

  --program FOLDER  record this checkout, in which npm ci was run (default: this one)
  --engine NAME     sqlite or postgres (default: both)
  --data FOLDER     folder of the real data (default: ../shared/data)
  --help            show this text
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    program: { type: 'string', default: checkout },
    engine: { type: 'string' },
    data: { type: 'string', default: join(checkout, '../shared/data') },
    help: { type: 'boolean', default: false },
  },
});

interface Recording {
  program: Program;
  scope: Scope;
  normalize: (text: string) => string;
  /** Arguments that select the database. */
  database: string[];
  /** Temporary folder of the program. */
  folder: string;
  /** Folder of the recorded texts. */
  output: string;
}

const engines = ['sqlite', 'postgres'] as const;

async function recordEngine(scope: Scope, engine: (typeof engines)[number], target: string): Promise<void> {
  const folder = createTemporaryFolder(scope);
  const program = createProgram(scope, resolve(values.program), folder);
  const database =
    engine === 'sqlite' ? ['--database', join(folder, 'rostra.db')] : await createPostgresArguments(scope);
  mkdirSync(target, { recursive: true });
  const recording: Recording = {
    program,
    scope,
    normalize: createNormalizer(folder),
    database: database.slice(0, 2),
    folder,
    output: target,
  };
  await program.runSuccessfully('migrate', ...database);

  const keys = new Map<DataSet, string>();
  for (const dataSet of dataSets) {
    const data = join(values.data, dataSet.folder ?? '');
    if (dataSet.folder !== undefined && !existsSync(data)) {
      process.stderr.write(`${dataSet.name}: skipped, because ${data} is missing\n`);
      continue;
    }
    keys.set(dataSet, await recordImport(recording, dataSet, data));
  }
  await recordPages(
    recording,
    'administration.txt',
    administer(folder, (...args) => program.run(...args, ...recording.database)),
  );
  const [, origin = '', port = ''] = await program.start(
    ['serve', '--port', '0', '--log-level', 'info', ...recording.database],
    /(http:\/\/127\.0\.0\.1:(\d+))/,
  );
  // The pages come first: requests are counted after a delay, which differs.
  await recordAdminArea(recording, origin);
  await recordMails(recording, origin);
  for (const [dataSet, key] of keys) await recordPublished(recording, dataSet, origin, Number(port), key);
  for (const [dataSet, key] of keys) {
    const undone = await program.run(
      ...['source', 'undo', '--organization', dataSet.organizationId, '--yes', '--json'],
      ...recording.database,
    );
    write(recording, `${dataSet.name}/undo.txt`, JSON.stringify(undone, null, 1));
    await recordPages(recording, `${dataSet.name}/api-after-undo.txt`, readApiPages(Number(port), key));
  }
}

async function createPostgresArguments(scope: Scope): Promise<string[]> {
  const { folder, remove } = await findBinaries();
  scope.after(remove);
  const cluster = await createCluster(folder);
  scope.after(() => cluster.remove());
  for (const role of [ownerRole, servingRole]) await cluster.sql('postgres', `CREATE ROLE ${role} LOGIN`);
  await cluster.sql('postgres', `CREATE DATABASE ${templateName} OWNER ${ownerRole}`);
  return [
    ...['--database', cluster.url(servingRole, templateName)],
    ...['--database-owner', cluster.url(ownerRole, templateName)],
  ];
}

function write({ output: target, normalize }: Recording, name: string, text: string): void {
  const path = join(target, name);
  mkdirSync(join(path, '..'), { recursive: true });
  writeFileSync(path, normalize(text));
}

async function recordPages(recording: Recording, name: string, pages: AsyncIterable<string>): Promise<void> {
  mkdirSync(join(recording.output, name, '..'), { recursive: true });
  const normalizeEach = async function* () {
    for await (const page of pages) yield recording.normalize(page);
  };
  await pipeline(normalizeEach, createWriteStream(join(recording.output, name)));
  process.stderr.write(`${join(recording.output, name)}\n`);
}

/** Dry run, import and repeated import. @returns an API key */
async function recordImport(recording: Recording, dataSet: DataSet, data: string): Promise<string> {
  const { program, database, scope, folder } = recording;
  const { name, organizationId } = dataSet;
  await program.runSuccessfully('organization', 'add', name, '--id', organizationId, ...database);
  const command = await dataSet.createImport(data, scope, (...args) =>
    program.runSuccessfully(...args, '--organization', organizationId, ...database),
  );
  const run = async (step: string, ...flags: string[]) => {
    const result = await program.run(...command, '--organization', organizationId, ...flags, ...database);
    write(
      recording,
      `${name}/${step}.txt`,
      `${result.code}\n${result.stdout}\n${result.stderr}`.replaceAll(data, '<data>'),
    );
  };
  if (command[0] === 'import') {
    await run('explain', '--explain');
    await run('dry-run', '--dry-run');
    await run('dry-run-json', '--dry-run', '--json');
  }
  const rejectedFile = join(folder, `${name}-rejected.ndjson`);
  await run('import', '--json', '--rejected', rejectedFile);
  if (existsSync(rejectedFile))
    write(recording, `${name}/rejected.ndjson`, readFileSync(rejectedFile, 'utf8'));
  await run('repeated', '--json');
  return program.runSuccessfully(
    ...['key', 'issue', '--organization', organizationId, '--name', 'Recording', ...database],
  );
}

async function recordPublished(
  recording: Recording,
  { name }: DataSet,
  origin: string,
  port: number,
  key: string,
): Promise<void> {
  const { program, folder } = recording;
  await recordPages(recording, `${name}/api.txt`, readApiPages(port, key));
  const keyFile = join(folder, `${name}.key`);
  writeFileSync(keyFile, key, { mode: 0o600 });
  for (const format of ['csv', 'ndjson', 'sqlite']) {
    const mirror = join(folder, `${name}-${format}`);
    await program.runSuccessfully(
      ...['mirror', '--url', origin, '--key-file', keyFile, '--to', mirror, '--format', format],
    );
    const files = format === 'sqlite' ? dumpSqlite(mirror) : readFolder(mirror);
    for (const [file, text] of files) write(recording, `${name}/mirror-${format}/${file}`, text);
  }
}

function readFolder(folder: string): [string, string][] {
  return (
    readdirSync(folder, { recursive: true, withFileTypes: true })
      // A database keeps the state of the mirror.
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.db'))
      .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), 'utf8')])
  );
}

function dumpSqlite(file: string): [string, string][] {
  const sql = new Database(file, { readonly: true });
  try {
    const tables = sql.prepare("SELECT name, sql FROM sqlite_schema WHERE type IN ('table', 'view')").all();
    return (tables as { name: string; sql: string }[]).map(({ name, sql: definition }) => {
      const rows = sql.prepare(`SELECT * FROM "${name}"`).all();
      return [name, `${definition}\n${rows.map((row) => JSON.stringify(row)).join('\n')}\n`];
    });
  } finally {
    sql.close();
  }
}

async function recordAdminArea(recording: Recording, origin: string): Promise<void> {
  const { program, database } = recording;
  for (const language of ['de', 'en'] as const) {
    const link = await program.runSuccessfully('admin', 'add', `${language}@stadt.example`, ...database);
    const invitation = new URL(new URL(link).pathname, origin).href;
    await recordPages(recording, `admin-${language}.txt`, readAdminPages(origin, invitation, language));
  }
}

/** A server of its own sends emails, so that the pages of the other one stay as they are without emails. */
async function recordMails(recording: Recording, origin: string): Promise<void> {
  const { program, database, scope } = recording;
  const smtp = await startSmtpServer(scope);
  const accounts = { de: 'de-mail@stadt.example', en: 'en-mail@stadt.example' };
  for (const [language, email] of Object.entries(accounts)) {
    const link = await program.runSuccessfully(
      ...['admin', 'add', email, '--organization', administered],
      ...database,
    );
    await createFormClient(origin, language).submitForm(new URL(link).pathname, { password });
  }
  const [, sender = ''] = await program.start(
    [
      ...['serve', '--port', '0', '--log-level', 'info', ...database],
      ...['--smtp-url', smtp.url, '--mail-from', 'rostra@stadt.example'],
      ...['--public-url', 'https://api.stadt.example'],
    ],
    /(http:\/\/127\.0\.0\.1:\d+)/,
  );
  write(recording, 'mails.txt', await readMails(sender, smtp, accounts));
}

const [output] = positionals;
const chosen = engines.filter((name) => values.engine === undefined || values.engine === name);
if (values.help || output === undefined || positionals.length > 1 || chosen.length === 0) {
  (values.help ? process.stdout : process.stderr).write(usage);
  process.exit(values.help ? 0 : 2);
}
for (const engine of chosen) {
  const scope = createScope();
  try {
    await recordEngine(scope, engine, join(resolve(output), engine));
  } finally {
    await scope.close();
  }
}
