/**
 * What a service request says about its publication. GeoReport v2 has public requests alone, and its `status` is open or closed;
 * FixMyStreet, CitySDK and others extend it.
 */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toCsv } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { assertCountingState, assertPublished, assertRetracted } from './meaning-harness.ts';

const harness = await createImportHarness({ after });
const options = { format: 'open311', name: 'requests.json' };

type Fields = Record<string, unknown> | undefined;
const request = { service_name: 'Lamp', status: 'open', requested_datetime: '2026-03-01T10:15:00+01:00' };
const toInput = (marks: readonly Fields[]) =>
  JSON.stringify(
    marks.map((fields, index) => ({ service_request_id: String(index + 1), ...request, ...fields })),
  );

suite('Open311:', { concurrency: 2 }, () => {
  test('private: requests that an extension marks are removed, also if they are incomplete', async () => {
    const marks = [
      ...[
        { non_public: 1 },
        { non_public: '1' },
        { private: 'TRUE' },
        { is_private: 'yes' },
        { public: 'false' },
      ],
      ...[
        { extended_attributes: { private: true } },
        { extended_attributes: { hidden: 'ja' } },
        { status: 'hidden' },
      ],
      // SeeClickFix and Mark-a-Spot, whose attributes are in an object of their own.
      ...[
        { private_visibility: true },
        { visibility: 'private' },
        { spam: 1 },
        { extended_attributes: { markaspot: { hidden: true } } },
        { extended_attributes: { markaspot: [{ title: 'x' }, { hidden: true }] } },
        { extended_attributes: [{ title: 'x' }, { private: true }] },
      ],
      // Other languages and names, and readers that are not everyone.
      ...[{ vertraulich: true }, { öffentlich: false }, { Intern: 'ja' }, { freigegeben: 'noch nicht' }],
      ...[{ visibility: 'members' }, { visibility: 'unlisted' }, { restricted: 'yes' }],
      ...[{ confidentiality: 'confidential' }, { extended_attributes: { state: 'hidden' } }],
      ...[{ audience: 'staff only' }, { access: 'restricted' }, { sichtbar_fuer: 'Verwaltung' }],
      ...[{ publicly_visible: false }, { visible_to_public: 'no' }, { staff_only: true }, { is_test: 1 }],
      ...[{ öffentlich_sichtbar: 'nein' }, { 'internal use only': 'x' }, { withheld: true }],
      ...[{ record_status: 'deleted (spam)' }, { sensitivity: 'Private' }, { privacy_level: 'private' }],
      { accessRights: 'http://publications.europa.eu/resource/authority/access-right/NON_PUBLIC' },
      ...[{ visible_until: '2026-04-01' }, { visible_to: '2026-04-01' }, { visible_to: 'staff' }],
      { non_public: true, requested_datetime: undefined },
    ];
    const reason = /records marked as not public/;
    await assertRetracted(harness, { options, toInput, marks, reason });
    const kept = [
      { non_public: 0 },
      { non_public: '0' },
      { public: 1 },
      { private: '' },
      { extended_attributes: [] },
      { private_visibility: false },
      { visibility: 'public' },
      { spam: 'not spam' },
      // A number, and no "NÖ".
      { no: 1 },
      ...['Öffentlichkeit', 'Alle Bürgerinnen und Bürger'].map((reader) => ({ 'sichtbar für': reader })),
      // The last day, and no reader.
      { visible_from: '2026-01-01', visible_to: '2060-04-01' },
      { spam: 'ham' },
      ...[{ publicly_visible: true }, { staff_only: false }, { is_test: 0 }, { sensitivity: 'normal' }],
      ...[{ approved: false }, { flagged: true }, { archived: true }, { removed: true }, { withdrawn: true }],
      { accessRights: 'http://publications.europa.eu/resource/authority/access-right/PUBLIC' },
      ...[{ internal: 'Call the depot' }, { visibility: 'everyone' }, { visibility: '' }, { access: 'open' }],
      ...[{ visible_until: '2060-04-01' }, { embargo_until: '2026-03-01' }, { online: false }],
      { extended_attributes: { reporter: { public: false }, photo: { hidden: true } } },
      { extended_attributes: { markaspot: { published: 1 }, media: [{ published: false }] } },
    ];
    await assertPublished(harness, { options, toInput, marks: kept });
    await assertRetracted(harness, {
      options: { format: 'open311', name: 'requests.csv' },
      toInput: (entries: readonly (string | undefined)[]) =>
        toCsv(',', [
          ['service_request_id', 'service_name', 'status', 'requested_datetime', 'non_public'],
          ...entries.map((mark, index) => [String(index), 'Lamp', 'open', '2026-03-01', mark ?? '0']),
        ]),
      marks: ['1', 'true', 'Ja'],
      reason,
    });
    await assertRetracted(harness, {
      options: { format: 'open311', name: 'requests.xml' },
      toInput: (entries: readonly (string | undefined)[]) =>
        `<service_requests>${entries
          .map(
            (mark = '', index) =>
              `<request><service_request_id>${index}</service_request_id><service_name>Lamp</service_name><status>open</status><requested_datetime>2026-03-01</requested_datetime><non_public>${mark}</non_public></request>`,
          )
          .join('')}</service_requests>`,
      marks: ['1', 'true'],
      reason,
    });
  });

  // PostgreSQL writes t and f, pandas 0.0 for a boolean in a column with missing values.
  test('private: yes and no of programs mean what they say, also with more words', async () => {
    const csv = (column: string, published: string) => ({
      options: { format: 'open311', name: 'requests.csv' },
      toInput: (entries: readonly (string | undefined)[]) =>
        toCsv(',', [
          ['service_request_id', 'service_name', 'status', 'requested_datetime', column],
          ...entries.map((mark, index) => [String(index), 'Lamp', 'open', '2026-03-01', mark ?? published]),
        ]),
    });
    await assertRetracted(harness, {
      ...csv('public', 't'),
      marks: ['f', 'F', 'off', '0.0', 'Nein (intern)', 'nicht', 'not yet', 'gesperrt', 'unveröffentlicht'],
      reason: /records marked as not public/,
    });
    await assertPublished(harness, { ...csv('public', 't'), marks: ['t', 'on', '1.0', 'Ja', ''] });
    await assertRetracted(harness, {
      ...csv('non_public', 'f'),
      marks: ['t', 'on', '1.0'],
      reason: /records marked as not public/,
    });
    await assertPublished(harness, { ...csv('non_public', 'f'), marks: ['f', 'off', '0.0'] });
  });

  // cancelled, withdrawn: the standard has neither. Words of a town for them are statuses of a public request, like "duplicate". "Planned" works of FixMyStreet are public.
  test('requests in other states are published', async () => {
    const marks = ['duplicate', 'cancelled', 'withdrawn', 'Open', 'closed', 'planned', 'geplant'].map(
      (status) => ({ status }),
    );
    await assertPublished(harness, { options, toInput, marks });
  });

  test('statuses of records that are not public count in each language', async () => {
    const toMarks = (...statuses: string[]) => statuses.map((status) => ({ status }));
    await assertRetracted(harness, {
      options,
      toInput,
      marks: toMarks(
        ...['caché', 'privée', 'interne', 'Confidencial', 'interno', 'riservato', 'confidenziale'],
        ...[
          'vertrouwelijk',
          'ukryty',
          'poufne',
          'wewnętrzne',
          'ocult',
          'skjult',
          'wird nicht veröffentlicht',
        ],
      ),
      reason: /records marked as not public/,
    });
    await assertRetracted(harness, {
      options,
      toInput,
      marks: toMarks('Supprimé', 'borrado', 'eliminata', 'usunięte', 'suprimit', 'slettet'),
      reason: /records marked as deleted/,
    });
    await assertRetracted(harness, {
      options,
      toInput,
      marks: toMarks(
        'pending_moderation',
        'in Moderation',
        'wartet auf Freischaltung',
        'en attente de modération',
      ),
      reason: /drafts/,
    });
  });

  // Klarschiff: until editors have released the description, the attribute says no, and a placeholder takes its place.
  test('private: a description that is not released gives way to the service', async () => {
    const toTexts = async (fields: Fields) => {
      const town = await harness.createMunicipality();
      const entry = { description: 'Wohnt in Nummer 5', ...fields };
      await harness.importContent(town, toInput([entry]), options);
      return (await harness.listAll(town, '/submissions')).map(({ description }) => description);
    };
    for (const isPublic of [false, 'false', 'nein', 0])
      assert.deepEqual(await toTexts({ extended_attributes: { description_public: isPublic } }), ['Lamp']);
    for (const isPublic of [true, 'true', null, ''])
      assert.deepEqual(await toTexts({ extended_attributes: { description_public: isPublic } }), [
        'Wohnt in Nummer 5',
      ]);
  });

  test('private: pictures that an object marks are left out, and their request stays', async () => {
    const media_url = 'https://media.example/1.jpg';
    for (const [fields, count] of [
      [{ media_url }, 1],
      [{ media_url, extended_attributes: { photo: { hidden: false } } }, 1],
      [{ media_url, extended_attributes: { photo: { hidden: true } } }, 0],
      [{ media_url, extended_attributes: { media: { published: 0 } } }, 0],
      [{ media_url: [{ url: media_url, public: false }] }, 0],
      [{ media_url: [{ url: media_url }, { url: 'https://media.example/2.jpg', private: true }] }, 1],
    ] as const) {
      const town = await harness.createMunicipality();
      await harness.importContent(town, toInput([fields]), options);
      const [found] = await harness.listAll(town, '/search/submissions');
      assert.deepEqual(
        [found.documents.length, found.hasAttachments],
        [count, count > 0],
        JSON.stringify(fields),
      );
    }
  });

  test('private: a high level of confidentiality removes a request', async () => {
    const marks = [
      { extended_attributes: { confidentiality: 'high' } },
      { Vertraulichkeitsstufe: 'sehr hoch' },
      { confidentiality_level: 'strictly confidential' },
    ];
    await assertRetracted(harness, { options, toInput, marks, reason: /records marked as not public/ });
    const kept = [
      { confidentiality: 'low' },
      { confidentiality: 'public' },
      { priority: 'high' },
      { Schutzbedarf: 'hoch' },
    ];
    await assertPublished(harness, { options, toInput, marks: kept });
  });

  test('deleted: requests that an extension marks are removed', async () => {
    const marks = [{ deleted: 'true' }, { deleted_at: '2026-03-02' }, { status: 'DELETED' }];
    await assertRetracted(harness, { options, toInput, marks, reason: /records marked as deleted/ });
  });

  test('draft: requests that are not yet confirmed or published are removed', async () => {
    const marks = [
      ...[{ status: 'unconfirmed' }, { published: false }, { published: 'no' }, { draft: 'y' }],
      { extended_attributes: { detailed_status: 'DRA\u00ADFT' } },
      ...[{ embargoUntil: '2060-01-01' }, { published_at: '2060-01-01T10:00:00Z' }],
      { extended_attributes: { markaspot: { published: 'false' } } },
    ];
    await assertRetracted(harness, { options, toInput, marks, reason: /drafts/ });
    await assertRetracted(harness, {
      options: { format: 'open311', name: 'requests.csv' },
      toInput: (entries: readonly (string | undefined)[]) =>
        toCsv(',', [
          [
            ...['service_request_id', 'service_name', 'status', 'requested_datetime'],
            ...['markaspot', 'reporter', 'form'].map((name) => `extended_attributes.${name}.published`),
          ],
          ...entries.map((mark, index) => [
            ...[String(index), 'Lamp', 'open', '2026-03-01'],
            ...[mark ?? '1', '0', '1'],
          ]),
        ]),
      marks: ['0', 'false'],
      reason: /drafts/,
    });
  });

  test('repeated: the state with the later updated_datetime counts; of equal ones, a retraction', async () => {
    const [early, late] = ['2026-03-02T10:15:00+01:00', '2026-03-05T10:15:00+01:00'].map(
      (updated_datetime) => ({
        service_request_id: '9',
        ...request,
        updated_datetime,
      }),
    );
    const closed = { ...late, status: 'closed' };
    const cases: [unknown[], object | undefined][] = [
      [[early, closed], { status: 'completed', statusChangedAt: '2026-03-05T09:15:00.000Z' }],
      [[{ ...early, updated_datetime: undefined }, closed], { status: 'completed' }],
      [[early, { ...late, non_public: 1 }], undefined],
      [[{ ...early, non_public: 1 }, closed], { status: 'completed' }],
      [[closed, { ...late, non_public: 1 }], undefined],
      [[closed, { ...late, updated_datetime: undefined, non_public: 1 }], undefined],
    ];
    for (const [states, expected] of cases)
      await assertCountingState(harness, options, (entries) => JSON.stringify(entries), states, expected);
  });

  // Invisible characters are among the cases above. Personal data: GeoReport v2 has the reporter in fields of a new request only,
  // and none of them are read (open311.test.ts).
});
