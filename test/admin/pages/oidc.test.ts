/** Administrators sign in with an OpenID Connect provider. Rostra is a public client here. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { emptySourceDefinition } from '../../../src/domain/sources/import-source.ts';
import { getFieldValue, type PageResponse, parseHiddenFields } from '../../support/form-client.ts';
import {
  assertLoginRejected,
  assertSignedIn,
  assertSignedOut,
  createOidcFixture,
  findProviderLink,
  flowCookie,
  type Person,
  startLoginPath,
} from '../../support/oidc-fixture.ts';

const fixture = await createOidcFixture({ after });
const { server, store, provider, accounts, createPerson, signIn, authorize } = fixture;
await provider.start();

const bounds = { idleMs: 3_600_000, maxAgeMs: 3_600_000 };
const homeOfA = `/admin/organizations/${fixture.a}`;
const keysOfA = `${homeOfA}/keys`;
const typed = { name: 'Portal of “Umläut” & Söhne', limit: '17' };

async function signedOn(askedSecondsAgo = 0): Promise<Person> {
  const person = await createPerson();
  Object.assign(accounts[person.sub] as object, { askedSecondsAgo });
  await signIn(person);
  await assertSignedIn(person.client, person.email);
  return person;
}

/** Opens the form for a new key, and submits it after `meanwhile`. */
async function sendForm({ client }: Person, meanwhile: () => Promise<unknown>) {
  const form = await client.get(`${keysOfA}/new`);
  assert.equal(form.status, 200);
  await meanwhile();
  return client.post(`${keysOfA}/new`, { ...parseHiddenFields(form.body), ...typed });
}

/** The page that the provider leads to, in a tab beside the one with the form. */
async function assertDone({ client }: Person, { location }: PageResponse): Promise<void> {
  assert.equal(location, '/admin/confirm?done=1');
  assert.match((await client.open(location)).body, /You can close this tab/);
}

