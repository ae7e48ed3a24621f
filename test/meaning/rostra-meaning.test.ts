/** What a record of Rostra's own format says about its publication. */
import { after, suite, test } from 'node:test';
import { toCsv, toNdjson } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { assertCountingState, assertPublished, assertRetracted } from './meaning-harness.ts';

const harness = await createImportHarness({ after });

type Fields = Record<string, unknown> | undefined;
const submission = { kind: 'submission', description: 'Bänke', createdAt: '2026-03-01T10:00:00Z' };
const session = { kind: 'session', committeeName: 'Gemeinderat', date: '2026-03-17' };
const createInput = (base: object) => (marks: readonly Fields[]) =>
  toNdjson(marks.map((fields, index) => ({ id: String(index + 1), ...base, ...fields })));
const ofSubmissions = { options: {}, toInput: createInput(submission) };
const ofSessions = { options: {}, toInput: createInput(session), list: 'sessions' } as const;

suite("Rostra's own format:", { concurrency: 2 }, () => {
  // The format has no mark for private records, but a record with such a field must not stay public because the field is unknown.
  test('private records are removed', async () => {
    const marks = [
      { private: true },
      { hidden: 'ja' },
      { public: 'false' },
      { confidential: 1, createdAt: '' },
    ];
    const reason = /records marked as not public/;
    await assertRetracted(harness, { ...ofSubmissions, marks, reason });
    await assertRetracted(harness, { ...ofSessions, marks, reason });
    await assertRetracted(harness, {
      ...ofSubmissions,
      marks: [{ status: 'private' }, { status: 'Hidden' }],
      reason,
    });
  });

  test('cancelled sessions are removed by a word in the title or in the name of the committee', async () => {
    const marks = [
      ...[
        'Gemeinderat - ENTFÄLLT',
        'ABGESAGT: Gemeinderat',
        'Gemeinderat (ent\u00ADfällt)',
        'Council - called off',
      ].flatMap((text) => [{ title: text }, { committeeName: text }]),
      ...[
        'Conseil municipal (annulé)',
        'Pleno - desconvocado',
        'Consiglio: annullata',
        'Raad - gaat niet door',
      ].map((committeeName) => ({ committeeName })),
      ...[
        'Rat - Sitzung findet nicht statt',
        'Rat – entfällt wegen Krankheit',
        'Rat (findet leider nicht statt)',
        'Rat entfällt ersatzlos',
        'Entfällt ohne Ersatz',
        'Keine Ratssitzung',
        'sitzungsfrei',
        'Sitzungsfreie Woche 33',
        'Sitzungspause bis 24. August',
        'Rat – fällt wegen Krankheit aus',
        'Rat (Sitzungsausfall)',
        'Ｒａｔ － ＥＮＴＦÄＬＬＴ',
        'Rat entfällt aus terminlichen Gründen',
        'Rat entfällt krankheitsbedingt',
        'Rat entfällt wg. Krankheit',
        'Rat entf.',
        'Rat abgesagt am 12.3.',
        'Ratssitzung entfällt laut Bürgermeister',
        'Rat wurde abgesagt - Ersatztermin folgt',
        'Storno: Rat',
        'Council cancelled because of snow',
        'Council Meeting Cancelled by Mayor',
        'No Council Meeting',
      ].map((title) => ({ title })),
      ...[{ cancelled: true }, { abgesagt: 'ja' }, { takesPlace: false }, { 'findet statt': 'nein' }],
      { title: 'Gemeinderat - entfällt', date: 'irgendwann' },
    ];
    await assertRetracted(harness, { ...ofSessions, marks, reason: /cancelled sessions/ });
    const kept = [
      'Gemeinderat - verschoben',
      'Ausschuss für Unterrichtsausfall',
      'Rat (zweiter Teil entfällt)',
      'Rat – fällt nicht aus',
      'Rat – die Fragestunde fällt heute aus',
      'Rat – keine Absage',
      'Consiglio rinviato',
      'Letzte Sitzung vor der Sitzungspause',
      'Keine Ratssitzung ohne Livestream',
      'Sondersitzung (sitzungsfreie Woche)',
      'Rat - TOP 5 entfällt aus terminlichen Gründen',
      'Rat am 12.3. im Rathaus',
      'Ersatztermin Rat (Sitzung vom 20.3. entfällt)',
    ];
    await assertPublished(harness, { ...ofSessions, marks: kept.map((title) => ({ title })) });
  });

  test('withdrawn submissions stay public', async () => {
    await assertPublished(harness, {
      ...ofSubmissions,
      marks: [
        'withdrawn',
        'Entwurf beschlossen',
        'geplant',
        'in Vorbereitung',
        'Antwort nicht veröffentlicht',
      ].map((status) => ({ status })),
    });
  });

  test('deleted records are removed, whatever the type of the mark', async () => {
    const reason = /records marked as deleted/;
    const marks = [true, 'true', 'TRUE', 1, '1', 'yes', 'ja', 't\u200Brue'].map((deleted) => ({ deleted }));
    await assertRetracted(harness, { ...ofSubmissions, marks, reason });
    await assertPublished(harness, {
      ...ofSubmissions,
      marks: [false, 'false', 0, '0', 'nein'].map((deleted) => ({ deleted })),
    });
    await assertRetracted(harness, {
      options: { name: 'records.csv' },
      toInput: (entries: readonly (string | undefined)[]) =>
        toCsv(',', [
          ['id', 'description', 'createdAt', 'deleted'],
          ...entries.map((mark, index) => [String(index), 'Bänke', '2026-03-01T10:00:00Z', mark ?? 'false']),
        ]),
      marks: ['true', 'TRUE', '1', 'ja'],
      reason,
    });
  });

  // Drafts of surveys are kept, but not published (surveys.test.ts).
  test('drafts are removed', async () => {
    const marks = [
      { status: 'draft' },
      { status: 'Entwurf' },
      { status: 'unveröffentlicht' },
      { status: 'pas encore publié' },
      { draft: true },
      { published: 'no' },
    ];
    await assertRetracted(harness, { ...ofSubmissions, marks, reason: /drafts/ });
  });

  // The format has no time of the last change, so a retraction counts.
  test('of repeated records, a retraction counts, in each order', async () => {
    const states = [
      { ...submission, id: '1' },
      { kind: 'submission', id: '1', deleted: true },
    ];
    await assertCountingState(harness, {}, toNdjson, states, undefined);
  });

  // Invisible characters are among the cases above. Personal data: each text is redacted as in any format (redaction.test.ts).
});
