import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createUuidV5 } from '../../src/domain/values/uuid.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportHarness } from '../support/import-harness.ts';
import {
  composeType,
  composeUrl,
  createConsultation,
  createItem,
  createMeeting,
  createOrganization,
  createPaper,
} from '../support/oparl-builders.ts';

const harness: ImportHarness = await createImportHarness({ after });
type Town = Awaited<ReturnType<ImportHarness['createMunicipality']>>;

const oparl = { format: 'oparl' as const };
const importObjects = (town: Town, objects: unknown[], flags: string[] = []) =>
  harness.importContent(town, toNdjson(objects), { ...oparl, flags });

async function publishObjects(objects: unknown[], flags: string[] = []) {
  const town = await harness.createMunicipality();
  const result = await importObjects(town, objects, flags);
  return { town, result, session: await createSessionReader(town) };
}

/** @returns the published session of a meeting with the numbers of the papers on its agenda */
async function createSessionReader(town: Town) {
  return async (id: number) => {
    const { status, json } = await harness.get(
      town,
      `/sessions/${createUuidV5(composeUrl('meetings', id), town.id)}`,
    );
    if (status === 404) return undefined;
    const { submissions, ...fields } = json.data;
    const agenda = submissions.map((one: { description: string }) => one.description.replace('Antrag ', ''));
    return { ...fields, agenda: agenda.join(' ') };
  };
}

