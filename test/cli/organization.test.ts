import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, suite, test } from 'node:test';
import { newDesk, newMunicipality, refused, run, succeed } from '../support/cli-workspace.ts';
import { ndjson } from '../support/files.ts';
import { submission } from '../support/records.ts';
import { startServerProcess } from '../support/server-process.ts';

const desk = await newDesk({ after });
await succeed(desk.on('organization', 'add', 'Zuerst'));

const list = async () => JSON.parse(await succeed(desk.on('organization', 'list', '--json')));
const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

suite('organization add', { concurrency: 3 }, () => {
  test('prints the new id and nothing else on standard output', async () => {
    const { code, stdout, stderr } = await run(desk.on('organization', 'add', 'Musterstadt'));
    assert.equal(code, 0);
    assert.match(stdout.trimEnd(), uuidText);
    assert.match(stderr, /key issue --organization "Musterstadt"/);
  });

  test('with --json prints the organization', async () => {
    const added = JSON.parse(await succeed(desk.on('organization', 'add', 'Jotstadt', '--json')));
    assert.deepEqual(Object.keys(added).sort(), ['createdAt', 'id', 'name']);
    assert.equal(added.name, 'Jotstadt');
    assert.equal(new Date(added.createdAt).toISOString(), added.createdAt);
  });

  test('accepts an id and stores it in lower case', async () => {
    const id = randomUUID();
    assert.equal(await succeed(desk.on('organization', 'add', 'Großbuch', '--id', id.toUpperCase())), id);
  });

  test('rejects a name in use, and an id in use in any case', async () => {
    const id = await succeed(desk.on('organization', 'add', 'Doppelt'));
    await refused(
      desk.on('organization', 'add', 'Doppelt'),
      1,
      /^An organization with this name already exists: Doppelt/,
    );
    const again = desk.on('organization', 'add', 'Anders', '--id', id.toUpperCase());
    await refused(again, 1, /with this id already exists: Doppelt/);
    assert.ok((await list()).every(({ name }: { name: string }) => name !== 'Anders'));
  });

  test('reports a name in use even if it resembles a connection error', async () => {
    for (const name of ['Esslingen am Neckar', 'Timeout Terminated Socket']) {
      await succeed(desk.on('organization', 'add', name));
      await refused(
        desk.on('organization', 'add', name),
        1,
        /^An organization with this name already exists/,
      );
    }
  });

  test('accepts names of 200 characters in any script, with quotes', async () => {
    const names = ['🏛'.repeat(200), `L’Haÿ-les-Roses "Süd" 'x' $(id) \\`];
    const ids = await Promise.all(names.map((name) => succeed(desk.on('organization', 'add', name))));
    const listed = new Map((await list()).map((one: { id: string; name: string }) => [one.id, one.name]));
    assert.deepEqual(
      ids.map((id) => listed.get(id)),
      names,
    );
  });

  const names = {
    'an empty name': '',
    'a name of 201 characters': 'x'.repeat(201),
    'a line break': 'a\nb',
    'a C1 control character': 'a\u0085b',
  };
  for (const [what, name] of Object.entries(names)) {
    test(`rejects ${what} with exit code 2`, async () => {
      await refused(desk.on('organization', 'add', name), 2, /The name must have 1 to 200 characters/);
    });
  }

  test('rejects an id that is not a UUID of RFC 9562 with exit code 2', async () => {
    const ids = ['', randomUUID().replaceAll('-', ''), 'aaaaaaaa-0000-0000-8000-000000000001'];
    for (const id of ids) {
      await refused(desk.on('organization', 'add', 'Ohne', '--id', id), 2, /It must be a UUID of RFC 9562/);
    }
  });
});

test('organization list shows the numbers of published records by name, as a table and as JSON', async () => {
  const own = await newDesk({ after });
  const a = await newMunicipality(own, 'Bergen');
  await newMunicipality(own, 'Auen');
  const records = own.file(
    'x.ndjson',
    ndjson([
      { kind: 'submission', ...submission(1) },
      { kind: 'submission', ...submission(2) },
      { kind: 'session', id: 's', committeeName: 'Rat', date: '2026-03-01' },
      { kind: 'survey', surveyId: 'u', title: 'T', status: 'closed', totalResponses: 10, questions: [] },
    ]),
  );
  await succeed(own.on('import', 'rostra', records, '--organization', a.id));
  const rows = JSON.parse(await succeed(own.on('organization', 'list', '--json')));
  assert.deepEqual(
    rows.map(({ name, submissions, sessions, surveys, activeKeys }: Record<string, unknown>) => [
      name,
      submissions,
      sessions,
      surveys,
      activeKeys,
    ]),
    [
      ['Auen', 0, 0, 0, 1],
      ['Bergen', 2, 1, 1, 1],
    ],
  );
  const table = await succeed(own.on('organization', 'list'));
  assert.match(table, /^ID +NAME +SUBMISSIONS +SESSIONS +SURVEYS +ACTIVE KEYS$/m);
  assert.match(table, new RegExp(`^${a.id} +Bergen +2 +1 +1 +1$`, 'm'));
});

