/** The home page of a municipality: what is public, warnings, sources, first steps and use, for each role. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { emptySourceDefinition } from '../../../src/domain/sources/import-source.ts';
import { createFixture, issueKey } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient, type FormClient } from '../../support/form-client.ts';
import { beginRun } from '../../support/recorded-runs.ts';
import { createSubmission, formatSubmissionId } from '../../support/records.ts';

const fixture = await createFixture({ after });
const { store, sql, a, b } = fixture;
const server = await fixture.startServer();
const dayMs = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const administrator = await createSignedInClient(server, store, a);
const operator = await createSignedInClient(server, store);

const home = `/admin/organizations/${a}`;

/** Value and note of each figure, by label. */
function parseFigures(body: string): Map<string, string> {
  const cards = body.matchAll(/<li class="figure-card">(.*?)<\/li>/gs);
  return new Map(
    [...cards].map(([, card = '']) => {
      const [label = '', ...rest] = card
        .replace(/<svg.*?<\/svg>/gs, '')
        .split(/<[^>]*>/)
        .map((text) => text.trim())
        .filter((text) => text !== '');
      return [label, rest.join(' ')];
    }),
  );
}

/** Texts and links of the warnings. */
function parseTasks(body: string, list: 'ul' | 'ol'): { text: string; path: string | undefined }[] {
  const [, items = ''] = new RegExp(`<${list} class="task-list">(.*?)</${list}>`, 's').exec(body) ?? [];
  return [...items.matchAll(/<li.*?<\/li>/gs)].map(([item]) => ({
    text: item
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
    path: /href="([^"]+)"/.exec(item)?.[1]?.replaceAll('&amp;', '&'),
  }));
}

async function findWarning(client: FormClient, words: RegExp, path = home) {
  const { body } = await client.get(path);
  return parseTasks(body, 'ul').find(({ text }) => words.test(text));
}

test('signing in leads to the home page', async () => {
  assert.equal((await administrator.get('/admin')).location, home);
  const { status, body } = await administrator.get(home);
  assert.equal(status, 200);
  assert.match(body, /<h1[^>]*>Musterstadt<\/h1>/);
});

/** Texts and links of the facts, by label. */
function parseFacts(body: string): Map<string, { text: string; path: string | undefined }> {
  const items = body.matchAll(/<dt[^>]*>(.*?)<\/dt><dd[^>]*>(.*?)<\/dd>/gs);
  return new Map(
    [...items].map(([, label = '', value = '']) => [
      label,
      {
        text: value
          .replace(/<svg.*?<\/svg>/gs, '')
          .replace(/<[^>]*>/g, '')
          .replace(/\s+/g, ' ')
          .trim(),
        path: /href="([^"]+)"/.exec(value)?.[1]?.replaceAll('&amp;', '&'),
      },
    ]),
  );
}

const factsOf = async (client: FormClient, path = home) => parseFacts((await client.get(path)).body);

