/** OParl endpoints with references to missing, inaccessible, restored or unreferenced objects. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Municipality } from '../support/cli-workspace.ts';
import {
  createServedItem,
  createServedMeeting,
  createServedPaper,
  createSyncCommands,
  startCouncilServer,
} from '../support/council-server.ts';
import type { Scope } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { byNight } from '../support/nightly.ts';
import { type Fault, schema } from '../support/oparl-server.ts';

const harness = await createImportHarness({ after });
const { sync } = createSyncCommands(harness);

const listStatuses = async (town: Municipality) =>
  Object.fromEntries(
    (await harness.listAll(town, '/submissions')).map(({ description, status }) => [description, status]),
  );

/** A council with a meeting that refers to an item, which refers to a consultation. Neither is in a list. */
async function createCouncilWithReferences(scope: Scope) {
  const server = await startCouncilServer(scope);
  const at = server.origin;
  const consultation = {
    id: `${at}/consultations/9`,
    type: `${schema}Consultation`,
    paper: `${at}/papers/3`,
  };
  const named = { ...createServedItem(at, 9, 'zugestimmt'), consultation: consultation.id };
  server.lists.meeting = [createServedMeeting(at, 1, [named.id])];
  server.unlistedObjects = [named, consultation];
  return { server, at, named, consultation };
}

test('--full keeps inaccessible objects with the known data, and removes only missing ones', {
  skip: byNight('it synchronises many objects'),
}, async (t) => {
  const { server, at, named, consultation } = await createCouncilWithReferences(t);
  const town = await harness.createMunicipality();
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  const path = (id: string) => id.slice(at.length);
  const elsewhere = { location: 'https://login.example/' };
  const withheld: Fault[] = [
    { status: 401 },
    { status: 403 },
    { status: 302, headers: elsewhere },
    { body: '<html>Anmelden</html>' },
    { body: '{"error":"Anmelden"}' },
  ];
  for (const fault of withheld) {
    for (const both of [true, false]) {
      server.findFault = (asked) =>
        asked === path(named.id) || (both && asked === path(consultation.id)) ? fault : undefined;
      const { code, counts, stderr } = await sync(town, server.bodyUrl, '--full');
      assert.equal(code, 0, stderr);
      assert.deepEqual([counts.unresolved, counts.news, counts.removed], [both ? 2 : 1, 0, 0]);
      assert.equal((await listStatuses(town))['Antrag 3'], 'accepted');
    }
  }
  for (const status of [404, 410]) {
    server.findFault = (asked) => (asked === path(named.id) ? { status } : undefined);
    assert.equal((await sync(town, server.bodyUrl, '--full')).counts.unresolved, 1);
    assert.equal((await listStatuses(town))['Antrag 3'], 'submitted');
    server.findFault = () => undefined;
    assert.equal((await sync(town, server.bodyUrl, '--full')).counts.unresolved, 0);
    assert.equal((await listStatuses(town))['Antrag 3'], 'accepted');
  }
});

test('later runs request missing objects again until they exist', async (t) => {
  const { server, at, named } = await createCouncilWithReferences(t);
  const town = await harness.createMunicipality();
  const { unlistedObjects: unlisted } = server;
  server.unlistedObjects = [];
  assert.deepEqual((await sync(town, server.bodyUrl)).counts.unresolved, 1);
  assert.equal((await listStatuses(town))['Antrag 3'], 'submitted');
  // Repeated requests may fail without ending the run, and reach the limit of requests.
  server.findFault = (path) => (named.id.endsWith(path) ? { status: 500, body: '' } : undefined);
  assert.deepEqual((await sync(town, server.bodyUrl)).counts.unresolved, 1);
  server.findFault = () => undefined;
  const setOptions = (options: object) =>
    harness.workspace.sql('UPDATE import_source SET options = $2 WHERE organization_id = $1', [
      town.id,
      JSON.stringify(options),
    ]);
  await setOptions({ pause: '1', maxRequests: '4' });
  const bounded = await sync(town, server.bodyUrl);
  await setOptions({ pause: '1' });
  assert.deepEqual([bounded.code, bounded.counts.unresolved, bounded.counts.requests], [0, 1, 4]);

  server.unlistedObjects = unlisted;
  const { counts } = await sync(town, server.bodyUrl);
  assert.deepEqual([counts.unresolved, counts.news, counts.changed], [0, 2, 2]);
  assert.equal((await listStatuses(town))['Antrag 3'], 'accepted');
  server.requests.length = 0;
  assert.equal((await sync(town, server.bodyUrl)).counts.unresolved, 0);
  assert.ok(server.requests.every(({ path }) => !path.startsWith('/items/')));

  // Objects that --full found missing are requested again while they are referenced.
  server.unlistedObjects = [];
  await sync(town, server.bodyUrl, '--full');
  assert.equal((await listStatuses(town))['Antrag 3'], 'submitted');
  server.unlistedObjects = unlisted;
  await sync(town, server.bodyUrl);
  assert.equal((await listStatuses(town))['Antrag 3'], 'accepted');

  // When the meeting no longer refers to it, nothing does.
  server.unlistedObjects = [];
  assert.equal((await sync(town, server.bodyUrl, '--full')).counts.unresolved, 1);
  server.put('meeting', createServedMeeting(at, 1, []));
  server.requests.length = 0;
  for (let time = 0; time < 2; time += 1)
    assert.equal((await sync(town, server.bodyUrl)).counts.unresolved, 0);
  assert.ok(server.requests.every(({ path }) => !path.startsWith('/items/')));
});

