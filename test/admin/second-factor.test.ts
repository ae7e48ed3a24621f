/** The second factor: codes of an authenticator app, computed by an independent implementation. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { TOTP } from 'otpauth';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  copyFormClient,
  createFormClient,
  createSignedInClient,
  type FormClient,
  fetchCsrfToken,
  type InvitedAccount,
  parseHiddenFields,
  password,
  signIn,
} from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
/** Requires a second factor. */
const strict = await fixture.startServer({ ROSTRA_SECOND_FACTOR: 'required' });
const path = '/admin/account/second-factor';
const codesPage = '/admin/account/recovery-codes?done=1';
const stepMs = 30_000;
const triesAnHour = 10;

function appFor(page: string): TOTP {
  const secret = /<code>([A-Z2-7 ]+)<\/code>/.exec(page)?.[1]?.replaceAll(' ', '');
  assert.ok(secret?.length === 32, page);
  return new TOTP({ secret });
}

/** The code that the app displays `steps` time steps later. */
const codeOf = (app: TOTP, steps = 0) => app.generate({ timestamp: Date.now() + steps * stepMs });

/** A code that stays wrong for the duration of the test. */
function wrongCode(app: TOTP): string {
  const right = [-2, -1, 0, 1, 2, 3].map((steps) => codeOf(app, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666'].find(
    (code) => !right.includes(code),
  ) as string;
}

/** An administrator with a second factor. */
async function withSecondFactor(): Promise<{ client: FormClient & InvitedAccount; app: TOTP; used: string }> {
  const client = await createSignedInClient(server, store, fixture.a);
  const app = appFor((await client.get(path)).body);
  const used = codeOf(app);
  const response = await client.submitForm(path, { code: used });
  assert.equal(response.location, codesPage, response.body);
  return { client, app, used };
}

/** A browser in which the password was entered, but not the code. */
async function halfSignedIn(email: string): Promise<FormClient> {
  const client = createFormClient(server.address);
  const { location = '' } = await signIn(client, email);
  assert.match(location, /^\/admin\/sign-in\/code/);
  return client;
}

const enter = (client: FormClient, code: string) => client.submitForm('/admin/sign-in/code', { code });

/** Makes earlier codes look long past. */
const forget = ({ account }: InvitedAccount) =>
  fixture.sql('UPDATE account SET totp_step = 0 WHERE id = $1', [account.id]);

suite('setting up', () => {
  test('accepts a code of the app, and nothing else', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const app = appFor((await client.get(path)).body);
    for (const code of ['', wrongCode(app), '12345', '1234567', 'abcdef', '１２３４５６']) {
      const response = await client.submitForm(path, { code });
      assert.equal(response.status, 422, code);
      assert.equal(appFor(response.body).secret.base32, app.secret.base32);
    }
    assert.equal((await store.findAccount(client.email))?.hasSecondFactor, false);
    assert.equal(
      (await signIn(createFormClient(server.address), client.email)).location,
      `/admin/organizations/${fixture.a}`,
    );
    const code = codeOf(app);
    assert.equal(
      (await client.submitForm(path, { code: `${code.slice(0, 3)} ${code.slice(3)}` })).status,
      303,
    );
    assert.equal((await store.findAccount(client.email))?.hasSecondFactor, true);
  });

  test('shows a different secret in each browser, and signs out the others', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const other = createFormClient(server.address);
    await signIn(other, client.email);
    const app = appFor((await client.get(path)).body);
    assert.notEqual(appFor((await other.get(path)).body).secret.base32, app.secret.base32);
    await client.submitForm(path, { code: codeOf(app) });
    assert.equal((await other.get('/admin/account')).status, 303);
    assert.equal((await client.get('/admin/account')).status, 200);
  });

  test('shows the secret until the set-up is complete, and never after', async () => {
    const { client, app } = await withSecondFactor();
    assert.equal((await client.get(path)).location, '/admin/account');
    const { body } = await client.get('/admin/account');
    assert.match(body, /Remove second factor/);
    await client.submitForm(`${path}/remove`);
    const again = appFor((await client.get(path)).body);
    assert.notEqual(again.secret.base32, app.secret.base32);
  });

  test('twice with one form has the effect of once', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const page = await client.get(path);
    const fields = { ...parseHiddenFields(page.body), code: codeOf(appFor(page.body)) };
    for (const form of [fields, fields]) assert.equal((await client.post(path, form)).location, codesPage);
    assert.equal((await store.findAccount(client.email))?.hasSecondFactor, true);
  });
});