suite('the public data', () => {
  test('is counted by kind, without drafts, and leads to the records', async () => {
    const { body } = await administrator.get(home);
    const published = (await store.listSurveys(a)).filter(({ status }) => status !== 'draft');
    const figures = parseFigures(body);
    assert.deepEqual([...figures.keys()], ['Submissions', 'Sessions', 'Surveys']);
    assert.equal(figures.get('Surveys'), String(published.length));
    const paths = [...body.matchAll(/figure-card__label"><a class="kern-link" href="([^"]+)"/g)];
    assert.equal(paths.length, 3);
    for (const [, path = ''] of paths) assert.equal((await administrator.get(path)).status, 200, path);
  });

  test('comes with what the latest import changed', async () => {
    const run = await beginRun(store, { organizationId: a, format: 'table', sources: 'a.csv' });
    const counts = { read: 9, inserted: 3, changed: 2, unchanged: 4, removed: 0, ignored: 0, rejected: 0 };
    await store.endRun(run, 'done', undefined, undefined, counts);
    const latest = (await factsOf(administrator)).get('Latest import');
    assert.equal(latest?.text, '1 minute ago: 3 new, 2 changed');
    assert.equal(latest.path, `${home}/imports/${run.id}`);
    await store.addSource(a, { ...emptySourceDefinition, format: 'table', name: 'Portal' });
    const next = await beginRun(store, {
      organizationId: a,
      format: 'table',
      sources: 'b.csv',
      source: { format: 'table', name: 'Portal' },
    });
    await sql('UPDATE import_run SET started_at = $2 WHERE id = $1', [run.id, inDays(-1)]);
    await store.endRun(next, 'done', undefined, undefined, {
      ...counts,
      inserted: 0,
      changed: 0,
      rejected: 1,
    });
    assert.equal(
      (await factsOf(administrator)).get('Latest import')?.text,
      '1 minute ago, from “Portal”: nothing changed completed, 1 record rejected',
    );
    await store.removeSource({ organizationId: a, name: 'Portal' });
  });

  test('has a public page only if the municipality publishes for everyone', async () => {
    const before = (await factsOf(administrator)).get('Public page');
    assert.match(before?.text ?? '', /Only programs with an API key/);
    assert.equal((await administrator.open(before?.path ?? '')).status, 200);
    const reader = await createSignedInClient(server, store, a, 'reader');
    assert.equal((await factsOf(reader)).get('Public page')?.path, undefined);
    await store.editOrganization(a, { licenseName: 'CC BY 4.0', slug: 'musterstadt', openData: 'on' });
    const { path } = (await factsOf(reader)).get('Public page') ?? {};
    assert.match(path ?? '', /\/open\/musterstadt$/);
    await store.editOrganization(a, { openData: 'off', licenseName: null });
  });
});

suite('the sources', () => {
  const itemsOf = async (client: FormClient) => {
    const [, list = ''] = /<h2[^>]*>Sources<\/h2>(.*?)<\/ul>/s.exec((await client.get(home)).body) ?? [];
    return [...list.matchAll(/<li.*?<\/li>/gs)].map(([item]) => ({
      text: item
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
      paths: [...item.matchAll(/href="([^"]+)"/g)].map(([, path]) => path),
    }));
  };

  test('lead to the next file, unless an address has the data', async () => {
    assert.deepEqual(await itemsOf(administrator), []);
    const definition = { ...emptySourceDefinition, format: 'table' };
    await store.addSource(a, { ...definition, name: 'Portal <i>' });
    const url = 'https://portal.example/data.csv';
    await store.addSource(a, { ...definition, name: 'Remote', url, intervalMs: dayMs });
    const [file, address] = await itemsOf(administrator);
    assert.match(file?.text ?? '', /^Portal &lt;i&gt; .*Next file : Portal/);
    assert.match(address?.text ?? '', /^Remote no complete import yet · every day$/);
    assert.equal(address?.paths.length, 1);
    const { status, body } = await administrator.get(file?.paths[1] ?? '');
    assert.equal(status, 200);
    assert.match(body, /<option value="source:Portal &lt;i&gt;" selected>/);
  });

  test('show readers no way to a file', async () => {
    const reader = await createSignedInClient(server, store, a, 'reader');
    assert.deepEqual(
      (await itemsOf(reader)).map(({ paths }) => paths.length),
      [1, 1],
    );
  });
});

suite('the use of the API', () => {
  test('has active keys, requests of the last seven days, and the next expiry', async () => {
    for (const back of [0, 3, 6, 8])
      await sql(
        'INSERT INTO key_usage_daily (organization_id, key_id, day, operation, status, requests) VALUES ($1, $2, $3, $4, 200, 1000)',
        [a, randomUUID(), inDays(-back).slice(0, 10), 'listSubmissions'],
      );
    const { id } = await issueKey(store, a, { name: 'Expires soon', expiresAt: inDays(20) });
    await issueKey(store, a, { name: 'Expires late', expiresAt: inDays(40) });
    const { body } = await administrator.get(home);
    const facts = parseFacts(body);
    assert.equal(facts.get('Active keys')?.text, '4');
    assert.equal(facts.get('Requests in the last 7 days')?.text, '3,000');
    assert.equal(facts.get('Next expiry of a key')?.text, 'in 20 days');
    assert.match(
      body,
      /<svg class="sparkline"[^>]*role="img" aria-label="Requests per day: \d\d\/\d\d 1,000, /,
    );
    for (const label of ['Active keys', 'Requests in the last 7 days', 'Next expiry of a key'])
      assert.equal((await administrator.get(facts.get(label)?.path ?? '')).status, 200, label);
    await store.revokeKey({ organizationId: a, id });
    assert.equal((await factsOf(administrator)).has('Next expiry of a key'), false);
  });

  test('has German labels', async () => {
    const client = createFormClient(server.address, 'de');
    for (const [name, value] of administrator.cookies) client.cookies.set(name, value);
    assert.deepEqual(
      [...(await factsOf(client)).keys()],
      ['Letzter Import', 'Öffentliche Seite', 'Anfragen in den letzten 7 Tagen', 'Aktive Schlüssel'],
    );
  });
});

suite('the warnings', () => {
  test('name a key that expires soon, until it is rotated', async () => {
    const key = await issueKey(store, a, { name: 'Portal <i>', expiresAt: inDays(6) });
    const warning = await findWarning(administrator, /Portal/);
    assert.deepEqual(warning, {
      text: 'The key “Portal &lt;i&gt;” expires in 6 days. Rotate key',
      path: `${home}/keys/${key.id}/rotate`,
    });
    assert.equal((await administrator.open(warning?.path ?? '')).status, 200);
    const { secretHash, prefix } = { secretHash: Buffer.alloc(32, 7), prefix: 'sk_rostra_aaaaaa' };
    await store.rotateKey(
      { organizationId: a, id: key.id },
      {
        organizationId: a,
        secretHash,
        prefix,
        name: 'Portal',
        requestLimit: undefined,
        expiresAt: undefined,
      },
      inDays(1),
    );
    assert.equal(await findWarning(administrator, /Portal/), undefined);
    assert.equal((await factsOf(administrator)).has('Next expiry of a key'), false);
  });

  test('report a failed import until the next one succeeds', async () => {
    const failed = await beginRun(store, { organizationId: a, format: 'table', sources: 'b.csv' });
    await store.endRun(failed, 'failed', { code: 'no-records' });
    const warning = await findWarning(administrator, /failed/);
    assert.equal(warning?.path, `${home}/imports/${failed.id}`);
    const next = await beginRun(store, { organizationId: a, format: 'table', sources: 'b.csv' });
    await store.endRun(next, 'done', undefined);
    // Both may begin within one millisecond.
    await sql('UPDATE import_run SET started_at = $2 WHERE id = $1', [failed.id, inDays(-1)]);
    assert.equal(await findWarning(administrator, /failed/), undefined);
  });

  test('report a stalled import', async () => {
    const stalled = await beginRun(store, { organizationId: b, format: 'table', sources: 'c.csv' });
    await sql('UPDATE import_run SET heartbeat_at = $2 WHERE id = $1', [stalled.id, inDays(-1)]);
    const path = `/admin/organizations/${b}`;
    assert.equal((await findWarning(operator, /interrupted/, path))?.path, `${path}/imports/${stalled.id}`);
  });

  test('report keys over their limit from the first day on, and revoked keys that are still in use', async () => {
    const { id } = await issueKey(store, a, { name: 'Busy' });
    const lost = await issueKey(store, a, { name: 'Lost' });
    await store.revokeKey({ organizationId: a, id: lost.id });
    const insert = (keyId: string, back: number, status: number) =>
      sql(
        'INSERT INTO key_usage_daily (organization_id, key_id, day, operation, status, requests) VALUES ($1, $2, $3, $4, $5, 12)',
        [a, keyId, inDays(-back).slice(0, 10), 'listSubmissions', status],
      );
    await insert(id, 1, 429);
    assert.match((await findWarning(administrator, /Busy/))?.text ?? '', /on one of the last 7 days/);
    await insert(id, 2, 429);
    await insert(lost.id, 1, 401);
    assert.match((await findWarning(administrator, /Busy/))?.text ?? '', /on 2 of the last 7 days/);
    assert.equal((await findWarning(administrator, /Lost/))?.path, `${home}/keys/${lost.id}`);
  });

  test('report a key that has not been used for 90 days, and a missing contact', async () => {
    assert.equal(await findWarning(administrator, /90 days/), undefined);
    const { id } = await issueKey(store, a, { name: 'Forgotten' });
    await sql('UPDATE api_key SET created_at = $2 WHERE id = $1', [id, inDays(-91)]);
    assert.equal((await findWarning(administrator, /90 days/))?.path, `${home}/keys?state=unused`);
    assert.ok(await findWarning(administrator, /without a contact/));
    await store.editOrganization(a, { contactEmail: 'daten@stadt.example' });
    assert.equal(await findWarning(administrator, /without a contact/), undefined);
    assert.ok(await findWarning(administrator, /without a licence/));
  });
});

suite('the first steps', () => {
  const stepsOf = async (client: FormClient, path: string) =>
    parseTasks((await client.get(path)).body, 'ol').map(({ text }) => text);

  test('are all that an empty municipality shows, and disappear one by one', async () => {
    const { id } = await store.addOrganization('Neustadt', randomUUID());
    const newcomer = await createSignedInClient(server, store, id);
    const path = `/admin/organizations/${id}`;
    const { body } = await newcomer.get(path);
    assert.deepEqual(
      [...body.matchAll(/<h2[^>]*>([^<]*)/g)].map(([, heading]) => heading),
      ['First steps'],
    );
    assert.match(body, /as soon as the first data is imported\./);
    const steps = parseTasks(body, 'ol');
    assert.deepEqual(
      steps.map(({ path: to }) => to),
      [
        `${path}/imports/new`,
        `${path}/open-data`,
        `${path}/keys/new`,
        `${path}/settings`,
        '/admin/account/second-factor',
      ],
    );
    assert.match(body, /0 of 5 done/);
    for (const { path: to = '' } of steps) assert.equal((await newcomer.open(to)).status, 200, to);
    await fixture.putRecords(id, [{ kind: 'submission', ...createSubmission(1) }]);
    const { body: unread } = await newcomer.get(path);
    assert.match(unread, /Add a contact and a licence/);
    assert.doesNotMatch(unread, /published without/);
    await fixture.putRecords(id, [{ kind: 'retraction', of: 'submission', id: formatSubmissionId(1) }]);
    await issueKey(store, id);
    assert.match((await stepsOf(newcomer, path))[2] ?? '', /Issue your first API key Done/);
    await fixture.putRecords(id, [{ kind: 'submission', ...createSubmission(1) }]);
    const { body: published } = await newcomer.get(path);
    assert.match(published, /<h2[^>]*>Published<.*<h2[^>]*>Needs attention<.*<h2[^>]*>First steps</s);
    assert.doesNotMatch(published, /Issue your first API key/);
    assert.match(published, /2 of 5 done/);
    assert.match(published, /Switch open data on/);
    assert.match(published, /published without a licence/);
    assert.match(published, /Add a contact and a licence/);
    await store.editOrganization(id, { contactEmail: 'a@stadt.example', licenseName: 'CC BY 4.0' });
    assert.match((await newcomer.get(path)).body, /3 of 5 done/);
    await sql('UPDATE account SET totp_secret = $2 WHERE id = $1', [
      newcomer.account.id,
      Buffer.alloc(20, 1),
    ]);
    const { body: done } = await newcomer.get(path);
    assert.doesNotMatch(done, /First steps/);
    assert.match(done, /Nothing needs your attention/);
  });

  test('give way to an import that failed before anything was published', async () => {
    const { id } = await store.addOrganization('Altstadt', randomUUID());
    const failed = await beginRun(store, { organizationId: id, format: 'table', sources: 'b.csv' });
    await store.endRun(failed, 'failed', { code: 'no-records' });
    const path = `/admin/organizations/${id}`;
    assert.equal((await findWarning(operator, /failed/, path))?.path, `${path}/imports/${failed.id}`);
  });

  test('show readers only the step of their own account', async () => {
    const reader = await createSignedInClient(server, store, a, 'reader');
    const { body } = await reader.get(home);
    const [, steps = ''] = /<h2[^>]*>First steps<\/h2>(.*?)<\/ul>/s.exec(body) ?? [];
    assert.equal(steps.match(/<li/g)?.length, 1);
    assert.match(steps, /second factor/);
    assert.doesNotMatch(body, /imports\/new|keys\/new|\/rotate/);
  });
});

test('another municipality gets 404', async () => {
  assert.equal((await administrator.get(`/admin/organizations/${b}`)).status, 404);
});
