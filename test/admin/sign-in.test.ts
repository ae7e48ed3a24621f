/** Signing in: one-time links, passwords, and responses that do not reveal accounts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { getInvitationPath } from '../../src/domain/accounts/one-time-link.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createAccount,
  createFormClient,
  createSignedInClient,
  decodeHtml,
  fetchCsrfToken,
  type PageResponse,
  parseHiddenFields,
  password,
  signIn,
} from '../support/form-client.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store } = fixture;
const stranger = () => createFormClient(server.address);
const dayMs = 86_400_000;

/** Ages the one-time link of an account only. */
const later = (id: string, ms: number) =>
  fixture.sql(`UPDATE invitation SET expires_at_ms = expires_at_ms - ${ms} WHERE account_id = $1`, [id]);

suite('a one-time link', () => {
  test('sets a password and signs in, once', async () => {
    const { link, email, account } = await createAccount(store, fixture.a);
    const client = stranger();
    const response = await client.submitForm(link, { password });
    assert.deepEqual([response.status, response.location], [303, `/admin/organizations/${fixture.a}`]);
    assert.equal((await client.get('/admin/account')).status, 200);

    const second = stranger();
    assert.equal((await second.get(link)).status, 410);
    const fields = { token: await fetchCsrfToken(second), password: 'another password of theirs' };
    assert.equal((await second.post(link, fields)).status, 410);
    assert.equal((await second.get('/admin/account')).status, 303);
    assert.equal((await signIn(second, email, 'another password of theirs')).status, 422);
    assert.equal((await signIn(second, email)).status, 303);
    assert.equal((await store.findAccount(account.id))?.hasPassword, true);
  });

  test('that two browsers use at once works for one of them', async () => {
    const { link } = await createAccount(store, fixture.a);
    const visitors = await Promise.all(Array.from({ length: 6 }, stranger));
    const tokens = await Promise.all(visitors.map(fetchCsrfToken));
    const responses = await Promise.all(
      visitors.map((client, index) =>
        client.post(link, { token: tokens[index] as string, password: `${password} ${index}` }),
      ),
    );
    assert.deepEqual(responses.map(({ status }) => status).toSorted(), [
      303,
      ...Array(visitors.length - 1).fill(410),
    ]);
  });

  test('replaces an earlier one, and keeps the password until it is used', async () => {
    const { link, email } = await createAccount(store, fixture.a);
    const first = await fixture.runCli('admin', 'invite', email);
    assert.equal((await stranger().get(link)).status, 410);
    const client = stranger();
    const path = new URL(first.trim()).pathname;
    assert.equal((await client.submitForm(path, { password })).status, 303);

    const second = new URL((await fixture.runCli('admin', 'invite', email)).trim()).pathname;
    assert.equal((await client.get('/admin/account')).status, 200);
    assert.equal((await signIn(stranger(), email)).status, 303);
    assert.equal((await stranger().submitForm(second, { password: 'a wholly new password' })).status, 303);
    assert.equal((await client.get('/admin/account')).status, 303, 'the link ends earlier login sessions');
    assert.equal((await signIn(stranger(), email)).status, 422);
  });

  test('works for seven days', async () => {
    const { link, account } = await createAccount(store, fixture.a);
    await later(account.id, 7 * dayMs - 60_000);
    assert.equal((await stranger().get(link)).status, 200);
    const client = stranger();
    const token = await fetchCsrfToken(client);
    await later(account.id, 60_000);
    assert.equal((await client.get(link)).status, 410);
    assert.equal((await client.post(link, { token, password })).status, 410);
    assert.equal((await store.findAccount(account.id))?.hasPassword, false);
  });

  test('stops working when the password was changed otherwise or the account was removed', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const link = new URL((await fixture.runCli('admin', 'invite', client.email)).trim()).pathname;
    assert.equal(
      (await client.submitForm('/admin/account/password', { password: `${password}!` })).status,
      303,
    );
    assert.equal((await stranger().get(link)).status, 410);

    const gone = await createAccount(store, fixture.a);
    await fixture.runCli('admin', 'remove', gone.email);
    assert.equal((await stranger().get(gone.link)).status, 410);
  });

  test('rejects invalid secrets', async () => {
    const { link } = await createAccount(store, fixture.a);
    for (const path of [
      link.slice(0, -1),
      `${link}x`,
      link.toUpperCase().replace('/ADMIN/INVITATION', '/admin/invitation'),
    ])
      assert.equal((await stranger().get(path)).status, 410);
    for (const secret of ['%00', "'", 'x'.repeat(90)])
      assert.equal((await stranger().get(getInvitationPath(secret))).status, 410, secret);
  });
});

