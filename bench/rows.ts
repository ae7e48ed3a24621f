/** The measured requests: one row of the result each. */

import type { CursorPosition } from '../src/domain/store.ts';
import { encodeCursor } from '../src/web/api/pagination.ts';
import {
  addDocumentsAndLocations,
  type BenchDatabase,
  fillDatabase,
  fillOtherMunicipalities,
  queryRows,
  type Town,
} from './fill-database.ts';
import type { LoadOptions } from './run-load.ts';
import { runRostra } from './start-servers.ts';

export interface Row {
  name: string;
  /** Requested in turn. One path: a repeated request; many: all requests of a round are distinct. */
  paths: readonly string[];
  /** See `LoadOptions`. */
  key: LoadOptions['key'];
  headers?: Record<string, string>;
  /** Sent with POST. */
  body?: string;
  status: number;
  /** Minimum ratio to bare `node:http`. */
  target: { sqlite?: number; postgres?: number };
}

export type RowOfOneKey = Row & { key: string | undefined };

const api = '/api/v1';
const fullLimit = '2147483647';

/** Cursors at one end of the list: enough for a round without repetition. */
const maxCursors = 200_000;

/** A part of a list: `skip` counts from the newest row or, with the order ASC, from the oldest. */
interface Segment {
  status?: string;
  order: 'ASC' | 'DESC';
  skip?: number;
}

/** @returns the positions of the rows of a segment, the newest first */
async function listPositions(
  place: BenchDatabase,
  organizationId: string,
  { status, order, skip = 0 }: Segment,
): Promise<Required<CursorPosition>[]> {
  const opposite = order === 'ASC' ? 'DESC' : 'ASC';
  const filter = status === undefined ? '' : ` AND status = '${status}'`;
  const rows = await queryRows<Required<CursorPosition>>(
    place,
    `SELECT created_at AS at, id FROM submission WHERE organization_id = '${organizationId}'${filter}
    ORDER BY created_at ${order}, id ${opposite} LIMIT ${maxCursors} OFFSET ${skip}`,
    organizationId,
  );
  return order === 'ASC' ? rows.reverse() : rows;
}

/** @returns the URLs of the pages after each row of a segment, in the order of a client that walks the list */
export async function listPageUrls(
  place: BenchDatabase,
  organizationId: string,
  segment: Segment,
): Promise<string[]> {
  const [{ secret }] = (await queryRows<{ secret: Buffer }>(
    place,
    'SELECT secret FROM cursor_secret ORDER BY generation DESC LIMIT 1',
  )) as [{ secret: Buffer }];
  const { status } = segment;
  const rows = await listPositions(place, organizationId, segment);
  const scope = { organizationId, operationId: 'listSubmissions', filters: { status } };
  const query = status === undefined ? '' : `status=${status}&`;
  const paths = rows
    .slice(0, -1)
    .map((row, index) => encodeCursor(createPosition(row, rows[index + 1] as CursorPosition), scope, secret))
    .map((cursor) => `${api}/submissions?${query}cursor=${cursor}`);
  return orderByPages(paths);
}

export const issueKey = (place: BenchDatabase, organizationId: string, name: string, limit = fullLimit) =>
  runRostra(place, 'key', 'issue', '--organization', organizationId, '--name', name, '--limit', limit);

