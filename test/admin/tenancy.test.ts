/** An administrator cannot see or change another municipality's data: the response is the same 404 as for unknown ids. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { servedTown } from '../support/fixture.ts';
import {
  hiddenFields,
  newVisitor,
  plain,
  secretOn,
  signedIn,
  signIn,
  tokenFor,
} from '../support/form-client.ts';

const town = await servedTown({ after });
const { server, store } = town;
const anna = await signedIn(server, store, town.a);
const bert = await signedIn(server, store, town.b);
const olga = await signedIn(server, store);

const keyOfA = await town.issue(town.a, { name: 'Secret of A' });
const ofA = keyOfA.id;
const surveyOfA = (await store.listSurveys(town.a)).find(({ status }) => status !== 'draft');
const nowhere = randomUUID();

const at = (organizationId: string, path: string) => `/admin/organizations/${organizationId}/${path}`;

const pages = (organizationId: string, keyId: string, surveyId: string) =>
  [
    'keys',
    'keys/new',
    `keys/${keyId}`,
    `keys/${keyId}/issued`,
    `keys/${keyId}/rotate`,
    `keys/${keyId}/revoke`,
  ]
    .concat('published', `published/surveys/${surveyId}`, 'imports', 'audit', 'audit.csv')
    .map((path) => at(organizationId, path));

const operatorPages = ['/admin/organizations', '/admin/administrators', '/admin/administrators/new'].concat(
  '/admin/administrators/invited',
  '/admin/audit',
  '/admin/audit.csv',
);

/** Removes random values, which differ in every response. */
const comparable = (body: string) => body.replaceAll(/(name="token" value|href|action)="[^"]*"/g, '$1=""');

/** All keys without their usage. */
async function keys(): Promise<unknown> {
  const all = [...(await store.listKeys(town.a)), ...(await store.listKeys(town.b))];
  return all.map(({ id, name, state, expiresAt, revokedAt }) => ({ id, name, state, expiresAt, revokedAt }));
}

async function assertWorks(secret: string, organizationId: string): Promise<void> {
  const { status, json } = await server.get('/me', { key: secret });
  assert.equal(status, 200);
  assert.equal(json.organization_id, organizationId);
}

suite('the pages of another municipality', () => {
  const foreign = pages(town.a, ofA, surveyOfA?.id ?? '');
  const missing = pages(nowhere, ofA, surveyOfA?.id ?? '');
  for (const [index, path] of foreign.entries()) {
    test(`${path.replace(/[\da-f-]{36}/g, '…')} returns the same response as an unknown id`, async () => {
      const answer = await bert.get(path);
      const other = await bert.get(missing[index] as string);
      assert.equal(answer.status, 404);
      assert.equal(other.status, 404);
      assert.equal(comparable(answer.body), comparable(other.body));
      assert.ok(!answer.body.includes('Musterstadt') && !answer.body.includes('Secret of A'));
    });
  }

  test('are visible to its own administrator', async () => {
    for (const path of foreign) {
      const { status } = await anna.get(path);
      assert.equal(status, path.endsWith('/issued') ? 410 : 200, path);
    }
  });

  test('are not found under the own municipality with the id of their key', async () => {
    for (const path of [`keys/${ofA}`, `keys/${ofA}/rotate`, `keys/${ofA}/issued`]) {
      const answer = await bert.get(at(town.b, path));
      const other = await bert.get(at(town.b, path.replace(/[\da-f-]{36}/, nowhere)));
      assert.deepEqual([answer.status, other.status], [404, 404], path);
      assert.equal(comparable(answer.body), comparable(other.body));
    }
  });
});

