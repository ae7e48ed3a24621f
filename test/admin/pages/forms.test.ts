/** Validation of forms: errors are shown at their fields, entered values are preserved, and invalid forms change nothing. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { emptySourceDefinition } from '../../../src/domain/sources/import-source.ts';
import { assertKeysUnchanged, createFixtureWithServer } from '../../support/fixture.ts';
import {
  createFormClient,
  createSignedInClient,
  decodeHtml,
  fetchCsrfToken,
  getFieldValue,
  getShownSecret,
  type PageResponse,
  parseHiddenFields,
  password,
  signIn,
} from '../../support/form-client.ts';
import { byNight, runsEveryTest } from '../../support/nightly.ts';

const most = 5_000;
const fixture = await createFixtureWithServer({ after }, { ROSTRA_RATE_LIMIT: String(most) });
const { server, store } = fixture;
const anna = await createSignedInClient(server, store, fixture.a);
const olga = await createSignedInClient(server, store);

const base = `/admin/organizations/${fixture.a}/keys`;
const issueForm = `${base}/new`;
const standing = await fixture.issueKey(fixture.a, { name: 'Standing' });

const unchanged = <Result>(work: () => Promise<Result>) => assertKeysUnchanged(fixture, work);

/** Expects the form with the entered value, and the error in the summary and at its field. */
function assertRejected({ status, body }: PageResponse, name: string, typed: string): void {
  assert.equal(status, 422);
  const [field = ''] = new RegExp(`<(input|select)[^>]* name="${name}"[^>]*>`).exec(body) ?? [];
  assert.match(field, / aria-invalid="true"/);
  const described = / aria-describedby="([^"]+)"/.exec(field)?.[1]?.split(' ') ?? [];
  assert.ok(described.includes(`${name}-error`), field);
  for (const id of described) assert.ok(body.includes(` id="${id}"`), id);
  const [summary = ''] = /class="error-summary"[\s\S]*?<\/ul>/.exec(body) ?? [];
  assert.ok(summary.includes(`href="#${name}"`) && body.includes(` id="${name}"`), summary);
  if (field.startsWith('<input')) assert.equal(getFieldValue(body, name), typed);
}

test('a form of more than 64 kB is rejected, and a slightly smaller one is validated', async () => {
  const large = await unchanged(() => anna.submitForm(issueForm, { name: 'x'.repeat(65_536) }));
  assert.equal(large.status, 413);
  assert.match(large.body, /This form is too large/);
  const less = 'x'.repeat(65_000);
  assertRejected(await unchanged(() => anna.submitForm(issueForm, { name: less })), 'name', less);
});

test('titles of surveys can be a file of more than 64 kB, and a text that is too long is not lost', {
  skip: byNight('it sends much data'),
}, async () => {
  const organizationId = fixture.a;
  const name = 'Umfragen';
  await store.addSource(organizationId, { ...emptySourceDefinition, name, format: 'survey-table' });
  const path = `/admin/organizations/${organizationId}/sources/${name}/edit`;
  const client = await createSignedInClient(server, store, organizationId);
  const token = await fetchCsrfToken(client);
  const submit = (
    text: string,
    file?: string | Uint8Array<ArrayBuffer>,
    more: Record<string, string> = {},
  ) => {
    const form = new FormData();
    for (const [field, value] of Object.entries({ token, 'option.metadata': text, ...more }))
      form.append(field, value);
    form.append('option.metadata.file', new Blob(file === undefined ? [] : [file]), file ? 'titel.json' : '');
    return client.send(path, form);
  };
  const readStored = async () => (await store.findSource({ organizationId, name }))?.options;
  const titles = JSON.stringify({ parks: { title: `Parks ${'ä'.repeat(150_000)}` } });
  assert.equal((await submit('{}', titles)).status, 303);
  assert.deepEqual(await readStored(), { metadata: titles });

  const tooLong = `${titles}${'x'.repeat(1_000_000)}`;
  const rejected = await submit(tooLong);
  assert.equal(rejected.status, 422);
  assert.match(rejected.body, /This text has 1,150,0\d\d characters, and may have 999,9\d\d at most/);
  assert.ok(decodeHtml(rejected.body).includes(tooLong));
  assert.match(rejected.body, /<details class="folded" open>/);
  const binary = await submit(titles, new Uint8Array([0xff, 0xfe, 0x00]));
  assert.equal(binary.status, 422);
  assert.match(binary.body, /href="#option\.metadata\.file">titel\.json is not text in UTF-8/);
  assert.ok(decodeHtml(binary.body).includes(titles));
  assert.deepEqual(await readStored(), { metadata: titles });

  await fixture.sql('UPDATE login_session SET reauthenticated_at_ms = 0 WHERE account_id = $1', [
    client.account.id,
  ]);
  const asked = await submit('', '{"parks": {}}');
  assert.match(asked.body, /Confirm your identity/);
  assert.match(asked.body, /class="page-form" novalidate enctype="multipart\/form-data"/);
  assert.equal((await submit('{"parks": {}}', undefined, { currentPassword: password })).status, 303);
  assert.deepEqual(await readStored(), { metadata: '{"parks": {}}' });
});

