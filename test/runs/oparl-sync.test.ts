/** `rostra source run` with a correct OParl endpoint. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { assertSucceeds, type Municipality } from '../support/cli-workspace.ts';
import {
  createServedItem,
  createServedMeeting,
  createServedOrganization,
  createServedPaper,
  createSyncCommands,
  startCouncilServer,
} from '../support/council-server.ts';
import { toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { schema } from '../support/oparl-server.ts';

const harness = await createImportHarness({ after });
const { sync, readSyncState } = createSyncCommands(harness);

const listStatuses = async (town: Municipality) =>
  Object.fromEntries(
    (await harness.listAll(town, '/submissions')).map(({ description, status }) => [description, status]),
  );

test('a sync reads all pages, follows references, and publishes the same records as an import of the files', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  server.pageSize = 2;
  const loose = { ...createServedItem(at, 5, 'abgelehnt'), consultation: `${at}/consultations/5` };
  const consultation = {
    id: `${at}/consultations/5`,
    type: `${schema}Consultation`,
    paper: `${at}/papers/5`,
  };
  const secret = { ...createServedItem(at, 3), public: false, result: 'geheim' };
  const location = { description: 'Rathaus', room: 'Saal 1', postalCode: '12345', locality: 'Musterstadt' };
  const second = createServedMeeting(at, 2, [`${at}/items/5`, secret, createServedItem(at, 4, 'abgelehnt')], {
    location,
  });
  // Of two meetings at the same time the same one counts, in any order.
  const besides = createServedMeeting(
    at,
    9,
    [{ ...createServedItem(at, 4, 'zugestimmt'), id: `${at}/items/9` }],
    {
      start: second.start,
    },
  );
  server.lists.paper?.push(createServedPaper(at, 4), createServedPaper(at, 5, { consultation: undefined }));
  // The same paper on two pages counts once.
  server.lists.paper?.push(createServedPaper(at, 1));
  server.lists.meeting?.push(besides, second);
  server.unlistedObjects = [loose, consultation];
  const [town, twin] = [await harness.createMunicipality(), await harness.createMunicipality()];

  const { code, stderr, counts } = await sync(town, server.systemUrl);
  assert.equal(code, 0, stderr);
  assert.equal(counts.inserted, 5 + 3);
  assert.equal(counts.unresolved, 0);
  assert.equal(counts.requests, server.requests.length);
  assert.deepEqual(
    server.requests.map(({ path }) => path),
    [
      '/system',
      '/bodies',
      '/lists/organization',
      '/lists/meeting',
      '/lists/meeting?page=2',
      '/lists/paper',
      '/lists/paper?page=2',
      '/lists/paper?page=3',
      '/items/5',
      '/consultations/5',
    ],
  );
  for (const { headers } of server.requests) assert.match(headers['user-agent'] ?? '', /^Rostra\/\d+\.\d+/);

  const files = toNdjson([
    ...Object.values(server.lists)
      .flat()
      .filter((thing, place, all) => all.findIndex(({ id }) => id === thing.id) === place),
    { ...loose, meeting: second.id },
    consultation,
  ]);
  await harness.importContent(twin, files, { format: 'oparl' });
  const places = (await harness.listAll(town, '/search/sessions')).map(({ place }) => place);
  assert.deepEqual(places.filter(Boolean), ['Rathaus, Saal 1, 12345 Musterstadt']);
  for (const list of ['/search/submissions', '/search/sessions']) {
    const [here, there] = await Promise.all([harness.listAll(town, list), harness.listAll(twin, list)]);
    const sortRecords = (records: Record<string, unknown>[]) =>
      records.map(({ id, ...rest }) => JSON.stringify(rest)).sort();
    assert.deepEqual(sortRecords(here), sortRecords(there));
  }
  assert.deepEqual(await listStatuses(town), {
    'Antrag 1': 'accepted',
    'Antrag 2': 'in_review',
    'Antrag 3': 'submitted',
    'Antrag 4': 'accepted',
    'Antrag 5': 'rejected',
  });

  const { url, lastSuccessAt, error, nextAt, runningSince } = await readSyncState(town);
  assert.deepEqual([url, error, nextAt, runningSince], [server.systemUrl, null, null, null]);
  assert.ok(Math.abs(Date.parse(lastSuccessAt) - Date.now()) < 60_000);
});

test('data on people, texts and files of an endpoint is not stored', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const file = { id: `${at}/files/1`, accessUrl: `${at}/files/1.pdf`, text: 'SECRET', author: 'SECRET' };
  server.lists.person = [{ id: `${at}/persons/1`, type: `${schema}Person`, name: 'SECRET' }];
  server.lists.paper = [
    createServedPaper(at, 1, { originatorPerson: ['SECRET'], mainFile: file, text: 'SECRET' }),
  ];
  server.lists.meeting = [
    createServedMeeting(
      at,
      1,
      [{ ...createServedItem(at, 1), public: false, name: 'SECRET', result: 'SECRET' }],
      {
        participant: ['SECRET'],
        invitation: file,
      },
    ),
  ];
  const town = await harness.createMunicipality();
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  const rows = await harness.workspace.sql<{ object: string }>(
    'SELECT object FROM endpoint_object WHERE organization_id = $1',
    [town.id],
  );
  assert.equal(rows.length, 4);
  for (const { object } of rows) assert.doesNotMatch(object, /SECRET/);

  await assertSucceeds(harness.workspace.withDatabase('organization', 'remove', town.id, '--yes'));
  for (const table of ['import_source', 'endpoint_object']) {
    const left = await harness.workspace.sql(`SELECT 1 FROM ${table} WHERE organization_id = $1`, [town.id]);
    assert.equal(left.length, 0);
  }
});

test('files of papers and meetings become documents, embedded or as objects of their own, and disappear with them', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const files = 'https://rat.example.org/files';
  const file = (n: number, fields = {}) => ({
    ...{ id: `${at}/files/${n}`, type: `${schema}File`, fileName: `Erika-${n}.pdf`, text: 'SECRET' },
    ...{
      name: `File ${n}`,
      accessUrl: `${files}/${n}`,
      mimeType: 'application/pdf',
      author: 'SECRET',
      ...fields,
    },
  });
  const minutes = file(4, { name: '', fileName: 'Protokoll-Erika.pdf' });
  const putPaper = (...auxiliaryFile: unknown[]) =>
    server.put('paper', createServedPaper(at, 1, { mainFile: file(1), auxiliaryFile }));
  putPaper(file(2), `${at}/files/3`, `${at}/files/404`, file(5, { deleted: true }));
  server.put(
    'meeting',
    createServedMeeting(at, 1, [createServedItem(at, 1, 'zugestimmt')], {
      invitation: `${at}/files/6`,
      auxiliaryFile: [minutes],
    }),
  );
  server.unlistedObjects = [file(3), file(6), file(7, { deleted: true })];
  const town = await harness.createMunicipality();
  const { code, stdout, stderr } = await sync(town, server.bodyUrl);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /a document is only referenced, and its file is missing/);
  const readDocuments = async () => {
    const found = [
      ...(await harness.listAll(town, '/search/submissions')),
      ...(await harness.listAll(town, '/search/sessions')),
    ];
    return found
      .map(({ documents }) => documents.map(({ title, url }: Record<string, string>) => [title, url]))
      .filter(({ length }) => length > 0);
  };
  const link = (n: number, title = `File ${n}`) => [title, `${files}/${n}`];
  const ofMeeting = [link(6), link(4, 'Anlage')];
  assert.deepEqual(await readDocuments(), [[link(1), link(2), link(3)], ofMeeting]);
  const [one] = (await harness.listAll(town, '/submissions')).filter(
    ({ protocolUrl }) => protocolUrl !== null,
  );
  assert.equal(one.protocolUrl, `${files}/4`, 'minutes are found by the name of the file');

  const listStored = async () =>
    (
      await harness.workspace.sql<{ object: string }>(
        'SELECT object FROM endpoint_object WHERE organization_id = $1',
        [town.id],
      )
    ).map(({ object }) => object);
  for (const object of await listStored()) assert.doesNotMatch(object, /SECRET|Erika|files\/5/);

  putPaper(file(2, { name: 'Renamed' }), `${at}/files/7`);
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  assert.deepEqual(await readDocuments(), [[link(1), link(2, 'Renamed')], ofMeeting]);
  putPaper();
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  assert.deepEqual(await readDocuments(), [[link(1)], ofMeeting]);

  for (const list of ['submissions', 'sessions'] as const)
    for (const { id, documents } of await harness.listAll(town, `/search/${list}`)) {
      if (documents.length === 0) continue;
      const kind = list.slice(0, -1);
      const reason = ['--organization', town.id, '--reason', 'Request for erasure', '--yes'];
      await assertSucceeds(harness.workspace.withDatabase('record', 'remove', kind, id, ...reason));
    }
  for (const object of await listStored()) assert.doesNotMatch(object, /rat\.example\.org|File \d/);
});

test('later runs request changes only, and unchanged objects keep their effect', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const town = await harness.createMunicipality();
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  const changeAndSync = async (change: () => void) => {
    server.requests.length = 0;
    change();
    const synced = await sync(town, server.bodyUrl);
    assert.equal(synced.code, 0, synced.stderr);
    return synced.counts;
  };

  // The endpoint lists only the meeting, which refers to papers that are not listed.
  const decided = await changeAndSync(() =>
    server.put(
      'meeting',
      createServedMeeting(at, 1, [
        createServedItem(at, 1, 'abgelehnt'),
        createServedItem(at, 2, 'zugestimmt'),
      ]),
    ),
  );
  assert.deepEqual([decided.news, decided.changed, decided.inserted], [3, 2, 0]);
  assert.deepEqual(await listStatuses(town), {
    'Antrag 1': 'rejected',
    'Antrag 2': 'accepted',
    'Antrag 3': 'submitted',
  });
  assert.equal((await harness.listAll(town, '/sessions'))[0].submissionCount, 2);
  const since = new URL(server.requests[1]?.path ?? '', at).searchParams.get('modified_since') ?? '';
  assert.match(since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
  assert.ok(Date.parse(since) < Date.now() - 3_600_000, 'the margin');

  // A paper changes, and its meeting is not listed.
  await changeAndSync(() => server.put('paper', createServedPaper(at, 1, { name: 'Antrag 1 neu' })));
  assert.equal((await listStatuses(town))['Antrag 1 neu'], 'rejected');

  const renamed = await changeAndSync(() => server.put('organization', createServedOrganization(at, 'Rat')));
  assert.equal(renamed.changed, 1);
  assert.equal((await harness.listAll(town, '/sessions'))[0].committeeName, 'Rat');

  const gone = await changeAndSync(() => server.remove('paper', `${at}/papers/2`));
  assert.equal(gone.removed, 1);
  assert.equal((await harness.listAll(town, '/sessions'))[0].submissionCount, 1);

  const without = await changeAndSync(() => server.remove('meeting', `${at}/meetings/1`));
  assert.equal(without.removed, 1);
  assert.deepEqual(await listStatuses(town), { 'Antrag 1 neu': 'submitted', 'Antrag 3': 'submitted' });

  const quiet = await changeAndSync(() => undefined);
  assert.deepEqual([quiet.news, quiet.inserted, quiet.changed, quiet.removed], [0, 0, 0, 0]);
});

test('agenda items with their own list change without their meeting; others are fetched with it', async (t) => {
  const server = await startCouncilServer(t);
  const at = server.origin;
  const named = createServedMeeting(at, 1, [`${at}/items/1`, `${at}/items/2`]);
  server.lists.meeting = [named];
  server.unlistedObjects = [createServedItem(at, 1), createServedItem(at, 2)].map((one) => ({
    ...one,
    meeting: named.id,
  }));
  const town = await harness.createMunicipality();
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  server.unlistedObjects = [createServedItem(at, 1, 'vertagt'), createServedItem(at, 2, 'zugestimmt')];
  server.put('meeting', named);
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  assert.equal((await listStatuses(town))['Antrag 2'], 'accepted');
  // A meeting that is listed again is unchanged.
  server.requests.length = 0;
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  assert.ok(server.requests.every(({ path }) => !path.startsWith('/items/')));

  const other = await harness.createMunicipality();
  server.lists.agendaItem = server.unlistedObjects.map((one) => ({ ...one, meeting: named.id }));
  assert.equal((await sync(other, server.bodyUrl)).code, 0);
  assert.equal((await listStatuses(other))['Antrag 2'], 'accepted');
  server.put('agendaItem', { ...createServedItem(at, 2, 'abgelehnt'), meeting: named.id });
  server.remove('agendaItem', `${at}/items/1`);
  assert.equal((await sync(other, server.bodyUrl)).code, 0);
  assert.deepEqual(await listStatuses(other), {
    'Antrag 1': 'submitted',
    'Antrag 2': 'rejected',
    'Antrag 3': 'submitted',
  });

  // The own list has precedence over the items in a meeting.
  const both = await harness.createMunicipality();
  server.lists.meeting = [
    createServedMeeting(at, 1, [createServedItem(at, 2, 'vertagt'), createServedItem(at, 3)]),
  ];
  assert.equal((await sync(both, server.bodyUrl)).code, 0);
  assert.equal((await listStatuses(both))['Antrag 2'], 'rejected');
  server.remove('agendaItem', `${at}/items/2`);
  assert.equal((await sync(both, server.bodyUrl)).code, 0);
  assert.deepEqual(await listStatuses(both), {
    'Antrag 1': 'submitted',
    'Antrag 2': 'submitted',
    'Antrag 3': 'in_review',
  });
});

test('unchanged lists are requested conditionally, and "not modified" changes nothing', async (t) => {
  const server = await startCouncilServer(t);
  server.etags = true;
  const town = await harness.createMunicipality();
  for (let time = 0; time < 2; time += 1) assert.equal((await sync(town, server.bodyUrl)).code, 0);
  server.requests.length = 0;
  const { counts } = await sync(town, server.bodyUrl);
  const lists = server.requests.filter(({ path }) => path.startsWith('/lists/'));
  assert.equal(lists.length, 3);
  for (const { headers } of lists) assert.ok(headers['if-none-match']);
  assert.deepEqual([counts.unchanged, counts.news], [4, 0]);
  // A full sync must not get "not modified".
  server.requests.length = 0;
  for (let time = 0; time < 2; time += 1)
    assert.equal((await sync(town, server.bodyUrl, '--full')).counts.unchanged, 4);
  for (const { headers } of server.requests) assert.equal(headers['if-none-match'], undefined);
});

test('--full removes records that no longer exist, but never all of them', async (t) => {
  const server = await startCouncilServer(t);
  const town = await harness.createMunicipality();
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  server.lists.paper?.pop();
  assert.equal((await sync(town, server.bodyUrl)).counts.removed, 0);
  assert.equal((await sync(town, server.bodyUrl, '--full')).counts.removed, 1);
  server.lists.paper = [];
  const { code, stderr } = await sync(town, server.bodyUrl, '--full');
  assert.equal(code, 1);
  assert.match(stderr, /lists 0 papers .* but had 2 .*Nothing was imported/s);
  assert.equal((await harness.listAll(town, '/submissions')).length, 2);
});

test('--full removes nothing if a list returns fewer objects than it counts, and says so', async (t) => {
  const server = await startCouncilServer(t);
  const town = await harness.createMunicipality();
  await sync(town, server.bodyUrl);
  const [removed] = server.lists.paper?.splice(-1) ?? [];
  server.pageSize = 2;
  server.withheld = 1;
  const short = await sync(town, server.bodyUrl, '--full');
  assert.equal(short.code, 0, short.stderr);
  assert.equal(short.counts.removed, 0);
  const returned = server.lists.paper?.length ?? 0;
  assert.ok(
    String(short.counts.notes).includes(
      `The list ${server.origin}/lists/paper counts ${returned + 1} objects, but returned ${returned}. Therefore no missing record was removed.`,
    ),
    String(short.counts.notes),
  );
  server.withheld = 0;
  assert.notEqual(removed, undefined);
  const complete = await sync(town, server.bodyUrl, '--full');
  assert.equal(complete.counts.removed, 1);
  assert.doesNotMatch(String(complete.counts.notes), /counts/);
});

test('the next run asks for the same changes again after a list that returned fewer objects than it counts', async (t) => {
  const server = await startCouncilServer(t);
  server.etags = true;
  const town = await harness.createMunicipality();
  await sync(town, server.bodyUrl);
  const syncAndFindSince = async () => {
    server.requests.length = 0;
    const { counts } = await sync(town, server.bodyUrl);
    const [list] = server.requests.filter(({ path }) => path.startsWith('/lists/paper'));
    const since = new URL(list?.path ?? '', server.origin).searchParams.get('modified_since');
    return { since, counts, condition: list?.headers['if-none-match'] };
  };
  server.put('paper', createServedPaper(server.origin, 7));
  server.withheld = 1;
  const short = await syncAndFindSince();
  assert.equal(short.counts.inserted, 1);
  server.withheld = 0;
  const complete = await syncAndFindSince();
  assert.deepEqual([complete.since, complete.condition], [short.since, undefined]);
  assert.notEqual(short.since, null);
});

test('a sync repeats its redaction, and an import of files never deletes its records', async (t) => {
  const server = await startCouncilServer(t);
  server.lists.paper?.push(createServedPaper(server.origin, 4, { name: 'Antrag von a@b.de' }));
  const town = await harness.createMunicipality();
  const listDescriptions = async () =>
    (await harness.listAll(town, '/submissions')).map(({ description }) => description);
  assert.equal((await sync(town, server.bodyUrl, '--redact', 'email')).code, 0);
  assert.equal((await sync(town, server.bodyUrl)).code, 0);
  const looser = await sync(town, server.bodyUrl, '--redact', 'iban');
  assert.equal(looser.code, 1);
  assert.match(looser.stderr, /^Earlier imports of this source redacted email\. .+--loosen-redaction/);
  assert.ok((await listDescriptions()).includes('Antrag von [E-Mail]'));

  const createPaper = (n: number) => createServedPaper('https://ris.example', n);
  const flags = ['--delete-missing'];
  await harness.importContent(town, toNdjson([createPaper(7), createPaper(8)]), { format: 'oparl' });
  const imported = await harness.importContent(town, toNdjson([createPaper(8)]), { format: 'oparl', flags });
  assert.deepEqual([imported.counts.missing, imported.counts.removed], [1, 1]);
  assert.equal((await listDescriptions()).length, 5);
  const loosened = await sync(town, server.bodyUrl, '--loosen-redaction', '--accept', 'email');
  assert.equal(loosened.code, 0, loosened.stderr);
  assert.ok((await listDescriptions()).includes('Antrag von a@b.de'));
});

test('a system with several bodies needs --body; a list of papers is enough', async (t) => {
  const server = await startCouncilServer(t);
  server.otherBodies = ['Nebenort'];
  const town = await harness.createMunicipality();
  const bodies = await sync(town, server.systemUrl);
  assert.equal(bodies.code, 1);
  assert.match(bodies.stderr, /2 bodies .*--body.*"Musterstadt", "http.*\/body"; "Nebenort"/);
  assert.match((await sync(town, server.systemUrl, '--body', 'Nirgends')).stderr, /no body "Nirgends"/);
  assert.equal((await sync(town, server.systemUrl, '--body', 'Musterstadt')).counts.inserted, 4);
  assert.equal((await sync(town, `${server.origin}/bodies`, '--body', server.bodyUrl)).counts.unchanged, 4);
  const listed = await sync(await harness.createMunicipality(), `${server.origin}/lists/paper`);
  assert.equal(listed.counts.inserted, 3);
});

test('objects without a type have the type of their list', async (t) => {
  const server = await startCouncilServer(t);
  for (const objects of Object.values(server.lists))
    for (const object of objects) Reflect.deleteProperty(object, 'type');
  const town = await harness.createMunicipality();
  assert.equal((await sync(town, server.systemUrl)).counts.inserted, 4);
});