suite('forms sent to another municipality', () => {
  const upper = (id: string) => id.toUpperCase();
  const organizations = [town.a, upper(town.a), nowhere, `${town.a}%00`, '1', `${town.a}%2fkeys`];
  const keysNamed = [ofA, upper(ofA), nowhere, `${ofA}%00`, '%00', '1', `${ofA},${ofA}`, 'constructor'];
  const targets = [
    ...organizations.map((organization) => at(organization, 'keys/new')),
    ...['rotate', 'revoke'].flatMap((action) => [
      ...keysNamed.map((key) => at(town.b, `keys/${key}/${action}`)),
      ...organizations.map((organization) => at(organization, `keys/${ofA}/${action}`)),
    ]),
  ];

  for (const path of targets) {
    test(`return 404 and change nothing: ${path.replaceAll(/[\da-f-]{36}/gi, '…')}`, async () => {
      const before = await keys();
      const fields = { token: await tokenFor(bert), form: randomUUID(), name: 'Stolen', grace: '0' };
      const answer = await bert.post(path, fields);
      const missing = await bert.post(
        path.replaceAll(/[\da-f-]{36}/gi, (id) => (id === town.b ? id : nowhere)),
        fields,
      );
      assert.deepEqual([answer.status, missing.status], [404, 404]);
      assert.equal(comparable(answer.body), comparable(missing.body));
      assert.deepEqual(await keys(), before);
      await assertWorks(keyOfA.secret, town.a);
    });
  }

  test('succeed for its own administrator', async () => {
    const { id, secret } = await town.issue(town.a);
    assert.equal((await anna.fill(at(town.a, `keys/${id}/revoke`))).status, 303);
    assert.equal((await server.get('/me', { key: secret })).status, 401);
  });
});

suite('pages for operators', () => {
  const idOf = { anna: anna.administrator.id, bert: bert.administrator.id, nobody: nowhere };
  const ofAdministrators = Object.values(idOf).flatMap((id) =>
    ['invite', 'remove'].map((action) => `/admin/administrators/${id}/${action}`),
  );
  for (const path of [...operatorPages, ...ofAdministrators]) {
    test(`${path.replace(/[\da-f-]{36}/, '…')} returns 404 to the administrator of a municipality`, async () => {
      const before = await store.listAdministrators();
      const fields = { token: await tokenFor(bert), form: '1', email: bert.email, organization: 'operator' };
      for (const answer of [await bert.get(path), await bert.post(path, fields)]) {
        assert.equal(answer.status, 404);
        assert.ok(!answer.body.includes(anna.email) && !answer.body.includes('Musterstadt'));
      }
      assert.deepEqual(await store.listAdministrators(), before);
      assert.equal((await anna.get('/admin/account')).status, 200);
    });
  }

  test('administrators cannot create operators with the form', async () => {
    const token = await tokenFor(bert);
    for (const email of [bert.email, 'bert.two@stadt.example']) {
      const fields = { token, form: '1', email, organization: 'operator' };
      assert.equal((await bert.post('/admin/administrators/new', fields)).status, 404);
    }
    assert.equal((await store.findAdministrator(bert.email))?.organizationId, town.b);
    assert.equal(await store.findAdministrator('bert.two@stadt.example'), undefined);
  });

  test('an operator can open all pages of every municipality', async () => {
    const survey = (await store.listSurveys(town.b)).find(({ status }) => status !== 'draft');
    const ofB = await town.issue(town.b);
    const all = [
      ...operatorPages.filter((path) => !path.endsWith('/invited')),
      ...ofAdministrators.filter((path) => !path.includes(nowhere)),
      ...pages(town.a, ofA, surveyOfA?.id ?? ''),
      ...pages(town.b, ofB.id, survey?.id ?? '').filter((path) => survey || !path.includes('surveys')),
    ];
    for (const path of all) {
      const { status } = await olga.get(path);
      assert.equal(status, path.endsWith('/issued') ? 410 : 200, path);
    }
  });

  for (const name of ['a', 'b'] as const) {
    test(`an operator can issue, rotate and revoke keys of ${name}`, async () => {
      const organization = town[name];
      const issued = await olga.fill(at(organization, 'keys/new'), { name: 'Of the operator' });
      const secret = secretOn((await olga.open(issued.location ?? '')).body);
      await assertWorks(secret, organization);
      const key = (issued.location ?? '').replace('/issued', '');
      const rotated = await olga.fill(`${key}/rotate`, { grace: '0' });
      const successor = secretOn((await olga.open(rotated.location ?? '')).body);
      assert.equal((await server.get('/me', { key: secret })).status, 401);
      await assertWorks(successor, organization);
      const revoked = await olga.fill((rotated.location ?? '').replace('/issued', '/revoke'));
      assert.match(revoked.location ?? '', /revoked=1$/);
      assert.equal((await server.get('/me', { key: successor })).status, 401);
    });
  }

  test('an operator adds an administrator for one municipality only', async () => {
    const email = 'clara@stadt.example';
    const added = await olga.fill('/admin/administrators/new', { email, organization: town.b });
    assert.match((await olga.open(added.location ?? '')).body, /\/admin\/invitation\/[\w-]{43}/);
    assert.equal((await store.findAdministrator(email))?.organizationId, town.b);
    const id = (await store.findAdministrator(email))?.id;
    assert.equal((await olga.fill(`/admin/administrators/${id}/remove`)).status, 303);
    assert.equal(await store.findAdministrator(email), undefined);
  });
});