suite('signing in', () => {
  test('asks for the code after the password, and then changes the cookie', async () => {
    const { client, app } = await withSecondFactor();
    const half = await halfSignedIn(client.email);
    const copy = copyFormClient(half, server.address);
    assert.equal((await enter(half, codeOf(app, 1))).location, `/admin/organizations/${fixture.a}`);
    assert.equal((await half.get('/admin/account')).status, 200);
    assert.match((await copy.get('/admin/account')).location ?? '', /^\/admin\/sign-in\?/);
  });

  test('allows nothing before the code', async () => {
    const { client } = await withSecondFactor();
    const half = await halfSignedIn(client.email);
    const keys = `/admin/organizations/${fixture.a}/keys`;
    const token =
      /name="token" value="([^"]+)"/.exec((await half.open('/admin/sign-in/code')).body)?.[1] ?? '';
    const before = (await store.listKeys(fixture.a)).length;
    const forms = [
      `${keys}/new`,
      path,
      '/admin/account/password',
      '/admin/confirm',
      '/admin/account/sign-out-everywhere',
    ];
    const responses = [keys, '/admin', '/admin/account', ...forms.slice(0, 4)].map((page) => half.get(page));
    responses.push(
      ...forms.map((form) => half.post(form, { token, name: 'x', password: 'another password' })),
    );
    for (const { status, location, path: asked } of await Promise.all(responses)) {
      assert.equal(status, 303, asked);
      assert.match(location ?? '', /^\/admin\/sign-in\/code/, asked);
    }
    assert.equal((await store.listKeys(fixture.a)).length, before);
    assert.equal((await store.findAccount(client.email))?.hasSecondFactor, true);
    assert.equal((await client.get('/admin/account')).status, 200);
    const events = await store.listAuditEvents(undefined, undefined, 1_000);
    assert.equal(
      events.filter(({ action, actor }) => action === 'signed_in' && actor === client.email).length,
      1,
    );
  });

  test('rejects wrong codes and codes that were used for signing in or setting up', async () => {
    const { client, app, used } = await withSecondFactor();
    const half = await halfSignedIn(client.email);
    assert.equal((await enter(half, used)).status, 422);
    assert.equal((await enter(half, wrongCode(app))).status, 422);
    const next = codeOf(app, 1);
    assert.equal((await enter(half, next)).status, 303);
    const other = await halfSignedIn(client.email);
    assert.equal((await enter(other, next)).status, 422);
    await forget(client);
    assert.equal((await enter(other, next)).status, 303);
  });

  test('accepts a code once, even from many browsers at the same time', async () => {
    const { client, app } = await withSecondFactor();
    const halves = await Promise.all(Array.from({ length: 5 }, () => halfSignedIn(client.email)));
    const code = codeOf(app, 1);
    const responses = await Promise.all(halves.map((half) => enter(half, code)));
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [303, 422, 422, 422, 422]);
  });

  test('allows ten attempts per hour, over all browsers', async () => {
    const { client, app } = await withSecondFactor();
    const halves = [await halfSignedIn(client.email), await halfSignedIn(client.email)] as const;
    const statuses = [];
    for (let turn = 0; turn < triesAnHour + 1; turn += 1)
      statuses.push((await enter(halves[turn % 2] as FormClient, wrongCode(app))).status);
    // Setting up used one attempt.
    assert.deepEqual(statuses, [...Array(triesAnHour - 1).fill(422), 429, 429]);
    assert.equal((await enter(halves[0], codeOf(app, 1))).status, 429);
    await fixture.sql('UPDATE attempt SET window_start_ms = window_start_ms - 3600000');
    assert.equal((await enter(halves[0], codeOf(app, 1))).status, 303);
  });

  test('expires after ten minutes without a code', async () => {
    const { client, app } = await withSecondFactor();
    const half = await halfSignedIn(client.email);
    await fixture.sql(
      'UPDATE login_session SET created_at_ms = created_at_ms - 600001 WHERE account_id = $1 AND pending_second_factor = 1',
      [client.account.id],
    );
    const token = await fetchCsrfToken(half);
    const response = await half.post('/admin/sign-in/code', { token, code: codeOf(app, 1) });
    assert.match(response.location ?? '', /^\/admin\/sign-in\?/);
    assert.equal((await half.get('/admin/account')).status, 303);
  });
});