export async function createRows(place: BenchDatabase, organizationId: string): Promise<RowOfOneKey[]> {
  const key = issueKey(place, organizationId, 'bench');
  const exhausted = issueKey(place, organizationId, 'exhausted', '1');
  const openData = ['--license-name', 'CC0-1.0', '--slug', 'bench', '--open-data', 'on'];
  runRostra(place, 'organization', 'edit', organizationId, ...openData);
  const ids = async (table: string, limit: number, condition = '') =>
    (
      await queryRows<{ id: string }>(
        place,
        `SELECT id FROM ${table} WHERE organization_id = '${organizationId}'${condition} ORDER BY id LIMIT ${limit}`,
      )
    ).map(({ id }) => id);
  const submissions = await ids('submission', maxCursors);
  const sessions = await ids('session', 1000);
  const surveys = await ids('survey', 100, " AND status <> 'draft'");

  const same = (path: string) => [`${api}${path}`];
  const row = (name: string, paths: readonly string[], target: Row['target'] = {}): RowOfOneKey => ({
    name,
    paths,
    key,
    status: 200,
    target,
  });

  return [
    { ...row('health', same('/health')), key: undefined },
    row('me', same('/me'), { sqlite: 0.55 }),
    row('one submission, repeated', same(`/submissions/${submissions[0]}`), { sqlite: 0.5 }),
    row(
      'one submission, all different',
      submissions.map((id) => `${api}/submissions/${id}`),
    ),
    row('first page of 20, repeated', same('/submissions'), { sqlite: 0.55, postgres: 0.15 }),
    row(
      'page of 20, all different, at the top',
      await listPageUrls(place, organizationId, { order: 'DESC' }),
      {
        sqlite: 0.33,
        postgres: 0.1,
      },
    ),
    row('page of 20, all different, at the end', await listPageUrls(place, organizationId, { order: 'ASC' })),
    row('first page of 100', same('/submissions?limit=100')),
    row(
      'filtered by status, all different',
      await listPageUrls(place, organizationId, { status: 'in_review', order: 'DESC' }),
    ),
    row('tallies', same('/support')),
    row('sessions', same('/sessions')),
    row(
      'a session with its submissions',
      sessions.map((id) => `${api}/sessions/${id}`),
    ),
    row(
      'survey results',
      surveys.map((id) => `${api}/surveys/${id}/results`),
    ),
    { ...row('401', same('/me'), { sqlite: 0.7 }), key: 'sk_rostra_x', status: 401 },
    { ...row('429', same('/me')), key: exhausted, status: 429 },
    {
      ...row('a page of 20 for an assistant, repeated', ['/mcp']),
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'find_submissions', arguments: { limit: 20 } },
      }),
    },
    { ...row('page of open data, repeated', ['/open/bench/submissions']), key: undefined },
    {
      ...row(
        'page of open data, all different',
        (await listPositions(place, organizationId, { order: 'DESC' })).map(
          ({ at, id }) => `/open/bench/submissions?${new URLSearchParams({ after: `${at} ${id}` })}`,
        ),
      ),
      key: undefined,
    },
    {
      name: 'unchanged file of open data (304)',
      paths: ['/open/bench/submissions.csv'],
      key: undefined,
      // Any tag, so that the file need not be built.
      headers: { 'if-none-match': '*' },
      status: 304,
      target: { sqlite: 0.5, postgres: 0.5 },
    },
  ];
}

const townCounts = [150, 1_000];
const submissionsPerTown = 400;
const submissionsWithDocuments = 100_000;

/** Fills an empty database. @param submissions of the municipality of most rows */
export async function fillRows(place: BenchDatabase, submissions: number): Promise<Row[]> {
  const rows = await createRows(place, await fillDatabase(place, submissions));
  const towns = await fillOtherMunicipalities(place, Math.max(...townCounts), submissionsPerTown);
  return [...rows, ...(await createTownRows(place, towns)), ...(await createDocumentRows(place))];
}

/** Of a municipality that publishes two documents and a point with each submission. */
async function createDocumentRows(place: BenchDatabase): Promise<Row[]> {
  const [town] = (await fillOtherMunicipalities(place, 1, submissionsWithDocuments)) as [Town];
  await addDocumentsAndLocations(place, town.id);
  const paths = await listPageUrls(place, town.id, { order: 'DESC' });
  const name = 'page of 20 with documents and points, all different';
  return [{ name, paths, key: town.key, status: 200, target: {} }];
}

/** Rows of many municipalities with a key each, which send requests in turn: as far as possible those of one. */
export async function createTownRows(place: BenchDatabase, towns: readonly Town[]): Promise<Row[]> {
  const pages: string[][] = [];
  for (const { id } of towns) pages.push(await listPageUrls(place, id, { order: 'DESC' }));
  return townCounts
    .filter((count) => count <= towns.length)
    .flatMap((count) => {
      const key = towns.slice(0, count).map((town) => town.key);
      const common = { key, status: 200, target: {} };
      const different = Array.from({ length: pages[0]?.length ?? 0 }, (_, index) =>
        pages.slice(0, count).map((urls) => urls[index] as string),
      );
      return [
        {
          name: `first page of 20, repeated, ${count} municipalities`,
          paths: key.map(() => `${api}/submissions`),
          ...common,
        },
        { name: `page of 20, all different, ${count} municipalities`, paths: different.flat(), ...common },
      ];
    });
}

/** Builds the same position as the server does. */
function createPosition({ at, id }: Required<CursorPosition>, next: CursorPosition): CursorPosition {
  return next.at === at ? { at, id } : { at };
}

/** Orders the paths like a client that walks the list page by page, repeatedly, starting one row further each time. */
function orderByPages(paths: readonly string[]): string[] {
  const pageSize = 20;
  return Array.from({ length: pageSize }, (_, first) =>
    paths.filter((_path, place) => place % pageSize === first),
  ).flat();
}
