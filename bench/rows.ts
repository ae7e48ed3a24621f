/** The measured requests: one row of the result each. */
import { type CursorPosition, encodeCursor } from '../src/domain/cursor.ts';
import { type Place, read } from './data.ts';
import { rostra } from './servers.ts';

export interface Row {
  name: string;
  /** Requested in turn. One path: a repeated request; many: all requests of a round are distinct. */
  paths: readonly string[];
  key: string | undefined;
  status: number;
  /** Minimum ratio to bare `node:http`. */
  target: { sqlite?: number; postgres?: number };
}

const api = '/api/v1';
const fullLimit = '2147483647';

/** Cursors at one end of the list: enough for all rounds without repetition. */
const walked = 200_000;

/** A part of a list: `skip` counts from the newest row or, with the order ASC, from the oldest. */
interface Stretch {
  status?: string;
  order: 'ASC' | 'DESC';
  skip?: number;
}

/** @returns the URLs of the pages after each row of a segment, in the order of a client that walks the list */
export async function walk(
  place: Place,
  organizationId: string,
  { status, order, skip = 0 }: Stretch,
): Promise<string[]> {
  const [{ secret }] = (await read<{ secret: Buffer }>(
    place,
    'SELECT secret FROM cursor_secret ORDER BY generation DESC LIMIT 1',
  )) as [{ secret: Buffer }];
  const opposite = order === 'ASC' ? 'DESC' : 'ASC';
  const filter = status === undefined ? '' : ` AND status = '${status}'`;
  const rows = await read<Required<CursorPosition>>(
    place,
    `SELECT created_at AS at, id FROM submission WHERE organization_id = '${organizationId}'${filter}
    ORDER BY created_at ${order}, id ${opposite} LIMIT ${walked} OFFSET ${skip}`,
  );
  if (order === 'ASC') rows.reverse();
  const scope = { organizationId, operationId: 'listSubmissions', filters: [status, undefined] };
  const query = status === undefined ? '' : `status=${status}&`;
  const paths = rows
    .slice(0, -1)
    .map((row, index) => encodeCursor(behind(row, rows[index + 1] as CursorPosition), scope, secret))
    .map((cursor) => `${api}/submissions?${query}cursor=${cursor}`);
  return inPages(paths);
}

export const issueKey = (place: Place, organizationId: string, name: string, limit = fullLimit) =>
  rostra(place, 'key', 'issue', '--organization', organizationId, '--name', name, '--limit', limit);

export async function rowsOf(place: Place, organizationId: string): Promise<Row[]> {
  const key = issueKey(place, organizationId, 'bench');
  const exhausted = issueKey(place, organizationId, 'exhausted', '1');
  const ids = async (table: string, limit: number, condition = '') =>
    (
      await read<{ id: string }>(
        place,
        `SELECT id FROM ${table} WHERE organization_id = '${organizationId}'${condition} ORDER BY id LIMIT ${limit}`,
      )
    ).map(({ id }) => id);
  const submissions = await ids('submission', walked);
  const sessions = await ids('session', 1000);
  const surveys = await ids('survey', 100, " AND status <> 'draft'");

  const same = (path: string) => [`${api}${path}`];
  const row = (name: string, paths: readonly string[], target: Row['target'] = {}): Row => ({
    name,
    paths,
    key,
    status: 200,
    target,
  });

  return [
    { ...row('health', same('/health')), key: undefined },
    row('me', same('/me'), { sqlite: 0.55 }),
    row('one submission, the same again', same(`/submissions/${submissions[0]}`), { sqlite: 0.5 }),
    row(
      'one submission, no two alike',
      submissions.map((id) => `${api}/submissions/${id}`),
    ),
    row('first page of 20, the same again', same('/submissions'), { sqlite: 0.55, postgres: 0.15 }),
    row('page of 20, no two alike, at the top', await walk(place, organizationId, { order: 'DESC' }), {
      sqlite: 0.4,
      postgres: 0.15,
    }),
    row('page of 20, no two alike, at the end', await walk(place, organizationId, { order: 'ASC' })),
    row('first page of 100', same('/submissions?limit=100')),
    row(
      'filtered by status, no two alike',
      await walk(place, organizationId, { status: 'in_review', order: 'DESC' }),
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
  ];
}

/** Builds the same position as the server does. */
function behind({ at, id }: Required<CursorPosition>, next: CursorPosition): CursorPosition {
  return next.at === at ? { at, id } : { at };
}

/** Orders the paths like a client that walks the list page by page, repeatedly, starting one row further each time. */
function inPages(paths: readonly string[]): string[] {
  const pageSize = 20;
  return Array.from({ length: pageSize }, (_, first) =>
    paths.filter((_path, place) => place % pageSize === first),
  ).flat();
}
