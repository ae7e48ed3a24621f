/** An administrator never sees or changes what is another municipality's: the same 404 as for what there is not. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { servedTown } from '../support/town.ts';
import { hiddenFields, signedIn } from '../support/visitor.ts';

const town = await servedTown({ after });
const { server, store } = town;
const anna = await signedIn(server, store, town.a);
const bert = await signedIn(server, store, town.b);
const olga = await signedIn(server, store);

const ofA = (await town.issue(town.a, { name: 'Secret of A' })).id;
const surveyOfA = (await store.listSurveys(town.a)).find(({ status }) => status !== 'draft');

const pages = (organizationId: string, keyId: string, surveyId: string) =>
  [
    'keys',
    'keys/new',
    `keys/${keyId}`,
    `keys/${keyId}/issued`,
    `keys/${keyId}/rotate`,
    `keys/${keyId}/revoke`,
  ]
    .concat('published', `published/surveys/${surveyId}`, 'audit', 'audit.csv')
    .map((path) => `/admin/organizations/${organizationId}/${path}`);

const operatorPages = ['/admin/organizations', '/admin/administrators', '/admin/administrators/new'].concat(
  '/admin/audit',
  '/admin/audit.csv',
);

/** What differs from page to page whatever it says. */
const comparable = (body: string) => body.replaceAll(/(name="token" value|href|action)="[^"]*"/g, '$1=""');

suite('the pages of another municipality', () => {
  const nowhere = randomUUID();
  const foreign = pages(town.a, ofA, surveyOfA?.id ?? '');
  const missing = pages(nowhere, ofA, surveyOfA?.id ?? '');
  for (const [index, path] of foreign.entries()) {
    test(`${path.replace(/[\da-f-]{36}/g, '…')} are told apart from those that there are not by nothing`, async () => {
      const answer = await bert.get(path);
      const other = await bert.get(missing[index] as string);
      assert.equal(answer.status, 404);
      assert.equal(other.status, 404);
      assert.equal(comparable(answer.body), comparable(other.body));
      assert.ok(!answer.body.includes('Musterstadt') && !answer.body.includes('Secret of A'));
    });
  }
});
