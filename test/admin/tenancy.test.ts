/** An administrator cannot see or change another municipality's data: the response is the same 404 as for unknown ids. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createAccount,
  createFormClient,
  createSignedInClient,
  decodeHtml,
  enterPermissions,
  fetchCsrfToken,
  getShownSecret,
  parseHiddenFields,
  password,
  signIn,
} from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const anna = await createSignedInClient(server, store, fixture.a);
const bert = await createSignedInClient(server, store, fixture.b);
const olga = await createSignedInClient(server, store);

const keyOfA = await fixture.issueKey(fixture.a, { name: 'Secret of A' });
const ofA = keyOfA.id;
const surveyOfA = (await store.listSurveys(fixture.a)).find(({ status }) => status !== 'draft');
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
    `keys/${keyId}/usage.csv`,
  ]
    .concat(
      'published',
      'data/submissions',
      `data/surveys/${surveyId}`,
      'data/try?run=1',
      'imports',
      'audit',
      'audit.csv',
    )
    .concat('accounts', 'accounts/new')
    .map((path) => at(organizationId, path));

const operatorPages = ['/admin/organizations', '/admin/accounts', '/admin/accounts/new'].concat(
  '/admin/accounts/invited',
  '/admin/audit',
  '/admin/audit.csv',
);

/** Removes random values, which differ in every response. */
const comparable = (body: string) => body.replaceAll(/(name="token" value|href|action)="[^"]*"/g, '$1=""');

/** All keys without their usage. */
async function keys(): Promise<unknown> {
  const all = [...(await store.listKeys(fixture.a)), ...(await store.listKeys(fixture.b))];
  return all.map(({ id, name, state, expiresAt, revokedAt }) => ({ id, name, state, expiresAt, revokedAt }));
}

async function assertWorks(secret: string, organizationId: string): Promise<void> {
  const { status, json } = await server.get('/me', { key: secret });
  assert.equal(status, 200);
  assert.equal(json.organization_id, organizationId);
}

suite('the pages of another municipality', () => {
  const foreign = pages(fixture.a, ofA, surveyOfA?.id ?? '');
  const missing = pages(nowhere, ofA, surveyOfA?.id ?? '');
  for (const [index, path] of foreign.entries()) {
    test(`${path.replace(/[\da-f-]{36}/g, '…')} returns the same response as an unknown id`, async () => {
      const response = await bert.get(path);
      const other = await bert.get(missing[index] as string);
      assert.equal(response.status, 404);
      assert.equal(other.status, 404);
      assert.equal(comparable(response.body), comparable(other.body));
      assert.ok(!response.body.includes('Musterstadt') && !response.body.includes('Secret of A'));
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
      const response = await bert.get(at(fixture.b, path));
      const other = await bert.get(at(fixture.b, path.replace(/[\da-f-]{36}/, nowhere)));
      assert.deepEqual([response.status, other.status], [404, 404], path);
      assert.equal(comparable(response.body), comparable(other.body));
    }
  });
});

suite('forms sent to another municipality', () => {
  const upper = (id: string) => id.toUpperCase();
  const organizations = [fixture.a, upper(fixture.a), nowhere, `${fixture.a}%00`, '1', `${fixture.a}%2fkeys`];
  const keysNamed = [ofA, upper(ofA), nowhere, `${ofA}%00`, '%00', '1', `${ofA},${ofA}`, 'constructor'];
  const targets = [
    ...organizations.map((organization) => at(organization, 'keys/new')),
    ...['rotate', 'revoke'].flatMap((action) => [
      ...keysNamed.map((key) => at(fixture.b, `keys/${key}/${action}`)),
      ...organizations.map((organization) => at(organization, `keys/${ofA}/${action}`)),
    ]),
  ];

  for (const path of targets) {
    test(`return 404 and change nothing: ${path.replaceAll(/[\da-f-]{36}/gi, '…')}`, async () => {
      const before = await keys();
      const fields = { token: await fetchCsrfToken(bert), form: randomUUID(), name: 'Stolen', grace: '0' };
      const response = await bert.post(path, fields);
      const missing = await bert.post(
        path.replaceAll(/[\da-f-]{36}/gi, (id) => (id === fixture.b ? id : nowhere)),
        fields,
      );
      assert.deepEqual([response.status, missing.status], [404, 404]);
      assert.equal(comparable(response.body), comparable(missing.body));
      assert.deepEqual(await keys(), before);
      await assertWorks(keyOfA.secret, fixture.a);
    });
  }

  test('succeed for its own administrator', async () => {
    const { id, secret } = await fixture.issueKey(fixture.a);
    assert.equal((await anna.submitForm(at(fixture.a, `keys/${id}/revoke`))).status, 303);
    assert.equal((await server.get('/me', { key: secret })).status, 401);
  });
});