suite('organization remove', () => {
  test('without a terminal and without --yes removes nothing and exits with 2', async () => {
    const { id, name } = await newMunicipality(desk);
    for (const input of [undefined, `${name}\n`]) {
      const options = input === undefined ? {} : { input };
      await refused(desk.on('organization', 'remove', id), 2, /Nothing was removed\. Use --yes/, options);
    }
    assert.ok((await list()).some((one: { id: string }) => one.id === id));
  });

  test('with --yes removes data and keys: a running server rejects the key immediately', async (t) => {
    const gone = await newMunicipality(desk);
    const stays = await newMunicipality(desk);
    const records = desk.file('both.ndjson', ndjson([{ kind: 'submission', ...submission(1) }]));
    for (const { id } of [gone, stays])
      await succeed(desk.on('import', 'rostra', records, '--organization', id));
    const server = await startServerProcess(t, desk.database);
    assert.equal((await server.get('/me', { key: gone.key })).status, 200);
    const { stdout } = await run(desk.on('organization', 'remove', gone.name, '--yes'));
    assert.equal(stdout, '');
    assert.equal((await server.get('/me', { key: gone.key })).status, 401);
    assert.equal((await server.get('/submissions', { key: stays.key })).json.data.length, 1);
    for (const table of ['submission', 'api_key', 'rate_window']) {
      const left = await desk.sql(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [gone.id]);
      assert.deepEqual(left, [], table);
    }
    await refused(desk.on('organization', 'remove', gone.id, '--yes'), 1, /Unknown municipality/);
  });

  test('reports an unknown municipality and the command that lists all', async () => {
    await refused(
      desk.on('organization', 'remove', 'Nirgendwo', '--yes'),
      1,
      /Unknown municipality "Nirgendwo"\. "rostra organization list"/,
    );
  });

  test('prefers the municipality with the id to one with the id as its name', async () => {
    const meant = await newMunicipality(desk);
    const namesake = await succeed(desk.on('organization', 'add', meant.id));
    await succeed(desk.on('organization', 'remove', meant.id.toUpperCase(), '--yes'));
    const ids = (await list()).map(({ id }: { id: string }) => id);
    assert.ok(!ids.includes(meant.id));
    assert.ok(ids.includes(namesake));
  });
});

test('survey list shows the surveys of one municipality with the path of their results', async () => {
  const own = await newDesk({ after });
  const town = await newMunicipality(own, 'Bergen');
  const survey = { kind: 'survey', status: 'closed', totalResponses: 512, questions: [] };
  const drafted = { ...survey, surveyId: 'b', title: 'Noch nicht', status: 'draft' };
  const records = own.file('x.ndjson', ndjson([{ ...survey, surveyId: 'a', title: 'Radfahren' }, drafted]));
  await succeed(own.on('import', 'rostra', records, '--organization', town.id));
  const list = (...more: string[]) => succeed(own.on('survey', 'list', '--organization', 'Bergen', ...more));
  const listed = JSON.parse(await list('--json')).find(
    ({ title }: { title: string }) => title === 'Radfahren',
  );
  const table = await list();
  assert.match(table, new RegExp(`^Radfahren +closed +512 +/api/v1/surveys/${listed.id}/results$`, 'm'));
  assert.match(table, /^Noch nicht +draft +512 +–$/m);
  const server = await startServerProcess({ after }, own.database);
  assert.equal(
    (await server.get(`/surveys/${listed.id}/results`, { key: town.key })).json.data.title,
    'Radfahren',
  );
});

test('every command with --organization rejects an unknown municipality', async () => {
  const sentence = /Unknown municipality "Nirgendwo"/;
  await refused(desk.on('key', 'issue', '--organization', 'Nirgendwo', '--name', 'x'), 1, sentence);
  await refused(desk.on('key', 'list', '--organization', 'Nirgendwo'), 1, sentence);
  await refused(desk.on('import', 'rostra', '-', '--organization', 'Nirgendwo'), 1, sentence);
});

test('key list rejects an empty --organization instead of listing all keys', async () => {
  await refused(desk.on('key', 'list', '--organization', ''), 1, /Unknown municipality ""/);
});
