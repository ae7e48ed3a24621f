import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { createUuidV5 } from '../../src/domain/values/uuid.ts';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, type ImportContentOptions } from '../support/import-harness.ts';
import {
  composeUrl,
  createFile,
  createItem,
  createMeeting,
  createOrganization,
  createPaper,
} from '../support/oparl-builders.ts';

const harness = await createImportHarness({ after });

/** Imports into a new municipality. @returns its submissions by description, and the output of the command */
async function publishObjects(objects: object[], options: ImportContentOptions = {}) {
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, toNdjson(objects), { format: 'oparl', ...options });
  const list = await harness.listAll(town, '/submissions');
  return { town, result, byName: new Map(list.map((one) => [one.description, one])) };
}

suite('an OParl paper', { concurrency: 3 }, () => {
  test('becomes a submission with a UUID from its URL', async () => {
    const { town, result, byName } = await publishObjects([
      createPaper(1, {
        name: ' Radweg ',
        reference: '2026/0142',
        auxiliaryFile: [createFile('https://x.example/1')],
      }),
    ]);
    assertCounts(result, { inserted: 1 });
    assert.deepEqual(byName.get('Radweg'), {
      id: createUuidV5(composeUrl('papers', 1), town.id),
      referenceNumber: '2026/0142',
      description: 'Radweg',
      status: 'submitted',
      topicCategoryName: 'Antrag',
      priorityLevel: 'normal',
      supportCount: 0,
      hasAttachments: true,
      protocolUrl: null,
      createdAt: '2026-01-31T23:00:00.000Z',
      statusChangedAt: '2026-01-31T23:00:00.000Z',
    });
  });

  test('is imported if its type is a request, in upper or lower case', async () => {
    const types = ['Antrag', 'ANFRAGE', 'Änderungs-/Ergänzungsantrag', 'Kleine Anfrage', 'Fraktionsantrag'];
    const others = ['Beschlussvorlage', 'Stellungnahme', '', undefined, null, 5];
    const objects = [...types, ...others].map((paperType, n) =>
      createPaper(n, { paperType, name: String(paperType) }),
    );
    const { result, byName } = await publishObjects(objects);
    assertCounts(result, { inserted: types.length, ignored: others.length });
    assert.deepEqual(new Set(byName.keys()), new Set(types));
  });

  test('is ignored with a reason, unless it is a request', async () => {
    const objects = [
      createPaper(1),
      createPaper(2, { paperType: 'Beschlussvorlage' }),
      createPaper(3, { paperType: 'Stellungnahme' }),
      createPaper(4, { deleted: true }),
      createMeeting(5, { cancelled: true }),
      createOrganization(6, 'Stadtrat'),
      createFile('https://x.example/1'),
    ];
    const { result } = await publishObjects(objects, { flags: ['--dry-run'] });
    assertCounts(result, { inserted: 1, ignored: 6 });
    const ignored: { reason: string; count: number }[] = JSON.parse(result.stdout).ignoredEntries;
    assert.deepEqual(Object.fromEntries(ignored.map(({ reason, count }) => [reason, count])), {
      'papers whose type is not that of a submission': 2,
      'objects marked as deleted': 1,
      'deleted or cancelled meetings': 1,
      'organizations, consultations, agenda items and files, which are read for sessions, statuses and documents': 2,
    });
  });

  test('is selected by --paper-types', async () => {
    const objects = ['Antrag', 'Beschlussvorlage', 'Informationsvorlage'].map((paperType, n) =>
      createPaper(n, { paperType, name: paperType }),
    );
    const { result, byName } = await publishObjects(objects, { flags: ['--paper-types', 'BESCHLUSS, info'] });
    assertCounts(result, { inserted: 2, ignored: 1 });
    assert.ok(!byName.has('Antrag'));
  });

  test('has its first keyword as topic, else its type', async () => {
    const keywords: [keyword: unknown, topic: string][] = [
      [['Radverkehr', 'Umwelt'], 'Radverkehr'],
      [[' Radverkehr '], 'Radverkehr'],
      [[], 'Antrag'],
      [undefined, 'Antrag'],
      [null, 'Antrag'],
      [[''], 'Antrag'],
      [['x'.repeat(201)], 'Antrag'],
      [['x'.repeat(200)], 'x'.repeat(200)],
    ];
    const { byName } = await publishObjects(keywords.map(([keyword], n) => createPaper(n, { keyword })));
    for (const [n, [keyword, topic]] of keywords.entries()) {
      assert.equal(byName.get(`Antrag ${n}`)?.topicCategoryName, topic, JSON.stringify(keyword));
    }
  });

  test('has attachments if it has a main file or an auxiliary file', async () => {
    const files: [fields: object, has: boolean][] = [
      [{}, false],
      [{ mainFile: createFile('https://x.example/1') }, true],
      [{ mainFile: 'https://x.example/files/1' }, true],
      [{ auxiliaryFile: [createFile('https://x.example/1')] }, true],
      [{ auxiliaryFile: ['https://x.example/files/1'] }, true],
      [{ auxiliaryFile: [], mainFile: null }, false],
    ];
    const { byName } = await publishObjects(files.map(([fields], n) => createPaper(n, fields)));
    for (const [n, [fields, has]] of files.entries()) {
      assert.equal(byName.get(`Antrag ${n}`)?.hasAttachments, has, JSON.stringify(fields));
    }
  });

  test('is created at the local midnight of its date, in summer and in winter, else when it was entered', async () => {
    const dates: [fields: object, createdAt: string][] = [
      [{ date: '2026-07-01' }, '2026-06-30T22:00:00.000Z'],
      [{ date: '2026-01-01' }, '2025-12-31T23:00:00.000Z'],
      [{ date: undefined, created: '2026-02-03T10:00:00+01:00' }, '2026-02-03T09:00:00.000Z'],
      [{ date: null, created: '2026-02-03T10:00:00' }, '2026-02-03T09:00:00.000Z'],
      [{ date: '2026-07-01', modified: '2026-09-01T00:00:00+02:00' }, '2026-06-30T22:00:00.000Z'],
    ];
    const { byName } = await publishObjects(dates.map(([fields], n) => createPaper(n, fields)));
    for (const [n, [, createdAt]] of dates.entries()) {
      assert.equal(byName.get(`Antrag ${n}`)?.createdAt, createdAt);
      assert.equal(byName.get(`Antrag ${n}`)?.statusChangedAt, createdAt);
    }
  });

  test('has its midnight in --time-zone', async () => {
    const { byName } = await publishObjects([createPaper(1)], { flags: ['--time-zone', 'America/New_York'] });
    assert.equal(byName.get('Antrag 1')?.createdAt, '2026-02-01T05:00:00.000Z');
  });

  suite('has a status from the result', () => {
    const results: Record<string, string> = {
      'einstimmig zugestimmt': 'accepted',
      'einstimmig beschlossen': 'accepted',
      'mehrheitlich beschlossen': 'accepted',
      'mehrheitlich zugestimmt': 'accepted',
      'mehrheitlich abgelehnt': 'rejected',
      Kenntnisnahme: 'completed',
      erledigt: 'completed',
      'verwiesen in den Planungsausschuss': 'in_review',
      vertagt: 'in_review',
      vorberaten: 'in_review',
      zurückgezogen: 'withdrawn',
      'EINSTIMMIG ABGELEHNT': 'rejected',
      einstimmig: 'accepted',
      'mehrheitlich (5 dafür, 3 dagegen)': 'accepted',
      'mehrheitlich (3 dafür, 20 dagegen)': 'rejected',
      'mehrheitlich (20 dagegen, 3 dafür, 1 Enthaltung)': 'rejected',
      'mehrheitlich (20 Stimmen dagegen und 3 Stimmen dafür)': 'rejected',
      'mehrheitlich Ja: 3, Nein: 20': 'rejected',
      'mehrheitlich Ja 20 Nein 3': 'accepted',
      'mehrheitlich: 12 Ja-Stimmen, 12 Nein-Stimmen': 'rejected',
      'mehrheitlich bei 3 Gegenstimmen': 'accepted',
      'mehrheitlich gegen die Stimmen der Fraktion': 'accepted',
      'mit Mehrheit': 'accepted',
      'Einstimmig angenommen bei 2 Enthaltungen': 'accepted',
      genehmigt: 'accepted',
      Zustimmung: 'accepted',
      'lt. Beschlussvorschlag': 'accepted',
      'laut Beschlussvorschlag': 'accepted',
      'gemäß Beschlussvorschlag': 'accepted',
      'ungeändert beschlossen': 'accepted',
      antragsgemäß: 'accepted',
      'einstimmig zur Kenntnis genommen': 'completed',
      'Der Ausschuss nimmt Kenntnis': 'completed',
      'nicht zugestimmt': 'rejected',
      'Ablehnung beschlossen': 'rejected',
      'Ablehnung einstimmig angenommen': 'rejected',
      'nicht angenommen': 'rejected',
      'mehrheitlich nicht angenommen': 'rejected',
      'mehrheitlich nicht unterstützt': 'rejected',
      'keine Zustimmung': 'rejected',
      'Zustimmung verweigert': 'rejected',
      'keine Mehrheit': 'rejected',
      'bei Stimmengleichheit': 'rejected',
      'einstimmig dagegen': 'rejected',
      'mehrheitlich gegen den Antrag': 'rejected',
      'einstimmig zurückgewiesen': 'rejected',
      'Mehrheitlich abgewiesen': 'rejected',
      'Es wurde beschlossen, den Antrag abzulehnen': 'rejected',
      'einstimmig für unzulässig erklärt': 'rejected',
      'mehrheitlich beschlossen (12 dafür, 3 dagegen)': 'accepted',
      'Der Ausschuss empfiehlt, den Antrag abzulehnen': 'in_review',
      'Ablehnung empfohlen': 'in_review',
      'als Empfehlung beschlossen': 'in_review',
      'Nichtbefassung beschlossen': 'completed',
      'Vertagung einstimmig angenommen': 'in_review',
      'einstimmig vertagt': 'in_review',
      'mehrheitlich zurückgestellt': 'in_review',
      'einstimmig in den Ausschuss überwiesen': 'in_review',
      'einstimmig empfohlen': 'in_review',
      unerledigt: 'in_review',
      'von der Tagesordnung abgesetzt': 'in_review',
      'mit Stellungnahme einverstanden': 'completed',
      einverstanden: 'completed',
      'keine Abstimmung': 'completed',
      'teilweise abgelehnt': 'completed',
      'teilweise zugestimmt': 'accepted',
      'teilweise in modifizierte Beschlussvorlage übernommen': 'accepted',
      'Beratung im Fachgremium/Arbeitskreis': 'in_review',
      'einverstanden, verwiesen in den Gemeinderat': 'in_review',
      angehalten: 'in_review',
      'vertagt (einstimmig beschlossen)': 'in_review',
      'zurückgestellt, einstimmig angenommen': 'in_review',
      'nicht vertagt, einstimmig beschlossen': 'accepted',
      'Antrag auf Vertagung abgelehnt': 'in_review',
      'Vertagung mehrheitlich abgelehnt': 'in_review',
      'Vertagung abgelehnt, Antrag abgelehnt': 'rejected',
      'Antrag auf Vertagung abgelehnt, Vorlage einstimmig beschlossen': 'accepted',
      'Dringlichkeit abgelehnt': 'in_review',
      'Aufnahme in die Tagesordnung abgelehnt': 'in_review',
      'Änderungsantrag abgelehnt, Hauptantrag angenommen': 'accepted',
      'Empfehlung an den Rat: zugestimmt': 'in_review',
      'beschlossen vorbehaltlich der Zustimmung des Rates': 'in_review',
      '1. Lesung einstimmig': 'in_review',
      'Zustimmung nicht erteilt': 'rejected',
      'Zustimmung wird verweigert': 'rejected',
      'mit Mehrheit dagegen': 'rejected',
      'mehrheitlich Nein': 'rejected',
      'mehrheitlich Nein: 3, Ja: 15': 'accepted',
      'mit Mehrheit gegen den Antrag': 'rejected',
      'einstimmig verschoben': 'in_review',
      'einstimmig rückgestellt': 'in_review',
      'einstimmig von der Tagesordnung genommen': 'in_review',
      'verwiesen (einstimmig beschlossen)': 'in_review',
      'einstimmig - kein Beschluss': 'in_review',
      'Antrag nicht beschlossen, sondern verwiesen': 'in_review',
      'nicht vertagt, sondern beschlossen': 'accepted',
      Ablehnungsempfehlung: 'in_review',
      'einstimmig, Empfehlung: Ablehnung': 'in_review',
      'einstimmig nicht empfohlen': 'in_review',
      'Antrag auf Ende der Debatte abgelehnt': 'in_review',
      'Antrag auf Nichtbefassung abgelehnt': 'in_review',
      'Antrag der CDU auf Vertagung mit 3 Stimmen abgelehnt': 'in_review',
      'einstimmig zurückgenommen': 'withdrawn',
      'Beschlossen (Änderungsantrag der FDP abgelehnt)': 'accepted',
      'Änderungsantrag abgelehnt, Vorlage ungeändert beschlossen': 'accepted',
      'Änderungsantrag zurückgezogen, Vorlage beschlossen': 'accepted',
      'Änderungsantrag angenommen, verwiesen': 'in_review',
      'Änderungsantrag abgelehnt': 'rejected',
      'einstimmig bei 2 Enthaltungen': 'accepted',
      'mehrheitlich gegen die Stimmen der CDU und von Bündnis 90/Die Grünen': 'accepted',
      'einstimmige Zustimmung zur Vorlage in geänderter Fassung': 'accepted',
      'mehrheitlich für den Beschlussantrag': 'accepted',
      'Abstimmungsergebnis: einstimmig': 'accepted',
      'angenommen gegen die Stimmen der CDU': 'accepted',
      'erledigt, auf die Stellungnahme wird verwiesen': 'completed',
      ['zurückgezogen '.normalize('NFD')]: 'withdrawn',
    };

    test('by a table, case-insensitive; without a result it is in_review', async () => {
      const texts = [...Object.keys(results), undefined, null, ''];
      const papers = texts.map((_, n) => createPaper(n));
      const { result, byName } = await publishObjects([
        ...papers,
        createMeeting(1, { agendaItem: texts.map((result, n) => createItem(n, { result })) }),
      ]);
      assert.equal(result.code, 0);
      assert.deepEqual(result.counts.unmappedValues, {});
      for (const [n, text] of texts.entries()) {
        const { status, statusChangedAt } = byName.get(`Antrag ${n}`);
        assert.equal(status, text ? results[text] : 'in_review', String(text));
        assert.equal(statusChangedAt, '2026-03-17T15:30:00.000Z');
      }
    });

    test('in_review for an unknown text, which is reported with its count', async () => {
      const objects = [1, 2, 3].map((n) => createPaper(n));
      const texts = ['nicht abgelehnt', 'siehe Dokument', 'siehe Dokument'];
      const agenda = createMeeting(1, {
        agendaItem: texts.map((result, n) => createItem(n + 1, { result })),
      });
      const { result, byName } = await publishObjects([...objects, agenda]);
      assert.deepEqual(result.counts.unmappedValues, {
        'nicht abgelehnt': { count: 1, publishedAs: 'in_review' },
        'siehe Dokument': { count: 2, publishedAs: 'in_review' },
      });
      assert.deepEqual(
        [...byName.values()].map(({ status }) => status),
        ['in_review', 'in_review', 'in_review'],
      );
    });

    test('in_review for a majority with other words than those of a vote, and for an open decision', async () => {
      const texts = [
        'einstimmig geschoben',
        'einstimmig ausgesetzt',
        'einstimmig auf die nächste Sitzung verlegt',
        'einstimmig gestrichen',
        'einstimmig weitergeleitet an den Rat',
        'einstimmig in den Ausschuss zurückgegeben',
        'ohne Votum einstimmig weitergegeben',
        'mehrheitlich zur weiteren Bearbeitung an die Verwaltung',
        'einstimmig unterbrochen',
        'einstimmig gegen die Stimmen der CDU verlegt',
        'mehrheitlich gegen die Vorlage',
        'Zustimmung steht aus',
        'mehrheitliche Zustimmung zum Änderungsantrag',
        'noch nicht beschlossen',
        'weder beraten noch beschlossen',
      ];
      const { result, byName } = await publishObjects([
        ...texts.map((_, n) => createPaper(n)),
        createMeeting(1, { agendaItem: texts.map((result, n) => createItem(n, { result })) }),
      ]);
      assert.deepEqual(
        new Set(Object.keys(result.counts.unmappedValues as unknown as object)),
        new Set(texts),
      );
      for (const { status } of byName.values()) assert.equal(status, 'in_review');
    });

    test('and the summary lists the first twenty unknown words by count', async () => {
      const texts = Array.from({ length: 25 }, (_, n) => `Wort ${n + 1}`);
      const results = [...texts, 'häufig', 'häufig', 'häufig', texts[3], 'häufig', texts[3]];
      const objects = [
        ...results.map((_, n) => createPaper(n)),
        createMeeting(1, { agendaItem: results.map((result, n) => createItem(n, { result })) }),
      ];
      const { town, result } = await publishObjects(objects);
      const words = Object.keys(result.counts.unmappedValues as unknown as object);
      assert.deepEqual(words.slice(0, 3), ['häufig', 'Wort 4', 'Wort 1']);
      assert.equal(words.length, 26);
      const file = harness.workspace.writeFile('words.ndjson', toNdjson(objects));
      const text = await assertSucceeds(
        harness.workspace.withDatabase('import', 'oparl', file, '--organization', town.id),
      );
      const lines = text.slice(text.indexOf('Unmapped source values')).split('\n');
      assert.deepEqual(
        [lines[1], lines[2], lines.at(-1)],
        ['       4  häufig → in_review', '       3  Wort 4 → in_review', '       6  in 6 other values'],
      );
      assert.equal(lines.length, 22);
    });

    test('by the rows of --statuses, which precede the default table', async () => {
      const table = harness.workspace.writeFile(
        'results.json',
        JSON.stringify({
          'nicht einverstanden': 'rejected',
          einverstanden: 'beschlossen worden',
          vertagt: 'zuru\u0308ckgestellt',
        }),
      );
      const agenda = createMeeting(1, {
        agendaItem: [
          createItem(1, { result: 'Nicht einverstanden' }),
          createItem(2, { result: 'einverstanden' }),
          createItem(3, { result: 'abgelehnt' }),
          createItem(4, { result: 'vertagt' }),
        ],
      });
      const { result, byName } = await publishObjects(
        [1, 2, 3, 4].map((n) => createPaper(n)).concat(agenda as never),
        {
          flags: ['--statuses', table],
        },
      );
      assert.deepEqual(
        [1, 2, 3, 4].map((n) => byName.get(`Antrag ${n}`).status),
        ['rejected', 'beschlossen worden', 'rejected', 'zur\u00fcckgestellt'],
      );
      assert.deepEqual(result.counts.unmappedValues, {});
    });

    test('and a missing or invalid table is a usage error', async () => {
      const town = await harness.createMunicipality();
      for (const content of [undefined, '[1', '[]', '{}', '{"a": 1}', '{"a": " "}', '"text"']) {
        const table =
          content === undefined
            ? '/nowhere/results.json'
            : harness.workspace.writeFile('wrong.json', content);
        const { code, stderr } = await harness.importContent(town, '{}', {
          format: 'oparl',
          flags: ['--statuses', table],
        });
        assert.equal(code, 2, String(content));
        assert.match(stderr, /There is no file|is not JSON|It must contain a JSON object/);
      }
    });

    test('of the latest agenda item, in any order of the input', async () => {
      const at = (id: number, start: string, result: string | undefined) =>
        createMeeting(id, { start, end: undefined, agendaItem: [createItem(1, { result })] });
      const early = at(1, '2026-03-01T10:00:00Z', 'vertagt');
      const middle = at(2, '2026-04-01T10:00:00Z', 'abgelehnt');
      const late = at(3, '2026-05-01T10:00:00+02:00', 'beschlossen');
      for (const order of [
        [early, middle, late],
        [late, middle, early],
        [middle, late, early],
      ]) {
        const { byName } = await publishObjects([...order, createPaper(1)]);
        const { status, statusChangedAt } = byName.get('Antrag 1');
        assert.deepEqual([status, statusChangedAt], ['accepted', '2026-05-01T08:00:00.000Z']);
      }
    });

    test('of the latest meeting with a result, not of meetings without one or in the future', async () => {
      const at = (id: number, start: string, result?: string) =>
        createMeeting(id, {
          start,
          end: undefined,
          agendaItem: [createItem(id % 10, { id: undefined, result })],
        });
      const { byName } = await publishObjects([
        ...[1, 2, 3, 4].map((n) => createPaper(n)),
        at(11, '2026-03-01T10:00:00Z', 'zugestimmt'),
        at(21, '2026-04-01T10:00:00Z'),
        at(31, '2070-01-01T10:00:00Z'),
        at(41, '2070-02-01T10:00:00Z', 'abgelehnt'),
        at(12, '2026-03-01T10:00:00Z'),
        at(22, '2026-04-01T10:00:00Z'),
        at(32, '2070-01-01T10:00:00Z'),
        at(13, '2070-01-01T10:00:00Z'),
        at(14, '2026-04-01T10:00:00Z', 'vertagt'),
        at(24, '2026-03-01T10:00:00Z', 'beschlossen'),
      ]);
      const { createdAt } = byName.get('Antrag 3');
      assert.deepEqual(
        [1, 2, 3, 4].map((n) => {
          const { status, statusChangedAt } = byName.get(`Antrag ${n}`);
          return [status, statusChangedAt];
        }),
        [
          ['accepted', '2026-03-01T10:00:00.000Z'],
          ['in_review', '2026-03-01T10:00:00.000Z'],
          ['in_review', createdAt],
          ['in_review', '2026-04-01T10:00:00.000Z'],
        ],
      );
    });

    test('since the first of several meetings that gave the same status, with no other between them', async () => {
      const at = (id: number, month: number, result?: string) =>
        createMeeting(id, {
          start: `2026-0${month}-01T10:00:00Z`,
          end: undefined,
          agendaItem: [createItem(id % 10, { id: undefined, result })],
        });
      const { byName } = await publishObjects([
        ...[1, 2, 3, 4].map((n) => createPaper(n)),
        at(31, 5, 'einstimmig beschlossen'),
        at(11, 3, 'mehrheitlich zugestimmt'),
        at(21, 4),
        at(12, 3, 'beschlossen'),
        at(22, 4, 'abgelehnt'),
        at(32, 5, 'beschlossen'),
        at(13, 3),
        at(23, 4),
        at(14, 3),
        at(24, 4, 'vertagt'),
        at(34, 5, 'Aussprache'),
      ]);
      assert.deepEqual(
        [1, 2, 3, 4].map((n) => {
          const { status, statusChangedAt } = byName.get(`Antrag ${n}`);
          return [status, statusChangedAt];
        }),
        [
          ['accepted', '2026-03-01T10:00:00.000Z'],
          ['accepted', '2026-05-01T10:00:00.000Z'],
          ['in_review', '2026-03-01T10:00:00.000Z'],
          ['in_review', '2026-03-01T10:00:00.000Z'],
        ],
      );
    });

    test('but not of a cancelled or deleted meeting, or of an item that is not public', async () => {
      const agendaItem = [createItem(1, { result: 'beschlossen' })];
      const { byName } = await publishObjects([
        createPaper(1),
        createMeeting(1, { agendaItem, cancelled: true }),
        createMeeting(2, { agendaItem, deleted: true }),
        createMeeting(3, { agendaItem: [createItem(1, { result: 'beschlossen', public: false })] }),
      ]);
      assert.equal(byName.get('Antrag 1')?.status, 'submitted');
    });
  });

  test('has the minutes of the results, else verbatim minutes, else a file named as minutes', async () => {
    const files: [fields: object, url: string | null][] = [
      [
        {
          resultsProtocol: createFile('https://x.example/r'),
          verbatimProtocol: createFile('https://x.example/v'),
        },
        'https://x.example/r',
      ],
      [
        {
          verbatimProtocol: createFile('https://x.example/v'),
          auxiliaryFile: [createFile('https://x.example/a', { name: 'Protokoll' })],
        },
        'https://x.example/v',
      ],
      [
        {
          auxiliaryFile: [
            createFile('https://x.example/e', { name: 'Einladung' }),
            createFile('https://x.example/a', { name: 'Niederschrift öffentlich' }),
          ],
        },
        'https://x.example/a',
      ],
      [
        { auxiliaryFile: [createFile('https://x.example/b', { fileName: 'PROTOKOLL_17.pdf' })] },
        'https://x.example/b',
      ],
      [{ auxiliaryFile: [createFile('https://x.example/e', { name: 'Einladung' })] }, null],
      [
        { resultsProtocol: { name: 'no address' }, verbatimProtocol: createFile('https://x.example/v') },
        'https://x.example/v',
      ],
      [{ resultsProtocol: createFile('javascript:alert(1)') }, null],
      [{ resultsProtocol: createFile(`https://x.example/${'x'.repeat(2_048)}`) }, null],
      [{}, null],
    ];
    const papers = files.map((_, n) => createPaper(n));
    const meetings = files.map(([fields], n) =>
      createMeeting(n, { agendaItem: [createItem(n, { result: 'beschlossen' })], ...fields }),
    );
    const { result, byName } = await publishObjects([...papers, ...meetings]);
    assert.equal(result.code, 0, result.stderr);
    for (const [n, [fields, url]] of files.entries())
      assert.equal(byName.get(`Antrag ${n}`)?.protocolUrl, url, JSON.stringify(fields));
  });

  test('with a blank in the URL of the minutes is published without it, because the API contract forbids it', async () => {
    const protocol = { resultsProtocol: createFile('https://x.example/mit blank') };
    const { result, byName } = await publishObjects([
      createPaper(1),
      createMeeting(1, { agendaItem: [createItem(1)], ...protocol }),
    ]);
    assert.equal(result.code, 0, result.stderr);
    assert.ok([null, 'https://x.example/mit%20blank'].includes(byName.get('Antrag 1')?.protocolUrl));
  });

  test('that cannot be published is rejected with URL and reason', async () => {
    const wrong: [fields: object, reason: RegExp][] = [
      [{ name: undefined }, /name is missing/],
      [{ name: ' ' }, /name is missing/],
      [{ date: undefined, created: undefined }, /date is missing/],
      [{ date: '2026-02-30' }, /is not a valid time/],
      [{ date: '1.2.2026' }, /must be a time/],
      [{ reference: 'x'.repeat(201) }, /(reference|referenceNumber) must not have more than 200/],
      [{ name: 'x'.repeat(100_001) }, /must not have more than 100000/],
    ];
    const { result } = await publishObjects([
      ...wrong.map(([fields], n) => createPaper(n, fields)),
      createPaper(99),
    ]);
    assert.equal(result.code, 3);
    assertCounts(result, { inserted: 1, rejected: wrong.length });
    for (const [n, [, reason]] of wrong.entries()) {
      const rejection = result.rejections.find(({ line }) => line === n + 1);
      assert.equal(rejection?.id, composeUrl('papers', n));
      assert.match(rejection?.reason ?? '', reason);
    }
  });

  test('is imported beside entries that are not OParl objects', async () => {
    const wrong = [
      null,
      5,
      'text',
      [],
      {},
      { id: 'x' },
      { type: 'Paper' },
      { id: 5, type: 'Paper' },
      { data: [null, {}] },
    ];
    const { result } = await publishObjects([createPaper(1), ...wrong] as object[]);
    assertCounts(result, { inserted: 1, rejected: wrong.length + 1 });
    for (const { reason } of result.rejections)
      assert.match(reason, /is not an OParl object: it has no id, or no type and no list/);
  });

  test('with fields of wrong types is rejected, or read without them, without an internal error', async () => {
    const textless = { toString: 5 };
    const odd = [
      null,
      5,
      'x',
      [],
      [null],
      [5],
      [[]],
      {},
      [{}],
      true,
      textless,
      [textless],
      [{ name: textless }],
    ];
    const objects = odd.flatMap((value, n) => [
      createPaper(100 + n, { consultation: value, keyword: value, auxiliaryFile: value, mainFile: value }),
      createPaper(200 + n, { name: value, reference: value, date: value }),
      createPaper(600 + n, { paperType: value }),
      createMeeting(300 + n, {
        agendaItem: value,
        organization: value,
        resultsProtocol: value,
        auxiliaryFile: value,
      }),
      createMeeting(400 + n, { start: value, end: value, created: value, name: value }),
      createMeeting(500 + n, {
        agendaItem: [{ consultation: value, order: value, number: value, result: value, public: value }],
      }),
    ]);
    const { result } = await publishObjects(objects);
    assert.ok(result.code === 0 || result.code === 3, result.stderr);
    assert.equal(result.counts.read, objects.length);
  });
});
