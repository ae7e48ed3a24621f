/** Creates PostgreSQL databases for tests, and reads their query plans. */
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { forceIndexPlans } from '../../src/store/postgres/connection-pool.ts';
import {
  composeDocumentsStatement,
  composePagesStatement,
  withTenant,
} from '../../src/store/postgres/tenant-statements.ts';
import { submissionById, tallyById } from '../../src/store/queries/statements.ts';
import type { DatabaseTemplate, FillDatabase, Plan, TestDatabase } from './database.ts';
import type { Scope } from './files.ts';

/** Roles of every test cluster. */
export const ownerRole = 'rostra_owner';
export const servingRole = 'rostra';
/** URLs of the workers of a test run on Citus; otherwise empty. */
export const workers = process.env.ROSTRA_TEST_WORKERS?.split(' ') ?? [];

export const isCitus = workers.length > 0;

/** A migrated database. */
export const templateName = 'rostra_template';

/** Not on Citus, whose daemons stay connected to a database that was written. */
export async function createPostgresTemplate<Content>(
  cluster: string,
  fill: FillDatabase<Content>,
): Promise<DatabaseTemplate<Content>> {
  const name = composeName('template');
  const nodes = await copyOnNodes(cluster, templateName, name);
  const content = await fill(composeUrl(cluster, name));
  for (const maintenance of nodes) await maintenance.end();
  const operator = await connect(`${cluster}/${name}`);
  await operator.query('DELETE FROM cursor_secret');
  await operator.end();
  return { content, copy: (scope) => createPostgresDatabase(scope, cluster, name) };
}

const composeName = (kind: string) => `${kind}_${randomBytes(6).toString('hex')}`;

/** URL for the role of servers. */
function composeUrl(cluster: string, name: string): string {
  const url = new URL(`${cluster}/${name}`);
  url.username = servingRole;
  return url.href;
}

/** @returns a connection to each node */
const copyOnNodes = (cluster: string, template: string, name: string) =>
  Promise.all(
    [cluster, ...workers].map(async (url) => {
      const maintenance = await connect(`${url}/postgres`);
      // Costs half of the default strategy, which logs each page.
      await maintenance.query(
        `CREATE DATABASE ${name} TEMPLATE ${template} OWNER ${ownerRole} STRATEGY FILE_COPY`,
      );
      return maintenance;
    }),
  );

/** @param cluster `postgres://superuser@host:port`. @param template of `createPostgresTemplate` */
export async function createPostgresDatabase(
  scope: Scope,
  cluster: string,
  template = templateName,
): Promise<TestDatabase> {
  const name = composeName('test');
  const nodes = await copyOnNodes(cluster, template, name);
  scope.after(async () => {
    await operator.end();
    for (const maintenance of nodes) {
      const drop = () => maintenance.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await drop().catch((error) => {
        // The maintenance daemon of Citus may have started meanwhile.
        if (error.code === '55006') return drop();
        throw error;
      });
      await maintenance.end();
    }
  });

  const operator = await connect(`${cluster}/${name}`);

  return {
    database: composeUrl(cluster, name),
    sql: async (text, parameters = []) => {
      const write = isCitus && isPublishedWrite.test(text) ? writeOnCitus : undefined;
      return (await (write ?? runQuery)(operator, text, parameters as unknown[])).rows;
    },
    explain: async (query, parameters, { analyze } = { analyze: false }) => {
      const isPage = typeof query !== 'string';
      const [municipality, ...others] = parameters;
      const arrays = [...others, ...(isPage ? ['21'] : [])].map((value) => `{"${value}"}`);
      const values = isPage || isBatched(query) ? [municipality, ...arrays] : parameters;
      const text = isPage
        ? composePagesStatement(query, parameters.length)
        : isBatched(query)
          ? composeDocumentsStatement(query)
          : withTenant(query);
      const statement = `plan_${randomBytes(4).toString('hex')}`;
      // With the serving role, row-level security, and a generic plan; pages also with the settings of requests.
      const settings = isPage ? forceIndexPlans : 'SET plan_cache_mode = force_generic_plan';
      await operator.query(`SET ROLE ${servingRole}; ${settings}`);
      await operator.query(`PREPARE ${statement} AS ${text}`);
      const literals = values.map(
        (value) => `'${Buffer.isBuffer(value) ? `\\x${value.toString('hex')}` : value}'`,
      );
      const { rows } = await operator.query(
        `EXPLAIN (ANALYZE ${analyze}, FORMAT JSON) EXECUTE ${statement}(${literals.join(', ')})`,
      );
      await operator.query('RESET ROLE; RESET ALL');
      return parsePlan(rows[0]['QUERY PLAN'][0].Plan);
    },
    listIndexes: async (table) => {
      const { rows } = await operator.query(
        `SELECT array_agg(attname::text ORDER BY place) AS columns FROM pg_index, unnest(indkey) WITH ORDINALITY AS key (attnum, place)
        JOIN pg_attribute ON pg_attribute.attnum = key.attnum
        WHERE attrelid = indrelid AND indrelid = $1::regclass GROUP BY indexrelid`,
        [table],
      );
      return rows.map(({ columns }) => columns);
    },
    // PostgreSQL repairs damage of crashes in its recovery, and checks foreign keys when rows are written.
    assertIntact: async () => {
      await operator.query('SELECT count(*) FROM submission');
    },
  };
}

const isPublishedWrite =
  /^\s*(INSERT INTO|UPDATE|DELETE FROM|TRUNCATE) (submission|session|session_submission|survey|survey_question|survey_option|change|change_history)\b/i;

const runQuery = (client: Client, text: string, parameters: unknown[]) => client.query(text, parameters);

/** Records the data version, as src/store/postgres/citus-write-tokens.ts does. */
async function writeOnCitus(client: Client, text: string, parameters: unknown[]) {
  await client.query('UPDATE organization SET write_token = gen_random_uuid()::text');
  await client.query(
    "BEGIN; SET LOCAL citus.propagate_set_commands = 'local'; SET LOCAL rostra.write_token = 'x'",
  );
  try {
    return await client.query(text, parameters);
  } finally {
    await client.query('COMMIT');
    await client.query(
      'UPDATE organization SET data_version = pg_current_xact_id()::text::bigint, write_token = NULL',
    );
  }
}

async function connect(url: string): Promise<Client> {
  const client = new Client(url);
  // Tests stop and kill servers.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: Node[];
}

function parsePlan(root: Node): Plan {
  const plan: Plan = { seeks: [], scans: [], sorts: [], text: JSON.stringify(root, null, 1) };
  const visit = (node: Node, inAggregate: boolean) => {
    const type = node['Node Type'];
    if (/^(Index|Index Only|Bitmap Index) Scan$/.test(type) && node['Index Cond'] !== undefined) {
      const bounds = [...node['Index Cond'].matchAll(/\((\w+)\)?(?:::text)? ([=<>]) /g)].map(
        ([, column, operator]) => `${column} ${operator}`,
      );
      plan.seeks.push({ table: node['Relation Name'] ?? '', index: node['Index Name'] ?? '', bounds });
    } else if (/Scan$/.test(type) && !/^(Function|Subquery|CTE|Bitmap Heap) Scan$/.test(type)) {
      plan.scans.push(`${type} on ${node['Relation Name']}`);
    } else if (/Sort$/.test(type) && !inAggregate) plan.sorts.push(type);
    for (const child of node.Plans ?? []) visit(child, inAggregate || type === 'Aggregate');
  };
  visit(root, false);
  return plan;
}

/** Whether the engine reads several documents with one statement. */
const isBatched = (query: string) => query === submissionById || query === tallyById;