suite('an OParl meeting', { concurrency: 3 }, () => {
  test('becomes a session with a UUID from its URL', async () => {
    const { town, result, session } = await publishObjects([
      createMeeting(1, { agendaItem: [createItem(1)] }),
      createPaper(1),
    ]);
    assertCounts(result, { inserted: 2 });
    assert.deepEqual(await session(1), {
      id: createUuidV5(composeUrl('meetings', 1), town.id),
      committeeName: 'Gemeinderat',
      date: '2026-03-17',
      timeSlot: '16:30-18:45',
      submissionCount: 1,
      createdAt: '2026-01-05T07:00:00.000Z',
      agenda: '1',
    });
  });

  test('has the name of its first organization, else its own name without number, date and attendance', async () => {
    const names: [fields: object, committee: string][] = [
      [
        { organization: [composeUrl('organizations', 1), composeUrl('organizations', 2)] },
        'Ausschuss für Umwelt',
      ],
      [{ organization: [composeUrl('organizations', 9)], name: 'Planungsausschuss' }, 'Planungsausschuss'],
      [{ organization: [], name: 'Gemeinderat (öffentlich)' }, 'Gemeinderat'],
      [{ name: 'Gemeinderat (öffentlich/nicht öffentlich)' }, 'Gemeinderat'],
      [{ name: 'Gemeinderat (Öffentlicher Teil)' }, 'Gemeinderat'],
      [{ name: 'Beirat (nicht öffentlich)' }, 'Beirat'],
      [{ name: 'Ortschaftsrat (Durlach)' }, 'Ortschaftsrat (Durlach)'],
      [{ name: ' Gemeinderat ' }, 'Gemeinderat'],
      [{ name: 'Bauausschuss (29. Sitzung)' }, 'Bauausschuss'],
      [{ name: 'Bauausschuss - 12. Sitzung 2024 (öffentlich)' }, 'Bauausschuss'],
      [{ name: '29. öffentliche Sitzung des Bauausschusses' }, 'Bauausschuss'],
      [{ name: 'Sitzung des Rates der Stadt am 12. März 2024' }, 'Rat der Stadt'],
      [{ name: '3. (außerordentliche) Sitzung der Bezirksvertretung Mitte' }, 'Bezirksvertretung Mitte'],
      [{ name: 'Ortschaftsrat Grötzingen - konstituierende Sitzung' }, 'Ortschaftsrat Grötzingen'],
      [{ name: 'Gemeinderat, 12.03.2024\r\nTOP 1: Verschiedenes' }, 'Gemeinderat'],
      [{ name: 'Bauausschuss öffentlich' }, 'Bauausschuss'],
      [{ name: '29. Sitzung' }, '29. Sitzung'],
      [{ name: 'Ersatz für die abgesagte Sitzung' }, 'Ersatz für die abgesagte Sitzung'],
      [{ name: 'Sportausschuss - Ersatz für die abgesagte Sitzung' }, 'Sportausschuss'],
      [{ name: 'Sitzung des Vorstandes' }, 'Sitzung des Vorstandes'],
      [{ name: 'Ausschuss für öffentliche Ordnung' }, 'Ausschuss für öffentliche Ordnung'],
      [{ name: 'Bezirksbeirat 21' }, 'Bezirksbeirat 21'],
      [
        { name: 'Gemeinsame Sitzung Planungsausschuss und Beirat' },
        'Gemeinsame Sitzung Planungsausschuss und Beirat',
      ],
    ];
    const organizations = [createOrganization(1, 'Ausschuss für Umwelt'), createOrganization(2, 'Andere')];
    const { session } = await publishObjects([
      ...names.map(([fields], n) => createMeeting(n, fields)),
      ...organizations,
    ]);
    for (const [n, [fields, committee]] of names.entries()) {
      assert.equal((await session(n))?.committeeName, committee, JSON.stringify(fields));
    }
  });

  test('has a time slot with an end only if it is later within a day; date and times are local', async () => {
    const times: [start: string, end: unknown, date: string, timeSlot: string | null][] = [
      ['2026-03-17T16:30:00+01:00', '2026-03-17T18:45:00+01:00', '2026-03-17', '16:30-18:45'],
      ['2026-03-17T16:30:00+01:00', '2026-03-17T00:00:00+01:00', '2026-03-17', '16:30'],
      ['2026-03-17T16:30:00+01:00', '2026-03-17T16:30:00+01:00', '2026-03-17', '16:30'],
      ['2026-03-17T16:30:00+01:00', undefined, '2026-03-17', '16:30'],
      ['2026-03-17T16:30:00+01:00', null, '2026-03-17', '16:30'],
      ['2026-03-17T22:00:00+01:00', '2026-03-18T00:30:00+01:00', '2026-03-17', '22:00-00:30'],
      ['2026-03-17T16:30:00+01:00', '2026-03-19T18:00:00+01:00', '2026-03-17', '16:30'],
      ['2026-03-17T17:00:00+01:00', '2026-03-18T00:00:00+01:00', '2026-03-17', '17:00'],
      ['2026-03-17T00:00:00+01:00', '2026-03-17T00:00:00+01:00', '2026-03-17', null],
      ['2026-03-17T00:00:00+01:00', undefined, '2026-03-17', null],
      ['2026-03-17T00:00:00+01:00', '2026-03-17T20:00:00+01:00', '2026-03-17', '00:00-20:00'],
      ['2026-07-17T22:30:00Z', '2026-07-17T23:00:00Z', '2026-07-18', '00:30-01:00'],
      ['2026-01-17T23:30:00Z', undefined, '2026-01-18', '00:30'],
      ['2026-07-17T16:30:00', '2026-07-17T18:00:00', '2026-07-17', '16:30-18:00'],
      ['2026-10-25T01:30:00+02:00', '2026-10-25T02:30:00+01:00', '2026-10-25', '01:30-02:30'],
    ];
    const { result, session } = await publishObjects(
      times.map(([start, end], n) => createMeeting(n, { start, end })),
    );
    assert.equal(result.code, 0, result.stderr);
    for (const [n, [start, , date, timeSlot]] of times.entries()) {
      const found = await session(n);
      assert.deepEqual([found?.date, found?.timeSlot], [date, timeSlot], start);
    }
  });

  test('whose title begins or ends with a word for cancelled is removed, and the dry run lists it', async () => {
    const names = [
      'ENTFÄLLT - Sportausschuss',
      'Sportausschuss (abgesagt)',
      'Bauausschuss fällt aus!',
      'CANCELLED: Council',
      'Conseil municipal – annulé',
      'Bauausschuss abgesagt (öffentlich)',
      'Ersatztermin Rat - entfällt',
      '<b>ENTF&Auml;LLT</b> Beirat',
      'Sportausschuss - Ersatz für die abgesagte Sitzung',
      'Abgesagte Sitzungen: Ausschuss',
      'Ausschuss für ausgefallene Termine',
      'Beirat: Sitzung nicht abgesagt',
      'Ersatztermin Rat (Sitzung vom 20.3. entfällt)',
    ];
    const meetings = names.map((name, index) => createMeeting(index, { organization: [], name }));
    const town = await harness.createMunicipality();
    await importObjects(
      town,
      meetings.map((meeting) => ({ ...meeting, name: 'Ausschuss' })),
    );
    const dryRun = await importObjects(town, meetings, ['--dry-run']);
    const listed = [...String(dryRun.counts.notes).matchAll(/the session is cancelled: ([^,]+)/g)];
    assert.deepEqual(
      listed.map(([, title]) => title),
      [...names.slice(0, 7), 'ENTFÄLLT Beirat'],
    );
    assertCounts(dryRun, { removed: 8, changed: 5 });
    assertCounts(await importObjects(town, meetings), { removed: 8, changed: 5 });
    assertCounts(await importObjects(town, meetings), { ignored: 8, unchanged: 5 });
  });

  test('has local times in --time-zone', async () => {
    const { session } = await publishObjects(
      [createMeeting(1, { start: '2026-03-17T23:30:00Z', end: undefined })],
      ['--time-zone', 'Asia/Tokyo'],
    );
    const found = await session(1);
    assert.deepEqual([found?.date, found?.timeSlot], ['2026-03-18', '08:30']);
  });

  suite('has an agenda that', { concurrency: 2 }, () => {
    const papers = [1, 2, 3, 4, 5].map((n) => createPaper(n));

    test('is sorted by order, else by number in natural order; other items are last', async () => {
      const { session } = await publishObjects([
        ...papers,
        createMeeting(1, {
          agendaItem: [
            createItem(3, { order: 3 }),
            createItem(1, { order: 1 }),
            createItem(2, { order: 2 }),
            createItem(4),
          ],
        }),
        createMeeting(2, {
          agendaItem: [
            createItem(3, { number: '10' }),
            createItem(1, { number: '2' }),
            createItem(2, { number: '9.1' }),
          ],
        }),
        createMeeting(3, {
          agendaItem: [createItem(3, { number: 'Ö 10' }), createItem(1, { number: 'Ö 2' })],
        }),
        createMeeting(4, { agendaItem: [createItem(3), createItem(1), createItem(2)] }),
      ]);
      const agendas = [];
      for (const id of [1, 2, 3, 4]) agendas.push((await session(id))?.agenda);
      assert.deepEqual(agendas, ['1 2 3 4', '1 2 3', '1 3', '3 1 2']);
    });

    test('lists each paper once, at its first position', async () => {
      const { session } = await publishObjects([
        ...papers,
        createMeeting(1, {
          agendaItem: [createItem(2, { order: 1 }), createItem(1, { order: 2 }), createItem(2, { order: 3 })],
        }),
      ]);
      assert.equal((await session(1))?.agenda, '2 1');
    });

    test('skips items that are not public or deleted, and papers that are missing or have an unwanted type', async () => {
      const { session } = await publishObjects([
        ...papers,
        createPaper(9, { paperType: 'Beschlussvorlage' }),
        createMeeting(1, {
          agendaItem: [
            createItem(1, { public: false }),
            createItem(2, { deleted: true }),
            createItem(3, { consultation: undefined }),
            createItem(9),
            createItem(77),
            createItem(4, { public: true }),
            createItem(5),
          ],
        }),
      ]);
      assert.equal((await session(1))?.agenda, '4 5');
    });

    test('is the same for papers before, after and between meetings', async () => {
      const meetings = [
        createMeeting(1, { agendaItem: [createItem(2), createItem(1)] }),
        createMeeting(2, {
          agendaItem: [createItem(1, { result: 'beschlossen' })],
          start: '2026-05-01T10:00:00Z',
          end: undefined,
        }),
      ];
      const orders = [
        [...papers, ...meetings],
        [...meetings, ...papers],
        [meetings[0], ...papers, meetings[1]],
      ];
      const published = [];
      for (const order of orders) {
        const { town, session } = await publishObjects(order);
        const statuses = (await harness.listAll(town, '/submissions')).map(
          ({ description, status }) => `${description} ${status}`,
        );
        published.push([(await session(1))?.agenda, (await session(2))?.agenda, ...statuses.toSorted()]);
      }
      assert.deepEqual(published[0]?.slice(0, 2), ['2 1', '1']);
      assert.deepEqual(published[1], published[0]);
      assert.deepEqual(published[2], published[0]);
    });

    test('combines separate items and consultations, and consultations given as URLs', async () => {
      const { session } = await publishObjects([
        createItem(1, { meeting: composeUrl('meetings', 1), order: 1, result: 'beschlossen' }),
        createMeeting(1, { agendaItem: [createItem(3, { order: 3 })] }),
        createPaper(1, { consultation: undefined }),
        createPaper(2, { consultation: [composeUrl('consultations', 2)] }),
        createPaper(3),
        createItem(2, {
          meeting: composeUrl('meetings', 1),
          order: 2,
          consultation: { id: composeUrl('consultations', 2) },
        }),
        createConsultation(1),
      ]);
      assert.equal((await session(1))?.agenda, '1 2 3');
    });

    test('includes papers that an embedded consultation names, with or without an id, unless it is deleted', async () => {
      const paper = (n: number) => createPaper(n, { consultation: undefined });
      const { session, town } = await publishObjects([
        ...[1, 2, 3, 4].map(paper),
        createMeeting(1, {
          agendaItem: [
            createItem(1, {
              consultation: { id: composeUrl('consultations', 1), paper: composeUrl('papers', 1) },
            }),
            createItem(2, { consultation: { paper: composeUrl('papers', 2) }, result: 'abgelehnt' }),
            createItem(3, { consultation: { paper: { id: composeUrl('papers', 3) } } }),
            createItem(4, { consultation: { paper: composeUrl('papers', 4), deleted: true } }),
          ],
        }),
      ]);
      assert.equal((await session(1))?.agenda, '1 2 3');
      const statuses = (await harness.listAll(town, '/submissions')).map(
        ({ description, status }) => `${description} ${status}`,
      );
      assert.deepEqual(statuses.toSorted(), [
        'Antrag 1 in_review',
        'Antrag 2 rejected',
        'Antrag 3 in_review',
        'Antrag 4 submitted',
      ]);
    });

    test('is unchanged by an input with meetings but no papers', async () => {
      const { town, session } = await publishObjects([
        ...papers,
        createMeeting(1, { agendaItem: [createItem(2), createItem(1)] }),
      ]);
      const result = await importObjects(town, [
        createMeeting(1, { agendaItem: [createItem(2), createItem(1)], name: 'Neuer Name' }),
      ]);
      assertCounts(result, { changed: 1 });
      const found = await session(1);
      assert.deepEqual([found?.committeeName, found?.agenda], ['Neuer Name', '2 1']);
    });

    test('may not exceed 1,000 papers, and then only rejects this meeting', async () => {
      const many = Array.from({ length: 1_001 }, (_, n) => createPaper(n));
      const { result } = await publishObjects([
        ...many,
        createMeeting(1, { agendaItem: many.map((_, n) => createItem(n)) }),
      ]);
      assert.ok(result.code === 0 || result.code === 3, result.stderr);
      assert.ok((result.counts.inserted as number) >= 1_001);
    });
  });

  suite('of a deleted object', { concurrency: 2 }, () => {
    test('or a cancelled meeting, or a paper of an unwanted type, is removed', async () => {
      const { town } = await publishObjects([
        createPaper(1),
        createPaper(2),
        createPaper(3),
        createMeeting(1, { agendaItem: [createItem(1), createItem(2), createItem(3)] }),
        createMeeting(2),
        createMeeting(3),
      ]);
      const later = [
        { id: composeUrl('papers', 1), type: composeType('Paper'), deleted: true },
        createPaper(2, { paperType: 'Beschlussvorlage' }),
        { id: composeUrl('meetings', 2), type: composeType('Meeting'), deleted: true },
        createMeeting(3, { cancelled: true }),
      ];
      assertCounts(await importObjects(town, later), { removed: 4 });
      assert.deepEqual(
        (await harness.listAll(town, '/submissions')).map(({ description }) => description),
        ['Antrag 3'],
      );
      assert.deepEqual(
        (await harness.listAll(town, '/sessions')).map(({ submissionCount }) => submissionCount),
        [1],
      );
      assertCounts(await importObjects(town, later), { ignored: 4 });
    });

    test('that was never imported is ignored', async () => {
      const { result, town } = await publishObjects([
        createPaper(1, { deleted: true }),
        createMeeting(1, { cancelled: true }),
        createMeeting(2, { deleted: true, start: undefined }),
      ]);
      assertCounts(result, { ignored: 3 });
      assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    });
  });

  test('is unchanged by a second import', async () => {
    const objects = [
      createPaper(1),
      createPaper(2),
      createMeeting(1, { agendaItem: [createItem(2), createItem(1, { result: 'abgelehnt' })] }),
      createOrganization(1, 'x'),
    ];
    const { town } = await publishObjects(objects);
    assertCounts(await importObjects(town, objects), { unchanged: 3, ignored: 1 });
    assertCounts(await importObjects(town, objects.toReversed()), { unchanged: 3, ignored: 1 });
  });

  test('may have types of OParl 1.0, and types with another base URL', async () => {
    const old = (object: { type: string }) => ({ ...object, type: object.type.replace('/1.1/', '/1.0/') });
    const { result } = await publishObjects([
      old(createPaper(1)),
      old(createMeeting(1)),
      { ...createPaper(2), type: 'Paper' },
    ]);
    assertCounts(result, { inserted: 3 });
  });

  test('is read from external lists, arrays, and a folder of pretty-printed documents', async () => {
    const objects = [
      createPaper(1),
      createPaper(2),
      createMeeting(1, { agendaItem: [createItem(1), createItem(2)] }),
    ];
    const folder = join(harness.workspace.folder, 'council');
    mkdirSync(join(folder, 'meetings'), { recursive: true });
    writeFileSync(join(folder, 'meetings/1.json'), JSON.stringify(objects[2], null, 2));
    writeFileSync(
      join(folder, 'papers.json'),
      JSON.stringify({ data: objects.slice(0, 2), pagination: { totalElements: 2 } }, null, 4),
    );
    const inputs = [
      toNdjson([{ data: objects.slice(0, 2), links: {} }, { data: [objects[2]] }]),
      JSON.stringify({ data: objects }),
      JSON.stringify(objects, null, 2),
      JSON.stringify([{ data: objects }]),
      [folder],
    ];
    for (const input of inputs) {
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, input, oparl);
      assert.equal(result.code, 0, result.stderr);
      assertCounts(result, { inserted: 3 });
      assert.equal((await (await createSessionReader(town))(1))?.agenda, '1 2');
    }
  });

  test('rejected in an external list is reported with its entry', async () => {
    const { result } = await publishObjects([
      { data: [createPaper(1), createPaper(2, { name: undefined })] },
    ]);
    assertCounts(result, { inserted: 1, rejected: 1 });
    assert.deepEqual([result.rejections[0]?.line, result.rejections[0]?.entry], [undefined, 2]);
  });

  test('without papers or organizations in the input is reported as incomplete', async () => {
    const parts: [objects: unknown[], notes: RegExp[]][] = [
      [[createPaper(1)], [/^There was no meeting in the input/]],
      [[createMeeting(1)], [/^There was no paper in the input/, /^There was no organization in the input/]],
      [[createPaper(1), createMeeting(1)], [/^There was no organization in the input/]],
      [[createPaper(1), createMeeting(1), createOrganization(1, 'Rat')], []],
      [[createOrganization(1, 'Rat')], []],
      [[createMeeting(1, { cancelled: true })], []],
    ];
    for (const [objects, expected] of parts) {
      const { result } = await publishObjects(objects);
      const notes = result.counts.notes as unknown as string[];
      assert.equal(notes.length, expected.length, JSON.stringify(notes));
      for (const [index, pattern] of expected.entries()) assert.match(notes[index] as string, pattern);
    }
  });

  test('that cannot be published is rejected with URL and reason', async () => {
    const wrong: [fields: object, reason: RegExp][] = [
      [{ start: undefined }, /start is missing/],
      [{ start: '17.03.2026' }, /must be a time/],
      [{ start: '2026-02-30T16:30:00+01:00' }, /is not a valid time/],
      [{ name: undefined }, /name is missing/],
      [{ name: ' (öffentlich)' }, /name is missing/],
      [{ name: 'x'.repeat(1_001) }, /(name|committeeName) must not have more than 1000/],
    ];
    const { result } = await publishObjects([
      ...wrong.map(([fields], n) => createMeeting(n, fields)),
      createMeeting(99),
    ]);
    assert.equal(result.code, 3);
    assertCounts(result, { inserted: 1, rejected: wrong.length });
    for (const [n, [, reason]] of wrong.entries()) {
      assert.match(
        result.rejections.find(({ id }) => id === composeUrl('meetings', n))?.reason ?? '',
        reason,
      );
    }
  });

  test('with an invalid end is published with its start, or rejected with a reason about the end', async () => {
    const { result, session } = await publishObjects([createMeeting(1, { end: 'später' })]);
    if (result.code === 0) assert.equal((await session(1))?.timeSlot, '16:30');
    else assert.match(result.rejections[0]?.reason ?? '', /end/);
  });

  test('supports --strict and --dry-run', async () => {
    const { result, town } = await publishObjects(
      [createPaper(1), createPaper(2, { name: undefined })],
      ['--strict'],
    );
    assert.equal(result.code, 1);
    assert.match(result.stderr, new RegExp(`line 2 \\(${composeUrl('papers', 2)}\\): name is missing`));
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    assertCounts(await importObjects(town, [createPaper(1)], ['--dry-run']), { inserted: 1 });
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });
});

test('an OParl location that refers to papers, meetings and organizations is ignored', async () => {
  const location = {
    id: composeUrl('locations', 1),
    papers: [composeUrl('papers', 1), composeUrl('papers', 2)],
    meetings: [composeUrl('meetings', 1)],
    organizations: [composeUrl('organizations', 1)],
    type: composeType('Location'),
  };
  const town = await harness.createMunicipality();
  const document = await harness.importContent(town, JSON.stringify(location, null, 2), oparl);
  assertCounts(document, { ignored: 1 });
  assertCounts(await importObjects(town, [location, location]), { ignored: 2 });
});

test('createdAt of a meeting without `created` is the start of its day, or the time of the import for a future meeting', async () => {
  const town = await harness.createMunicipality();
  const objects = [
    createMeeting(1, { created: undefined }),
    createMeeting(2, { created: undefined, start: '2070-03-17T16:30:00+01:00' }),
  ];
  await harness.importContent(town, toNdjson(objects), { format: 'oparl' });
  const [ahead, past] = await harness.listAll(town, '/sessions');
  assert.equal(past.createdAt, '2026-03-16T23:00:00.000Z');
  assert.ok(ahead.createdAt <= new Date().toISOString(), ahead.createdAt);
});
