/** Badges, filters, editing, rotation and samples of keys. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, suite, test } from 'node:test';
import { generateKey, hashForStorage } from '../../../src/domain/keys/api-key.ts';
import { startCli } from '../../support/cli-workspace.ts';
import { createFixtureWithServer, issueKey } from '../../support/fixture.ts';
import {
  createSignedInClient,
  decodeHtml,
  getFieldValue,
  getShownSecret,
  parseHiddenFields,
} from '../../support/form-client.ts';
import { byNight } from '../../support/nightly.ts';
import { nodeBinary } from '../../support/server-process.ts';

const fixture = await createFixtureWithServer({ after });
const { server, store, a, sql } = fixture;
const anna = await createSignedInClient(server, store, a);
const rita = await createSignedInClient(server, store, a, 'reader');
const list = `/admin/organizations/${a}/keys`;
const dayMs = 86_400_000;

const issue = async (name: string, fields = {}) => (await issueKey(store, a, { name, ...fields })).id;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const readKey = async (id: string) => {
  const key = await store.findKey(a, id);
  assert.ok(key);
  return key;
};
const readEdits = async () =>
  (await store.listAuditEvents(a, undefined, 100)).filter(({ action }) => action === 'key.edited');

async function rotate(id: string, validUntil: string): Promise<string> {
  const unlimited = { requestLimit: undefined, expiresAt: undefined };
  const successor = {
    organizationId: a,
    name: 'Nachfolger',
    ...unlimited,
    ...hashForStorage(generateKey()),
  };
  return (await store.rotateKey({ organizationId: a, id }, successor, validUntil)).id;
}

suite('badges and filters', () => {
  test('each condition has a badge in both languages, and a filter that finds its keys only', async () => {
    const expiring = await issue('Expiring soon', { expiresAt: inDays(6) });
    const later = await issue('Expiring later', { expiresAt: inDays(40) });
    const replaced = await issue('Replaced');
    await rotate(replaced, inDays(3));
    const unused = await issue('Unused for long');
    await sql('UPDATE api_key SET created_at = $1 WHERE id = $2', ['2020-01-01T00:00:00.000Z', unused]);
    for (const [filter, id, english, german] of [
      ['expiring', expiring, 'expires in 6 days', 'läuft in 6 Tagen ab'],
      ['replaced', replaced, 'replaced, ends ', 'ersetzt, gilt bis '],
      ['never', later, 'never used', 'nie verwendet'],
      ['unused', unused, 'unused for 90 days', 'seit 90 Tagen nicht verwendet'],
    ] as const) {
      const { body } = await anna.get(`${list}?state=${filter}`);
      assert.ok(body.includes(`${list}/${id}"`), filter);
      assert.equal(body.includes(`${list}/${expiring}"`), ['expiring', 'never'].includes(filter), filter);
      assert.match(body, new RegExp(`<option value="${filter}" selected>`));
      assert.ok((await anna.get(`${list}/${id}`)).body.includes(english), english);
      const translated = await anna.get(`${list}/${id}`, { 'accept-language': 'de' });
      assert.ok(translated.body.includes(german), german);
    }
    assert.ok(!(await anna.get(`${list}/${later}`)).body.includes('expires in'));
    assert.ok(!(await anna.get(`${list}/${replaced}`)).body.includes('expires in'));
  });

  test('a key that expires today or tomorrow says so', async () => {
    const id = await issue('Ends');
    const zone = 'Europe/Berlin';
    const today = Temporal.Now.plainDateISO(zone);
    for (const [days, text] of [
      [0, 'expires today'],
      [1, 'expires tomorrow'],
      [2, 'expires in 2 days'],
    ] as const) {
      const end = today.add({ days: days + 1 }).toZonedDateTime(zone).epochMilliseconds - 1;
      await store.editKey({ organizationId: a, id }, { expiresAt: new Date(end).toISOString() });
      assert.ok((await anna.get(`${list}/${id}`)).body.includes(text), text);
    }
  });

  test('keys are sorted by name without case and accents, and unknown parameters are ignored', async () => {
    for (const name of ['zz-Öl', 'zz-ofen', 'ZZ-Olive']) await issue(name);
    const { body } = await anna.get(`${list}?words=zz-&sort=name&order=ascending`);
    const positions = ['zz-ofen', 'zz-Öl', 'ZZ-Olive'].map((name) => body.indexOf(`<bdi>${name}<`));
    assert.ok(positions.every((position, index) => position > (positions[index - 1] ?? 0)));
    assert.equal((await anna.get(`${list}?words=zz-&state=x&sort=toString&page=-1`)).status, 200);
    assert.match((await anna.get(`${list}?words=ZZ-%C3%96L`)).body, />1 of \d+ keys</);
  });

  test('a list of all keys says only how many there are', async () => {
    const { id } = await store.addOrganization('Einstadt', '5d0f3f60-93c0-4a5c-9d5e-7a4f1f0e2b12');
    await issueKey(store, id, { name: 'Einziger' });
    const olga = await createSignedInClient(server, store);
    assert.match((await olga.get(`/admin/organizations/${id}/keys`)).body, />1 key</);
    await issueKey(store, id, { name: 'Zweiter' });
    assert.match((await olga.get(`/admin/organizations/${id}/keys`)).body, />2 keys</);
  });

  test('a list of more keys than one step of the database shows every key once', {
    skip: byNight('it issues many keys'),
  }, async () => {
    const { id } = await store.addOrganization('Großstadt', '5d0f3f60-93c0-4a5c-9d5e-7a4f1f0e2b11');
    for (let index = 0; index < 1_050; index += 1) await issueKey(store, id, { name: `Key ${index}` });
    const olga = await createSignedInClient(server, store);
    const found = new Set<string>();
    for (let page = 1; page <= 21; page += 1) {
      const { body } = await olga.get(`/admin/organizations/${id}/keys?page=${page}`);
      assert.match(body, />1,050 keys</);
      for (const [, key] of body.matchAll(/\/keys\/([0-9a-f-]{36})"/g)) found.add(key ?? '');
    }
    assert.equal(found.size, 1_050);
  });
});

suite('editing', () => {
  test('a key is issued with contact and purpose, and each edited field is recorded with old and new value', async () => {
    const { location = '' } = await anna.submitForm(`${list}/new`, {
      name: 'Portal',
      contact: 'IT-Abteilung',
      purpose: 'Karte <b>',
      limit: '10',
    });
    const id = location.split('/').at(-2) ?? '';
    const { contact, purpose } = await readKey(id);
    assert.deepEqual([contact, purpose], ['IT-Abteilung', 'Karte <b>']);
    assert.ok((await anna.open(`${list}/${id}`)).body.includes('<bdi>Karte &lt;b&gt;</bdi>'));
    const response = await anna.submitForm(`${list}/${id}/edit`, {
      name: 'Stadtplan',
      contact: '',
      purpose: 'Karte',
      expires: '2099-12-31',
      limit: '20',
    });
    assert.equal(response.location, `${list}/${id}?saved`);
    assert.match((await anna.open(`${list}/${id}?saved`)).body, /Your changes have been saved/);
    const edited = await readKey(id);
    assert.deepEqual(
      [edited.name, edited.contact, edited.purpose, edited.expiresAt, edited.requestLimit],
      ['Stadtplan', null, 'Karte', '2099-12-31T22:59:59.999Z', 20],
    );
    const [event] = await readEdits();
    const changed = new Map(event?.changes.map(({ field, before, after }) => [field, [before, after]]));
    assert.deepEqual(changed.get('name'), ['Portal', 'Stadtplan']);
    assert.deepEqual(changed.get('contact'), ['IT-Abteilung', null]);
    assert.deepEqual(changed.get('purpose'), ['Karte <b>', 'Karte']);
    assert.equal(event?.actor, anna.email);
  });

  test('names, contacts and purposes are stored as on the command line: in the composed form of Unicode', async () => {
    const decomposed = 'Gru\u0308n';
    const { location = '' } = await anna.submitForm(`${list}/new`, { name: decomposed, contact: decomposed });
    const id = location.split('/').at(-2) ?? '';
    const edited = { name: decomposed, contact: decomposed, purpose: decomposed };
    await anna.submitForm(`${list}/${id}/edit`, edited);
    const { name, contact, purpose } = await readKey(id);
    assert.deepEqual([name, contact, purpose], Array(3).fill('Gr\u00fcn'));
  });

  test('a form without changes records nothing, and keeps the time of the expiry', async () => {
    const id = await issue('Unchanged', { expiresAt: '2099-05-05T10:00:00.000Z' });
    const before = (await readEdits()).length;
    const fields = { name: 'Unchanged', contact: '', purpose: '', expires: '2099-05-05', limit: '' };
    assert.equal((await anna.submitForm(`${list}/${id}/edit`, fields)).status, 303);
    assert.equal((await readKey(id)).expiresAt, '2099-05-05T10:00:00.000Z');
    assert.equal((await readEdits()).length, before);
  });

  test('an expired key can be renamed, and works again with a later expiry', async () => {
    const { id, secret } = await issueKey(store, a, { name: 'Old', expiresAt: '2020-01-01T00:00:00.000Z' });
    const fields = { name: 'New', contact: '', purpose: '', expires: '2020-01-01', limit: '' };
    assert.equal((await anna.submitForm(`${list}/${id}/edit`, fields)).status, 303);
    assert.equal((await readKey(id)).name, 'New');
    await anna.submitForm(`${list}/${id}/edit`, { ...fields, expires: '2099-12-31' });
    assert.equal((await server.get('/me', { key: secret })).status, 200);
  });

  for (const [field, value, english, german] of [
    ['name', '', 'Enter a name', 'Geben Sie einen Namen ein'],
    ['contact', 'x'.repeat(201), 'at most 200 characters', 'höchstens 200 Zeichen'],
    ['contact', 'a\u0085b', 'without line breaks', 'ohne Zeilenumbruch'],
    ['purpose', 'x'.repeat(501), 'at most 500 characters', 'höchstens 500 Zeichen'],
    ['expires', '2020-01-01', 'Enter today’s date', 'Geben Sie das heutige'],
    ['expires', 'bald', 'Enter today’s date', 'Geben Sie das heutige'],
    ['limit', 'viele', 'Enter a whole number', 'Geben Sie eine ganze Zahl'],
    ['limit', '0', 'Enter a whole number', 'Geben Sie eine ganze Zahl'],
  ] as const) {
    test(`${field} "${JSON.stringify(value).slice(1, 12)}" is rejected at its field, and nothing is saved`, async () => {
      const id = await issue('Fehler');
      const fields = { name: 'Fehler', contact: '', purpose: '', expires: '', limit: '', [field]: value };
      for (const [language, message] of [
        ['en', english],
        ['de', german],
      ] as const) {
        const form = parseHiddenFields((await anna.open(`${list}/${id}/edit`)).body);
        const headers = { 'accept-language': language };
        const { status, body } = await anna.post(`${list}/${id}/edit`, { ...form, ...fields }, headers);
        assert.equal(status, 422);
        const error = new RegExp(`id="${field}-error"[\\s\\S]*?</p>`).exec(body)?.[0] ?? '';
        assert.ok(decodeHtml(error).includes(message), error);
      }
      const { name, contact, purpose, expiresAt, requestLimit } = await readKey(id);
      assert.deepEqual([name, contact, purpose, expiresAt, requestLimit], ['Fehler', null, null, null, null]);
    });
  }

  test('a change of somebody else since the form was opened is shown, not overwritten', async () => {
    const id = await issue('Gemeinsam');
    const form = parseHiddenFields((await anna.open(`${list}/${id}/edit`)).body);
    await store.editKey({ organizationId: a, id }, { contact: 'Von Olga', requestLimit: 5 });
    const fields = { name: 'Gemeinsam', contact: 'Von Anna', purpose: '', expires: '', limit: '' };
    const { status, body } = await anna.post(`${list}/${id}/edit`, { ...form, ...fields });
    assert.equal(status, 422);
    assert.match(body, /now: “Von Olga”/);
    assert.equal(getFieldValue(body, 'limit'), '5');
    assert.equal((await readKey(id)).contact, 'Von Olga');
  });

  test('revoked keys cannot be edited, and readers and other municipalities edit nothing', async () => {
    const id = await issue('Widerrufen');
    const form = parseHiddenFields((await anna.open(`${list}/${id}/edit`)).body);
    assert.equal((await rita.get(`${list}/${id}/edit`)).status, 403);
    assert.ok((await anna.get(`${list}/${id}`)).body.includes(`${id}/edit"`));
    assert.ok(!(await rita.get(`${list}/${id}`)).body.includes(`${id}/edit"`));
    await store.revokeKey({ organizationId: a, id });
    const { status, body } = await anna.post(`${list}/${id}/edit`, { ...form, name: 'Anders' });
    assert.equal(status, 409);
    assert.match(body, /has been revoked and cannot be edited/);
    assert.equal((await anna.get(`${list}/${id}/edit`)).status, 409);
    assert.equal((await readKey(id)).name, 'Widerrufen');
    const other = (await fixture.issueKey(fixture.b, { name: 'Fremd' })).id;
    assert.equal((await anna.get(`${list}/${other}/edit`)).status, 404);
  });

  test('values from a URL are marked as not saved', async () => {
    const id = await issue('Link');
    const { body } = await anna.get(`${list}/${id}/edit?purpose=Aus+dem+Link`);
    assert.match(body, /These changes have not been saved/);
    assert.ok(!(await anna.get(`${list}/${id}/edit`)).body.includes('have not been saved'));
  });
});

suite('rotation', () => {
  test('predecessor and successor link each other, and the page of the new key says when the old one ends', async () => {
    const id = await issue('Rotiert');
    const { location = '' } = await anna.submitForm(`${list}/${id}/rotate`, { grace: '24h', expires: '' });
    const { body } = await anna.get(location);
    assert.match(body, /The old key works until \d+ \w+ \d{4}, \d\d:\d\d /);
    assert.match(body, /Until then both keys work/);
    const successor = location.split('/').at(-2) ?? '';
    const page = (await anna.get(`${list}/${id}`)).body;
    assert.ok(page.includes(`href="${list}/${successor}"`));
    assert.ok(!page.includes(`${id}/rotate"`));
    assert.ok((await anna.get(`${list}/${successor}`)).body.includes(`href="${list}/${id}"`));
  });

  test('the page of the new key says that the old one has ended, if it was revoked immediately', async () => {
    const id = await issue('Sofort');
    const { location = '' } = await anna.submitForm(`${list}/${id}/rotate`, { grace: '0', expires: '' });
    const { body } = await anna.get(location, { 'accept-language': 'de' });
    assert.match(body, /Der alte Schlüssel ist seit \d\d\.\d\d\.\d{4}, \d\d:\d\d .* ungültig/);
  });

  test('a key that somebody else has revoked in the meantime is not revoked again and not rotated', async () => {
    const id = await issue('Zu spät');
    const [revocation, rotation] = ['revoke', 'rotate'].map((action) => `${list}/${id}/${action}`) as [
      string,
      string,
    ];
    const revoked = parseHiddenFields((await anna.open(revocation)).body);
    const rotated = parseHiddenFields((await anna.open(rotation)).body);
    await store.revokeKey({ organizationId: a, id });
    const { revokedAt } = await readKey(id);
    const before = (await store.listKeys(a)).length;
    assert.match((await anna.post(revocation, revoked)).body, /This key has already been revoked/);
    const { body } = await anna.post(rotation, { ...rotated, grace: '24h', expires: '' });
    assert.match(body, /This key is no longer active/);
    assert.equal((await readKey(id)).revokedAt, revokedAt);
    assert.equal((await store.listKeys(a)).length, before);
  });

  test('a key cannot be rotated twice: the page leads to its successor', async () => {
    const id = await issue('Einmal');
    const form = parseHiddenFields((await anna.open(`${list}/${id}/rotate`)).body);
    const successor = await rotate(id, inDays(3));
    const before = (await store.listKeys(a)).length;
    const { status, body } = await anna.post(`${list}/${id}/rotate`, { ...form, grace: '24h', expires: '' });
    assert.equal(status, 409);
    assert.match(body, /already been replaced/);
    assert.ok(body.includes(`href="${list}/${successor}"`));
    const opened = await anna.get(`${list}/${id}/rotate`, { 'accept-language': 'de' });
    assert.equal(opened.status, 409);
    assert.match(opened.body, /wurde bereits ersetzt/);
    assert.equal((await store.listKeys(a)).length, before);
  });
});

test('the search for a complete key says whose key it is, with a link to revoke it', async () => {
  const { id, secret } = await issueKey(store, a, { name: 'Geleakt', contact: 'Amt 42' });
  const [, token = ''] = /name="token" value="([^"]+)"/.exec((await anna.get(list)).body) ?? [];
  const { location = '' } = await anna.post(list, { token, words: secret });
  const { body } = await anna.get(location);
  const alert = /role="alert"[\s\S]*?<div class="columns">/.exec(body)?.[0] ?? '';
  assert.match(alert, /The key that you entered belongs to[\s\S]*Geleakt[\s\S]*Amt 42/);
  assert.ok(alert.includes(`href="${list}/${id}/revoke"`));
  await store.revokeKey({ organizationId: a, id });
  const { body: revoked } = await anna.get(`${list}/${id}?found`, { 'accept-language': 'de' });
  assert.match(revoked, /Der Schlüssel ist nicht mehr gültig/);
  assert.ok(!revoked.includes(`${id}/revoke"`));
});

suite('samples', () => {
  const canRun = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;
  /** Programs with their arguments before the code. */
  const programs: [id: string, program: string, args: string[], canRun: boolean][] = [
    ['request-bash', 'sh', ['-c'], canRun('curl', '--version')],
    ['request-typescript', nodeBinary, ['--input-type=module', '--eval'], true],
    ['request-python', 'python3', ['-c'], canRun('python3', '--version')],
    ['request-r', 'Rscript', ['-e'], canRun('Rscript', '-e', 'library(jsonlite)')],
  ];

  test('the page of a key has a placeholder in the samples, the page of a new key has the key', async () => {
    const { body } = await anna.get(`${list}/${await issue('Beispiele')}`);
    for (const [id] of programs) assert.match(readSample(body, id), /YOUR_API_KEY/);
    const { location = '' } = await anna.submitForm(`${list}/new`, { name: 'Neu' });
    const issued = (await anna.get(location)).body;
    for (const [id] of programs) assert.ok(readSample(issued, id).includes(getShownSecret(issued)));
    assert.ok(!issued.includes('YOUR_API_KEY'));
    assert.ok(!(await anna.get(location)).body.includes(getShownSecret(issued)));
  });

  for (const [id, program, args, isInstalled] of programs) {
    test(`the sample ${id} prints submissions`, {
      skip: isInstalled
        ? id !== 'request-bash' && byNight('it starts an interpreter')
        : 'needs its interpreter',
    }, async () => {
      const { location = '' } = await anna.submitForm(`${list}/new`, { name: 'Läuft' });
      const code = readSample((await anna.get(location)).body, id);
      const { code: exitCode, stdout, stderr } = await startCli([...args, code], {}, program).result;
      assert.equal(exitCode, 0, stderr);
      assert.match(stdout, /\d{4}-\d\d-\d\dT\d\d:\d\d/);
    });
  }

  function readSample(page: string, id: string): string {
    const [, code] = new RegExp(`<textarea[^>]* id="${id}"[^>]*>([^<]+)<`).exec(page) ?? [];
    assert.ok(code !== undefined, id);
    return decodeHtml(code);
  }
});
