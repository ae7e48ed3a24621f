/**
 * Alternatives to Rostra. Each returns the same page from the same PostgreSQL: twenty submissions of one organization
 * with the published fields. README.md explains the configuration of each.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createCollection, createSchema, dropSchema, schema } from './directus-collection.ts';
import { type Database, fields, getDeepOffset, itemsPerPage, readDocuments } from './expected-page.ts';
import {
  createWorkspace,
  resolvePath,
  runToCompletion,
  type Server,
  send,
  startVerified,
  type Workspace,
} from './start-peer.ts';

export interface PeerRequest {
  method?: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface RunningPeer {
  pid: number;
  port: number;
  first: PeerRequest;
  deep: PeerRequest;
  /** Differences from Rostra, in one sentence. */
  note: string;
  usesDatabase: boolean;
  stop(): Promise<void>;
}

export interface Peer {
  name: string;
  version: string;
  /** Resolves when both pages are verified against the database. */
  start(database: Database): Promise<RunningPeer>;
}

type Submissions = Record<string, unknown>[];

const { dependencies } = JSON.parse(readFileSync(resolvePath('package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
};

function createPeer(
  name: string,
  packageName: string,
  server: (database: Database, place: Workspace) => Server | Promise<Server>,
): Peer {
  return {
    name,
    version: dependencies[packageName] as string,
    start: async (database) => {
      if (!existsSync(resolvePath('node_modules'))) throw new Error('Run npm ci in bench/peers first.');
      const place = await createWorkspace();
      try {
        return await startVerified(await server(database, place), place, database);
      } catch (error) {
        rmSync(place.folder, { recursive: true, force: true });
        throw new Error(`${name}: ${(error as Error).message}`);
      }
    },
  };
}

const express = createPeer('Express and pg', 'express', (database) => {
  const list = `/organizations/${database.organizationId}/submissions`;
  return {
    command: [resolvePath('express.ts')],
    environment: {},
    first: { path: list },
    deep: { path: `${list}?page=${getDeepOffset(database) / itemsPerPage + 1}` },
    note: 'No keys and no rate limit; reads all earlier rows to reach a deep page.',
    items: (answer) => (answer as { data: Submissions }).data,
  };
});

const platformatic = createPeer('Platformatic DB', '@platformatic/db', (database, { folder, port }) => {
  const file = join(folder, 'platformatic.json');
  writeFileSync(
    file,
    JSON.stringify({
      $schema: `https://schemas.platformatic.dev/@platformatic/db/${dependencies['@platformatic/db']}.json`,
      server: { hostname: '127.0.0.1', port, logger: { level: 'error' } },
      db: {
        connectionString: database.owner,
        include: { organization: true, change_history: true, submission: true },
        graphql: false,
        openapi: true,
      },
      watch: false,
    }),
  );
  const parameters = new URLSearchParams([
    ...fields.map((name) => ['fields', name]),
    ['where.organizationId.eq', database.organizationId],
    ['orderby.createdAt', 'desc'],
    ['orderby.id', 'asc'],
    ['limit', String(itemsPerPage)],
  ]);
  const list = `/submission/?${parameters}`;
  return {
    command: [resolvePath('platformatic.ts'), file],
    environment: {},
    first: { path: list },
    deep: async (port) => {
      const offset = getDeepOffset(database) - itemsPerPage;
      const before = await send(port, { path: `${list}&cursor=true&offset=${offset}` });
      return { path: `${list}&startAfter=${encodeURIComponent(before.headers.get('x-start-after') ?? '')}` };
    },
    note: 'No keys, no rate limit and no request log; returns hasAttachments as 0 or 1.',
    items: (answer) => answer as Submissions,
  };
});

const postgraphile = createPeer('PostGraphile', 'postgraphile', (database) => {
  const ask = (wanted: string, first: number, after: string | null): PeerRequest => ({
    method: 'POST',
    path: '/graphql',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      query: `query Page($organizationId: String!, $first: Int!, $after: Cursor) {
        allSubmissions(
          condition: { organizationId: $organizationId }, orderBy: [CREATED_AT_DESC, ROW_ID_ASC]
          first: $first, after: $after
        ) { ${wanted} }
      }`,
      variables: { organizationId: database.organizationId, first, after },
    }),
  });
  // PostGraphile renames the column `id` to `rowId`, because its own node id is `id`.
  const page = (after: string | null) =>
    ask(`nodes { ${fields.join(' ').replace('id', 'id: rowId')} }`, itemsPerPage, after);
  const answered = (answer: unknown) =>
    (answer as { data: { allSubmissions: { nodes: Submissions; pageInfo: { endCursor: string } } } }).data
      .allSubmissions;
  return {
    command: [resolvePath('postgraphile.ts')],
    environment: {},
    first: page(null),
    deep: async (port) => {
      const before = ask('pageInfo { endCursor }', getDeepOffset(database), null);
      return page(answered(await (await send(port, before)).json()).pageInfo.endCursor);
    },
    note: 'GraphQL; no keys and no rate limit; returns hasAttachments as 0 or 1.',
    items: (answer) => answered(answer).nodes,
  };
});

