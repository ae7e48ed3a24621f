/**
 * Fills a database with a given number of submissions: copies of the demo data with other ids and
 * times, written with SQL.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import pg from 'pg';
import { commandLine } from '../src/domain/accounts/actor.ts';
import { generateKey, hashForStorage } from '../src/domain/keys/api-key.ts';
import {
  type DemoMunicipality,
  demoMunicipalities,
} from '../src/program/demo/generate-demo-municipalities.ts';
import { openStore, type StoreOptions } from '../src/store/open.ts';

export interface BenchDatabase {
  /** File of SQLite, or `postgres://` URL of the serving role. */
  database: string;
  /** `postgres://` URL of the owner role; PostgreSQL only. */
  owner: string | undefined;
}

export const createStoreOptions = ({ database, owner }: BenchDatabase): StoreOptions => ({
  database,
  owner,
  create: true,
  readUrls: [],
  maxReadLagMs: 10_000,
  connections: 2,
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 60_000,
  rateLimit: 1000,
  rateWindowMs: 3_600_000,
  clock: Date.now,
  actor: { name: commandLine, address: 'bench@localhost' },
  reportAuditEvents: () => undefined,
  wordSearch: true,
  notice: (sentence) => console.error(sentence),
});

/** Columns that the copies take from the original submission. */
const shared = `reference_number, status, status_changed_at, topic_category_name, priority_level, support_count,
  has_attachments, protocol_url, description`;

/** Some consecutive submissions share a timestamp, like those of a popular form. */
const secondsBetween = 120;
const together = 'CASE WHEN n % 50 < 3 THEN n - n % 50 ELSE n END';
/** 64 bits: ten million submissions reach the year 2039. */
const firstSecond = `CAST(${Date.UTC(2001, 0) / 1000} AS bigint)`;

export const dialects = {
  sqlite: {
    id: `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-8'
      || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`,
    time: (seconds: string) => `strftime('%Y-%m-%dT%H:%M:%fZ', ${seconds}, 'unixepoch')`,
    hash: 'randomblob(32)',
    series: (count: number) =>
      `(WITH RECURSIVE series (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM series WHERE n < ${count - 1}) SELECT n FROM series)`,
    unfinished: 'ON CONFLICT DO NOTHING',
    enterTenant: (_id: string): string[] => [],
  },
  postgres: {
    id: 'gen_random_uuid()::text',
    time: (seconds: string) =>
      `to_char(to_timestamp(${seconds}) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    hash: 'sha256(gen_random_uuid()::text::bytea)',
    series: (count: number) => `(SELECT n FROM generate_series(0, ${count - 1}) AS n)`,
    unfinished: 'ON CONFLICT DO NOTHING',
    enterTenant: (id: string) => [composeTenantSetting(id)],
  },
};

/** Row-level security applies to the owner too. */
const composeTenantSetting = (id: string) => `SELECT set_config('rostra.organization_id', '${id}', false)`;

/** Submissions per statement. A larger statement needs a larger write-ahead log. */
const atOnce = 1_000_000;

/**
 * Statements that change the number of submissions of one municipality to `count`. The rows are written in the order of
 * their times, as by imports of real exports: PostgreSQL keeps them in this order, and finds a page in few blocks.
 */
function createFillStatements(
  dialect: keyof typeof dialects,
  organizationId: string,
  count: number,
): string[] {
  const { id, time, series, unfinished } = dialects[dialect];
  const present = `SELECT count(*) FROM submission WHERE organization_id = '${organizationId}'`;
  return [
    `CREATE TEMP TABLE template AS SELECT row_number() OVER (ORDER BY created_at, id) - 1 AS place, ${shared}
      FROM submission WHERE organization_id = '${organizationId}'`,
    'CREATE INDEX template_by_place ON template (place)',
    `DELETE FROM submission WHERE organization_id = '${organizationId}' AND id NOT IN (
      SELECT id FROM submission WHERE organization_id = '${organizationId}' ORDER BY created_at DESC, id LIMIT ${count})`,
    ...Array.from({ length: Math.ceil(count / atOnce) }, (_, step) => {
      const before = step * atOnce;
      const added = Math.min(count - before, atOnce);
      const at = time(`${firstSecond} + (${before} + ${together}) * ${secondsBetween}`);
      return `INSERT INTO submission (organization_id, id, created_at, ${shared})
        SELECT '${organizationId}', ${id}, ${at}, ${shared}
        FROM ${series(added)} AS copy
        JOIN template ON place = n % (SELECT count(*) FROM template)
        WHERE n < ${before + added} - (${present})
        ORDER BY n ${unfinished}`;
    }),
    'DROP TABLE template',
    ...settle(dialect),
  ];
}

/** Otherwise PostgreSQL would write the new rows to disk during the measurement. */
const settle = (dialect: keyof typeof dialects) =>
  dialect === 'sqlite' ? ['PRAGMA wal_checkpoint(TRUNCATE)'] : ['VACUUM ANALYZE', 'CHECKPOINT'];

const [municipality] = demoMunicipalities as [DemoMunicipality];

/** Adds the first demo municipality with all its data and `count` submissions. @returns its id */
export async function fillDatabase(place: BenchDatabase, count: number): Promise<string> {
  const { id, name, records } = municipality;
  const store = await openStore(createStoreOptions(place));
  try {
    if ((await store.findOrganization(id)) === undefined) {
      await store.addOrganization(name, id);
      await store.write(id, (writer) => writer.put([...records()]));
    }
  } finally {
    await store.close();
  }
  await executeStatements(place, (dialect) => createFillStatements(dialect, id, count));
  return id;
}

/** A municipality and the secret of a key without a limit. */
export interface Town {
  id: string;
  key: string;
}

/** Adds municipalities with the given number of submissions and one key each. */
export async function fillOtherMunicipalities(
  place: BenchDatabase,
  count: number,
  submissions: number,
): Promise<Town[]> {
  const towns: Town[] = [];
  const store = await openStore(createStoreOptions(place));
  try {
    for (let n = 0; n < count; n += 1) {
      const { id } = await store.addOrganization(`Municipality ${n} of ${count}`, randomUUID());
      const key = generateKey();
      const requestLimit = 2_147_483_647;
      await store.addKey({
        organizationId: id,
        name: 'bench',
        requestLimit,
        expiresAt: undefined,
        ...hashForStorage(key),
      });
      towns.push({ id, key });
    }
  } finally {
    await store.close();
  }
  await executeStatements(place, (dialect) => {
    const { id, time, enterTenant } = dialects[dialect];
    return [
      // Copies have random ids. Their times give each database the same pages, a thousand of which fit into the response cache.
      `CREATE TEMP TABLE template AS SELECT row_number() OVER (ORDER BY created_at, reference_number) - 1 AS place, ${shared}
        FROM submission WHERE organization_id = '${municipality.id}' ORDER BY created_at, reference_number LIMIT ${submissions}`,
      ...towns.flatMap((town) => [
        ...enterTenant(town.id),
        `INSERT INTO submission (organization_id, id, created_at, ${shared})
          SELECT '${town.id}', ${id}, ${time(`${firstSecond} + place * ${secondsBetween}`)}, ${shared}
          FROM template ORDER BY place`,
      ]),
      'DROP TABLE template',
      ...settle(dialect),
    ];
  });
  return towns;
}

/** Adds two documents and a point to each submission of a municipality. */
export const addDocumentsAndLocations = (place: BenchDatabase, organizationId: string): Promise<void> =>
  executeStatements(place, (dialect) => [
    ...dialects[dialect].enterTenant(organizationId),
    `UPDATE submission SET location = '{"type":"Point","coordinates":[8.404,49.009]}', documents = '${JSON.stringify(
      ['Vorlage', 'Stellungnahme'].map((title, index) => ({
        title,
        url: `https://rathaus.example.com/documents/${index}/0123456789.pdf`,
        type: 'application/pdf',
      })),
    )}' WHERE organization_id = '${organizationId}'`,
    ...settle(dialect),
  ]);