suite('accounts of a municipality', () => {
  const actions = ['role', 'invite', 'remove', 'invited?form=1'];
  const list = at(fixture.b, 'accounts');

  test('are listed without those of other municipalities and without operators', async () => {
    for (const client of [bert, olga]) {
      const { body } = await client.get(list);
      assert.ok(body.includes(bert.email));
      for (const foreign of [anna.email, client === olga ? 'nobody' : olga.email]) {
        assert.ok(!body.includes(foreign), foreign);
        const search = await client.get(`${list}?words=${encodeURIComponent(foreign)}`);
        assert.ok(!search.body.includes(`<bdi>${foreign}`), foreign);
      }
    }
  });

  for (const action of actions) {
    test(`cannot be reached with ${action} from another municipality, whatever the address`, async () => {
      const before = await store.listAccounts();
      const fields = { token: await fetchCsrfToken(bert), form: '1', ...enterPermissions('reader') };
      const targets = [anna.account.id, olga.account.id, nowhere, bert.account.id];
      const paths = targets.map((id) => `${list}/${id}/${action}`);
      paths.push(at(fixture.a, `accounts/${anna.account.id}/${action}`));
      for (const path of paths) {
        for (const response of [await bert.get(path), await bert.post(path, fields)]) {
          assert.equal(response.status, 404, path);
          assert.ok(!response.body.includes(anna.email) && !response.body.includes(olga.email));
        }
      }
      assert.deepEqual(await store.listAccounts(), before);
    });
  }

  test('can be changed by an administrator of the municipality and by operators', async () => {
    for (const client of [bert, olga]) {
      const { account } = await createAccount(store, fixture.b, 'reader');
      const own = `${list}/${account.id}`;
      assert.equal((await client.submitForm(`${own}/role`, enterPermissions('administrator'))).status, 303);
      assert.equal((await store.findAccount(account.id))?.roles[0]?.role, 'administrator');
      const invited = await client.submitForm(`${own}/invite`);
      assert.match((await client.open(invited.location ?? '')).body, /\/admin\/invitation\/[\w-]{43}/);
      assert.equal((await client.submitForm(`${own}/remove`)).status, 303);
      assert.equal(await store.findAccount(account.id), undefined);
    }
  });

  test('cannot be opened or changed by a reader', async () => {
    const reader = await createSignedInClient(server, store, fixture.b, 'reader');
    const other = await createAccount(store, fixture.b, ['import', 'keys']);
    const fields = { token: await fetchCsrfToken(reader), form: '1', ...enterPermissions('administrator') };
    const own = actions.map((action) => `${list}/${bert.account.id}/${action}`);
    for (const path of [list, `${list}/new`, ...own, `${list}/${reader.account.id}/role`]) {
      const response = await reader.get(path);
      assert.equal(response.status, 403, path);
      // Only those are named who can grant the task.
      assert.ok(!response.body.includes(other.email), path);
      const hasForm = path !== list && !path.includes('/invited');
      if (hasForm) assert.equal((await reader.post(path, fields)).status, 403, path);
    }
    assert.equal((await store.findAccount(reader.email))?.roles[0]?.role, 'reader');
  });

  test('get their new role with the next request, and stay signed in', async () => {
    const clara = await createSignedInClient(server, store, fixture.b);
    const { id } = clara.account;
    assert.equal((await clara.get(at(fixture.b, 'keys/new'))).status, 200);
    await bert.submitForm(`${list}/${id}/role`, enterPermissions('reader'));
    assert.equal((await clara.get(at(fixture.b, 'keys/new'))).status, 403);
    assert.equal((await clara.get(at(fixture.b, 'keys'))).status, 200);
    await bert.submitForm(`${list}/${id}/role`, enterPermissions('administrator'));
    assert.equal((await clara.get(at(fixture.b, 'keys/new'))).status, 200);
    const events = await store.listAuditEvents(undefined, undefined, 10, { subjectIds: [id] });
    assert.deepEqual(
      events.filter(({ action }) => action === 'account.role_changed').map(({ changes }) => changes),
      [
        [{ field: 'role', before: 'reader', after: 'administrator' }],
        [{ field: 'role', before: 'administrator', after: 'reader' }],
      ],
    );
  });

  test('store the domain of an address in ASCII, and people sign in with either form', async () => {
    const fields = { email: 'Clara@Städte.example' };
    const added = await bert.submitForm(`${list}/new`, fields);
    const page = await bert.open(added.location ?? '');
    assert.ok(page.body.includes('clara@xn--stdte-hra.example'), page.body);
    const link = /\/admin\/invitation\/[\w-]{43}/.exec(page.body)?.[0] ?? '';
    await createFormClient(server.address).submitForm(link, { password });
    for (const email of ['clara@städte.example', 'CLARA@xn--stdte-hra.example'])
      assert.equal((await signIn(createFormClient(server.address), email)).status, 303, email);
    const again = await bert.submitForm(`${list}/new`, { ...fields, email: 'clara@xn--stdte-hra.example' });
    assert.match(again.body, /already an account with this email address/);
  });

  test('can be invited thirty times an hour by an administrator, whether an address has an account or not', async () => {
    const clara = await createSignedInClient(server, store, fixture.b);
    const invite = (client: typeof clara, email: string) => client.submitForm(`${list}/new`, { email });
    for (let index = 0; index < 15; index += 1) {
      assert.equal((await invite(clara, `new-${index}@stadt.example`)).status, 303);
      assert.equal((await invite(clara, bert.email)).status, 422);
    }
    for (const email of ['late@stadt.example', bert.email]) {
      const { status, body } = await invite(clara, email);
      assert.equal(status, 429);
      assert.match(body, /too many one-time links/);
      assert.doesNotMatch(body, /already an account/);
    }
    assert.equal(await store.findAccount('late@stadt.example'), undefined);
    const link = await clara.submitForm(`${list}/${bert.account.id}/invite`);
    assert.equal(link.status, 429);
    assert.match(link.body, /too many one-time links/);
    assert.equal((await invite(bert, 'late@stadt.example')).status, 303);
  });

  test('can all be removed by operators only, who are warned about the last administrator', async () => {
    const { id } = await store.addOrganization('Letzte Stadt', randomUUID());
    const last = await createSignedInClient(server, store, id);
    const own = `/admin/organizations/${id}/accounts/${last.account.id}`;
    for (const action of ['remove', 'role']) {
      assert.equal((await last.get(`${own}/${action}`)).status, 404);
      assert.match(
        (await olga.get(`${own}/${action}`)).body,
        /last account that manages the accounts/,
        action,
      );
    }
    await createAccount(store, id, 'reader');
    assert.match((await olga.get(`${own}/remove`)).body, /last account that manages the accounts/);
    await createAccount(store, id);
    assert.doesNotMatch((await olga.get(`${own}/remove`)).body, /last account that manages the accounts/);
  });
});