test('later runs request a hundred of very many missing objects each', {
  skip: byNight('it synchronises many objects'),
}, async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const missing = Array.from({ length: 150 }, (_, n) => `${at}/items/${1_000 + n}`);
  server.lists.meeting = [createServedMeeting(at, 1, missing)];
  const town = await harness.createMunicipality();
  assert.equal((await sync(town, server.bodyUrl)).counts.unresolved, 150);
  server.requests.length = 0;
  assert.equal((await sync(town, server.bodyUrl)).counts.unresolved, 150);
  const again = () =>
    server.requests.filter(({ path }) => path.startsWith('/items/')).map(({ path }) => path);
  assert.equal(new Set(again()).size, 100);
  for (let time = 0; time < 40 && new Set(again()).size < 150; time += 1) await sync(town, server.bodyUrl);
  assert.equal(new Set(again()).size, 150, 'all have their turn');
});

test('an agenda item that is missing, or that its meeting no longer refers to, leaves the agenda', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const items = [1, 2].map((n) => ({
    ...createServedItem(at, n, 'zugestimmt'),
    meeting: `${at}/meetings/1`,
  }));
  server.lists.meeting = [
    createServedMeeting(
      at,
      1,
      items.map(({ id }) => id),
    ),
  ];
  server.unlistedObjects = items;
  const town = await harness.createMunicipality();
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  server.put('meeting', createServedMeeting(at, 1, [`${at}/items/1`]));
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  assert.deepEqual(await listStatuses(town), {
    'Antrag 1': 'accepted',
    'Antrag 2': 'submitted',
    'Antrag 3': 'submitted',
  });
  // It may move to another meeting.
  server.put('meeting', createServedMeeting(at, 2, [`${at}/items/2`]));
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  assert.equal((await listStatuses(town))['Antrag 2'], 'accepted');

  // An object that is missing when its meeting has changed is removed until it exists again.
  server.unlistedObjects = [];
  server.put('meeting', createServedMeeting(at, 1, [`${at}/items/1`], { name: 'Rat' }));
  for (let time = 0; time < 2; time += 1) {
    assert.equal((await sync(town, server.bodyUrl)).counts.unresolved, 1);
    assert.equal((await listStatuses(town))['Antrag 1'], 'submitted');
  }
  server.unlistedObjects = items;
  assert.equal((await sync(town, server.bodyUrl)).counts.unresolved, 0);
  assert.equal((await listStatuses(town))['Antrag 1'], 'accepted');
});

test('agenda items stay on the agenda when they change from references to embedded items, or back', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  // Items without an order are sorted by position, not by id.
  const items = ['zugestimmt', 'abgelehnt'].map((result, n) => ({
    ...createServedItem(at, 2 - n, result),
    order: undefined,
    number: undefined,
  }));
  server.lists.paper = [1, 2].map((n) => createServedPaper(at, n));
  const town = await harness.createMunicipality();
  const agenda = async (content: unknown[], ...flags: string[]) => {
    server.unlistedObjects = content.every((entry) => typeof entry === 'string') ? items : [];
    server.put('meeting', createServedMeeting(at, 1, content));
    const synced = await sync(town, server.bodyUrl, ...flags);
    assert.equal(synced.code, 0, synced.stderr);
    return await listStatuses(town);
  };
  const named = items.map(({ id }) => id);
  const decided = { 'Antrag 1': 'rejected', 'Antrag 2': 'accepted' };
  for (const flags of [[], ['--full']]) {
    assert.deepEqual(await agenda(named, ...flags), decided);
    assert.deepEqual(await agenda(items, ...flags), decided);
    const [{ id }] = await harness.listAll(town, '/sessions');
    const { submissions } = (await harness.get(town, `/sessions/${id}`)).json.data;
    assert.deepEqual(
      submissions.map(({ description }: { description: string }) => description),
      ['Antrag 2', 'Antrag 1'],
    );
    const changed = [items[0], { ...items[1], result: 'vertagt' }];
    assert.deepEqual(await agenda(changed, ...flags), { ...decided, 'Antrag 1': 'in_review' });
    // An item that is no longer embedded leaves the agenda.
    assert.deepEqual(await agenda([items[1]], ...flags), { 'Antrag 1': 'rejected', 'Antrag 2': 'submitted' });
    assert.deepEqual(await agenda(named, ...flags), decided);
  }
});

test('the sync skips a few objects with server errors; very many, or a known one, end the run', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const items = [1, 2, 3, 4, 5, 6].map((n) => createServedItem(at, n, 'zugestimmt'));
  const failing = (n: number) => (path: string) =>
    items.slice(0, n).some(({ id }) => id.endsWith(path)) ? { status: 500, body: '' } : undefined;
  const named = items.map(({ id }) => id);
  server.unlistedObjects = items;
  server.lists.paper = [1, 2, 3, 4, 5, 6].map((n) => createServedPaper(at, n));
  server.lists.meeting = [createServedMeeting(at, 1, named)];
  const town = await harness.createMunicipality();
  server.findFault = failing(6);
  const many = await sync(town, server.bodyUrl);
  assert.equal(many.code, 1);
  assert.match(many.stderr, /items\/6 answered with 500, 4 times.* Nothing was imported/);
  server.findFault = failing(2);
  assert.equal((await sync(town, server.bodyUrl)).counts.unresolved, 2);
  assert.equal((await listStatuses(town))['Antrag 3'], 'accepted');
  assert.equal((await sync(town, server.bodyUrl, '--full')).counts.unresolved, 2);
  server.findFault = () => undefined;
  assert.equal((await sync(town, server.bodyUrl)).counts.unresolved, 0);
  assert.equal((await listStatuses(town))['Antrag 1'], 'accepted');

  // No later run would request it, because its meeting does not change again.
  server.findFault = failing(1);
  server.put('meeting', createServedMeeting(at, 1, [`${at}/items/1`]));
  assert.match((await sync(town, server.bodyUrl)).stderr, /items\/1 answered with 500, 4 times/);
});
