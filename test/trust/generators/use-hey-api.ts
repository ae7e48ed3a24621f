/** Reads data with the client that @hey-api/openapi-ts generates. Arguments: base URL and key. */
import { client } from './generated/hey-api/client.gen.js';
import {
  getSubmission,
  getSurveyResults,
  listChanges,
  listSessions,
  listSubmissions,
} from './generated/hey-api/sdk.gen.js';
import type { Submission } from './generated/hey-api/types.gen.js';
import { printData } from './print-data.js';

const [, , baseUrl = '', key = ''] = process.argv;
client.setConfig({ baseUrl, auth: key });

const submissions: Submission[] = [];
for (let cursor: string | undefined, more = true; more; ) {
  const { data, error } = await listSubmissions({
    query: cursor === undefined ? { limit: 3 } : { limit: 3, cursor },
  });
  if (data === undefined) throw new Error(error.error);
  submissions.push(...data.data);
  cursor = data.pagination.next_cursor ?? undefined;
  more = data.pagination.has_more;
}
const { data: sessions } = await listSessions();
const { data: survey } = await getSurveyResults({ path: { id: 'cccccccc-0000-4000-8000-000000000001' } });
const { error: missing } = await getSubmission({ path: { id: 'ffffffff-ffff-4fff-bfff-ffffffffffff' } });
const { data: changes } = await listChanges();
// Compiles only if `deleted` decides whether there are data, and `kind` which.
const texts = changes?.data.map((change) => {
  if (change.deleted) return `${change.kind} ${change.id}`;
  if (change.kind === 'submission') return change.data.description;
  return change.kind === 'session' ? change.data.committeeName : change.data.title;
});
printData({ submissions, sessions, survey, missing, texts });