/** Writes new submissions as lines of JSON for `rostra import rostra`. */
export function writeImportFile(file: string, count: number): void {
  const templates = [...municipality.records()].filter(({ kind }) => kind === 'submission');
  const lines = Array.from({ length: count }, (_, index) =>
    JSON.stringify({ ...templates[index % templates.length], id: randomUUID() }),
  );
  writeFileSync(file, lines.join('\n'));
}

const fillCacheKilobytes = 1_000_000;

/** Executes statements of one engine as the owner. */
export async function executeStatements(
  place: BenchDatabase,
  statements: (dialect: keyof typeof dialects) => string[],
): Promise<void> {
  if (place.owner === undefined) {
    const connection = new Database(place.database);
    // A crash loses the database of a measurement anyway.
    connection.pragma('synchronous = OFF');
    connection.pragma(`cache_size = -${fillCacheKilobytes}`);
    connection.prepare('ATTACH ? AS counters').run(`${place.database}-counters`);
    for (const statement of statements('sqlite')) connection.exec(statement);
    connection.close();
    return;
  }
  await withOwnerClient(place.owner, municipality.id, async (client) => {
    for (const statement of statements('postgres')) await client.query(statement);
  });
}

async function withOwnerClient<Result>(
  url: string,
  organizationId: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(composeTenantSetting(organizationId));
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Queries a database directly. @param organizationId whose published data PostgreSQL shows */
export async function queryRows<Row>(
  place: BenchDatabase,
  sql: string,
  organizationId = municipality.id,
): Promise<Row[]> {
  if (place.owner !== undefined)
    return withOwnerClient(place.owner, organizationId, async (client) => (await client.query(sql)).rows);
  const connection = new Database(place.database, { readonly: true });
  try {
    return connection.prepare(sql).all() as Row[];
  } finally {
    connection.close();
  }
}
