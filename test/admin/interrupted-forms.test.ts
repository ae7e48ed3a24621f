/** Forms that are sent after their login session has ended: their entries survive signing in, outside of every URL. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { Secret, TOTP } from 'otpauth';
import { generateRecoveryCodes, hashRecoveryCode } from '../../src/web/admin/auth/recovery-codes.ts';
import { listDeclaredRoutes } from '../support/admin-routes.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createFormClient,
  createSignedInClient,
  decodeHtml,
  type FormClient,
  fetchCsrfToken,
  getFieldValue,
  getShownSecret,
  type InvitedAccount,
  type PageResponse,
  parseHiddenFields,
  password,
} from '../support/form-client.ts';
import { createPng } from '../support/images.ts';
import { formatSubmissionId } from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a } = fixture;
const actor = { name: 'test', address: '' };
const keys = `/admin/organizations/${a}/keys`;
const typed = { name: 'Büro „Süd“ & <Nord>', expires: '2099-06-30', limit: '77' };

type Visitor = FormClient & InvitedAccount;

const endSession = ({ account }: Visitor) => store.endLoginSessions(account.id, undefined, actor);

const countEvents = async () => (await store.listAuditEvents(undefined, undefined, 10_000)).length;

/** Opens a form, and sends it after the end of the login session. */
async function sendLate(client: Visitor, path: string, fields: Record<string, string>) {
  const form = await client.open(path);
  assert.equal(form.status, 200);
  await endSession(client);
  return client.sendForm(form, fields);
}

const assertTyped = ({ body }: PageResponse) => {
  for (const [name, value] of Object.entries(typed)) assert.equal(getFieldValue(body, name), value);
};

/** No link, address of a form or redirect contains an entry. */
function assertNotInUrls({ body, location = '' }: PageResponse, entry: string): void {
  const urls = [
    location,
    ...Array.from(body.matchAll(/(?:href|action|src)="([^"]*)"/g), ([, url = '']) => url),
  ];
  for (const url of urls) assert.ok(!decodeURIComponent(decodeHtml(url)).includes(entry), url);
}

