/** APIs of data portals, which answer as their documentation says, with the faults that real ones have. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { DataServer } from './data-server.ts';

type Row = Record<string, unknown>;

/** Sends another response to a request in place of the right one. @returns whether it did */
type Fault = (
  query: URLSearchParams,
  response: ServerResponse,
  requestNumber: number,
  request: IncomingMessage,
) => boolean;

export interface Portal {
  /** What the system has. */
  rows: Row[];
  /** The server returns no more rows in a page, whatever the limit. */
  maxRows: number;
  /** What pages return in place of the rows, which the system still counts. */
  shown?: Row[] | undefined;
  fault?: Fault | undefined;
  requests: number;
}

/** How a system answers. */
interface System {
  /** Path of the API. */
  path: string;
  /** That a source has; default: `path`. */
  page?: string;
  answer(portal: Portal, query: URLSearchParams): unknown;
  /** By other paths. */
  others?: Record<string, System['answer']>;
}

const take = ({ rows, shown = rows, maxRows }: Portal, offset: string | null, limit: string | null) =>
  shown.slice(Number(offset), Number(offset) + Math.min(maxRows, Number(limit)));

/** The rows that a condition on the day of the last change selects. */
function selectChanged(portal: Portal, query: URLSearchParams): Portal {
  const [, day] = /:updated_at >= '([\d-]+)'$/.exec(query.get('$where') ?? '') ?? [];
  if (day === undefined) return portal;
  return { ...portal, rows: portal.rows.filter((row) => String(row[':updated_at']) >= day) };
}

export const resourceId = '0b5c0a1e-6b0a-4c8e-9f57-1d0b6a1c2d3e';

export const systems = {
  socrata: {
    path: '/resource/erm2-nwe9.json',
    answer: (portal, query) =>
      query.get('$select')?.startsWith('count')
        ? // An aggregate has no columns to order by.
          [{ total: String(query.has('$order') ? Number.NaN : selectChanged(portal, query).rows.length) }]
        : take(selectChanged(portal, query), query.get('$offset'), query.get('$limit')).map(
            ({ id, ...row }) => ({
              ':id': `row-${String(id)}`,
              // An empty value has no member.
              ...Object.fromEntries(Object.entries({ id, ...row }).filter(([, value]) => value !== null)),
            }),
          ),
  },
  ckan: {
    path: '/api/3/action/datastore_search',
    answer: (portal, query) =>
      query.get('resource_id') === resourceId
        ? {
            success: true,
            result: {
              fields: Object.keys(portal.rows[0] ?? {}).map((id) => ({ id, type: 'text' })),
              records: take(portal, query.get('offset'), query.get('limit')).map((row) => ({
                _id: row.id,
                ...row,
              })),
              total: portal.rows.length,
            },
          }
        : { success: false, error: { message: 'Resource was not found.' } },
  },
  opendatasoft: {
    path: '/api/explore/v2.1/catalog/datasets/reports/exports/json',
    answer: ({ rows, shown = rows }) => shown,
    others: {
      '/api/explore/v2.1/catalog/datasets/reports/records': ({ rows }) => ({
        total_count: rows.length,
        results: [],
      }),
    },
  },
  arcgis: {
    path: '/arcgis/rest/services/Reports/FeatureServer/0/query',
    answer: (portal, query) => {
      const [name = '', value] = query.get('where')?.split('=') ?? [];
      const matches = portal.rows.filter((row) => name === '1' || row[name] === value?.replaceAll("'", ''));
      if (query.get('returnCountOnly') === 'true') return { count: matches.length };
      const named = { objectIdFieldName: 'FID' };
      if (query.get('returnIdsOnly') === 'true') return { ...named, objectIds: matches.map(({ id }) => id) };
      const ids = query.get('objectIds')?.split(',') ?? [];
      const found = (portal.shown ?? matches).filter(({ id }) => ids.includes(String(id)));
      return { ...named, features: found.map((row) => ({ attributes: { FID: row.id, ...row } })) };
    },
  },
  open311: {
    path: '/georeport/v2/requests.json',
    answer: ({ rows, shown = rows, maxRows }, query) => {
      const [from = 0, to = 0] = ['start_date', 'end_date'].map((name) => Date.parse(query.get(name) ?? ''));
      return shown
        .map(({ id, text, state, date }) => ({
          service_request_id: id,
          description: text,
          status: state,
          requested_datetime: `${String(date)}Z`,
        }))
        .filter(({ requested_datetime: time }) => from <= Date.parse(time) && Date.parse(time) <= to)
        .slice(0, Math.min(maxRows, 1_000));
    },
    others: { '/georeport/v2/services.json': () => [{ service_code: '1', service_name: 'Lamps' }] },
  },
  decidim: {
    path: '/api',
    page: '/processes/budget/f/17/',
    answer: (portal, query) => answerQuery(portal, query.get('query') ?? ''),
  },
} as const satisfies Record<string, System>;

