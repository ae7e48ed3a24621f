/** Requests the operations of the API from the demo: the page at /docs shows the responses. */
import { type OperationId, operations } from '../src/contract/operations.ts';
import type { DemoConnection } from './console-examples.ts';

/** Path from this folder. */
export const demoResponsesFile = '../src/web/api/docs-page/demo-responses.json';

interface DemoResponse {
  /** Path and query below the base URL. */
  request: string;
  response: unknown;
}

/** @returns the text of a JSON file: a response for each operation */
export async function readDemoResponses({ BASE, KEY }: DemoConnection): Promise<string> {
  const get = async (request: string): Promise<DemoResponse> => {
    const response = await fetch(BASE + request, { headers: { authorization: `Bearer ${KEY}` } });
    if (!response.ok) throw new Error(`${request}: ${response.status}`);
    return { request, response: await response.json() };
  };

  /** The shortest complete response shows every field on the fewest lines. */
  async function getOne(path: string): Promise<DemoResponse> {
    const [list = ''] = path.split('/{id}');
    const { data } = (await get(list)).response as { data: { id: string }[] };
    const all = await Promise.all(data.map(({ id }) => get(path.replace('{id}', id))));
    const sizes = new Map(all.map((one) => [one, JSON.stringify(one)]));
    const complete = all.filter((one) => !sizes.get(one)?.includes('[]'));
    const [shortest] = complete.sort((a, b) => (sizes.get(a)?.length ?? 0) - (sizes.get(b)?.length ?? 0));
    if (shortest === undefined) throw new Error(`The demo has nothing complete at ${path}.`);
    return shortest;
  }

  /** A few entries instead of all. */
  const queries: Partial<Record<OperationId, string>> = { getStatistics: '?from=2026-10-26&to=2026-10-31' };
  const responses: Partial<Record<OperationId, DemoResponse>> = {};
  for (const [id, { path, query }] of Object.entries(operations)) {
    const isList = Object.hasOwn(query ?? {}, 'limit');
    responses[id as OperationId] = path.includes('{id}')
      ? await getOne(path)
      : await get(path + (isList ? '?limit=2' : (queries[id as OperationId] ?? '')));
  }
  const json = JSON.stringify(responses, null, 2);
  // Coordinates in one line, as Biome formats them.
  return `${json.replaceAll(/\[\n\s+(-?[\d.]+),\n\s+(-?[\d.]+)\n\s+\]/g, '[$1, $2]')}\n`;
}