suite('without the app', () => {
  test('a new one-time link signs in, removes the second factor and ends all login sessions', async () => {
    const { client } = await withSecondFactor();
    const link = (await fixture.runCli('admin', 'invite', client.email)).trim();
    assert.equal((await store.findAccount(client.email))?.hasSecondFactor, true, 'not before it is used');
    const fresh = createFormClient(server.address);
    const response = await fresh.submitForm(new URL(link).pathname, { password });
    assert.equal(response.location, `/admin/organizations/${fixture.a}`);
    assert.equal((await client.get('/admin/account')).status, 303);
    assert.equal((await store.findAccount(client.email))?.hasSecondFactor, false);
  });

  test('a signed-in user can remove it', async () => {
    const { client } = await withSecondFactor();
    assert.equal(
      (await client.submitForm(`${path}/remove`)).location,
      '/admin/account?done=second-factor-removed',
    );
    assert.equal(
      (await signIn(createFormClient(server.address), client.email)).location,
      `/admin/organizations/${fixture.a}`,
    );
  });
});

suite('recovery codes', () => {
  const home = `/admin/organizations/${fixture.a}`;
  const listCodes = (page: string) => page.match(/[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}/g) ?? [];
  const recover = (client: FormClient, code: string) =>
    client.submitForm('/admin/sign-in/recovery-code', { code });

  async function withCodes() {
    const account = await withSecondFactor();
    const { body } = await account.client.submitForm('/admin/account/recovery-codes');
    return { ...account, codes: [...new Set(listCodes(body))] };
  }
  const countLeft = async (email: string) => (await store.findAccount(email))?.recoveryCodes;
  const listActions = async (id: string) =>
    (await store.listAuditEvents(undefined, undefined, 100, { subjectIds: [id] })).map(
      ({ action }) => action,
    );

  test('are ten, displayed once, and stored as hashes', async () => {
    const { client, codes } = await withCodes();
    assert.equal(codes.length, 10);
    const pages = [await client.get('/admin/account'), await client.get('/admin/account/recovery-codes')];
    assert.match(pages[1]?.body ?? '', />Later</);
    for (const { body } of pages) {
      assert.match(body, /Unused recovery codes: 10\./);
      assert.deepEqual(
        codes.filter((code) => body.includes(code)),
        [],
      );
    }
    const [row] = await fixture.sql<{ codes: Buffer }>(
      'SELECT recovery_codes AS codes FROM account WHERE id = $1',
      [client.account.id],
    );
    assert.equal(row?.codes.length, 320);
    for (const code of codes)
      assert.ok(!row?.codes.includes(code) && !row?.codes.includes(code.replaceAll('-', '')));
    assert.ok((await listActions(client.account.id)).includes('recovery_codes.created'));
  });

  test('sign in once each, in any spelling, and the use is recorded', async () => {
    const { client, codes } = await withCodes();
    const [first = '', second = ''] = codes;
    const half = await halfSignedIn(client.email);
    assert.equal((await recover(half, first)).location, home);
    assert.equal((await half.get('/admin/account')).status, 200);
    assert.equal(await countLeft(client.email), 9);
    const other = await halfSignedIn(client.email);
    assert.equal((await recover(other, first)).status, 422);
    assert.equal((await recover(other, ` ${second.toLowerCase().replaceAll('-', ' ')} `)).status, 303);
    const actions = await listActions(client.account.id);
    assert.equal(actions.filter((action) => action === 'recovery_code.used').length, 2);
  });

  test('are accepted once, even from many browsers at the same time', async () => {
    const { client, codes } = await withCodes();
    const halves = await Promise.all(Array.from({ length: 5 }, () => halfSignedIn(client.email)));
    const responses = await Promise.all(halves.map((half) => recover(half, codes[0] ?? '')));
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [303, 422, 422, 422, 422]);
  });

  test('of another account, malformed or replaced ones are rejected', async () => {
    const { client, codes } = await withCodes();
    const foreign = await withCodes();
    const half = await halfSignedIn(client.email);
    for (const code of [
      '',
      'x',
      '0'.repeat(16),
      foreign.codes[0] ?? '',
      `${codes[0]}A`,
      '\0',
      'Ａ'.repeat(16),
    ])
      assert.equal((await recover(half, code)).status, 422, code);
    await client.submitForm('/admin/account/recovery-codes');
    assert.equal((await recover(half, codes[0] ?? '')).status, 422);
    assert.equal(await countLeft(client.email), 10);
    assert.equal(await countLeft(foreign.client.email), 10);
  });

  test('share their ten attempts per hour with the codes of the app', async () => {
    const { client, app, codes } = await withCodes();
    const half = await halfSignedIn(client.email);
    const statuses = [];
    for (let turn = 0; turn < 5; turn += 1) {
      statuses.push((await recover(half, 'A'.repeat(16))).status);
      statuses.push((await enter(half, wrongCode(app))).status);
    }
    assert.deepEqual(statuses, [...Array(9).fill(422), 429]);
    assert.equal((await recover(half, codes[0] ?? '')).status, 429);
    assert.equal(await countLeft(client.email), 10);
  });

  test('allow nothing without the password, and nothing to users who are signed in', async () => {
    const { client, codes } = await withCodes();
    const stranger = createFormClient(server.address);
    const token = await fetchCsrfToken(stranger);
    const response = await stranger.post('/admin/sign-in/recovery-code', { token, code: codes[0] ?? '' });
    assert.match(response.location ?? '', /^\/admin\/sign-in/);
    assert.equal((await client.get('/admin/sign-in/recovery-code')).location, home);
    assert.equal(await countLeft(client.email), 10);
  });

  test('are missed early: the account page and the sign-in warn when few are left', async () => {
    const { client, codes } = await withCodes();
    for (const [used, code] of codes.slice(0, 7).entries()) {
      await fixture.sql('DELETE FROM attempt');
      const half = await halfSignedIn(client.email);
      const { location = '' } = await recover(half, code);
      assert.equal(location, used < 6 ? home : '/admin/account/recovery-codes');
    }
    assert.match((await client.get('/admin/account')).body, /You have only 3 recovery codes left/);
  });

  test('are removed with the second factor and by a one-time link', async () => {
    const { client } = await withCodes();
    await client.submitForm(`${path}/remove`);
    assert.equal(await countLeft(client.email), 0);
    const other = await withCodes();
    const link = (await fixture.runCli('admin', 'invite', other.client.email)).trim();
    const page = await createFormClient(server.address).get(new URL(link).pathname);
    assert.match(page.body, /signed out of all other browsers/);
    await createFormClient(server.address).submitForm(new URL(link).pathname, { password });
    assert.equal(await countLeft(other.client.email), 0);
  });
});

