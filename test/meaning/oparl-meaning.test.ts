/** What an OParl object says about its publication, from the specifications 1.0 and 1.1 and from council information systems. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import {
  createServedItem,
  createServedMeeting,
  createServedOrganization,
  createServedPaper,
  createSyncCommands,
  startCouncilServer,
} from '../support/council-server.ts';
import { toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import {
  composeUrl,
  createConsultation,
  createFile,
  createItem,
  createMeeting,
  createOrganization,
  createPaper,
} from '../support/oparl-builders.ts';
import { assertCountingState, assertPublished, assertRetracted } from './meaning-harness.ts';

const harness = await createImportHarness({ after });
const { sync } = createSyncCommands(harness);
const options = { format: 'oparl' };

type Fields = Record<string, unknown> | undefined;
const toPapers = (marks: readonly Fields[]) =>
  toNdjson(marks.map((fields, index) => createPaper(index + 1, fields ?? {})));
const toMeetings = (marks: readonly Fields[]) =>
  toNdjson(marks.map((fields, index) => createMeeting(index + 1, fields ?? {})));
const ofPapers = { options, toInput: toPapers };
const ofMeetings = { options, toInput: toMeetings, list: 'sessions' } as const;

suite('OParl:', { concurrency: 2 }, () => {
  // private: the standard marks agenda items only, as an endpoint has public objects alone. Systems add properties of their own.
  test('private papers and meetings are removed, also by properties beyond the standard', async () => {
    const marks = [
      { public: false },
      { public: 'nein' },
      { private: 'true' },
      { confidential: 1 },
      { hidden: 'JA' },
      { 'ris:nichtöffentlich': true },
      { 'ris:oeffentlich': 'nein' },
      { intern: true },
    ];
    const reason = /records marked as not public/;
    await assertRetracted(harness, { ...ofPapers, marks, reason });
    await assertRetracted(harness, { ...ofMeetings, marks, reason });
    const kept = [
      { public: true },
      { public: 'true' },
      { public: null },
      { private: 'false' },
      { hidden: 0 },
    ];
    await assertPublished(harness, { ...ofPapers, marks: kept });
  });

  // The mark is that of the item, not of its paper: a paper is treated in several meetings, and is an object of the endpoint itself.
  test('agenda items that are not public, also as text, lead to no paper and no result', async () => {
    const marks = [
      ...[false, 'false', 'nein', 0, 'nichtöffentlich'].map((isPublic) => ({ public: isPublic })),
      ...[{ private: true }, { 'ris:nichtöffentlich': 'ja' }, { vertraulich: 1 }],
    ];
    for (const mark of marks) {
      const town = await harness.createMunicipality();
      const agendaItem = [
        createItem(1, { ...mark, result: 'abgelehnt' }),
        createItem(2, { public: 'true', result: 'abgelehnt' }),
        createItem(3, { deleted: 'true', result: 'abgelehnt' }),
      ];
      const objects = [createPaper(1), createPaper(2), createPaper(3), createMeeting(1, { agendaItem })];
      assertCounts(await harness.importContent(town, toNdjson(objects), options), { inserted: 4 });
      const [session] = await harness.listAll(town, '/sessions');
      const statuses = (await harness.listAll(town, '/submissions')).map(({ status }) => status).sort();
      assert.deepEqual(statuses, ['rejected', 'submitted', 'submitted']);
      const { json } = await harness.get(town, `/sessions/${session.id}`);
      assert.equal(json.data.submissions.length, 1, JSON.stringify(mark));
    }
  });

  test('private: papers are removed whose type or name says so, unless a property says that they are public', async () => {
    const marks = [
      ...[
        ...['Antrag (nichtöffentlich)', 'Nichtöffentliche Anfrage', 'Antrag - NÖ', 'Antrag NÖ'],
        ...['Fraktionsantrag nichtöffentlich', 'Nichtöffentliche Ratsanfrage', 'Antrag (nichtöffentl.)'],
      ].map((paperType) => ({ paperType })),
      ...[
        'Verkauf (nicht öffentlich)',
        'Verkauf (vertraulich)',
        'NÖ: Antrag zum Personal',
        ...[
          'Nichtöffentliche Mitteilung',
          'Vertrauliche Anfrage der CDU',
          'Dringlichkeitsantrag nichtöffentlich',
        ],
        ...['Nichtöffentliche Beschlussvorlage Kauf', 'Nichtöffentlicher TOP', 'Grundstücksangelegenheit NÖ'],
        '[nicht-o\u0308ffentlich] Pacht',
      ].map((name) => ({
        name,
      })),
    ];
    await assertRetracted(harness, { ...ofPapers, marks, reason: /records marked as not public/ });
    const kept = [
      ...['Bekanntgabe nichtöffentlich gefasster Beschlüsse', 'Nichtöffentliche Sitzungen abschaffen'].map(
        (name) => ({
          name,
        }),
      ),
      ...[
        'Regenschutz im Schulhof (öffentlich + nichtöffentlich) der Schule',
        'Radweg zum Land NÖ',
        'Vertrauliche Beratung für Familien',
        ...['Antrag: Nichtöffentliche Sitzungen abschaffen', 'Bekanntgabe nichtöffentlicher Beschlüsse'],
        ...['Nichtöffentliche Anfragen veröffentlichen', 'Antrag mit vertraulichen Anlagen'],
      ].map((name) => ({
        name,
      })),
      { name: 'Verkauf (nicht öffentlich)', public: true },
    ];
    await assertPublished(harness, { ...ofPapers, marks: kept });
  });

  // The standard leaves `public` of an agenda item optional. Karlsruhe announces meetings "(nicht öffentlich)" in its endpoint, so they are
  // published, and marks the items that are public.
  test('private: documents are left out whose name says so, and minutes, too', async () => {
    const town = await harness.createMunicipality();
    const withheld = [
      ...['Niederschrift nichtöffentlicher Teil', 'Niederschrift (nichtöffentlich)', 'Anlage 3 vertraulich'],
      ...[
        'Anlage 2 (nicht öffentlich)',
        'Anlage_nichtoeffentlich.pdf',
        'Protokoll der nichtöffentlichen Sitzung',
      ],
      ...['Protokoll NÖ', 'Anlage - NÖ', 'Öffentliche Sitzung – nichtöffentlicher Teil'],
      ...[
        'Anlage intern',
        'intern.pdf',
        'Anlage VS-NfD',
        'Nur für den Dienstgebrauch',
        'Nicht veröffentlichen',
      ],
      ...[
        'Nichtöffentliche Anlage 2',
        'nichtöffentliche Anlage',
        'NÖ Anlage 3',
        'NÖ_Anlage_3.pdf',
        'Nichtoeffentliche_Anlage.pdf',
        'Nicht-öffentliche Anlage: Mietvertrag',
        'Anlage 7, nichtöffentlich, Angebot',
        'Nichtöffentliche Niederschrift',
        'Nichtöffentliches Protokoll',
        'Protokoll des nichtöffentlichen Teils',
        'Niederschrift NÖ-Teil',
        'Niederschrift (nö Teil)',
        'Auszug nichtöffentlich Rat',
        'Nichtöffentliche Unterlagen',
        'nichtöffentliche Begründung',
        'Vertrauliche Anlage',
        'Anlage 6 - vertraulich -',
        'Anlage (intern)',
        'Interne Anlage',
        'VS-NfD Anlage',
        'Nichtöffentliche Anlage zur öffentlichen Sitzung',
        'TOP 4 NÖ Anlage',
        'N-Anlage 1',
        'Geheim: Anlage 2',
        'Streng geheim – Angebot',
        'Geheime Anlage',
      ],
    ];
    const kept = [
      ...['Niederschrift öffentlicher Teil', 'Protokoll (öffentlich/nichtöffentlich)'],
      ...['Bekanntgabe der Beschlüsse aus nichtöffentlicher Sitzung', 'Umgang mit vertraulichen Unterlagen'],
      ...['Entwurf', 'Interne Wege', 'extern'],
      ...[
        'Bekanntgabe nichtöffentlicher Beschlüsse',
        'Bekanntgabe der in nichtöffentlicher Sitzung gefassten Beschlüsse',
        'Niederschrift (ö/nö Teil)',
        'Nö gefasste Beschlüsse 15.01.13',
        'Protokoll nichtöffentlich gefasster Beschlüsse',
        'Anlage Internetauftritt',
        'Interne Revision Jahresbericht',
        'Geheime Wahl Stimmzettel',
        'Geheimnisschutz',
        'Vertrauliche Unterlagen sicher verwahren',
      ],
    ];
    const files = [
      ...[...withheld, ...kept].map((name) => ({ name })),
      { name: 'Anlage', fileName: 'Anlage_nichtöffentlich.pdf' },
      { name: 'Anlage (nichtöffentlich)', public: true },
    ].map((fields, index) => createFile(`https://ris.example/${index}.pdf`, fields));
    const [minutes] = files;
    const content = toNdjson([
      createPaper(1, { auxiliaryFile: files }),
      createMeeting(1, { resultsProtocol: minutes, agendaItem: [createItem(1, { result: 'beschlossen' })] }),
      createMeeting(2, { auxiliaryFile: files }),
    ]);
    await harness.importContent(town, content, options);
    const found = [
      ...(await harness.listAll(town, '/search/submissions')),
      ...(await harness.listAll(town, '/search/sessions')),
    ];
    const titles = found.map(({ documents }) => documents.map(({ title }: { title: string }) => title));
    const expected = [...kept, 'Anlage (nichtöffentlich)'];
    assert.deepEqual(
      titles.filter((each) => each.length > 0),
      [expected, expected],
    );
    assert.equal((await harness.listAll(town, '/submissions'))[0].protocolUrl, null);
  });

  test('private: files of a meeting that is not public are left out, unless they say that they are public', async () => {
    const url = (name: string) => `https://ris.example/${encodeURIComponent(name)}`;
    const toFile = (name: string, fields = {}) => createFile(url(name), { name, ...fields });
    const cases: [meeting: object, fields: object, titles: string[], protocolUrl: string | null][] = [
      [{}, {}, ['Einladung', 'Niederschrift', 'Wortprotokoll', 'Protokoll 2', 'Plan'], url('Niederschrift')],
      [{ name: 'Stadtrat (nichtöffentlich)' }, {}, ['Einladung'], null],
      [{ organization: [composeUrl('organizations', 1)] }, {}, ['Einladung'], null],
      [
        { name: 'Stadtrat (nichtöffentlich)' },
        { verbatimProtocol: toFile('Wortprotokoll', { public: true }) },
        ['Einladung', 'Wortprotokoll', 'Plan'],
        url('Wortprotokoll'),
      ],
      [
        { name: 'Stadtrat (nichtöffentlich)' },
        { resultsProtocol: toFile('Niederschrift öffentlich') },
        ['Einladung', 'Niederschrift öffentlich', 'Plan'],
        url('Niederschrift öffentlich'),
      ],
    ];
    for (const [meeting, fields, titles, protocolUrl] of cases) {
      const files = {
        invitation: toFile('Einladung'),
        resultsProtocol: toFile('Niederschrift'),
        verbatimProtocol: toFile('Wortprotokoll'),
        auxiliaryFile: [toFile('Protokoll 2'), toFile('Plan')],
        ...fields,
      };
      const agendaItem = [createItem(1, { public: true, result: 'beschlossen' })];
      const objects = [
        createOrganization(1, 'Ältestenrat (nichtöffentlich)'),
        createPaper(1),
        createMeeting(1, { agendaItem, ...meeting, ...files }),
      ];
      const town = await harness.createMunicipality();
      await harness.importContent(town, toNdjson(objects), options);
      const [session] = await harness.listAll(town, '/search/sessions');
      const [paper] = await harness.listAll(town, '/submissions');
      const found = session.documents.map(({ title }: { title: string }) => title);
      assert.deepEqual([found, paper.protocolUrl], [titles, protocolUrl], JSON.stringify([meeting, fields]));
    }
  });

  // SessionNet and ALLRIS number the items of the two parts so.
  test('private: items with numbers such as "N 5" beside "Ö 1" lead to a paper only if they are marked as public', async () => {
    const cases: [number: string, other: string, fields: object, isPublic: boolean][] = [
      ['N 5', 'Ö 1', {}, false],
      ['NÖ 5', 'Ö 1', {}, false],
      ['NO\u0308 5', 'Ö1', {}, false],
      ['N 5', 'Ö 1', { public: true }, true],
      ['N 5', '1', {}, true],
      ['Ö 5', 'Ö 1', {}, true],
      ['N5', 'Ö 1', {}, true],
    ];
    for (const [number, other, fields, isPublic] of cases) {
      const item = createItem(1, { number, result: 'abgelehnt', ...fields });
      // An item such as "Begrüßung" has no paper.
      const opening = { ...createItem(2, { number: other }), consultation: undefined };
      const meeting = composeUrl('meetings', 1);
      for (const objects of [
        [createMeeting(1, { agendaItem: [opening, item] })],
        [{ ...item, meeting }, createMeeting(1), { ...opening, meeting }],
      ]) {
        const town = await harness.createMunicipality();
        await harness.importContent(town, toNdjson([createPaper(1), ...objects]), options);
        const [session] = await harness.listAll(town, '/sessions');
        const [paper] = await harness.listAll(town, '/submissions');
        const found = [session.submissionCount, paper.status];
        assert.deepEqual(
          found,
          isPublic ? [1, 'rejected'] : [0, 'submitted'],
          JSON.stringify([number, other]),
        );
      }
    }
  });

  test('private: papers with such a keyword are removed', async () => {
    const marks = [['nichtöffentlich'], ['Haushalt', 'vertraulich']].map((keyword) => ({ keyword }));
    await assertRetracted(harness, { ...ofPapers, marks, reason: /records marked as not public/ });
    const kept = [['Öffentlichkeit'], ['Vertraulichkeit'], ['nichtöffentliche Wege']];
    await assertPublished(harness, { ...ofPapers, marks: kept.map((keyword) => ({ keyword })) });
  });

  test('items of a meeting that is not public, or with such a name, lead to a paper only if they are marked as public', async () => {
    const note = { name: 'Personal (nichtöffentlich)' };
    const cases: [meeting: object, item: object, isPublic: boolean][] = [
      [{}, note, false],
      [{}, { ...note, public: true }, true],
      [{}, { name: 'Bekanntgabe nichtöffentlich gefasster Beschlüsse' }, true],
      ...[
        ...[
          'Rat (nicht öffentlich)',
          'Nichtöffentliche Sitzung des Rates',
          'Rat – NÖ',
          'Rat nichtöffentlich',
        ],
        ...['12. nichtöffentliche Sitzung des Rates', 'Nichtöffentliche Ratssitzung', 'Rat/nichtöffentlich'],
        'Nichtöffentliche Sitzung im Anschluss an die öffentliche Sitzung',
        'Öffentliche Sitzung des Rates - nichtöffentlicher Teil',
      ].flatMap((name): [object, object, boolean][] => [
        [{ name }, {}, false],
        [{ name }, { public: true }, true],
      ]),
      ...[
        ...['Rat (öffentlich/nichtöffentlich)', 'Rat (öffentlich), Rat (nichtöffentlich)', 'Rat (Ö, NÖ)'],
        ...[
          'Öffentliche Sitzung des Rates, anschließend nichtöffentlich',
          'Rat: öffentl. und nichtöffentlich',
        ],
        ...['Nichtöffentliche Sitzung mit öffentlichem Teil', 'Rat (nichtöffentlicher Teil entfällt)'],
      ].map((name): [object, object, boolean] => [{ name }, {}, true]),
    ];
    for (const [meeting, fields, isPublic] of cases) {
      const item = createItem(1, { result: 'abgelehnt', ...fields });
      for (const objects of [
        [createMeeting(1, { ...meeting, agendaItem: [item] })],
        [createMeeting(1, meeting), { ...item, meeting: composeUrl('meetings', 1) }],
      ]) {
        const town = await harness.createMunicipality();
        await harness.importContent(town, toNdjson([createPaper(1), ...objects]), options);
        const [session] = await harness.listAll(town, '/sessions');
        const [paper] = await harness.listAll(town, '/submissions');
        const found = [session.submissionCount, paper.status];
        assert.deepEqual(
          found,
          isPublic ? [1, 'rejected'] : [0, 'submitted'],
          JSON.stringify([meeting, fields]),
        );
      }
    }
  });

  test('deleted and private: such a location gives no point, and such a committee no name', async () => {
    const coordinates = [8.4, 49];
    const toLocation = (mark: object) => ({
      location: [{ geojson: { type: 'Feature', geometry: { type: 'Point', coordinates } }, ...mark }],
    });
    const organization = [composeUrl('organizations', 1)];
    for (const [mark, point, name] of [
      [{}, true, 'Ältestenrat'],
      [{ deleted: true }, false, 'Sitzung'],
      [{ private: 'ja' }, false, 'Sitzung'],
    ] as const) {
      const town = await harness.createMunicipality();
      await harness.store.editOrganization(town.id, { locationDecimals: '3' });
      const objects = [
        { ...createOrganization(1, 'Ältestenrat'), ...mark },
        createPaper(1, toLocation(mark)),
        createMeeting(1, { name: 'Sitzung', organization }),
      ];
      const flags = ['--locations', 'on'];
      await harness.importContent(town, toNdjson(objects), { ...options, flags });
      const [paper] = await harness.listAll(town, '/search/submissions');
      assert.equal(paper.location !== null, point, JSON.stringify(mark));
      const [session] = await harness.listAll(town, '/sessions');
      assert.equal(session.committeeName, name, JSON.stringify(mark));
    }
  });

  test('items of a committee with such a name lead to a paper only if they are marked as public', async () => {
    for (const [name, fields, isPublic] of [
      ['Ältestenrat (nichtöffentlich)', {}, false],
      ['Ältestenrat (nichtöffentlich)', { public: true }, true],
      ['Ältestenrat', {}, true],
    ] as const) {
      const town = await harness.createMunicipality();
      const organization = [composeUrl('organizations', 1)];
      const agendaItem = [createItem(1, { result: 'abgelehnt', ...fields })];
      const objects = [
        createOrganization(1, name),
        createPaper(1),
        createMeeting(1, { organization, agendaItem }),
      ];
      await harness.importContent(town, toNdjson(objects), options);
      const [session] = await harness.listAll(town, '/sessions');
      assert.equal(session.submissionCount, isPublic ? 1 : 0, name);
    }
  });

  // "Drückt aus, ob bei dieser Beratung ein Beschluss zu der Drucksache gefasst wird oder wurde (`true`) oder nicht (`false`)."
  test('the result of a consultation that only advises neither accepts nor rejects a paper', async () => {
    const advise = (n: number, authoritative: unknown) => ({ ...createConsultation(n), authoritative });
    const results = ['einstimmig beschlossen', 'abgelehnt', 'zurückgezogen', 'zur Kenntnis genommen'];
    const cases: [authoritative: unknown, statuses: string[]][] = [
      [true, ['accepted', 'rejected', 'withdrawn', 'completed']],
      [null, ['accepted', 'rejected', 'withdrawn', 'completed']],
      [false, ['in_review', 'in_review', 'withdrawn', 'completed']],
      ['false', ['in_review', 'in_review', 'withdrawn', 'completed']],
    ];
    for (const [authoritative, expected] of cases) {
      const papers = results.map((_, n) =>
        createPaper(n, { consultation: [{ ...advise(n, authoritative), paper: undefined }] }),
      );
      const items = results.map((result, n) => createItem(n, { result }));
      const inputs: Record<string, unknown[]> = {
        'in the paper': [...papers, createMeeting(1, { agendaItem: items })],
        'an object of its own': [
          ...results.flatMap((_, n) => [createPaper(n), advise(n, authoritative)]),
          createMeeting(1, { agendaItem: items }),
        ],
        'in the item': [
          ...results.map((_, n) => createPaper(n)),
          createMeeting(1, {
            agendaItem: items.map((item, n) => ({ ...item, consultation: advise(n, authoritative) })),
          }),
        ],
      };
      for (const [where, objects] of Object.entries(inputs)) {
        const town = await harness.createMunicipality();
        await harness.importContent(town, toNdjson(objects), options);
        const submissions = await harness.listAll(town, '/submissions');
        const statuses = new Map(submissions.map(({ description, status }) => [description, status]));
        assert.deepEqual(
          results.map((_, n) => statuses.get(`Antrag ${n}`)),
          expected,
          `${where}: ${authoritative}`,
        );
      }
    }
  });

  test('deleted: a consultation that is deleted or private leads to no paper and no result', async () => {
    const item = createItem(1, { result: 'abgelehnt' });
    const url = composeUrl('consultations', 1);
    for (const mark of [{ deleted: true }, { deleted: 'true' }, { private: true }])
      for (const objects of [
        [
          createPaper(1, { consultation: [{ ...createConsultation(1), paper: undefined, ...mark }] }),
          createMeeting(1, { agendaItem: [item] }),
        ],
        [
          createPaper(1, { consultation: [url] }),
          { ...createConsultation(1), ...mark, paper: undefined },
          createMeeting(1, { agendaItem: [item] }),
        ],
        [
          createPaper(1, { consultation: undefined }),
          { ...createConsultation(1), ...mark },
          createMeeting(1, { agendaItem: [item] }),
        ],
      ]) {
        const town = await harness.createMunicipality();
        await harness.importContent(town, toNdjson(objects), options);
        const [paper] = await harness.listAll(town, '/submissions');
        const [session] = await harness.listAll(town, '/sessions');
        assert.deepEqual([paper.status, session.submissionCount], ['submitted', 0], JSON.stringify(objects));
      }
  });

  test('advice changes no earlier result, and a later decision counts', async () => {
    const town = await harness.createMunicipality();
    const meet = (month: string, n: number, result: string, consultation: string) =>
      createMeeting(n, {
        start: `2026-0${month}-17T16:30:00+01:00`,
        end: null,
        agendaItem: [{ ...createItem(n, { result }), consultation }],
      });
    const paper = (n: number) =>
      createPaper(n, {
        consultation: ['advice', 'decision'].map((id) => ({
          ...createConsultation(n),
          id: composeUrl('consultations', `${n}-${id}`),
          authoritative: id === 'decision',
        })),
      });
    const url = (n: number, id: string) => composeUrl('consultations', `${n}-${id}`);
    await harness.importContent(
      town,
      toNdjson([
        ...[paper(1), meet('1', 1, 'beschlossen', url(1, 'advice'))],
        meet('2', 2, 'abgelehnt', url(1, 'decision')),
        ...[paper(2), meet('1', 3, 'beschlossen', url(2, 'decision'))],
        meet('2', 4, 'abgelehnt', url(2, 'advice')),
      ]),
      options,
    );
    const submissions = await harness.listAll(town, '/submissions');
    const statuses = submissions.map(({ description, status }) => `${description} ${status}`).sort();
    assert.deepEqual(statuses, ['Antrag 1 rejected', 'Antrag 2 accepted']);
  });

  test('cancelled meetings are removed, whatever says so, also without a start', async () => {
    const marks = [
      ...[{ cancelled: true }, { cancelled: 'true' }, { cancelled: 1 }, { cancelled: 'Ja', start: null }],
      ...[
        'abgesagt',
        'ABGESAGT',
        'entfällt',
        'entfallen',
        'ausgefallen',
        'Sitzung fällt aus',
        'storniert',
      ].map((meetingState) => ({ meetingState })),
      ...['cancelled', 'abge\u00ADsagt', 'a b g e s a g t', 'abgesagt (Corona)'].map((meetingState) => ({
        meetingState,
      })),
      ...[
        'Gemeinderat - ENTFÄLLT',
        'Rat (Sitzung findet nicht statt)',
        'Rat - abgesagt - 17.3.2026',
        'Sitzung abgesagt wegen Sturm',
        'Rat „abgesagt“ Saal 1',
      ].map((name) => ({ name })),
      { name: 'Rat – ent\u200Bfällt', start: undefined },
      ...[
        { 'ris:findetStatt': false },
        { findetStatt: 'nein' },
        { 'ris:abgesagt': 'ja' },
        { isCancelled: 1 },
      ],
      ...[
        { status: 'abgesagt' },
        { state: 'cancelled' },
        { sitzungsstatus: 'entfällt' },
        { meetingStatus: 'Cancelled' },
        { 'vendor:status': 'abgesagt' },
        { Sitzungszustand: 'ausgefallen' },
      ],
    ];
    await assertRetracted(harness, { ...ofMeetings, marks, reason: /deleted or cancelled meetings/ });
  });

  test('meetings that are moved, or of which a part is dropped, are published', async () => {
    const marks = [
      ...['verschoben', 'verlegt', 'terminiert', 'eingeladen', 'durchgeführt', 'nicht abgesagt', ''].map(
        (meetingState) => ({ meetingState }),
      ),
      ...[
        'Rat (nichtöffentlicher Teil entfällt)',
        'Rat (TOP 3 entfällt)',
        'Rat - Einwohnerfragestunde entfällt',
        'Ersatztermin Rat (Sitzung vom 20.3. entfällt)',
        'Ausschuss für abgesagte Feste',
        'Beirat Ausfallstraßen',
      ].map((name) => ({ name })),
      { cancelled: 'false' },
      { cancelled: null },
      ...[{ 'ris:findetStatt': true }, { abgesagt: '' }, { isCancelled: false }],
      { cancellationDeadline: '2026-03-01T10:00:00Z' },
      ...[{ status: 'verschoben' }, { protokollstatus: 'entfällt' }, { bearbeitungsstatus: 'aufgehoben' }],
    ];
    await assertPublished(harness, { ...ofMeetings, marks });
  });

  test('words for cancelled in other properties of a meeting are noted', async () => {
    for (const [fields, isNoted] of [
      [{ keyword: ['Haushalt', 'abgesagt'] }, true],
      [{ bemerkung: 'Die Sitzung entfällt' }, true],
      [{ protokollstatus: 'entfällt' }, true],
      [{ location: { description: 'entfällt' } }, true],
      [{ keyword: ['Haushalt'], bemerkung: 'TOP 3 entfällt', web: 'https://ris.example/abgesagt' }, false],
    ] as const) {
      const town = await harness.createMunicipality();
      const { counts } = await harness.importContent(town, toMeetings([fields]), options);
      assert.equal((await harness.listAll(town, '/sessions')).length, 1);
      const notes = JSON.stringify(counts.notes);
      assert.equal(notes.includes('may mean that it is cancelled'), isNoted, JSON.stringify(fields));
    }
  });

  // withdrawn: the standard has no such mark; "zurückgezogen" is a result, and the paper stays public.
  test('deleted papers and meetings are removed, whatever the type of the mark, also without other properties', async () => {
    const marks = [
      ...[true, 'true', 'TRUE', 1, '1', 'ja', '2026-03-02T10:00:00+01:00', 'tr\u200Bue'].map((deleted) => ({
        deleted,
      })),
      { deleted: true, name: null, paperType: undefined, start: undefined },
    ];
    await assertRetracted(harness, { ...ofPapers, marks, reason: /objects marked as deleted/ });
    await assertRetracted(harness, { ...ofMeetings, marks, reason: /deleted or cancelled meetings/ });
    await assertPublished(harness, {
      ...ofPapers,
      marks: [false, 'false', 0, '0', 'nein', null, ''].map((deleted) => ({ deleted })),
    });
  });

  // draft: the standard has no drafts of papers. Systems write it as the state of a meeting.
  test('meetings in the state of a draft are removed', async () => {
    const marks = [
      { meetingState: 'Entwurf' },
      { meetingState: 'unveröffentlicht' },
      { draft: true },
      { published: 'nein' },
    ];
    await assertRetracted(harness, { ...ofMeetings, marks, reason: /drafts/ });
  });

  test('of repeated objects, the one that was modified last counts; without a time, a retraction', async () => {
    const [early, late] = ['2026-03-01T10:00:00+01:00', '2026-03-02T10:00:00+01:00'].map((modified) => ({
      modified,
    }));
    const title = (name: string) => ({ name, title: name });
    const cases: [unknown[], object | undefined][] = [
      [
        [createPaper(1, { ...early, name: 'Alt' }), createPaper(1, { ...late, name: 'Neu' })],
        { description: 'Neu' },
      ],
      [[createPaper(1, early), createPaper(1, { ...late, deleted: true })], undefined],
      [[createPaper(1, { ...early, deleted: true }), createPaper(1, late)], { description: 'Antrag 1' }],
      [[createPaper(1), createPaper(1, { deleted: 'true' })], undefined],
      [
        [createMeeting(1, { ...early, ...title('Alt') }), createMeeting(1, { ...late, ...title('Neu') })],
        { committeeName: 'Neu' },
      ],
      [[createMeeting(1, early), createMeeting(1, { ...late, meetingState: 'abgesagt' })], undefined],
      [[createMeeting(1), createMeeting(1, { cancelled: true })], undefined],
    ];
    for (const [states, expected] of cases)
      await assertCountingState(harness, options, toNdjson, states, expected);
  });

  test('an endpoint removes what its objects mark, whatever the type of the mark', async (t) => {
    const server = await startCouncilServer(t);
    const at = server.origin;
    const items = [createServedItem(at, 1, 'abgelehnt')];
    const town = await harness.createMunicipality();
    const paper = (n: number, more: object) => createServedPaper(at, n, { consultation: [], ...more });
    server.lists = {
      organization: [createServedOrganization(at)],
      paper: [createServedPaper(at, 1), paper(2, {}), paper(3, {}), paper(4, {})],
      meeting: [
        createServedMeeting(at, 1, items),
        createServedMeeting(at, 2, []),
        createServedMeeting(at, 3, []),
      ],
    };
    assert.equal((await sync(town, server.bodyUrl)).counts.inserted, 7);
    server.lists = {
      organization: [createServedOrganization(at)],
      paper: [
        createServedPaper(at, 1),
        paper(2, { deleted: 'true' }),
        paper(3, { private: 1 }),
        paper(4, {}),
      ],
      meeting: [
        createServedMeeting(at, 1, [{ ...items[0], public: 'false' }]),
        createServedMeeting(at, 2, [], { meetingState: 'abgesagt' }),
        createServedMeeting(at, 3, [], { 'ris:findetStatt': 'nein', start: null }),
      ],
    };
    const { counts, stderr } = await sync(town, server.bodyUrl, '--full');
    assert.equal(counts.removed, 4, stderr);
    const statuses = (await harness.listAll(town, '/submissions')).map(({ status }) => status);
    assert.deepEqual(statuses, ['submitted', 'submitted']);
    assert.equal((await harness.listAll(town, '/sessions')).length, 1);
  });

  test('deleted: a consultation that an endpoint embeds as deleted or private leads to no paper and no result', async (t) => {
    const server = await startCouncilServer(t);
    const at = server.origin;
    const type = 'https://schema.oparl.org/1.1/Consultation';
    const consultation = (n: number, more: object = {}) => ({
      id: `${at}/consultations/${n}`,
      type,
      ...more,
    });
    const items = [1, 2, 3].map((n) => createServedItem(at, n, 'abgelehnt'));
    const ofPaper = (n: number) => ({ paper: `${at}/papers/${n}` });
    const toLists = (mark: object) => ({
      organization: [createServedOrganization(at)],
      paper: [
        createServedPaper(at, 1, { consultation: [consultation(1, mark)] }),
        ...[2, 3].map((n) => createServedPaper(at, n, { consultation: [] })),
      ],
      meeting: [
        createServedMeeting(at, 1, [
          items[0],
          { ...items[1], consultation: consultation(2, { ...ofPaper(2), ...mark }) },
          { ...items[2], consultation: consultation(3, ofPaper(3)), ...mark },
        ]),
      ],
    });
    for (const mark of [{ deleted: true }, { 'ris:nichtöffentlich': 'ja' }]) {
      const town = await harness.createMunicipality();
      server.lists = toLists({});
      await sync(town, server.bodyUrl);
      const list = async () =>
        (await harness.listAll(town, '/submissions')).map(({ status }) => status).toSorted();
      assert.deepEqual(await list(), ['rejected', 'rejected', 'rejected']);
      server.lists = toLists(mark);
      await sync(town, server.bodyUrl, '--full');
      assert.deepEqual(await list(), ['submitted', 'submitted', 'submitted'], JSON.stringify(mark));
      const [session] = await harness.listAll(town, '/sessions');
      assert.equal(session.submissionCount, 0);
    }
  });

  test('an endpoint publishes a paper that says that it is public, whatever its name', async (t) => {
    const server = await startCouncilServer(t);
    const at = server.origin;
    const name = 'Verkauf (nicht öffentlich)';
    server.lists = {
      organization: [createServedOrganization(at)],
      paper: [createServedPaper(at, 1, { name, public: true }), createServedPaper(at, 2, { name })],
      meeting: [],
    };
    const town = await harness.createMunicipality();
    await sync(town, server.bodyUrl);
    assert.equal((await harness.listAll(town, '/submissions')).length, 1);
  });

  test('an endpoint may say in the paper, in a list or in the item that a consultation only advises', async (t) => {
    const server = await startCouncilServer(t);
    const at = server.origin;
    const numbers = [1, 2, 3, 4];
    const advise = (n: number) => ({
      id: `${at}/consultations/${n}`,
      type: 'https://schema.oparl.org/1.1/Consultation',
      authoritative: false,
    });
    const items = numbers.map((n) => createServedItem(at, n, 'einstimmig beschlossen'));
    server.lists = {
      organization: [createServedOrganization(at)],
      paper: numbers.map((n) => createServedPaper(at, n, n === 1 ? { consultation: [advise(n)] } : {})),
      consultation: [{ ...advise(2), paper: `${at}/papers/2` }],
      meeting: [
        createServedMeeting(at, 1, [
          ...[items[0], items[1]],
          { ...items[2], consultation: { ...advise(3), paper: `${at}/papers/3` } },
          items[3],
        ]),
      ],
    };
    const town = await harness.createMunicipality();
    const { counts, stderr } = await sync(town, server.bodyUrl);
    assert.equal(counts.inserted, 5, stderr);
    const submissions = await harness.listAll(town, '/submissions');
    const statuses = submissions.map(({ description, status }) => `${description} ${status}`).sort();
    assert.deepEqual(statuses, [
      ...['Antrag 1 in_review', 'Antrag 2 in_review', 'Antrag 3 in_review'],
      'Antrag 4 accepted',
    ]);
  });

  // Invisible characters are among the cases above. Personal data: redaction is the same for each format (redaction.test.ts), and the
  // standard marks persons by objects that are not imported.
});