suite('pages for operators', () => {
  const idOf = { anna: anna.account.id, bert: bert.account.id, nobody: nowhere };
  const ofAccounts = Object.values(idOf).flatMap((id) =>
    ['invite', 'remove'].map((action) => `/admin/accounts/${id}/${action}`),
  );
  for (const path of [...operatorPages, ...ofAccounts]) {
    test(`${path.replace(/[\da-f-]{36}/, '…')} returns 404 to the administrator of a municipality`, async () => {
      const before = await store.listAccounts();
      const fields = {
        token: await fetchCsrfToken(bert),
        form: '1',
        email: bert.email,
        kind: 'operator',
      };
      for (const response of [await bert.get(path), await bert.post(path, fields)]) {
        assert.equal(response.status, 404);
        assert.ok(!response.body.includes(anna.email) && !response.body.includes('Musterstadt'));
      }
      assert.deepEqual(await store.listAccounts(), before);
      assert.equal((await anna.get('/admin/account')).status, 200);
    });
  }

  test('administrators cannot create operators with the form', async () => {
    const token = await fetchCsrfToken(bert);
    for (const email of [bert.email, 'bert.two@stadt.example']) {
      const fields = { token, form: '1', email, kind: 'operator' };
      assert.equal((await bert.post('/admin/accounts/new', fields)).status, 404);
    }
    assert.equal((await store.findAccount(bert.email))?.roles[0]?.organizationId, fixture.b);
    assert.equal(await store.findAccount('bert.two@stadt.example'), undefined);
  });

  test('an operator can open all pages of every municipality', async () => {
    const survey = (await store.listSurveys(fixture.b)).find(({ status }) => status !== 'draft');
    const ofB = await fixture.issueKey(fixture.b);
    const all = [
      ...operatorPages.filter((path) => !path.endsWith('/invited')),
      ...ofAccounts.filter((path) => !path.includes(nowhere)),
      ...pages(fixture.a, ofA, surveyOfA?.id ?? ''),
      ...pages(fixture.b, ofB.id, survey?.id ?? '').filter((path) => survey || !path.includes('surveys')),
    ];
    for (const path of all) {
      const { status } = await olga.get(path);
      assert.equal(status, path.endsWith('/issued') ? 410 : 200, path);
    }
  });

  for (const name of ['a', 'b'] as const) {
    test(`an operator can issue, rotate and revoke keys of ${name}`, async () => {
      const organization = fixture[name];
      const issued = await olga.submitForm(at(organization, 'keys/new'), { name: 'Of the operator' });
      const secret = getShownSecret((await olga.open(issued.location ?? '')).body);
      await assertWorks(secret, organization);
      const key = (issued.location ?? '').replace('/issued', '');
      const rotated = await olga.submitForm(`${key}/rotate`, { grace: '0' });
      const successor = getShownSecret((await olga.open(rotated.location ?? '')).body);
      assert.equal((await server.get('/me', { key: secret })).status, 401);
      await assertWorks(successor, organization);
      const revoked = await olga.submitForm((rotated.location ?? '').replace('/issued', '/revoke'));
      assert.match(revoked.location ?? '', /revoked=1$/);
      assert.equal((await server.get('/me', { key: successor })).status, 401);
    });
  }

  test('an operator adds an administrator for one municipality only', async () => {
    const email = 'clara@stadt.example';
    const added = await olga.submitForm('/admin/accounts/new', {
      email,
      kind: 'municipal',
      organization: 'Beispielburg',
    });
    assert.match((await olga.open(added.location ?? '')).body, /\/admin\/invitation\/[\w-]{43}/);
    assert.equal((await store.findAccount(email))?.roles[0]?.organizationId, fixture.b);
    const id = (await store.findAccount(email))?.id;
    assert.equal((await olga.submitForm(`/admin/accounts/${id}/remove`)).status, 303);
    assert.equal(await store.findAccount(email), undefined);
  });
});

