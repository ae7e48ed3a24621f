/** Administrators sign in with an OpenID Connect provider. Rostra is a public client here. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { hiddenFields } from '../../support/form-client.ts';
import {
  assertSignedIn,
  assertSignedOut,
  assertTurnedAway,
  departure,
  journeyCookie,
  type Person,
  providerLink,
  signOnTown,
} from '../../support/oidc-fixture.ts';

const town = await signOnTown({ after });
const { server, store, provider, people, newPerson, signOn, toReturn } = town;
await provider.start();

const bounds = { idleMs: 3_600_000, maxAgeMs: 3_600_000 };
const keysOfA = `/admin/organizations/${town.a}/keys`;
const typed = { name: 'Portal of “Umläut” & Söhne', limit: '17' };

async function signedOn(askedSecondsAgo = 0): Promise<Person> {
  const person = await newPerson();
  Object.assign(people[person.sub] as object, { askedSecondsAgo });
  await signOn(person);
  await assertSignedIn(person.rostra, person.email);
  return person;
}

/** Opens the form for a new key, and submits it after `meanwhile`. */
async function sendForm({ rostra }: Person, meanwhile: () => Promise<unknown>) {
  const form = await rostra.get(`${keysOfA}/new`);
  assert.equal(form.status, 200);
  await meanwhile();
  return rostra.post(`${keysOfA}/new`, { ...hiddenFields(form.body), ...typed });
}

async function assertTypedForm({ rostra }: Person, path = ''): Promise<void> {
  assert.ok(path.startsWith(`${keysOfA}/new?`), path);
  const { status, body } = await rostra.get(path);
  assert.equal(status, 200);
  assert.ok(body.includes('value="Portal of “Umläut” &amp; Söhne"'));
  assert.match(body, /name="limit"[^>]* value="17"/);
}