test('a key reads the published data of its municipality only', async () => {
  const issued = await anna.fill(at(town.a, 'keys/new'), { name: 'Portal' });
  const key = secretOn((await anna.open(issued.location ?? '')).body);
  await assertWorks(key, town.a);
  for (const path of ['/submissions', '/sessions', '/support']) {
    const own = await server.get(path, { key });
    assert.deepEqual(own.json.data, (await server.get(path, { key: town.alice })).json.data);
    assert.notDeepEqual(own.json.data, (await server.get(path, { key: town.charlie })).json.data);
  }
});

test('a new key is displayed only in the browser that issued it', async () => {
  const issued = await anna.fill(at(town.a, 'keys/new'), { name: 'Shown once' });
  const page = issued.location ?? '';
  const other = await olga.get(page);
  assert.equal(other.status, 410);
  assert.doesNotMatch(other.body, /sk_rostra_\w{36}/);
  assert.equal((await bert.get(page)).status, 404);
  assert.match(secretOn((await anna.get(page)).body), /^sk_rostra_\w{36}$/);
  const again = await anna.get(page);
  assert.equal(again.status, 410);
  assert.doesNotMatch(again.body, /sk_rostra_\w{36}/);
});

test('the audit log of a municipality, as a page and as CSV, contains no entries of another one', async () => {
  await anna.fill(at(town.a, 'keys/new'), { name: 'Only in the log of A' });
  const named = await bert.fill(at(town.b, 'keys/new'), { name: 'Only in the log of B' });
  assert.equal(named.status, 303);
  for (const visitor of [bert, olga]) {
    const page = plain((await visitor.get(at(town.b, 'audit'))).body);
    const { body } = await visitor.get(at(town.b, 'audit.csv'));
    for (const text of [page, body]) {
      assert.match(text, /Only in the log of B/);
      for (const foreign of ['Only in the log of A', anna.email, 'Secret of A', 'Musterstadt', ofA])
        assert.ok(!text.includes(foreign), foreign);
    }
    assert.ok(!body.includes(town.a));
    const [, ...rows] = body.trim().split('\r\n');
    assert.ok(rows.length > 1 && rows.every((row) => row.includes(town.b)));
  }
});

test('a login session can be ended by its own user only', async () => {
  const bounds = { idleMs: 3_600_000, maxAgeMs: 43_200_000 };
  for (const victim of [anna, olga]) {
    const [theirs] = await store.listLoginSessions(victim.administrator.id, bounds);
    const path = `/admin/account/sessions/${theirs?.id}/end`;
    assert.equal((await bert.post(path, { token: await tokenFor(bert) })).status, 303);
    assert.equal((await victim.get('/admin/account')).status, 200);
  }
  const second = newVisitor(server.address);
  await signIn(second, bert.email);
  const [newest] = await store.listLoginSessions(bert.administrator.id, bounds);
  await bert.post(`/admin/account/sessions/${newest?.id}/end`, { token: await tokenFor(bert) });
  assert.match((await second.get('/admin/account')).location ?? '', /^\/admin\/sign-in/);
  assert.equal((await bert.get('/admin/account')).status, 200);
});

test('the form of one municipality is rejected at the URL of another one', async () => {
  const page = await bert.get(at(town.b, 'keys/new'));
  const before = await keys();
  const fields = { ...hiddenFields(page.body), name: 'Moved' };
  assert.equal((await bert.post(at(town.a, 'keys/new'), fields)).status, 404);
  assert.deepEqual(await keys(), before);
});