suite('the name of a key', () => {
  const accepted = {
    HTML: `<script>alert("1")</script><img src=x onerror='alert(1)'>&amp;</bdi>`,
    'the end of an attribute': `"><b onclick="x">'`,
    'right-to-left text': 'بوابة البيانات',
    'a character that reverses the direction': '\u202egnp.exe',
    '200 characters': 'ä'.repeat(200),
    '200 emoji': '🏛'.repeat(200),
    'a template': '{{1+1}} %s <%= 1 %>',
    'one character': 'x',
  };
  for (const [what, name] of Object.entries(accepted)) {
    test(`can be ${what}, and is displayed as entered`, async () => {
      const issued = await anna.submitForm(issueForm, { name });
      assert.equal(issued.status, 303, issued.body);
      const key = (issued.location ?? '').replace('/issued', '');
      const shown = [await anna.open(issued.location ?? '')];
      const secret = getShownSecret(shown[0]?.body ?? '');
      assert.equal((await server.get('/me', { key: secret })).json.key_name, name);
      for (const path of [base, key, `${key}/rotate`, `${key}/revoke`, base.replace('keys', 'audit')])
        shown.push(await anna.get(path));
      for (const { body, path } of shown) {
        assert.ok(decodeHtml(body).includes(name), path);
        if (/[<"]/.test(name)) assert.ok(!body.includes(name), path);
        assert.doesNotMatch(body, /<img|<b[ >]|<script>/, path);
      }
      await anna.submitForm(`${key}/revoke`);
    });
  }

  const rejected = {
    nothing: '',
    blanks: '   ',
    'Unicode spaces': '\u3000\u00a0',
    U0000: 'a\0b',
    'a line break': 'a\nb',
    'a C1 control character': 'a\u0085b',
    'an escape sequence': '\u001b[31mred',
    '201 characters': 'x'.repeat(201),
    '201 emoji': '🏛'.repeat(201),
    '10 kB': '<'.repeat(10_000),
  };
  for (const [what, name] of Object.entries(rejected)) {
    test(`cannot be ${what}, and the field keeps its value`, async () => {
      const typed = { name, expires: '2099-06-30', limit: '7' };
      const response = await unchanged(() => anna.submitForm(issueForm, typed));
      assertRejected(response, 'name', name);
      assert.equal(getFieldValue(response.body, 'expires'), '2099-06-30');
      assert.equal(getFieldValue(response.body, 'limit'), '7');
    });
  }

  test('is valid Unicode for any bytes in the form', async () => {
    for (const bytes of ['%ED%A0%80', '%FF%FE', '%C0%80', '%E2%82']) {
      const hidden = parseHiddenFields((await anna.open(issueForm)).body);
      const body = `${new URLSearchParams(hidden)}&name=${bytes}`;
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      const { status } = await anna.send(issueForm, body, type);
      assert.ok([303, 422].includes(status), `${bytes}: ${status}`);
    }
    for (const { name } of await store.listKeys(fixture.a)) assert.ok(name.isWellFormed());
    assert.equal((await anna.get(base)).status, 200);
  });

  test('is the first of several values', async () => {
    const hidden = parseHiddenFields((await anna.open(issueForm)).body);
    const body = `${new URLSearchParams(hidden)}&name=First&name=Second&limit=7&limit=8`;
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const before = (await store.listKeys(fixture.a)).length;
    const { location = '' } = await anna.send(issueForm, body, type);
    const [key] = await store.findKeys(/keys\/([^/]+)/.exec(location)?.[1] ?? '');
    assert.deepEqual([key?.name, key?.requestLimit], ['First', 7]);
    assert.equal((await store.listKeys(fixture.a)).length, before + 1);
  });
});

/** Keys expire at the end of the day in the time zone of the municipality. */
const timeZone = 'Europe/Berlin';
const today = Temporal.Now.plainDateISO(timeZone);
const yesterday = today.subtract({ days: 1 }).toString();
const endOfToday = today.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds - 1;

suite('the expiry date and the limit of a key', () => {
  const wrong = {
    expires: [
      ...[yesterday, '2026-02-30', '2099-02-29', '2099-13-01', '2099-00-10', '0000-01-01', '0001-01-01'],
      ...[
        '99999-01-01',
        '+012345-01-01',
        '-000001-01-01',
        'tomorrow',
        '30.06.2099',
        '2099-06-30T00:00',
        '2099-6-3',
      ],
      ...['２０９９-06-30', '2099-06-30\0', "'", '1e9'],
    ],
    limit: [
      ...[
        '0',
        '-1',
        '+1',
        '1.5',
        '1,5',
        '1e3',
        '01',
        '0x10',
        String(most + 1),
        '99999999999999999999',
        'many',
      ],
      ...['١٢', 'NaN', 'Infinity', '1\0'],
      ...['1.000', '1,00', '1,0000', ',100', '1,000,', '0,100', '1, 000', '1  000', '1,000.0', '5,001'],
    ],
  };
  /** By day one value for each mistake. */
  const telling = [
    ...[
      yesterday,
      '2026-02-30',
      '99999-01-01',
      'tomorrow',
      '2099-06-30T00:00',
      '２０９９-06-30',
      '2099-06-30\0',
    ],
    ...['0', '-1', '1.5', '1e3', '01', String(most + 1), 'many', '1\0', '1,00', '5,001'],
  ];
  for (const [field, values] of Object.entries(wrong)) {
    for (const value of values.filter((each) => runsEveryTest || telling.includes(each))) {
      test(`${field}: ${JSON.stringify(value)} is rejected, and the field keeps its value`, async () => {
        const response = await unchanged(() =>
          anna.submitForm(issueForm, { name: 'Preserved', [field]: value }),
        );
        assertRejected(response, field, value);
        assert.equal(getFieldValue(response.body, 'name'), 'Preserved');
      });
    }
  }

  const right: [Record<string, string>, string | null, number | null][] = [
    [{ expires: today.toString() }, new Date(endOfToday).toISOString(), null],
    [{ expires: '2096-02-29' }, '2096-02-29T22:59:59.999Z', null],
    [{ expires: '9999-12-31' }, '9999-12-31T22:59:59.999Z', null],
    [{ expires: ' ', limit: ' ' }, null, null],
    [{ limit: '1' }, null, 1],
    [{ limit: ` ${most} ` }, null, most],
    [{ limit: '1,000' }, null, 1_000],
    [{ limit: '1 000' }, null, 1_000],
    [{ limit: '1\u202f000' }, null, 1_000],
  ];
  test('a limit accepts the digit grouping of the page’s language: points in German, not commas', async () => {
    const german = createFormClient(server.address, 'de');
    await signIn(german, anna.email);
    for (const [limit, value] of [
      ['1.000', 1_000],
      ['4.999', 4_999],
      ['2\u00a0500', 2_500],
    ] as const) {
      const { location = '', body } = await german.submitForm(issueForm, { name: 'Grouped', limit });
      const [key] = await store.findKeys(/keys\/([^/]+)/.exec(location)?.[1] ?? body);
      assert.equal(key?.requestLimit, value, limit);
    }
    for (const limit of [
      '1,000',
      '1.5',
      '1.00',
      '1.0000',
      '10.00',
      '.100',
      '1.000,5',
      '1.000 000',
      '5.001',
    ]) {
      const response = await unchanged(() => german.submitForm(issueForm, { name: 'Preserved', limit }));
      assertRejected(response, 'limit', limit);
      assert.match(response.body, /Geben Sie eine ganze Zahl von 1 bis 5\.000 ein\./);
    }
  });

  for (const [typed, expiresAt, requestLimit] of right) {
    test(`${JSON.stringify(typed)} is accepted`, async () => {
      const { location = '', body } = await anna.submitForm(issueForm, { name: 'Right', ...typed });
      const [key] = await store.findKeys(/keys\/([^/]+)/.exec(location)?.[1] ?? body);
      assert.deepEqual([key?.expiresAt, key?.requestLimit], [expiresAt, requestLimit]);
    });
  }

  test('all errors of a form are shown at once', async () => {
    const typed = { name: '\0', expires: 'x', limit: 'y' };
    const response = await unchanged(() => anna.submitForm(issueForm, typed));
    for (const [field, value] of Object.entries(typed)) assertRejected(response, field, value);
  });

  test('rotating with an unknown grace period uses the default', async () => {
    for (const grace of ['constructor', '__proto__', '1y', '']) {
      const { id } = await fixture.issueKey(fixture.a);
      const response = await anna.submitForm(`${base}/${id}/rotate`, { grace });
      assert.equal(response.status, 303, grace);
      const [old] = await store.findKeys(id);
      const lasting = Date.parse(old?.expiresAt ?? '') - Date.now();
      assert.ok(lasting > 23 * 3_600_000 && lasting < 25 * 3_600_000, grace);
    }
  });

  test('rotating rejects an invalid expiry date, and the key keeps working', async () => {
    const form = `${base}/${standing.id}/rotate`;
    const response = await unchanged(() => anna.submitForm(form, { expires: yesterday }));
    assertRejected(response, 'expires', yesterday);
  });
});

suite('a new account', () => {
  const form = '/admin/accounts/new';
  const before = async () => (await store.listAccounts()).length;
  for (const email of [
    '',
    'x',
    'a b@c',
    '@',
    'a@',
    'a@b\0',
    'a\u0001@b',
    `${'x'.repeat(250)}@b.de`,
    '<b>@',
  ]) {
    test(`cannot have the address ${JSON.stringify(email.slice(0, 20))}`, async () => {
      const count = await before();
      assertRejected(await olga.submitForm(form, { email, kind: 'operator' }), 'email', email);
      assert.equal(await before(), count);
    });
  }

  test('must have one of the offered kinds, and a municipality that exists unless it is an operator', async () => {
    const count = await before();
    const email = 'role@stadt.example';
    for (const kind of ['', 'owner', 'constructor', 'municipal\0']) {
      const response = await olga.submitForm(form, { email, kind, organization: 'Musterstadt' });
      assert.equal(response.status, 422, kind);
      assert.match(response.body, /id="kind-error"/, kind);
    }
    for (const organization of ['', 'nobody', randomUUID(), `${fixture.a}\0`, 'a\0b', 'constructor']) {
      const response = await olga.submitForm(form, { email, kind: 'municipal', organization });
      assertRejected(response, 'organization', organization);
    }
    const near = await olga.submitForm(form, { email, kind: 'municipal', organization: 'Musterstad' });
    assert.match(near.body, /Did you mean “Musterstadt”/);
    const operator = await olga.submitForm(form, { email, kind: 'operator', organization: 'Musterstadt' });
    assertRejected(operator, 'organization', 'Musterstadt');
    assert.equal(await before(), count);
  });

  test('must have a unique address', async () => {
    const count = await before();
    const taken = await olga.submitForm(form, { email: anna.email.toUpperCase(), kind: 'operator' });
    assertRejected(taken, 'email', anna.email.toUpperCase());
    assert.equal(await before(), count);
  });

  test('belongs to the municipality of the administrator who adds it, whatever the form says', async () => {
    const path = `/admin/organizations/${fixture.a}/accounts/new`;
    const fields = { email: 'colleague@stadt.example', kind: 'operator', organization: fixture.b };
    assert.equal((await anna.submitForm(path, fields)).status, 303);
    const added = await store.findAccount(fields.email);
    assert.deepEqual(
      added?.roles.map(({ organizationId, role }) => [organizationId, role]),
      [[fixture.a, 'reader']],
    );
  });
});
