/** The changes in docs/add-an-admin-page.md, applied to a copy of the project, add the page. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { applyDocumentedChanges } from '../../support/documented-changes.ts';
import { createFixture } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient } from '../../support/form-client.ts';
import { startServerProcess } from '../../support/server-process.ts';

const { copy, files } = applyDocumentedChanges({ after }, 'docs/add-an-admin-page.md');

test('a page needs at most five files', () => {
  // With the file of its tests.
  assert.ok(files.length + 1 <= 5, files.join(', '));
});

test('a page added as documented has its access, navigation, breadcrumbs and languages', async (t) => {
  const { database, store, a, b } = await createFixture(t);
  const server = await startServerProcess(t, database, {}, join(copy, 'src/main.ts'));
  const path = `/admin/organizations/${a}/api-access`;
  const reader = await createSignedInClient(server, store, a, 'reader');

  const { body } = await reader.get(path);
  assert.match(body, /<h1 [^>]*>API access<\/h1>/);
  assert.match(body, /<code>http:\/\/[^<]+\/api\/v1<\/code>/);
  assert.match(body, /<span aria-current="page"><bdi>API access<\/bdi><\/span>/);
  const home = await reader.get(`/admin/organizations/${a}?language=de`);
  assert.ok(home.body.includes(`href="${path}"><bdi>API-Zugang</bdi>`), home.body);

  const stranger = await createSignedInClient(server, store, b);
  assert.equal((await stranger.get(path)).status, 404);
  assert.match((await createFormClient(server.address).get(path)).location ?? '', /^\/admin\/sign-in/);
});
