/** The audit log: filters, links, changes of fields, and its CSV. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { createFixtureWithServer } from '../support/fixture.ts';
import {
  createFormClient,
  createSignedInClient,
  decodeHtml,
  type FormClient,
  signIn,
} from '../support/form-client.ts';
import { createSubmission } from '../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a, b } = fixture;
const anna = await createSignedInClient(server, store, a);
const bert = await createSignedInClient(server, store, b);
const olga = await createSignedInClient(server, store);
const reader = await createSignedInClient(server, store, a, 'reader');
const by = (name: string) => ({ name, address: '192.0.2.1' });

const portal = await fixture.issueKey(a, { name: 'Portal of A' });
const other = await fixture.issueKey(a, { name: 'Other of A' });
const foreign = await fixture.issueKey(b, { name: 'Portal of B' });
await store.editKey(
  { organizationId: a, id: portal.id },
  { name: 'Karte', expiresAt: '2099-06-30T21:59:59.999Z' },
  by(anna.email),
);
await store.editKey({ organizationId: a, id: other.id }, { contact: 'IT' }, by('command line'));
await store.editOrganization(a, { licenseName: 'CC0-1.0' }, by(anna.email));
await store.revokeKey({ organizationId: b, id: foreign.id }, by(olga.email));

const ofA = `/admin/organizations/${a}/audit`;
const filterUrl = (path: string, filter: Record<string, string>) => `${path}?${new URLSearchParams(filter)}`;

async function listRows(client: FormClient, path: string, filter: Record<string, string>): Promise<string[]> {
  const { status, body } = await client.get(filterUrl(path, filter));
  assert.equal(status, 200);
  const [, rows = ''] = body.split('<tbody');
  return rows
    .split('<tr class="kern-table__row"')
    .slice(1)
    .map((row) => decodeHtml(row.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')));
}

suite('filters', () => {
  const cases: [string, FormClient, string, Record<string, string>, RegExp, number | undefined][] = [
    [
      'person',
      anna,
      ofA,
      { actor: anna.email.toUpperCase() },
      new RegExp(anna.email.replace('@', '@ ?')),
      undefined,
    ],
    ['the command line', anna, ofA, { actor: 'Command line' }, /Command line/, undefined],
    ['action', anna, ofA, { action: 'key.edited' }, /Key edited/, 2],
    ['name of a key', anna, ofA, { key: 'karte' }, /Portal of A/, 2],
    ['id of a key', anna, ofA, { key: portal.id }, /Portal of A/, 2],
    ['whole key', anna, ofA, { key: portal.secret }, /Portal of A/, 2],
    ['key and action', anna, ofA, { key: portal.id, action: 'key.issued' }, /Key issued/, 1],
    ['key of another municipality', anna, ofA, { key: foreign.id }, /./, 0],
    ['day in the future', anna, ofA, { from: '2099-01-01' }, /./, 0],
    ['day in the past', anna, ofA, { until: '2020-01-01' }, /./, 0],
    [
      'person and action, of all',
      olga,
      '/admin/audit',
      { actor: olga.email, action: 'key.revoked' },
      /Portal of B/,
      1,
    ],
    ['key, of all', olga, '/admin/audit', { key: foreign.id }, /Portal of B/, 2],
  ];
  for (const [what, client, path, filter, expected, count] of cases) {
    test(`by ${what}`, async () => {
      const rows = await listRows(client, path, filter);
      if (count === undefined) assert.ok(rows.length > 0);
      else assert.equal(rows.length, count, rows.join('\n'));
      for (const row of rows) assert.match(row, expected);
      const csv = (await client.get(filterUrl(`${path}.csv`, filter))).body.trim().split('\r\n');
      assert.equal(csv.length - 1, rows.length, 'the CSV has the same entries');
    });
  }

  test('by a name that 25 keys have show the entries of each of them', async () => {
    const names = Array.from({ length: 25 }, (_, n) => `Client of the map, number ${n}.`);
    for (const name of names) await fixture.issueKey(a, { name });
    const rows = await listRows(anna, ofA, { key: 'client of the map', action: 'key.issued' });
    assert.deepEqual(
      names.filter((name) => !rows.some((row) => row.includes(name))),
      [],
    );
    assert.equal(rows.length, names.length);
  });

  test('of a person are linked by the name that the page shows', async () => {
    assert.match((await anna.get(ofA)).body, /title="Only entries of Command line"/);
  });

  test('never show entries of another municipality', async () => {
    for (const filter of [
      { actor: anna.email },
      { key: portal.id },
      { action: 'key.edited' },
      { key: 'Portal' },
    ]) {
      const path = `/admin/organizations/${b}/audit`;
      for (const page of [filterUrl(path, filter), filterUrl(`${path}.csv`, filter)]) {
        const { body } = await bert.get(page);
        assert.doesNotMatch(body, /Portal of A|Karte|CC0/, page);
      }
    }
  });

  test('accept unknown, invalid and unusual values without an error', async () => {
    for (const value of [
      '',
      'x',
      '\0',
      '%',
      'constructor',
      '2026-02-31',
      '0000-00-00',
      '9999-12-31',
      'ä'.repeat(300),
    ])
      for (const name of ['actor', 'action', 'key', 'from', 'until', 'after'])
        assert.equal((await anna.get(filterUrl(ofA, { [name]: value }))).status, 200, `${name}=${value}`);
  });

  test('stay in the address, which never contains a key', async () => {
    const { body } = await anna.get(ofA);
    const token = /name="token" value="([^"]+)"/.exec(body)?.[1] ?? '';
    const fields = {
      token,
      actor: anna.email,
      action: '',
      key: portal.secret,
      from: '2026-01-01',
      until: '',
    };
    const { location = '' } = await anna.post(ofA, fields);
    assert.ok(location.includes(encodeURIComponent(anna.email)) && location.includes('from=2026-01-01'));
    assert.ok(!location.includes(portal.secret));
  });

  test('stay in the links to older entries, which lead through all entries once', async () => {
    for (let index = 0; index < 120; index += 1)
      await store.editKey(
        { organizationId: a, id: other.id },
        { name: `Other ${index}` },
        by('page@stadt.example'),
      );
    const seen: string[] = [];
    let path: string | undefined = filterUrl(ofA, { actor: 'page@stadt.example' });
    for (let pages = 0; path !== undefined && pages < 10; pages += 1) {
      const { body } = await anna.get(path);
      seen.push(...(body.match(/Other \d+ →|Other of A →/g) ?? []));
      path = decodeHtml(/href="([^"]+)">Older entries/.exec(body)?.[1] ?? '') || undefined;
    }
    assert.equal(seen.length, 120);
    assert.equal(new Set(seen).size, 120);
  });
});

suite('an entry', () => {
  test('has seconds, and leads to its subject if the account may open it', async () => {
    const { body } = await anna.get(filterUrl(ofA, { key: portal.id }));
    assert.match(body, /<time datetime="[^"]+">[^<]*\d\d:\d\d:\d\d/);
    assert.ok(body.includes(`href="/admin/organizations/${a}/keys/${portal.id}"`));
    const accounts = filterUrl(ofA, { actor: reader.email });
    assert.match((await anna.get(accounts)).body, /\/accounts\?words=/);
    assert.doesNotMatch((await reader.get(accounts)).body, /\/accounts\?words=/);
  });

  test('of a removed account has no link', async () => {
    const { account } = await createSignedInClient(server, store, a);
    await store.removeAccount(account.id);
    const { body } = await anna.get(filterUrl(ofA, { action: 'account.removed' }));
    assert.ok(body.includes(account.email));
    assert.doesNotMatch(body, new RegExp(`words=${account.email.replace('@', '%40')}`));
  });

  test('of a change shows the labels of the fields in the language of the page', async () => {
    const filter = filterUrl(ofA, { action: 'organization.edited' });
    assert.match(decodeHtml((await anna.get(filter)).body), /Name of the licence: <bdi>empty → CC0-1\.0/);
    const german = decodeHtml((await anna.get(`${filter}&language=de`)).body);
    assert.match(german, /<bdi>leer → CC0-1\.0/);
    assert.doesNotMatch(german, /licenseName/);
    await anna.get(`${filter}&language=en`);
  });
});

test('entries name records, zones, countries and languages in words, and fold several changes', async () => {
  await store.editOrganization(
    a,
    { timeZone: 'America/Sao_Paulo', country: 'BR', language: 'es' },
    by(anna.email),
  );
  await store.editOrganization(
    a,
    { timeZone: 'Europe/Berlin', country: 'DE', language: 'de' },
    by(anna.email),
  );
  const id = randomUUID();
  await fixture.putRecords(a, [{ kind: 'submission', ...createSubmission(1, { id }) }]);
  await store.removeRecord(
    { organizationId: a, kind: 'submission', id },
    'Request of the author',
    by(anna.email),
  );
  const german = createFormClient(server.address, 'de');
  await signIn(german, anna.email);
  // The later of two changes comes first, also in one millisecond.
  const [row = ''] = await listRows(german, ofA, { action: 'organization.edited' });
  for (const words of [
    '3 Änderungen',
    'Brasilien – São Paulo → Deutschland – Berlin',
    'Brasilien → Deutschland',
    'Spanisch → Deutsch',
  ])
    assert.ok(row.includes(words), row);
  const [removed = ''] = await listRows(german, ofA, { action: 'record.removed' });
  assert.ok(removed.includes(`Anliegen ${id}`), removed);
});

test('a key that nobody has is unknown to operators', async () => {
  const page = filterUrl('/admin/audit', { key: 'sk_rostra_nobody' });
  assert.match((await olga.get(page)).body, /No key matches\./);
});

test('changes of a source are in the words of its pages, and a long text is not quoted', async () => {
  const source = { organizationId: a, name: 'Mängelmelder' };
  const definition = {
    name: source.name,
    format: 'survey-table',
    url: 'https://data.stadt.example/umfrage.csv',
    intervalMs: 86_400_000,
    options: { threshold: '10', metadata: JSON.stringify({ title: 'x'.repeat(600) }) },
    timeZone: null,
    redaction: { kinds: ['email', 'iban'] as const, country: 'DE', patterns: {} },
    maxDeletedPercent: null,
    locations: null,
  };
  await store.addSource(a, definition);
  const stored = await store.findSource(source);
  assert.ok(stored);
  await store.editSource(stored, {
    ...definition,
    intervalMs: 7 * 86_400_000,
    options: { ...definition.options, metadata: '{}', status: 'closed' },
    redaction: { ...definition.redaction, kinds: ['email'], accepted: ['iban'] },
    maxDeletedPercent: 50,
    locations: null,
  });
  const german = createFormClient(server.address, 'de');
  await signIn(german, anna.email);
  const { body } = await german.get(`/admin/organizations/${a}/audit`);
  const items = [...body.matchAll(/<li>(.*?)<\/li>/g)].map(([, item = '']) =>
    decodeHtml(item.replaceAll(/<[^>]+>/g, '')),
  );
  for (const item of [
    'Format: Umfrageergebnisse, bereits ausgezählt',
    'Zeitplan: täglich',
    'In Texten ersetzt: E-Mail-Adressen, Kontonummern',
    'Kleinste veröffentlichte Anzahl: 10',
    'Titel und Fragen: hinzugefügt',
    'Zeitplan: täglich → wöchentlich',
    'Titel und Fragen: geändert',
    'Status der Umfrage: leer → beendet',
    'In Texten ersetzt: E-Mail-Adressen, Kontonummern → E-Mail-Adressen',
    'In Texten veröffentlicht: leer → Kontonummern',
    'Höchstanteil zu entfernender Datensätze: leer → 50\u00a0%',
  ])
    assert.ok(items.includes(item), `${item} in ${items.join('\n')}`);
});

test('entries of an account with many others are searched by action in short steps', async () => {
  const at = (index: number) => new Date(Date.UTC(2025, 0, 1) + index * 1_000).toISOString();
  for (let index = 0; index < 11_000; index += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, place) => {
      const action = index + place === 3 ? 'signed_out_everywhere' : 'signed_in';
      return `('${b}', '${randomUUID()}', '${at(index + place)}', 'often@stadt.example', '', '${action}', 'x')`;
    });
    await fixture.sql(
      `INSERT INTO audit_event (organization_id, id, at, actor, address, action, subject) VALUES ${rows.join(', ')}`,
    );
  }
  const path = `/admin/organizations/${b}/audit`;
  const action = 'signed_out_everywhere';
  const first = await olga.get(filterUrl(path, { actor: 'often@stadt.example', action }));
  assert.match(first.body, /Older entries have not been searched/);
  const older = decodeHtml(/href="([^"]+)">Older entries/.exec(first.body)?.[1] ?? '');
  assert.match((await olga.get(older)).body, /often@(?:<wbr>)?stadt\.example<\/bdi>/);
  assert.equal((await listRows(olga, path, { action })).length, 1);
});

test('a download that cannot be read from its beginning is an error page, not an empty file', async (t) => {
  const own = await createFixtureWithServer(t);
  const reader = await createSignedInClient(own.server, own.store);
  const cases = [
    ['/admin/audit.csv?key=sk_rostra_Ab3dE6', 'api_key'],
    ['/admin/audit.csv', 'audit_event'],
  ] as const;
  for (const [path, table] of cases) {
    assert.equal((await reader.get(path)).status, 200);
    await own.sql(`ALTER TABLE ${table} RENAME TO moved`);
    const { status, headers, body } = await reader.get(path);
    assert.equal(status, 500, path);
    // The operator finds the request in the log.
    const requestId = headers.get('x-request-id') ?? '';
    assert.match(requestId, /^[\da-f-]{36}$/);
    assert.ok(body.includes(`Request ID in the log: ${requestId}`), body);
    assert.match(headers.get('content-type') ?? '', /^text\/html/);
    assert.equal(headers.get('content-disposition'), null);
    assert.match(body, /<h1/);
    await own.sql(`ALTER TABLE moved RENAME TO ${table}`);
  }
});