test('a key reads the published data of its municipality only', async () => {
  const issued = await anna.submitForm(at(fixture.a, 'keys/new'), { name: 'Portal' });
  const key = getShownSecret((await anna.open(issued.location ?? '')).body);
  await assertWorks(key, fixture.a);
  for (const path of ['/submissions', '/sessions', '/support']) {
    const own = await server.get(path, { key });
    assert.deepEqual(own.json.data, (await server.get(path, { key: fixture.alice })).json.data);
    assert.notDeepEqual(own.json.data, (await server.get(path, { key: fixture.charlie })).json.data);
  }
});

test('a new key is displayed only in the browser that issued it', async () => {
  const issued = await anna.submitForm(at(fixture.a, 'keys/new'), { name: 'Shown once' });
  const page = issued.location ?? '';
  const other = await olga.get(page);
  assert.equal(other.status, 410);
  assert.doesNotMatch(other.body, /sk_rostra_\w{36}/);
  assert.equal((await bert.get(page)).status, 404);
  assert.match(getShownSecret((await anna.get(page)).body), /^sk_rostra_\w{36}$/);
  const again = await anna.get(page);
  assert.equal(again.status, 410);
  assert.doesNotMatch(again.body, /sk_rostra_\w{36}/);
});

test('the audit log of a municipality, as a page and as CSV, contains no entries of another one', async () => {
  await anna.submitForm(at(fixture.a, 'keys/new'), { name: 'Only in the log of A' });
  const named = await bert.submitForm(at(fixture.b, 'keys/new'), { name: 'Only in the log of B' });
  assert.equal(named.status, 303);
  for (const client of [bert, olga]) {
    const page = decodeHtml((await client.get(at(fixture.b, 'audit'))).body);
    const { body } = await client.get(at(fixture.b, 'audit.csv'));
    for (const text of [page, body]) {
      assert.match(text, /Only in the log of B/);
      for (const foreign of ['Only in the log of A', anna.email, 'Secret of A', 'Musterstadt', ofA])
        assert.ok(!text.includes(foreign), foreign);
    }
    assert.ok(!body.includes(fixture.a));
    const [, ...rows] = body.trim().split('\r\n');
    assert.ok(rows.length > 1 && rows.every((row) => row.includes(fixture.b)));
  }
});

test('a login session can be ended by its own user only', async () => {
  const bounds = { idleMs: 3_600_000, maxAgeMs: 43_200_000 };
  for (const victim of [anna, olga]) {
    const [theirs] = await store.listLoginSessions(victim.account.id, bounds);
    const path = `/admin/account/sessions/${theirs?.id}/end`;
    assert.equal((await bert.post(path, { token: await fetchCsrfToken(bert) })).status, 303);
    assert.equal((await victim.get('/admin/account')).status, 200);
  }
  const second = createFormClient(server.address);
  await signIn(second, bert.email);
  const [newest] = await store.listLoginSessions(bert.account.id, bounds);
  await bert.post(`/admin/account/sessions/${newest?.id}/end`, { token: await fetchCsrfToken(bert) });
  assert.match((await second.get('/admin/account')).location ?? '', /^\/admin\/sign-in/);
  assert.equal((await bert.get('/admin/account')).status, 200);
});

test('the form of one municipality is rejected at the URL of another one', async () => {
  const page = await bert.get(at(fixture.b, 'keys/new'));
  const before = await keys();
  const fields = { ...parseHiddenFields(page.body), name: 'Moved' };
  assert.equal((await bert.post(at(fixture.a, 'keys/new'), fields)).status, 404);
  assert.deepEqual(await keys(), before);
});