suite('a new password', () => {
  for (const [what, typed] of Object.entries({
    'of nothing': () => '',
    'of eleven characters': () => 'Xk7-pQ2.vL9',
    'of eleven emoji': () => '🏛🚲🌳🏠🚌⛲🏫🏥🚒📚🎭',
    'of one character again and again': () => 'a'.repeat(40),
    'of three characters': () => 'abc'.repeat(10),
    'with the own address in it': (email: string) => `x${email.toUpperCase()}x`,
    'of 1001 characters': () => 'correct horse'.repeat(77),
  })) {
    test(`${what} is rejected, and the link keeps working`, async () => {
      const { link, email, account } = await createAccount(store, fixture.a);
      const response = await stranger().submitForm(link, { password: typed(email) });
      assert.equal(response.status, 422);
      assert.match(
        response.body,
        / id="password"[^>]* aria-describedby="[^"]*password-error"[^>]* aria-invalid="true"/,
      );
      if (typed(email) !== '') assert.ok(!response.body.includes(typed(email)));
      assert.equal((await store.findAccount(account.id))?.hasPassword, false);
      assert.equal((await stranger().submitForm(link, { password })).status, 303);
    });
  }

  test('that is easy to guess is rejected, with a reason and advice in the page’s language', async () => {
    const { link, email } = await createAccount(store, fixture.a);
    const [localPart = ''] = email.split('@');
    const reasons = {
      en: {
        personal: /based on your email address, the name of your municipality or the name of this service/,
        common: /a common password, or a common word with small changes/,
        pattern: /repeats characters or follows a pattern/,
        remedy: /Use a password manager or combine several unrelated words\./,
      },
      de: {
        personal: /auf Ihrer E-Mail-Adresse, dem Namen Ihrer Kommune oder dem Namen dieses Dienstes/,
        common: /ein häufiges Passwort oder ein leicht abgewandeltes gängiges Wort/,
        pattern: /wiederholt Zeichen oder folgt einem Muster/,
        remedy:
          /Gut geeignet sind mehrere Wörter ohne Zusammenhang oder ein Passwort aus einem Passwortmanager\./,
      },
    };
    const weak = {
      personal: [
        localPart,
        `${localPart}!`,
        email,
        'musterstadt2026',
        'Rostra-Rostra',
        'Rostra123456',
        'R0stra-Musterstadt',
      ],
      common: [
        '123456789012',
        'passwort1234',
        'Passwort123!',
        'P@ssw0rd1234',
        'iloveyou1234',
        'Sommer2026!!',
        'Bürgermeister1',
        'Buergermeister1',
        'Fruehling2026!',
        'password1234567',
        'municipality1',
        'welcome2024!!',
        '１２３４５６７８９０１２',
      ],
      pattern: ['aaaaaaaaaaaaaa', 'abcabcabcabcabc', 'abcdefghijklmnop', 'qwertzuiopü12'],
    } as const;
    for (const [language, expected] of Object.entries(reasons)) {
      const client = createFormClient(server.address, language);
      for (const [reason, passwords] of Object.entries(weak)) {
        for (const typed of passwords) {
          const { status, body } = await client.submitForm(link, { password: typed });
          assert.equal(status, 422, typed);
          assert.match(decodeHtml(body), expected[reason as keyof typeof weak], typed);
          assert.match(body, expected.remedy, typed);
        }
      }
    }
    const changed = await createSignedInClient(server, store, fixture.a);
    const response = await changed.submitForm('/admin/account/password', { password: 'passwort1234' });
    assert.equal(response.status, 422);
    assert.match(response.body, reasons.en.common);
  });

  test('with the name of the municipality is rejected in both spellings of its umlauts', async () => {
    const { id } = await store.addOrganization('Stadt Üxheim', randomUUID());
    const { link } = await createAccount(store, id);
    for (const typed of ['Üxheim-2026!', 'Uexheim-2026!']) {
      const { status, body } = await stranger().submitForm(link, { password: typed });
      assert.equal(status, 422, typed);
      assert.match(body, /the name of your municipality/, typed);
    }
  });

  test('of unrelated words, or from a password manager, is accepted', async () => {
    for (const typed of [
      'Blumentopf Fahrrad Mittwoch',
      'drei rote Hunde bellen',
      'vK3!tz9Qp#w2',
      'hx4e-9pmk-w2ru',
    ]) {
      const { link } = await createAccount(store, fixture.a);
      assert.equal((await stranger().submitForm(link, { password: typed })).status, 303, typed);
    }
  });

  test('can have 12 to 1000 characters, including spaces and U+0000', async () => {
    for (const typed of [
      'Xk7-pQ2.vL9m',
      `${'Xk7-pQ2.vL9m'.repeat(83)}word`,
      ' blanks before and behind ',
      'with\0in it, twice',
    ]) {
      const { link, email } = await createAccount(store, fixture.b);
      assert.equal((await stranger().submitForm(link, { password: typed })).status, 303, typed);
      assert.equal((await signIn(stranger(), email, typed)).status, 303, typed);
      assert.equal((await signIn(stranger(), email, `${typed.slice(0, 11)}`)).status, 422, typed);
    }
  });

  test('is not stored in plain text, and neither are links and cookies', async () => {
    const client = await createSignedInClient(server, store, fixture.a);
    const tables = ['account', 'invitation', 'login_session', 'audit_event', 'attempt'];
    const rows = await Promise.all(tables.map((table) => fixture.sql(`SELECT * FROM ${table}`)));
    const all = JSON.stringify(rows, (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    for (const secret of [password, client.link.split('/').at(-1), client.cookies.get('__Host-rostra')])
      assert.ok(secret && !all.includes(secret));
    assert.match(all, /\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    assert.ok(!server.lines.join('\n').includes(password));
  });
});

/** Removes values that differ in each response, and entered values. */
function comparable({ status, headers, body }: PageResponse, typed: string) {
  const stable = [...headers].filter(
    ([name]) => !['date', 'content-length', 'keep-alive', 'x-request-id'].includes(name),
  );
  return [status, stable, body.replaceAll(/name="token" value="[^"]*"/g, '').replaceAll(typed, '')];
}

test('failed sign-ins do not reveal whether an account exists', async (t) => {
  const own = await createFixtureWithServer(t);
  const full = await createSignedInClient(own.server, own.store, own.a);
  const empty = await createAccount(own.store, own.a);
  const removed = await createSignedInClient(own.server, own.store, own.a);
  await own.store.removeAccount(removed.account.id);
  const answers = [];
  for (const email of [full.email, empty.email, removed.email, 'nobody@stadt.example', 'no address'])
    answers.push(
      comparable(await signIn(createFormClient(own.server.address), email, 'a wrong password'), email),
    );
  assert.equal(answers[0]?.[0], 422);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
});

test('a failed sign-in shows its error in a browser that is signed in to another account', async () => {
  const client = await createSignedInClient(server, store, fixture.a);
  const { email } = await createAccount(store, fixture.b);
  const token = await fetchCsrfToken(client);
  const response = await client.post('/admin/sign-in', { token, email, password: 'a wrong password' });
  assert.equal(response.status, 422);
  assert.match(response.body, / id="password"[^>]* aria-invalid="true"/);
  assert.ok(response.body.includes(`value="${email}"`));
});

test('an account without a password rejects every password, including an empty one', async () => {
  const { email } = await createAccount(store, fixture.a);
  for (const typed of ['', ' ', 'null', password, '\0'])
    assert.equal((await signIn(stranger(), email, typed)).status, 422);
});

test('letter case and surrounding spaces are ignored in the address, but not in the password', async () => {
  const { email } = await createSignedInClient(server, store, fixture.a);
  assert.equal((await signIn(stranger(), ` ${email.toUpperCase()} `)).status, 303);
  assert.equal((await signIn(stranger(), email, password.toUpperCase())).status, 422);
  assert.equal((await signIn(stranger(), email, `${password} `)).status, 422);
});

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] as number;

test('checking an unknown account takes as long as checking an existing one', async (t) => {
  // Processor time of all threads, in which passwords are hashed: other load on the machine must not count.
  const ratios: number[] = [];
  // Hashes are cheap in tests: without one, the ratio is 1.3.
  const maxRatio = 1.25;
  for (let attempt = 0; attempt < 6 && !ratios.some((ratio) => ratio < maxRatio); attempt += 1) {
    const own = await createFixtureWithServer(t);
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
    for (let turn = 0; turn < 8; turn += 1) {
      const { email } = await createSignedInClient(own.server, own.store);
      for (const [kind, address] of [
        ['known', email],
        ['unknown', `nobody-${turn}@stadt.example`],
      ] as const) {
        const client = createFormClient(own.server.address);
        const token = await fetchCsrfToken(client);
        const signIn = async () => {
          const form = { token, email: address, password: 'wrong wrong' };
          assert.equal((await client.post('/admin/sign-in', form)).status, 422);
        };
        const before = process.cpuUsage();
        await signIn();
        const { user, system } = process.cpuUsage(before);
        times[kind].push(user + system);
      }
    }
    const [one, other] = [median(times.known), median(times.unknown)];
    ratios.push(Math.max(one, other) / Math.min(one, other));
  }
  assert.ok(
    ratios.some((ratio) => ratio < maxRatio),
    String(ratios),
  );
});

test('a used one-time link stays used, even if the form that created it is submitted again', async () => {
  const olga = await createSignedInClient(server, store);
  const { account, email } = await createAccount(store, fixture.a);
  const path = `/admin/accounts/${account.id}/invite`;
  const form = await olga.get(path);
  assert.match(form.body, /This account has no password yet/);
  assert.doesNotMatch(form.body, /signs this person out/);
  const shown = async () => {
    const { location = '' } = await olga.post(path, parseHiddenFields(form.body));
    const { body } = await olga.get(location);
    return new URL(/>(http:[^<]+)<\/textarea>/.exec(body)?.[1] ?? '').pathname;
  };
  const link = await shown();
  assert.equal(await shown(), link, 'a double click');
  const newcomer = createFormClient(server.address);
  assert.equal((await newcomer.submitForm(link, { password })).status, 303);
  assert.match((await olga.get(path)).body, /signs this person out/);
  assert.notEqual(await shown(), link);
  assert.equal((await createFormClient(server.address).get(link)).status, 410);
  assert.equal((await signIn(createFormClient(server.address), email)).status, 303);
});

test('every character of a long password in any script counts', async () => {
  const { link, email } = await createAccount(store, fixture.a);
  const long = Array.from({ length: 600 }, (_, place) =>
    String.fromCodePoint(0x1f600 + ((place * place) % 79)),
  ).join('');
  assert.equal((await createFormClient(server.address).submitForm(link, { password: long })).status, 303);
  assert.equal((await signIn(createFormClient(server.address), email, long)).status, 303);
  assert.equal((await signIn(createFormClient(server.address), email, long.slice(0, -2))).status, 422);
});

test('a wrong password is logged with the address and without the entered values', async () => {
  await signIn(createFormClient(server.address), 'nobody@stadt.example', 'typed by mistake');
  const line = await server.waitForLine(/sign-in failed/);
  assert.equal(JSON.parse(line).address, '127.0.0.1');
  assert.ok(!server.lines.some((text) => /nobody@stadt|typed by mistake/.test(text)));
});