/** json-server sorts all its data for each request, so a larger file would be an unfair comparison. */
const maxJsonServerSubmissions = 10_000;

const jsonServer = createPeer('json-server', 'json-server', async (database, { folder }) => {
  // In production, json-server requires a folder of static files.
  mkdirSync(join(folder, 'public'));
  const file = join(folder, 'submissions.json');
  writeFileSync(
    file,
    `{"submissions":[${(await readDocuments(database, 0, maxJsonServerSubmissions)).join(',')}]}`,
  );
  const list = `/submissions?_sort=-createdAt,id&_per_page=${itemsPerPage}&_page=`;
  return {
    command: [resolvePath('json-server.ts'), file],
    environment: {},
    first: { path: `${list}1` },
    deep: { path: `${list}${getDeepOffset(database) / itemsPerPage + 1}` },
    usesDatabase: false,
    note: `Serves the newest ${maxJsonServerSubmissions.toLocaleString('en')} submissions of one organization from memory instead of the database; no keys and no rate limit.`,
    items: (answer) => (answer as { data: Submissions }).data,
  };
});

const directus = createPeer('Directus', 'directus', async (database, place) => {
  const environment = {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: database.owner,
    DB_SEARCH_PATH: schema,
    // Directus writes to its own tables, which have no row-level security.
    PGOPTIONS: '',
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${place.port}`,
    SECRET: randomBytes(32).toString('hex'),
    STORAGE_LOCAL_ROOT: join(place.folder, 'uploads'),
    EXTENSIONS_PATH: join(place.folder, 'extensions'),
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    // Otherwise it returns 503 under full load, which is the measured case.
    PRESSURE_LIMITER_ENABLED: 'false',
  };
  await createSchema(database);
  await runToCompletion(
    [resolvePath('directus.ts'), 'bootstrap', '--skipAdminInit'],
    environment,
    place,
    database,
  );
  await createCollection(database);
  const parameters = new URLSearchParams({
    fields: fields.join(','),
    'filter[organizationId][_eq]': database.organizationId,
    sort: '-createdAt,id',
    limit: String(itemsPerPage),
  });
  return {
    command: [resolvePath('directus.ts'), 'start'],
    environment,
    first: { path: `/items/submission?${parameters}` },
    deep: { path: `/items/submission?${parameters}&offset=${getDeepOffset(database)}` },
    note: 'Uses a copy of the table with a primary key of one column; permissions instead of keys, no rate limit; reads all earlier rows to reach a deep page.',
    items: (answer) => (answer as { data: Submissions }).data,
    clear: () => dropSchema(database),
  };
});

export const peers: readonly Peer[] = [express, platformatic, postgraphile, jsonServer, directus];
