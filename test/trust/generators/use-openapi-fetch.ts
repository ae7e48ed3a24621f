/** Reads data with types of openapi-typescript and the client openapi-fetch. Arguments: base URL and key. */
import createClient from 'openapi-fetch';
import type { components, paths } from './generated/schema.ts';
import { printData } from './print-data.ts';

const [, , baseUrl = '', key = ''] = process.argv;
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const submissions: components['schemas']['Submission'][] = [];
for (let cursor: string | undefined, more = true; more; ) {
  const { data, error } = await client.GET('/submissions', {
    params: { query: cursor === undefined ? { limit: 3 } : { limit: 3, cursor } },
  });
  if (data === undefined) throw new Error(error.error);
  submissions.push(...data.data);
  cursor = data.pagination.next_cursor ?? undefined;
  more = data.pagination.has_more;
}
const { data: sessions } = await client.GET('/sessions');
const { data: survey } = await client.GET('/surveys/{id}/results', {
  params: { path: { id: 'cccccccc-0000-4000-8000-000000000001' } },
});
const { error: missing } = await client.GET('/submissions/{id}', {
  params: { path: { id: 'ffffffff-ffff-4fff-bfff-ffffffffffff' } },
});
const { data: changes } = await client.GET('/changes');
// Compiles only if `deleted` decides whether there are data, and `kind` which.
const texts = changes?.data.map((change) => {
  if (change.deleted) return `${change.kind} ${change.id}`;
  if (change.kind === 'submission') return change.data.description;
  return change.kind === 'session' ? change.data.committeeName : change.data.title;
});
printData({ submissions, sessions, survey, missing, texts });
