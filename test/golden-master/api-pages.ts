/** Requests every operation of the API, and walks its lists to their end. */
import { sendRequest } from '../support/http-client.ts';

interface Operation {
  path: string;
  hasCursor: boolean;
  parameters: string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the document is not typed
function listOperations(document: any): Operation[] {
  return Object.entries<{ get: { parameters?: { name?: string; $ref?: string }[] } }>(document.paths).map(
    ([path, { get }]) => {
      const parameters = (get.parameters ?? []).map(
        ({ name, $ref }) => name ?? document.components.parameters[($ref ?? '').split('/').at(-1) ?? ''].name,
      );
      return { path, hasCursor: parameters.includes('cursor'), parameters };
    },
  );
}

/** Invalid requests, whose errors are part of the contract. */
const invalidRequests = [
  '/submissions?limit=0',
  '/submissions?limit=101',
  '/submissions?state=open',
  '/submissions?cursor=',
  '/submissions?cursor=invalid',
  '/submissions?status=a&status=b',
  '/submissions/unknown',
  '/sessions?page=2',
  '/support?submission_id=unknown',
  '/surveys/unknown/results',
  '/changes?kind=unknown',
  '/facets?kind=unknown',
  '/statistics?from=tomorrow',
  '/unknown',
];

/** Not part of the recorded contract: they differ between requests, or follow from the body. */
const omittedHeaders = new Set([
  'date',
  'x-request-id',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'content-length',
  'connection',
  'keep-alive',
]);

/** Yields the request and its response, one line each for status, headers and body. */
export async function* readApiPages(port: number, key: string): AsyncGenerator<string> {
  const send = async (path: string) => {
    const { status, headers, text } = await sendRequest(port, `/api/v1${path}`, { key });
    const kept = Object.entries(headers).filter(([name]) => !omittedHeaders.has(name));
    const lines = [
      `GET ${path}`,
      String(status),
      ...kept.sort().map(([name, value]) => `${name}: ${value}`),
      text,
    ];
    return { text, written: `${lines.join('\n')}\n\n` };
  };
  const document = await send('/openapi.json');
  yield document.written;
  const ids = new Map<string, string[]>();
  const operations = listOperations(JSON.parse(document.text)).map((operation) => ({
    ...operation,
    path: operation.path.replace(/^\/api\/v1/, ''),
  }));
  // Lists come first, because they have the ids of the others.
  for (const { path, hasCursor, parameters } of operations.toSorted(
    (a, b) => Number(b.hasCursor) - Number(a.hasCursor),
  )) {
    if (path.includes('{')) {
      const found = ids.get(path.split('/{')[0] as string) ?? [];
      for (const id of found) yield (await send(path.replace(/\{\w+\}/, id))).written;
      continue;
    }
    for (let cursor = ''; ; ) {
      const limit = parameters.includes('limit') ? '?limit=100' : '';
      const { text, written } = await send(`${path}${limit}${cursor && `&cursor=${cursor}`}`);
      yield written;
      if (!hasCursor) break;
      const { data, pagination } = JSON.parse(text);
      const earlier = ids.get(path) ?? [];
      ids.set(path, [...earlier, ...data.map(({ id }: { id?: string }) => id ?? '').filter(Boolean)]);
      if (!pagination.has_more) break;
      cursor = pagination.next_cursor;
    }
  }
  for (const path of invalidRequests) yield (await send(path)).written;
}
