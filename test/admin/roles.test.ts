/** Readers see the pages of their municipality and change nothing. */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, suite, test } from 'node:test';
import { permissions, permissionsByRole } from '../../src/domain/accounts/account.ts';
import { createInvitation } from '../../src/domain/accounts/one-time-link.ts';
import { isTenantAccess, listPermissions, type TenantAccess } from '../../src/web/admin/access.ts';
import { listDeclaredRoutes } from '../support/admin-routes.ts';
import { assertKeysUnchanged, createFixtureWithServer } from '../support/fixture.ts';
import {
  createAccount,
  createFormClient,
  createSignedInClient,
  enterPermissions,
  fetchCsrfToken,
} from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const reader = await createSignedInClient(server, store, fixture.a, 'reader');
const administrator = await createSignedInClient(server, store, fixture.a);
const operator = await createSignedInClient(server, store);
const key = await fixture.issueKey(fixture.a, { name: 'Portal' });

const base = `/admin/organizations/${fixture.a}`;
const readable = ['keys', `keys/${key.id}`, 'published', 'imports', 'audit', 'audit.csv'];
const editing = ['keys/new', `keys/${key.id}/rotate`, `keys/${key.id}/revoke`];

suite('a reader', () => {
  for (const page of readable) {
    test(`can view ${page.replace(key.id, '…')}`, async () => {
      assert.equal((await reader.get(`${base}/${page}`)).status, 200);
    });
  }

  for (const page of editing) {
    test(`receives 403 with an explanation for ${page.replace(key.id, '…')}, and changes nothing`, async () => {
      const fields = { token: await fetchCsrfToken(reader), form: randomUUID(), name: 'Own key', grace: '0' };
      await assertKeysUnchanged(fixture, async () => {
        for (const response of [
          await reader.get(`${base}/${page}`),
          await reader.post(`${base}/${page}`, fields),
        ]) {
          assert.equal(response.status, 403);
          assert.match(response.body, /Your account lacks a task/);
        }
      });
      assert.equal((await administrator.get(`${base}/${page}`)).status, 200);
    });
  }

  test('receives 404 for another municipality and for the pages of operators', async () => {
    for (const path of [`/admin/organizations/${fixture.b}/keys`, '/admin/organizations', '/admin/accounts'])
      assert.equal((await reader.get(path)).status, 404, path);
  });

  test('sees no link to a page that it may not use', async () => {
    for (const page of ['keys', `keys/${key.id}`]) {
      const { body } = await reader.get(`${base}/${page}`);
      assert.doesNotMatch(body, /\/(new|rotate|revoke|details)"/, page);
      assert.match((await administrator.get(`${base}/${page}`)).body, /\/(new|rotate|revoke)"/, page);
    }
  });
});

suite('the pages and forms of a municipality', () => {
  const routes = listDeclaredRoutes().filter(({ path }) =>
    path.startsWith('/admin/organizations/:organizationId'),
  );
  const locate = (path: string) =>
    path
      .replace(':organizationId', fixture.a)
      .replace(':file', 'logo.svg')
      .replaceAll(/:\w+/g, () => randomUUID());
  /** @returns the requests whose response says that the account may not send them, although it may, or the other way round */
  async function listMistakes(
    client: typeof reader,
    mayUse: (access: TenantAccess) => boolean,
    refusal: number,
  ) {
    const token = await fetchCsrfToken(client);
    const mistakes: string[] = [];
    for (const { path, get, post, access, formAccess = access } of routes) {
      assert.ok(isTenantAccess(access) && isTenantAccess(formAccess), path);
      const address = locate(path);
      if (get !== undefined && ((await client.get(address)).status !== refusal) !== mayUse(access))
        mistakes.push(`GET ${path}`);
      const fields = { token, form: randomUUID() };
      if (
        post !== undefined &&
        ((await client.post(address, fields)).status !== refusal) !== mayUse(formAccess)
      )
        mistakes.push(`POST ${path}`);
    }
    return mistakes;
  }

  test('belong to tasks', () => {
    const levels = Map.groupBy(routes, ({ access, formAccess = access }) => formAccess);
    for (const permission of permissions) assert.ok((levels.get(permission)?.length ?? 0) > 3, permission);
    const publishing = levels.get('publish')?.map(({ path }) => path.replace(/^.*\//, '')) ?? [];
    // People who may only import confirm a dry run, too: it asks another person (approvals.test.ts).
    for (const part of ['run', 'undo', 'unpublish', 'revert', 'correct', 'remove', 'open-data', 'allow'])
      assert.ok(publishing.includes(part), part);
  });

  for (const held of permissions)
    test(`are open to an account with the task "${held}" if they belong to it, and refused with 403 otherwise`, async () => {
      const client = await createSignedInClient(server, store, fixture.a, [held]);
      const has = (access: TenantAccess) =>
        listPermissions(access).some((each) => each === 'see' || each === held);
      assert.deepEqual(await listMistakes(client, has, 403), []);
    });

  test('are not found by accounts of other municipalities', async () => {
    const foreign = await createSignedInClient(server, store, fixture.b);
    assert.deepEqual(await listMistakes(foreign, () => false, 404), []);
  });
});

suite('an account that manages accounts', () => {
  const own = ['keys', 'accounts'] as const;
  const list = `${base}/accounts`;
  let manager: Awaited<ReturnType<typeof createSignedInClient>>;
  before(async () => {
    manager = await createSignedInClient(server, store, fixture.a, own);
  });
  const findGranted = async (id: string) => (await store.findAccount(id))?.roles[0]?.permissions;

  test('gives only tasks that it has, and sees no others in the form', async () => {
    const page = await manager.get(`${list}/new`);
    assert.deepEqual(
      [...page.body.matchAll(/name="permission\.(\w+)"/g)].map(([, name]) => name),
      own,
    );
    const email = 'granted@stadt.example';
    const refused = await manager.submitForm(`${list}/new`, {
      email,
      ...enterPermissions(['publish', 'keys']),
    });
    assert.equal(refused.status, 403);
    assert.match(refused.body, /needs “Publish”\./);
    assert.equal(await store.findAccount(email), undefined);
    const added = await manager.submitForm(`${list}/new`, { email, ...enterPermissions(['keys']) });
    assert.equal(added.status, 303);
    const { id = '' } = (await store.findAccount(email)) ?? {};
    assert.deepEqual(await findGranted(id), ['see', 'keys']);
    const raised = await manager.submitForm(`${list}/${id}/role`, enterPermissions(['import']));
    assert.equal(raised.status, 403);
    assert.deepEqual(await findGranted(id), ['see', 'keys']);
    await manager.submitForm(`${list}/${id}/role`, enterPermissions(own));
    assert.deepEqual(await findGranted(id), ['see', ...own]);
  });

  test('neither changes, removes nor signs in as an account that has other tasks', async () => {
    const { account } = await createAccount(store, fixture.a, ['publish', 'keys']);
    assert.ok(!(await manager.get(list)).body.includes(`${account.id}/`));
    const fields = { token: await fetchCsrfToken(manager), form: randomUUID() };
    for (const action of ['role', 'remove', 'invite']) {
      const path = `${list}/${account.id}/${action}`;
      assert.equal((await manager.get(path)).status, 403, path);
      assert.equal((await manager.post(path, fields)).status, 403, path);
    }
    assert.equal((await manager.get(`${list}/${account.id}/invited?form=x`)).status, 403);
    assert.deepEqual(await findGranted(account.id), ['see', 'publish', 'keys']);
  });

  test('cannot raise itself', async () => {
    const { id } = manager.account;
    const fields = { token: await fetchCsrfToken(manager), ...enterPermissions('administrator') };
    assert.equal((await manager.post(`${list}/${id}/role`, fields)).status, 404);
    assert.deepEqual(await findGranted(id), ['see', ...own]);
  });
});

test('a page that an account may not use names the task, and the accounts that can give it', async () => {
  const { body } = await reader.get(`${base}/keys/new`);
  assert.match(body, /needs “Keys”/);
  assert.ok(body.includes(`<li><bdi>${administrator.email}`), body);
  assert.ok(!body.includes(`<li><bdi>${reader.email}`));
});

suite('an account with roles in several municipalities', () => {
  const inA = `/admin/organizations/${fixture.a}`;
  const inB = `/admin/organizations/${fixture.b}`;
  let remote: Awaited<ReturnType<typeof createSignedInClient>>;
  before(async () => {
    remote = await createSignedInClient(server, store, fixture.a, 'reader');
    await store.addRole(remote.account.id, fixture.b, permissionsByRole.administrator);
  });

  test('has the role of each municipality there, and none elsewhere', async () => {
    const { id: stranger } = await store.addOrganization('Fremdstadt', randomUUID());
    for (const page of ['keys', 'imports', 'audit', 'sources', 'published', 'data/submissions']) {
      assert.equal((await remote.get(`${inA}/${page}`)).status, 200, page);
      assert.equal((await remote.get(`${inB}/${page}`)).status, 200, page);
      assert.equal((await remote.get(`/admin/organizations/${stranger}/${page}`)).status, 404, page);
    }
    const fields = { token: await fetchCsrfToken(remote), form: randomUUID(), name: 'Key of a reader' };
    for (const page of ['keys/new', 'settings', 'accounts', 'accounts/new', 'imports/new']) {
      assert.equal((await remote.get(`${inA}/${page}`)).status, 403, page);
      assert.equal((await remote.get(`${inB}/${page}`)).status, 200, page);
      assert.equal((await remote.get(`/admin/organizations/${stranger}/${page}`)).status, 404, page);
    }
    for (const page of ['keys/new', 'settings', 'accounts/new']) {
      assert.equal((await remote.post(`${inA}/${page}`, fields)).status, 403, page);
      assert.equal((await remote.post(`/admin/organizations/${stranger}/${page}`, fields)).status, 404, page);
    }
    const issued = await remote.submitForm(`${inB}/keys/new`, { name: 'Key of an administrator' });
    assert.equal(issued.status, 303);
    for (const path of ['/admin/accounts', '/admin/audit', '/admin/imports'])
      assert.equal((await remote.get(path)).status, 404, path);
  });

  test('sees links to change only where it is an administrator', async () => {
    assert.doesNotMatch((await remote.get(`${inA}/keys`)).body, /\/(new|settings|accounts)"/);
    assert.match((await remote.get(`${inB}/keys`)).body, /\/keys\/new"/);
  });

  test('starts at the list of its municipalities, and finds only them', async () => {
    assert.equal((await remote.get('/admin')).location, '/admin/organizations');
    const list = await remote.get('/admin/organizations');
    assert.equal(list.status, 200);
    for (const path of [inA, inB]) assert.ok(list.body.includes(`href="${path}"`), path);
    assert.doesNotMatch(list.body, /Fremdstadt|admin\/accounts|admin\/audit/);
    assert.match((await remote.get(`${inA}/keys`)).body, /href="\/admin\/organizations"/);
    assert.doesNotMatch((await administrator.get(`${inA}/keys`)).body, /href="\/admin\/organizations"/);
    const suggestions = await remote.get('/admin/organizations.json?words=stadt');
    assert.ok(suggestions.body.includes('Musterstadt'));
    assert.doesNotMatch(suggestions.body, /Fremdstadt/);
    const words = { token: await fetchCsrfToken(remote), words: 'Fremdstadt' };
    const found = await remote.post('/admin/organizations', words);
    assert.match(found.location ?? '', /^\/admin\/organizations\?/);
    const { body } = await remote.get('/admin/account');
    assert.match(body, /Administrator \(all tasks\) \(<bdi>Beispielburg.*View only \(<bdi>Musterstadt/s);
  });

  test('can lose one role and keep the other; the audit log of each municipality has its events', async () => {
    const { account } = await createAccount(store, fixture.a);
    await store.addRole(account.id, fixture.b, permissionsByRole.reader);
    const removal = await administrator.submitForm(`${inA}/accounts/${account.id}/remove`);
    assert.match(removal.location ?? '', /done=role-removed/);
    assert.match((await administrator.open(removal.location ?? '')).body, /keeps its tasks/);
    const rest = await store.findAccount(account.id);
    assert.deepEqual(
      rest?.roles.map(({ organizationId, role }) => [organizationId, role]),
      [[fixture.b, 'reader']],
    );
    const actions = async (of: string) =>
      (await store.listAuditEvents(of, undefined, 100))
        .filter(({ subjectId }) => subjectId === account.id)
        .map(({ action }) => action);
    assert.deepEqual(await actions(fixture.a), ['account.role_removed', 'account.added']);
    assert.deepEqual(await actions(fixture.b), ['account.role_added']);
    await store.removeRole(account.id, fixture.b);
    assert.equal(await store.findAccount(account.id), undefined);
  });

  test('disappears with its last municipality, and its address can be used again', async () => {
    const { id } = await store.addOrganization('Kurze Stadt', randomUUID());
    const { account, email } = await createAccount(store, id);
    const { account: shared } = await createAccount(store, id);
    await store.addRole(shared.id, fixture.b, permissionsByRole.reader);
    await store.removeOrganization(id);
    assert.equal(await store.findAccount(account.id), undefined);
    assert.equal((await store.findAccount(shared.id))?.roles.length, 1);
    const place = { permissions: permissionsByRole.reader, organizationId: fixture.a };
    await store.addAccount({ email, ...place }, createInvitation('again'));
  });
});

suite('an administrator of one municipality', () => {
  test('cannot give a role to an account of another one, whose administrators may know its password', async () => {
    const { account, email, link } = await createAccount(store, fixture.b);
    const fields = { email, ...enterPermissions('administrator') };
    const refused = await administrator.submitForm(`${base}/accounts/new`, fields);
    assert.equal(refused.status, 422);
    assert.match(refused.body, /ask an operator/);
    assert.equal((await store.findAccount(account.id))?.roles.length, 1);
    assert.equal((await createFormClient(server.address).get(link)).status, 200);
    const both = await createSignedInClient(server, store, fixture.a);
    await store.addRole(both.account.id, fixture.b, permissionsByRole.administrator);
    const added = await both.submitForm(`${base}/accounts/new`, fields);
    assert.match(added.location ?? '', /done=role-added/);
  });

  test('creates no link for an account that an operator has given a role', async () => {
    const { account, email, link } = await createAccount(store, fixture.b);
    const added = await operator.submitForm(`${base}/accounts/new`, { email, ...enterPermissions('reader') });
    assert.match(added.location ?? '', /\/accounts\?done=role-added/);
    const page = await administrator.open(added.location ?? '');
    assert.match(page.body, /existing account now has these tasks/);
    assert.ok(page.body.includes(email));
    assert.doesNotMatch(page.body, /Beispielburg/);
    // An administrator of the other municipality knows the link, which would now open this one too.
    assert.equal((await createFormClient(server.address).get(link)).status, 410);
    const own = `${base}/accounts/${account.id}`;
    assert.ok(!page.body.includes(`${own}/invite`));
    const fields = { token: await fetchCsrfToken(administrator), form: randomUUID() };
    for (const response of [
      await administrator.get(`${own}/invite`),
      await administrator.post(`${own}/invite`, fields),
      await administrator.get(`${own}/invited?form=${fields.form}`),
    ])
      assert.equal(response.status, 404);
    const again = await administrator.submitForm(`${base}/accounts/new`, {
      email,
      ...enterPermissions('reader'),
    });
    assert.equal(again.status, 422);
    assert.equal((await operator.submitForm(`/admin/accounts/${account.id}/invite`)).status, 303);
  });

  test('changes and removes only the role in the own municipality', async () => {
    const { account } = await createAccount(store, fixture.b);
    await store.addRole(account.id, fixture.a, permissionsByRole.reader);
    const own = `${base}/accounts/${account.id}`;
    await administrator.submitForm(`${own}/role`, enterPermissions('administrator'));
    await operator.submitForm(
      `/admin/organizations/${fixture.b}/accounts/${account.id}/role`,
      enterPermissions('reader'),
    );
    const roles = Object.fromEntries(
      ((await store.findAccount(account.id))?.roles ?? []).map(({ organizationId, role }) => [
        organizationId,
        role,
      ]),
    );
    assert.deepEqual(roles, { [fixture.a]: 'administrator', [fixture.b]: 'reader' });
    await administrator.submitForm(`${own}/remove`);
    assert.equal((await administrator.get(`${own}/role`)).status, 404);
    assert.equal((await store.findAccount(account.id))?.roles.length, 1);
  });
});

test('the list of a municipality without accounts says so, and has no search', async () => {
  const { id } = await store.addOrganization('Leerstadt', randomUUID());
  const { body } = await operator.get(`/admin/organizations/${id}/accounts`);
  assert.match(body, /There are no accounts yet\./);
  assert.doesNotMatch(body, /No account matches|Show all accounts/);
  const searched = await operator.get(`/admin/organizations/${id}/accounts?words=anna`);
  assert.match(searched.body, /No account matches your search\./);
});

test('the database accepts the roles of municipalities only', async () => {
  const { account } = await createAccount(store, fixture.a, 'reader');
  for (const wrong of [
    "role = 'operator'",
    "organization_id = ''",
    "role = 'owner'",
    `organization_id = '${randomUUID()}'`,
  ])
    await assert.rejects(
      fixture.sql(`UPDATE account_role SET ${wrong} WHERE account_id = $1`, [account.id]),
      wrong,
    );
});