suite('a form that is sent after its login session has ended', () => {
  test('is shown again after signing in with its entries, and has created nothing before', async () => {
    const client = await createSignedInClient(server, store, a);
    const before = (await store.listKeys(a)).map(({ id }) => id);
    const asked = await sendLate(client, `${keys}/new`, typed);
    assert.equal(asked.status, 200);
    assert.match(asked.body, /You have been signed out[\s\S]*have not been sent yet/);
    const wrong = await client.sendForm(asked, { email: client.email, password: 'wrong' });
    assert.equal(wrong.status, 422);
    const signedIn = await client.sendForm(wrong, { email: client.email, password });
    assert.match(signedIn.body, /You are signed in again/);
    const form = await client.sendForm(signedIn);
    assertTyped(form);
    for (const page of [asked, wrong, signedIn, form]) assertNotInUrls(page, 'Büro');
    assert.equal((await store.listKeys(a)).length, before.length);
    assert.ok(!server.lines.some((line) => line.includes('Büro')));
    const { location = '' } = await client.sendForm(form, typed);
    const made = (await store.listKeys(a)).filter(({ id }) => !before.includes(id));
    assert.deepEqual(
      made.map(({ name, requestLimit }) => [name, requestLimit]),
      [[typed.name, 77]],
    );
    const secret = getShownSecret((await client.open(location)).body);
    assert.equal((await server.get('/me', { key: secret })).status, 200);
  });

  test('keeps a text of 6,300 characters in a form with files', async () => {
    const client = await createSignedInClient(server, store, a);
    const path = `/admin/organizations/${a}/data/submissions/${formatSubmissionId(1)}/correct`;
    const description = `${'Größe – 大きさ\r\n'.repeat(500)}Ende`;
    assert.ok(description.length > 6_300);
    const asked = await sendLate(client, path, { description, reason: 'Wunsch der Bürgerin' });
    const signedIn = await client.sendForm(asked, { email: client.email, password });
    const form = await client.sendForm(signedIn);
    const shown = /<textarea[^>]* name="description"[^>]*>\n([\s\S]*?)<\/textarea>/.exec(form.body)?.[1];
    assert.equal(decodeHtml(shown ?? '').replaceAll('\r', ''), description.replaceAll('\r', ''));
    for (const page of [asked, signedIn, form]) assertNotInUrls(page, 'Bürgerin');
    assert.match(form.body, /Wunsch der Bürgerin/);
  });

  test('carries no password, code or token', async () => {
    const client = await createSignedInClient(server, store, a);
    const secrets = { password: 'new password, new luck', code: '123456', currentPassword: 'old luck' };
    const asked = await sendLate(client, `${keys}/new`, { ...typed, ...secrets });
    for (const secret of Object.values(secrets)) assert.ok(!asked.body.includes(secret));
    assert.doesNotMatch(asked.body, /name="entry\.(token|form)"/);
    const nothing = await sendLate(
      await createSignedInClient(server, store, a),
      '/admin/account/password',
      secrets,
    );
    assert.match(
      nothing.location ?? '',
      /^\/admin\/sign-in\?return=%2Fadmin%2Faccount%2Fpassword&ended=nothing$/,
    );
  });

  test('survives a second factor and a recovery code', async () => {
    for (const usesApp of [true, false]) {
      const client = await createSignedInClient(server, store, a);
      const [secret, [recoveryCode = '']] = [randomBytes(20), generateRecoveryCodes()];
      const { id } = client.account;
      await store.setSecondFactor(id, secret, { id: randomUUID() }, actor);
      await store.replaceRecoveryCodes(id, [hashRecoveryCode(id, recoveryCode) as Buffer], actor);
      // The second factor has ended the login session.
      const token = await fetchCsrfToken(client);
      const asked = await client.post(`${keys}/new`, { token, author: id, ...typed });
      const codePage = await client.sendForm(asked, { email: client.email, password });
      assert.match(codePage.body, /6-digit code/);
      const recoveryPage = await client.post('/admin/sign-in/recovery-code', {
        ...parseHiddenFields(codePage.body),
        reopen: '1',
      });
      assert.match(recoveryPage.body, /recovery code/i);
      const code = new TOTP({ secret: new Secret({ buffer: Uint8Array.from(secret).buffer }) }).generate();
      const wrong = await client.sendForm(usesApp ? codePage : recoveryPage, { code: 'wrong' });
      assert.equal(wrong.status, 422);
      const signedIn = await client.sendForm(wrong, { code: usesApp ? code : recoveryCode });
      assert.match(signedIn.body, /You are signed in again/);
      assertTyped(await client.sendForm(signedIn));
    }
  });

  test('is not shown to another user, who may then open an empty form', async () => {
    const client = await createSignedInClient(server, store, a);
    const colleague = await createSignedInClient(server, store, a);
    const asked = await sendLate(client, `${keys}/new`, typed);
    const signedIn = await client.sendForm(asked, { email: colleague.email, password });
    assert.match(signedIn.body, /Another account filled in this form/);
    assert.ok(!signedIn.body.includes('Büro'));
    const { author: _, ...reopened } = { ...parseHiddenFields(asked.body) };
    const token = await fetchCsrfToken(client);
    for (const author of [client.account.id, '']) {
      const response = await client.post(`${keys}/new`, {
        ...reopened,
        ...typed,
        token,
        author,
        reopen: '1',
      });
      assert.match(response.body, /Another account filled in this form/);
    }
    assert.equal(getFieldValue((await client.open(`${keys}/new`)).body, 'name'), '');
  });

  test('loses its file, and the page says so', async () => {
    const client = await createSignedInClient(server, store, a);
    const form = new FormData();
    form.set('token', await fetchCsrfToken(client));
    form.set('initial', 'something');
    form.set('logo', new File([new Uint8Array(createPng())], 'x.png'));
    await endSession(client);
    const asked = await client.send(`/admin/organizations/${a}/logo`, form);
    assert.match(asked.body, /Files are not kept: choose them again/);
    assert.doesNotMatch(asked.body, /x\.png|carriedFile/);
  });

  test('that is too large or has too many entries is not kept, and the page says so', async () => {
    const client = await createSignedInClient(server, store, a);
    const token = await fetchCsrfToken(client);
    await endSession(client);
    const path = `/admin/organizations/${a}/data/submissions/${formatSubmissionId(1)}/correct`;
    const large = new FormData();
    large.set('token', token);
    large.set('description', 'x'.repeat(65_536));
    const names = Array.from({ length: 1_101 }, (_, n): [string, string] => [`n${n}`, '1']);
    const responses = [
      await client.send(path, large),
      await client.post(`${keys}/new`, { token, ...Object.fromEntries(names) }),
    ];
    for (const { location = '' } of responses) {
      assert.match(location, /ended=lost/);
      assert.match((await client.open(location)).body, /The form was too large/);
    }
    const most = await client.post(`${keys}/new`, { token, ...Object.fromEntries(names.slice(2)) });
    assert.equal(most.body.match(/name="entry\.n/g)?.length, 1_099);
  });

  test('of the largest size of a form is carried to its page', async () => {
    const client = await createSignedInClient(server, store, a);
    const name = '大'.repeat(7_200);
    const signedIn = await client.sendForm(await sendLate(client, `${keys}/new`, { name }), {
      email: client.email,
      password,
    });
    assert.equal(getFieldValue((await client.sendForm(signedIn)).body, 'name'), name);
  });
});

test('a form whose token is out of date is shown again with its entries', async () => {
  const client = await createSignedInClient(server, store, a);
  const form = await client.open(`${keys}/new`);
  const own = { 'sec-fetch-site': 'same-origin' };
  const rejected = await client.sendForm(form, { ...typed, token: 'x' }, own);
  assert.equal(rejected.status, 403);
  assertNotInUrls(rejected, 'Büro');
  assertTyped(await client.sendForm(rejected));
  const foreign = await client.sendForm(form, { ...typed, token: 'x' }, { 'sec-fetch-site': 'cross-site' });
  assert.ok(!foreign.body.includes('Büro'));
});

suite('entries of an attacker', () => {
  const toPath = (path: string) => path.replace(':organizationId', a).replace(/:\w+/g, randomUUID());

  test('are carried out by no form that only shows them', async () => {
    const olga = await createSignedInClient(server, store);
    const token = await fetchCsrfToken(olga);
    const before = await countEvents();
    const fields = {
      token,
      author: olga.account.id,
      reopen: '1',
      form: randomUUID(),
      name: 'New',
      action: 'on',
    };
    const forms = listDeclaredRoutes().filter(({ post, get, access }) => post && get && access !== 'public');
    assert.ok(forms.length > 40);
    for (const { path } of forms) {
      const { status, headers } = await olga.post(toPath(path), fields);
      assert.ok([200, 303, 404].includes(status), `${path}: ${status}`);
      assert.equal(headers.get('location')?.includes('/issued') ?? false, false);
    }
    assert.equal(await countEvents(), before);
  });

  test('need the token of the browser, and are only shown after signing in', async () => {
    const victim = await createSignedInClient(server, store, a);
    const client = createFormClient(server.address);
    await client.open('/admin/sign-in');
    const fields = {
      return: `${keys}/new`,
      email: victim.email,
      password,
      'entry.author': victim.account.id,
      'entry.name': 'Of the attacker',
    };
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }] as Record<string, string>[])
      assert.equal((await client.post('/admin/sign-in', fields, headers)).status, 403);
    const before = (await store.listKeys(a)).length;
    const token = await fetchCsrfToken(client);
    const signedIn = await client.post('/admin/sign-in', { ...fields, token });
    assert.match(signedIn.body, /not sent yet/);
    const form = await client.sendForm(signedIn);
    assert.equal(getFieldValue(form.body, 'name'), 'Of the attacker');
    assert.equal((await store.listKeys(a)).length, before);
  });

  test('lead to no other site, and cannot be shown by another site', async () => {
    const client = await createSignedInClient(server, store, a);
    const fields = { ...typed, reopen: '1', author: client.account.id };
    for (const headers of [{}, { 'sec-fetch-site': 'cross-site' }, { 'sec-fetch-site': 'same-site' }])
      assert.equal((await client.post(`${keys}/new`, fields, headers as Record<string, string>)).status, 403);
    await endSession(client);
    const token = await fetchCsrfToken(client);
    for (const path of ['https://elsewhere.example/admin/', '//elsewhere.example/admin/', '/open/x']) {
      const credentials = { email: client.email, password, token };
      const response = await client.post('/admin/sign-in', { ...credentials, return: path, 'entry.x': '1' });
      assert.ok(!response.body.includes('elsewhere') && !response.body.includes('/open/x'), path);
    }
  });
});