suite('signing in with a provider', () => {
  test('redirects to the start page, with a new secret in the cookie', async () => {
    const person = await createPerson();
    await person.client.get('/admin/sign-in');
    const before = person.client.cookies.get('__Host-rostra');
    const response = await signIn(person);
    assert.equal(response.location, homeOfA);
    assert.notEqual(person.client.cookies.get('__Host-rostra'), before);
    assert.equal(person.client.cookies.has(flowCookie), false);
    await assertSignedIn(person.client, person.email);
  });

  test('keeps a form that was submitted too late, with the entered values, in the first tab', async () => {
    const person = await signedOn();
    const actor = { name: 'test', address: '' };
    const late = await sendForm(person, () => store.endLoginSessions(person.account.id, undefined, actor));
    assert.equal(late.location, undefined);
    const link = findProviderLink(late);
    assert.ok(!decodeURIComponent(link).includes('Portal'));
    const early = await person.client.sendForm(late);
    assert.match(early.body, /You have been signed out/);
    await assertDone(person, await signIn(person, link));
    // The tab with the form has the token of the ended login session.
    const form = await person.client.sendForm(early, {}, { 'sec-fetch-site': 'same-origin' });
    assert.equal(getFieldValue(form.body, 'name'), typed.name);
    assert.equal(getFieldValue(form.body, 'limit'), typed.limit);
  });

  test('does not redirect to other sites', async () => {
    const person = await createPerson();
    const response = await signIn(
      person,
      `${startLoginPath}?return=${encodeURIComponent('https://elsewhere.example/admin/')}`,
    );
    assert.equal(response.location, homeOfA);
  });

  test('works again without a prompt while the provider has a session', async () => {
    const person = await signedOn();
    person.client.cookies.clear();
    const { location = '' } = await person.client.get(startLoginPath);
    const { callbackUrl, hasPrompted } = await provider.authorize(person.providerClient, location);
    assert.equal(hasPrompted, false);
    await person.client.get(callbackUrl.pathname + callbackUrl.search);
    await assertSignedIn(person.client, person.email);
  });

  test('accepts the Unicode form of the domain', async () => {
    const person = await createPerson();
    const change = 'UPDATE account SET email = $2 WHERE id = $1';
    await fixture.sql(change, [person.account.id, 'amt@xn--stdte-hra.example']);
    accounts[person.sub] = { email: 'Amt@Städte.example', email_verified: true };
    await signIn(person);
    await assertSignedIn(person.client, 'amt@xn--stdte-hra.example');
  });

  test('ignores the letter case of the email address', async () => {
    const person = await createPerson();
    accounts[person.sub] = { email: person.email.toUpperCase(), email_verified: true };
    await signIn(person);
    await assertSignedIn(person.client, person.email);
  });

  test('uses PKCE, a state and a nonce, which differ each time', async () => {
    const { client } = await createPerson();
    const seen = new Set<string>();
    for (let time = 0; time < 2; time += 1) {
      const response = await client.get(startLoginPath);
      const cookie = response.headers.getSetCookie().find((line) => line.startsWith(flowCookie));
      assert.match(cookie ?? '', /; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      const { searchParams } = new URL(response.location ?? '');
      assert.equal(searchParams.get('response_type'), 'code');
      assert.equal(searchParams.get('code_challenge_method'), 'S256');
      assert.equal(searchParams.get('prompt'), null);
      for (const name of ['code_challenge', 'state', 'nonce']) {
        assert.match(searchParams.get(name) ?? '', /^[\w-]{43}$/);
        seen.add(searchParams.get(name) ?? '');
      }
    }
    assert.equal(seen.size, 6);
  });

  test('ends with the removal of the account, even while the provider has a session', async () => {
    const person = await signedOn();
    await store.removeAccount(person.account.id);
    await assertSignedOut(person.client);
    await assertLoginRejected(server, person.client, await signIn(person));
  });
});

/** Failing logins. Each returns the response to the callback. */
const wrongWays: Record<string, (person: Person) => ReturnType<typeof signIn>> = {
  'an email address that the provider has not verified': (person) => {
    accounts[person.sub] = { email: person.email, email_verified: false };
    return signIn(person);
  },
  'an email address without an account': (person) => {
    accounts[person.sub] = { email: `not-${person.email}`, email_verified: true };
    return signIn(person);
  },
  'the email address of an account that had another identity at the provider before': async (person) => {
    await signIn(person);
    accounts[`${person.sub} two`] = { email: person.email, email_verified: true };
    person.client.cookies.clear();
    person.providerClient.cookies.clear();
    return person.client.get(await authorize(person, startLoginPath, `${person.sub} two`));
  },
  'a cancelled sign-in': async (person) => {
    const address = await authorize(person);
    assert.match(address, /error=access_denied/);
    return person.client.get(address);
  },
  'a different state': async (person) => {
    const address = await authorize(person, startLoginPath, person.sub);
    return person.client.get(address.replace(/state=[^&]+/, `state=${'x'.repeat(43)}`));
  },
  'a response of another provider': async (person) => {
    const address = await authorize(person, startLoginPath, person.sub);
    return person.client.get(address.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Felsewhere.example'));
  },
  'a callback URL that was already used': async (person) => {
    const address = await authorize(person, startLoginPath, person.sub);
    const journey = person.client.cookies.get(flowCookie) ?? '';
    await person.client.get(address);
    person.client.cookies.clear();
    person.client.cookies.set(flowCookie, journey);
    return person.client.get(address);
  },
  'a browser that has lost its cookies': async (person) => {
    const address = await authorize(person, startLoginPath, person.sub);
    person.client.cookies.clear();
    return person.client.get(address);
  },
  'a cookie without a valid login state': async (person) => {
    const address = await authorize(person, startLoginPath, person.sub);
    person.client.cookies.set(flowCookie, '%7B%22state%22%3A1%7D');
    return person.client.get(address);
  },
  'an authorization code of another browser': async (person) => {
    const own = await authorize(person, startLoginPath, person.sub);
    const other = await createPerson();
    const code = /code=[^&]+/.exec(await authorize(other, startLoginPath, other.sub))?.[0] ?? '';
    return person.client.get(own.replace(/code=[^&]+/, code));
  },
};
for (const name of ['state', 'nonce', 'verifier'])
  wrongWays[`another ${name} in the cookie`] = async (person) => {
    const address = await authorize(person, startLoginPath, person.sub);
    const journey = JSON.parse(decodeURIComponent(person.client.cookies.get(flowCookie) ?? ''));
    const tampered = JSON.stringify({ ...journey, [name]: 'x'.repeat(43) });
    person.client.cookies.set(flowCookie, encodeURIComponent(tampered));
    return person.client.get(address);
  };

suite('single sign-on rejects', () => {
  for (const [name, goWrong] of Object.entries(wrongWays))
    test(name, async () => {
      const person = await createPerson();
      const response = await goWrong(person);
      await assertLoginRejected(server, person.client, response);
    });

  const spellings = {
    'a letter whose lower case is ASCII': '\u212aim@stadt.example',
    'a blank': 'kim@stadt.example ',
    'a zero-width space': 'kim@sta\u200bdt.example',
    'a zero-width space before its name': '\u200bkim@stadt.example',
    'a full-width letter': 'kim@\uff53tadt.example',
    'a full-width letter in its name': '\uff4bim@stadt.example',
    'a soft hyphen': 'kim@sta\u00addt.example',
  };
  for (const [difference, email] of Object.entries(spellings))
    test(`an address that differs from the account by ${difference}`, async () => {
      const person = await createPerson();
      const change = 'UPDATE account SET email = $2 WHERE id = $1';
      await fixture.sql(change, [person.account.id, 'kim@stadt.example']);
      accounts[person.sub] = { email, email_verified: true };
      await assertLoginRejected(server, person.client, await signIn(person));
      await store.removeAccount(person.account.id);
    });

  test('an empty email address, and logs that it is invalid', async () => {
    const person = await createPerson();
    accounts[person.sub] = { email: '', email_verified: true };
    await assertLoginRejected(server, person.client, await signIn(person));
    await server.waitForLine(new RegExp(`the email address of ${person.sub} is invalid`));
  });

  test('and logs the reason, without secrets of the login', async () => {
    const person = await createPerson();
    accounts[person.sub] = { email: `nobody-${person.email}`, email_verified: true };
    const address = await authorize(person, startLoginPath, person.sub);
    const cookie = person.client.cookies.get(flowCookie) ?? '';
    const { verifier, nonce, state } = JSON.parse(decodeURIComponent(cookie));
    const code = new URL(address, server.address).searchParams.get('code');
    for (const used of [`${address}&error=made-up`, address]) {
      await person.client.get(used);
      await person.client.get(used);
      person.client.cookies.set(flowCookie, cookie);
    }
    await server.waitForLine(/the browser returned without its cookie/);
    await server.waitForLine(/the provider's response is invalid: .*made-up/);
    await server.waitForLine(new RegExp(`nobody-${person.email} has no account`));
    for (const secret of [code, verifier, nonce, state])
      assert.ok(!server.lines.some((line) => line.includes(secret)), 'the log contains a secret');
  });
});

suite('confirming with the provider', () => {
  const confirmedMs = async (id: string) => {
    const rows = await fixture.sql<{ ms: string }>(
      'SELECT reauthenticated_at_ms AS ms FROM login_session WHERE account_id = $1',
      [id],
    );
    return rows.map(({ ms }) => Number(ms));
  };
  /** Makes the authentication sixteen minutes old. */
  const growStale = ({ account }: Person) =>
    fixture.sql(
      'UPDATE login_session SET reauthenticated_at_ms = reauthenticated_at_ms - 960000 WHERE account_id = $1',
      [account.id],
    );
  const askForConfirmation = async (person: Person) => {
    await store.recordReauthentication(
      (await store.listLoginSessions(person.account.id, bounds))[0]?.id ?? '',
    );
    const asked = await sendForm(person, () => growStale(person));
    assert.match(asked.body, /Confirm your identity/);
    return asked;
  };
  /** Sends a form that needs a confirmation. @returns the address of the button that leads to the provider */
  const openConfirmation = async (person: Person) => findProviderLink(await askForConfirmation(person));

  test('asks for the password again in another tab, and the form then completes', async () => {
    const person = await signedOn();
    const asked = await askForConfirmation(person);
    const link = findProviderLink(asked);
    assert.match((await person.client.sendForm(asked)).body, /Confirm your identity/);
    const [stale = 0] = await confirmedMs(person.account.id);
    const { location = '' } = await person.client.get(link);
    const { searchParams } = new URL(location);
    assert.equal(searchParams.get('prompt'), 'login');
    assert.equal(searchParams.get('max_age'), '0');
    const { callbackUrl, hasPrompted } = await provider.authorize(
      person.providerClient,
      location,
      person.sub,
    );
    assert.equal(hasPrompted, true);
    const response = await person.client.get(callbackUrl.pathname + callbackUrl.search);
    await assertDone(person, response);
    const confirmed = await confirmedMs(person.account.id);
    assert.equal(confirmed.length, 1, 'it is the same sign-in');
    assert.ok((confirmed[0] ?? 0) > stale);
    const cancelled = await person.client.sendForm(asked, { reopen: '1' });
    assert.equal(getFieldValue(cancelled.body, 'name'), typed.name);
    const before = (await store.listKeys(fixture.a)).length;
    assert.match((await person.client.sendForm(asked)).location ?? '', /\/issued$/);
    assert.equal((await store.listKeys(fixture.a)).length, before + 1);
  });

  test('is the only way on the page of an account without a password, and the main button', async () => {
    const person = await signedOn(960);
    const page = await person.client.get(`/admin/confirm?return=${encodeURIComponent(keysOfA)}`);
    assert.match(page.body, /Confirm your identity/);
    assert.doesNotMatch(page.body, /class="page-form"/);
    assert.match(page.body, /kern-btn--primary" href="\/admin\/sign-in\/provider/);
    assert.equal(new URLSearchParams(findProviderLink(page).split('?')[1]).get('force'), '1');
  });

  test('keeps the encoding of a form that has a file', async () => {
    const person = await signedOn(960);
    const address = `${homeOfA}/sources/Reports/edit`;
    await store.addSource(fixture.a, { ...emptySourceDefinition, name: 'Reports', format: 'rostra' });
    const asked = await person.client.submitForm(address);
    assert.match(asked.body, /Confirm your identity/);
    assert.match(asked.body, /class="page-form"[^>]* enctype="multipart\/form-data"/);
  });

  test('cannot be done by another user', async () => {
    const anna = await signedOn();
    const bert = await createPerson();
    const link = await openConfirmation(anna);
    const before = await confirmedMs(anna.account.id);
    anna.providerClient.cookies.clear();
    const { location = '' } = await anna.client.get(await authorize(anna, link, bert.sub));
    assert.match(location, /^\/admin\/confirm\?.*failed=1/);
    await assertSignedIn(anna.client, anna.email);
    assert.deepEqual(await confirmedMs(anna.account.id), before);
  });

  /** An attacker at an unlocked browser, without the password. */
  const silently = (change: (request: URL) => void, path?: string) => async () => {
    const person = await signedOn(960);
    const link = await openConfirmation(person);
    const request = new URL((await person.client.get(path ?? link)).location ?? '');
    change(request);
    const { callbackUrl, hasPrompted } = await provider.authorize(person.providerClient, request.href);
    assert.equal(hasPrompted, false);
    await person.client.get(callbackUrl.pathname + callbackUrl.search);
    const { body } = await person.client.submitForm(`${keysOfA}/new`, { name: 'Portal' });
    assert.match(body, /Confirm your identity/);
  };

  test(
    'does not work with a request that does not force the provider to ask for the password',
    silently(({ searchParams }) => {
      searchParams.delete('prompt');
      searchParams.delete('max_age');
    }),
  );

  test(
    'is not achieved by signing in without entering the password',
    silently((request) => {
      request.searchParams.delete('prompt');
    }, startLoginPath),
  );

  const cancelled = async () => {
    const person = await signedOn();
    const { location = '' } = await person.client.get(
      await authorize(person, await openConfirmation(person)),
    );
    return { person, page: await person.client.open(location) };
  };

  test('that is cancelled returns to the confirmation page, and confirms nothing', async () => {
    const { person, page } = await cancelled();
    assert.match(page.path, /^\/admin\/confirm\?/);
    const { body } = await person.client.submitForm(`${keysOfA}/new`, { name: 'Portal' });
    assert.match(body, /Confirm your identity/);
  });

  test('that is cancelled is reported', async () => {
    const { page } = await cancelled();
    assert.match(page.body, /Single sign-on failed/);
  });
});