suite('signing in with a provider', () => {
  test('redirects to the start page, with a new secret in the cookie', async () => {
    const person = await newPerson();
    await person.rostra.get('/admin/sign-in');
    const before = person.rostra.cookies.get('__Host-rostra');
    const answer = await signOn(person);
    assert.equal(answer.location, keysOfA);
    assert.notEqual(person.rostra.cookies.get('__Host-rostra'), before);
    assert.equal(person.rostra.cookies.has(journeyCookie), false);
    await assertSignedIn(person.rostra, person.email);
  });

  test('returns to the form that was submitted too late, with the entered values', async () => {
    const person = await signedOn();
    const actor = { name: 'test', address: '' };
    const late = await sendForm(person, () =>
      store.endLoginSessions(person.administrator.id, undefined, actor),
    );
    assert.match(late.location ?? '', /^\/admin\/sign-in\?/);
    const answer = await signOn(person, providerLink(await person.rostra.get(late.location ?? '')));
    await assertTypedForm(person, answer.location);
  });

  test('does not redirect to other sites', async () => {
    const person = await newPerson();
    const answer = await signOn(
      person,
      `${departure}?return=${encodeURIComponent('https://elsewhere.example/admin/')}`,
    );
    assert.equal(answer.location, keysOfA);
  });

  test('works again without a prompt while the provider has a session', async () => {
    const person = await signedOn();
    person.rostra.cookies.clear();
    const { location = '' } = await person.rostra.get(departure);
    const { back, asked } = await provider.passThrough(person.atProvider, location);
    assert.equal(asked, false);
    await person.rostra.get(back.pathname + back.search);
    await assertSignedIn(person.rostra, person.email);
  });

  test('ignores the letter case of the email address', async () => {
    const person = await newPerson();
    people[person.sub] = { email: person.email.toUpperCase(), email_verified: true };
    await signOn(person);
    await assertSignedIn(person.rostra, person.email);
  });

  test('uses PKCE, a state and a nonce, which differ each time', async () => {
    const { rostra } = await newPerson();
    const seen = new Set<string>();
    for (let time = 0; time < 2; time += 1) {
      const answer = await rostra.get(departure);
      const cookie = answer.headers.getSetCookie().find((line) => line.startsWith(journeyCookie));
      assert.match(cookie ?? '', /; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
      const { searchParams } = new URL(answer.location ?? '');
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

  test('ends with the removal of the administrator, even while the provider has a session', async () => {
    const person = await signedOn();
    await store.removeAdministrator(person.administrator.id);
    await assertSignedOut(person.rostra);
    await assertTurnedAway(server, person.rostra, await signOn(person));
  });
});

/** Failing logins. Each returns the response to the callback. */
const wrongWays: Record<string, (person: Person) => ReturnType<typeof signOn>> = {
  'an email address that the provider has not verified': (person) => {
    people[person.sub] = { email: person.email, email_verified: false };
    return signOn(person);
  },
  'an email address without an account': (person) => {
    people[person.sub] = { email: `not-${person.email}`, email_verified: true };
    return signOn(person);
  },
  'the email address of an administrator who had another identity at the provider before': async (person) => {
    await signOn(person);
    people[`${person.sub} two`] = { email: person.email, email_verified: true };
    person.rostra.cookies.clear();
    person.atProvider.cookies.clear();
    return person.rostra.get(await toReturn(person, departure, `${person.sub} two`));
  },
  'a cancelled sign-in': async (person) => {
    const address = await toReturn(person);
    assert.match(address, /error=access_denied/);
    return person.rostra.get(address);
  },
  'a different state': async (person) => {
    const address = await toReturn(person, departure, person.sub);
    return person.rostra.get(address.replace(/state=[^&]+/, `state=${'x'.repeat(43)}`));
  },
  'a response of another provider': async (person) => {
    const address = await toReturn(person, departure, person.sub);
    return person.rostra.get(address.replace(/iss=[^&]+/, 'iss=https%3A%2F%2Felsewhere.example'));
  },
  'a callback URL that was already used': async (person) => {
    const address = await toReturn(person, departure, person.sub);
    const journey = person.rostra.cookies.get(journeyCookie) ?? '';
    await person.rostra.get(address);
    person.rostra.cookies.clear();
    person.rostra.cookies.set(journeyCookie, journey);
    return person.rostra.get(address);
  },
  'a browser that has lost its cookies': async (person) => {
    const address = await toReturn(person, departure, person.sub);
    person.rostra.cookies.clear();
    return person.rostra.get(address);
  },
  'a cookie without a valid login state': async (person) => {
    const address = await toReturn(person, departure, person.sub);
    person.rostra.cookies.set(journeyCookie, '%7B%22state%22%3A1%7D');
    return person.rostra.get(address);
  },
  'an authorization code of another browser': async (person) => {
    const own = await toReturn(person, departure, person.sub);
    const other = await newPerson();
    const code = /code=[^&]+/.exec(await toReturn(other, departure, other.sub))?.[0] ?? '';
    return person.rostra.get(own.replace(/code=[^&]+/, code));
  },
};
for (const name of ['state', 'nonce', 'verifier'])
  wrongWays[`another ${name} in the cookie`] = async (person) => {
    const address = await toReturn(person, departure, person.sub);
    const journey = JSON.parse(decodeURIComponent(person.rostra.cookies.get(journeyCookie) ?? ''));
    const tampered = JSON.stringify({ ...journey, [name]: 'x'.repeat(43) });
    person.rostra.cookies.set(journeyCookie, encodeURIComponent(tampered));
    return person.rostra.get(address);
  };

suite('single sign-on rejects', () => {
  for (const [name, goWrong] of Object.entries(wrongWays))
    test(name, async () => {
      const person = await newPerson();
      const answer = await goWrong(person);
      await assertTurnedAway(server, person.rostra, answer);
    });

  test('and logs the reason, without secrets of the login', async () => {
    const person = await newPerson();
    people[person.sub] = { email: `nobody-${person.email}`, email_verified: true };
    const address = await toReturn(person, departure, person.sub);
    const cookie = person.rostra.cookies.get(journeyCookie) ?? '';
    const { verifier, nonce, state } = JSON.parse(decodeURIComponent(cookie));
    const code = new URL(address, server.address).searchParams.get('code');
    for (const used of [`${address}&error=made-up`, address]) {
      await person.rostra.get(used);
      await person.rostra.get(used);
      person.rostra.cookies.set(journeyCookie, cookie);
    }
    await server.line(/the browser returned without its cookie/);
    await server.line(/the provider's response is invalid: .*made-up/);
    await server.line(new RegExp(`nobody-${person.email} has no account`));
    for (const secret of [code, verifier, nonce, state])
      assert.ok(!server.lines.some((line) => line.includes(secret)), 'the log contains a secret');
  });
});

suite('confirming with the provider', () => {
  const confirmedMs = async (id: string) => {
    const rows = await town.sql<{ ms: string }>(
      'SELECT reauthenticated_at_ms AS ms FROM login_session WHERE administrator_id = $1',
      [id],
    );
    return rows.map(({ ms }) => Number(ms));
  };
  /** Makes the authentication six minutes old. */
  const growStale = ({ administrator }: Person) =>
    town.sql(
      'UPDATE login_session SET reauthenticated_at_ms = reauthenticated_at_ms - 360000 WHERE administrator_id = $1',
      [administrator.id],
    );
  /** Sends a form that needs a confirmation. @returns the address of the button that leads to the provider */
  const askedToConfirm = async (person: Person) => {
    await store.recordReauthentication(
      (await store.listLoginSessions(person.administrator.id, bounds))[0]?.id ?? '',
    );
    const { location = '' } = await sendForm(person, () => growStale(person));
    assert.match(location, /^\/admin\/confirm\?/);
    return providerLink(await person.rostra.get(location));
  };

  test('asks for the password again, and returns to the form with the entered values', async () => {
    const person = await signedOn();
    const link = await askedToConfirm(person);
    const [stale = 0] = await confirmedMs(person.administrator.id);
    const { location = '' } = await person.rostra.get(link);
    const { searchParams } = new URL(location);
    assert.equal(searchParams.get('prompt'), 'login');
    assert.equal(searchParams.get('max_age'), '0');
    const { back, asked } = await provider.passThrough(person.atProvider, location, person.sub);
    assert.equal(asked, true);
    const answer = await person.rostra.get(back.pathname + back.search);
    await assertTypedForm(person, answer.location);
    const confirmed = await confirmedMs(person.administrator.id);
    assert.equal(confirmed.length, 1, 'it is the same sign-in');
    assert.ok((confirmed[0] ?? 0) > stale);
  });

  test('cannot be done by another user', async () => {
    const anna = await signedOn();
    const bert = await newPerson();
    const link = await askedToConfirm(anna);
    const before = await confirmedMs(anna.administrator.id);
    anna.atProvider.cookies.clear();
    const { location = '' } = await anna.rostra.get(await toReturn(anna, link, bert.sub));
    assert.match(location, /^\/admin\/confirm\?.*failed=1/);
    await assertSignedIn(anna.rostra, anna.email);
    assert.deepEqual(await confirmedMs(anna.administrator.id), before);
  });

  /** An attacker at an unlocked browser, without the password. */
  const silently = (change: (request: URL) => void, path?: string) => async () => {
    const person = await signedOn(600);
    const link = await askedToConfirm(person);
    const request = new URL((await person.rostra.get(path ?? link)).location ?? '');
    change(request);
    const { back, asked } = await provider.passThrough(person.atProvider, request.href);
    assert.equal(asked, false);
    await person.rostra.get(back.pathname + back.search);
    const { location = '' } = await person.rostra.get(`${keysOfA}/new`);
    assert.match(location, /^\/admin\/confirm\?/);
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
    }, departure),
  );

  const cancelled = async () => {
    const person = await signedOn();
    const { location = '' } = await person.rostra.get(await toReturn(person, await askedToConfirm(person)));
    return { person, page: await person.rostra.open(location) };
  };

  test('that is cancelled returns to the confirmation page, and confirms nothing', async () => {
    const { person, page } = await cancelled();
    assert.match(page.path, /^\/admin\/confirm\?/);
    const { location = '' } = await person.rostra.get(`${keysOfA}/new`);
    assert.match(location, /^\/admin\/confirm\?/);
  });

  test('that is cancelled is reported', async () => {
    const { page } = await cancelled();
    assert.match(page.body, /Single sign-on failed/);
  });
});