suite('a required second factor', () => {
  test('must be set up before anything else, and the wanted page follows', async () => {
    const client = await createSignedInClient(strict, store, fixture.a);
    const keys = `/admin/organizations/${fixture.a}/keys`;
    const { token = '' } = parseHiddenFields((await client.open(keys)).body);
    for (const page of [keys, `${keys}/new`, '/admin', '/admin/account', '/admin/account/password']) {
      const { location = '' } = await client.get(page);
      assert.ok(location.startsWith(`${path}?return=`), `${page}: ${location}`);
    }
    const count = (await store.listKeys(fixture.a)).length;
    await client.post(`${keys}/new`, { token, form: 'x', name: 'Early' });
    assert.equal((await store.listKeys(fixture.a)).length, count);
    const setUp = await client.open(keys);
    assert.match(setUp.body, /You need a second factor/);
    const next = await client.submitForm(setUp.path, { code: codeOf(appFor(setUp.body)) });
    assert.match(next.location ?? '', /^\/admin\/account\/recovery-codes\?return=/);
    const { body } = await client.submitForm(next.location ?? '');
    assert.ok(body.includes(`href="${keys}"`));
    assert.equal((await client.get(keys)).status, 200);
  });

  test('is not required from accounts that have one', async () => {
    const { client } = await withSecondFactor();
    const copy = copyFormClient(client, strict.address);
    assert.equal((await copy.get('/admin/account')).status, 200);
  });

  test('lets users sign out instead', async () => {
    const client = await createSignedInClient(strict, store, fixture.a);
    const { token = '' } = parseHiddenFields((await client.open('/admin/account')).body);
    assert.match((await client.post('/admin/sign-out', { token })).location ?? '', /signed-out/);
  });
});
