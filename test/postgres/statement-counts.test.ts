/** Commands and pages over all municipalities cost a few statements for each hundred of them. */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import pg from 'pg';
import { assertSucceeds, createCliWorkspace } from '../support/cli-workspace.ts';
import { createFormClient, password } from '../support/form-client.ts';
import { isCitus } from '../support/postgres-database.ts';
import { startServer } from '../support/server.ts';

const municipalities = 300;
/** Fewer than one for three municipalities. */
const maxStatements = municipalities / 3;

const workspace = await createCliWorkspace({ after });

const listNumbers = () => [...Array(municipalities).keys()];

const composeFile = (interval: string) => `organizations:
${listNumbers()
  .map(
    (n) => `  - name: Municipality ${n}
    sources:
      - { name: Requests, format: rostra, url: "https://town-${n}.example/data.json", every: ${interval} }`,
  )
  .join('\n')}`;

const run = (...command: string[]) =>
  assertSucceeds(command, { environment: { ROSTRA_DATABASE: workspace.database } });

async function countStatements<Result>(work: () => Promise<Result>): Promise<[Result, number]> {
  const { query } = pg.Client.prototype;
  let statements = 0;
  pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
    statements += 1;
    return Reflect.apply(query, this, parameters);
  } as typeof query;
  try {
    return [await work(), statements];
  } finally {
    pg.Client.prototype.query = query;
  }
}

/** Runs a command on the database, and asserts that it sends few statements to PostgreSQL. */
async function assertCostsFewStatements(...command: string[]): Promise<string> {
  const [output, statements] = await countStatements(() => run(...command));
  assert.ok(statements <= maxStatements, `${command[0]}: ${statements} statements`);
  return output;
}

test(`apply writes the sources of ${municipalities} municipalities with few statements`, async () => {
  const file = join(workspace.folder, 'installation.yaml');
  for (const interval of ['1d', '1d', '2d']) {
    await writeFile(file, composeFile(interval));
    await assertCostsFewStatements('apply', file);
    const listed = await run('source', 'list', '--json');
    const sources = JSON.parse(listed) as { intervalMs: number }[];
    assert.equal(sources.length, municipalities);
    assert.ok(sources.every(({ intervalMs }) => intervalMs === Number.parseInt(interval, 10) * 86_400_000));
  }
});

/** They read and write published data. */
const onPlainPostgres = { skip: isCitus && 'Citus sends a statement to the node of one municipality' };

test(
  `organization list and change-history restart cost few statements for ${municipalities} municipalities`,
  onPlainPostgres,
  async () => {
    const listed = JSON.parse(await assertCostsFewStatements('organization', 'list', '--json')) as unknown[];
    assert.equal(listed.length, municipalities);
    const readHistories = () =>
      workspace.sql<{ id: string }>('SELECT history_id AS id FROM change_history ORDER BY organization_id');
    const before = await readHistories();
    await assertCostsFewStatements('change-history', 'restart');
    const ids = [...before, ...(await readHistories())].map(({ id }) => id);
    assert.equal(new Set(ids).size, 2 * municipalities);
  },
);

test(`a copy that changes nothing costs few statements for ${municipalities} municipalities, beside as many others`, {
  skip: onPlainPostgres.skip,
}, async () => {
  const database = join(workspace.folder, 'source.db');
  const file = join(workspace.folder, 'source.yaml');
  await writeFile(
    file,
    `organizations:
${listNumbers()
  .map((n) => `  - name: Town ${n}`)
  .join('\n')}
accounts:
  - { email: operator@authority.example, operator: true }
  - email: clerk@authority.example
    roles:
${listNumbers()
  .map((n) => `      - { organization: Town ${n}, role: reader }`)
  .join('\n')}
`,
  );
  await assertSucceeds(['apply', file, '--database', database]);
  await run('copy', '--from', database);
  const output = await assertCostsFewStatements('copy', '--from', database, '--json');
  const { organizations, tables } = JSON.parse(output) as CopySummary;
  assert.equal(organizations, municipalities);
  assert.ok(tables.every(({ written }) => written === 0));
});

test(
  `the list of ${municipalities} municipalities costs an operator few statements, whatever the page shows`,
  onPlainPostgres,
  async (t) => {
    const invitation = await run('admin', 'add', 'other-operator@authority.example');
    const server = await startServer(t, workspace.database);
    const client = createFormClient(server.address);
    await client.submitForm(/\/admin\/invitation\/[\w-]+/.exec(invitation)?.[0] ?? '', { password });
    const [{ body }, statements] = await countStatements(() => client.open('/admin/organizations'));
    assert.equal(body.match(/<a class="kern-link long-text" /g)?.length, 50);
    assert.ok(statements <= 25, `${statements} statements`);
  },
);

interface CopySummary {
  organizations: number;
  tables: { written: number }[];
}