/** GraphQL of a release without taxonomies and likes. */
function answerQuery({ rows, shown = rows, maxRows }: Portal, query: string): unknown {
  const unknown = ['taxonomies', 'likesCount', 'conferences'].filter((name) => query.includes(name));
  if (unknown.length > 0)
    return {
      errors: unknown.map((fieldName) => ({
        message: `Field '${fieldName}' doesn't exist on type 'Proposal'`,
        extensions: { code: 'undefinedField', typeName: 'Proposal', fieldName },
      })),
    };
  const space = (slug: string, ...ids: string[]) => ({
    slug,
    title: toTranslations(slug),
    components: ids.map((id) => ({ id, name: toTranslations(`Ideas ${id}`) })),
  });
  const processes = [space('budget', '17', '18'), space('park', '19')];
  const [, slug] = /participatoryProcess\(slug: "(\w+)"\)/.exec(query) ?? [];
  if (slug) return { data: { participatoryProcess: processes.find((one) => one.slug === slug) ?? null } };
  if (!query.includes('component(')) return { data: { participatoryProcesses: processes, assemblies: [] } };
  const [, after = '0'] = /after: "(\d+)"/.exec(query) ?? [];
  const end = Number(after) + Math.min(maxRows, 50);
  const edges = shown.slice(Number(after), end).map((row, index) => ({
    cursor: String(Number(after) + index + 1),
    node: {
      ...{ id: String(row.id), title: toTranslations(String(row.text)), body: toTranslations('<p>Text</p>') },
      ...{ state: 'accepted', voteCount: 3, publishedAt: `${String(row.date)}Z`, attachments: [] },
    },
  }));
  const pageInfo = { hasNextPage: end < shown.length, endCursor: edges.at(-1)?.cursor ?? null };
  return { data: { component: { proposals: { pageInfo, edges } } } };
}

const toTranslations = (text: string) => ({
  translations: [{ locale: 'de', text, machineTranslated: false }],
});

export type SystemName = keyof typeof systems;

/** Reports of citizens, one each minute. */
export const createRows = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    text: `Broken lamp ${index + 1}`,
    state: 'open',
    date: new Date(Date.UTC(2026, 0, 5, 10, index)).toISOString().slice(0, 19),
    note: index % 2 === 0 ? null : 'seen',
  }));

/** A mapping for these rows. */
export const rowMapping = `submission:
  id: id
  description: text
  status: { column: state, values: { open: received } }
  createdAt: { column: date, date: ISO }
`;

/** Serves the API of a system. */
export function servePortal(server: DataServer, name: SystemName, rows: Row[]): Portal {
  const portal: Portal = { rows, maxRows: Number.POSITIVE_INFINITY, requests: 0 };
  const { path, answer, others = {} }: System = systems[name];
  for (const [at, compose] of Object.entries({ ...others, [path]: answer }))
    server.files.set(at, async (request: IncomingMessage, response: ServerResponse) => {
      const query = new URL(request.url ?? '', server.origin).searchParams;
      if (request.method === 'POST')
        for (const [member, value] of Object.entries((await json(request)) as object))
          query.set(member, value);
      portal.requests += 1;
      if (portal.fault?.(query, response, portal.requests, request)) return;
      const body = JSON.stringify(compose(portal, query));
      response.writeHead(200, { 'content-type': 'application/json' }).end(body);
    });
  return portal;
}
