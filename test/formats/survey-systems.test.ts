/** What the exports of systems for surveys and forms have beside the answers, and how they write several answers. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { toCsv } from '../support/files.ts';
import { createSurveyHarness, importResponses } from './survey-harness.ts';

const { harness, store } = await createSurveyHarness({ after });

const createRows = (count: number, create: (n: number) => string[]) =>
  Array.from({ length: count }, (_, n) => create(n));

const importTable = (rows: string[][], flags?: string[]) =>
  importResponses(harness, store, toCsv(',', rows), flags);

const twice = (cells: string[]): [string[], string[]] => [cells, cells];

/** Half of the responses. */
const answer = (n: number) => (n % 2 ? 'good' : 'bad');
const single = (question: string, count = 40) => [
  question,
  'single_choice',
  { bad: count / 2, good: count / 2 },
];

suite('columns and cells of a system are no answers:', () => {
  test('codes for a missing answer', async () => {
    const systems: [header: string, codes: string[]][] = [
      ['CASE,QUESTNNR,How?', ['-9']],
      ['lfdn,dispcode,How?', ['-66', '-77', '-99']],
      ['ResponseId,RecordedDate,How?', ['-99']],
    ];
    for (const [header, codes] of systems) {
      const { totalResponses, questions } = await importTable([
        header.split(','),
        ...createRows(60, (n) => [String(n), '31', n < 40 ? answer(n) : (codes[n % codes.length] as string)]),
      ]);
      assert.deepEqual([totalResponses, questions], [60, [single('How?')]], header);
    }
    // "I do not know"
    const evasive = await importTable([
      ['CASE', 'QUESTNNR', 'How?'],
      ...createRows(60, (n) => [String(n), 'base', n < 40 ? '1' : '-1']),
    ]);
    assert.deepEqual(evasive.questions, [['How?', 'single_choice', { '-1': 20, 1: 40 }]]);
  });

  test('states of responses that do not count', async () => {
    const systems: [header: string, counted: string[], others: string[], note: RegExp][] = [
      ['lfdn,dispcode,How?', ['31', '32', '33', '34'], ['35', '37', '39', '41', '62'], /20 responses are/],
      ['lfdn,dispcode,How?', ['31'], ['11', '20', '22', '29'], /20 unfinished responses/],
      ['CASE,Q_VIEWER,How?,QUESTNNR', ['0'], ['1'], /20 responses are/],
      ['record_id,umfrage_complete,How?', ['2', '1'], ['0'], /20 unfinished responses/],
      ['Record ID,Complete?,How?', ['Complete', 'Unverified'], ['Incomplete'], /20 unfinished responses/],
    ];
    for (const [header, counted, others, note] of systems) {
      const { totalResponses, questions, notes } = await importTable([
        header.split(','),
        ...createRows(60, (n) => {
          const states = n < 40 ? counted : others;
          const cells = [String(n), states[Math.floor(n / 2) % states.length] as string, answer(n), 'base'];
          return cells.slice(0, header.split(',').length);
        }),
      ]);
      assert.deepEqual([totalResponses, questions], [40, [single('How?')]], header);
      assert.match(notes, note);
    }
  });

  test('times, scores, orders, positions and parameters of the address', async () => {
    const headers = [
      'CASE,QUESTNNR,TIME001,TIME_SUM,How?',
      'lfdn,dispcode,hflip,ats,rts1234,rnd_pg_12,p_0001,md_0002,c_0003,session_id,How?',
      'ResponseId,RecordedDate,Q5_First Click,Q5_Page Submit,Q1_DO,Q2_DO_3,SC0,Q4_NPS_GROUP,Q_RelevantIDDuplicate,How?',
      'ResponseId,RecordedDate,Timing - Click Count,How? - Display Order,How?',
      'ID,Start time,Completion time,Email,Total points,Quiz feedback,Points - How?,Feedback - How?,How?',
      'ID,Startzeit,Fertigstellungszeit,E-Mail,Gesamtpunktzahl,Quizfeedback,Punkte – How?,Feedback – How?,How?',
      'Timestamp,Score,How? [Score],How? [Punktzahl],How? [Feedback],How?',
      'SubmissionDate,SubmitterID,ReviewState,loc-Latitude,loc-Longitude,loc-Altitude,loc-Accuracy,How?',
      '_uuid,_submission_time,_validation_status,_loc_latitude,_loc_precision,_media_all_received,How?',
      'Record ID,Complete?,Survey Identifier,Survey Timestamp,Event Name,Repeat Instance,How?',
      'record_id,f_complete,redcap_survey_identifier,f_timestamp,redcap_event_name,redcap_data_access_group,How?',
      'sid,serial,uid,Submitted Time,remote_addr,langcode,entity_id,webform_id,How?',
      'Entry Id,Entry Date,Source Url,Date Updated,Created By (User Id),Payment Status,How?',
      'Entry ID,Entry Date,Entry Notes,Viewed,Starred,Type,How?',
      'Submission Date,Submission ID,Submission IP,Flow Status,Approval Status,Submission Edit URL,How?',
    ];
    for (const header of headers) {
      const names = header.split(',');
      const { questions, notes } = await importTable([
        names,
        ...createRows(40, (n) => names.map((name) => (name === 'How?' ? answer(n) : String((n % 3) + 2)))),
      ]);
      assert.deepEqual(questions, [single('How?')], header);
      assert.match(notes, new RegExp(`Skipped columns .*${names.at(-2)?.replaceAll(/[?[\]()]/g, '.')}`));
    }
    const named = await importTable(
      [['CASE', 'QUESTNNR', 'TIME001'], ...createRows(40, (n) => [String(n), 'base', answer(n)])],
      ['--questions', 'TIME001'],
    );
    assert.deepEqual(named.questions, [single('TIME001')]);
    const array = await importTable([
      ['Timestamp', 'Quality? [Score]', 'Quality? [Feedback]'],
      ...createRows(40, (n) => [`2026-02-01 10:${n}`, answer(n), answer(n)]),
    ]);
    assert.equal(array.questions.length, 2);
  });

  test('names of Nextcloud Forms in its languages', async () => {
    for (const [id, name, time] of [
      ['Benutzer-ID', 'Anzeigename des Nutzers', 'Zeitstempel'],
      ['Identifiant utilisateur', "Nom d'affichage de l'utilisateur", 'Horodatage'],
      ['ID utente', "Nome visualizzato dell'utente", 'Marca temporale'],
      ['Gebruiker-ID', 'Weergavenaam gebruiker', 'Tijdstempel'],
      ['ID użytkownika', 'Wyświetlana nazwa użytkownika', 'Znacznik czasu'],
      ['Kullanıcı kimliği', 'Görüntülenecek kullanıcı adı', 'Zaman damgası'],
    ] as const) {
      const { questions } = await importTable([
        [id, name, time, 'How?'],
        ...createRows(40, (n) => ['', n < 20 ? 'Anna' : 'Ben', '2026-02-01T10:00:00+01:00', answer(n)]),
      ]);
      assert.deepEqual(questions, [single('How?')], name);
    }
    const { questions } = await importTable([
      ['Anzeigename', 'User display name', 'How?'],
      ...createRows(40, (n) => [n < 20 ? 'Anna' : 'Ben', n < 20 ? 'Anna' : 'Ben', answer(n)]),
    ]);
    assert.deepEqual(questions, [single('How?')]);
  });

  test('addresses of computers and mailboxes, UUIDs and positions, under any heading', async () => {
    const cells = (n: number) => [
      n % 2 ? '203.0.113.7' : '2001:db8::1',
      n % 3 ? `p${n % 3}@example.org` : '',
      n % 2 ? '6f0d3c52-6b0e-4d4a-9a53-2f0d6c8e1b47' : 'uuid:6F0D3C52-6b0e-4d4a-9a53-2f0d6c8e1b48',
      n % 2 ? '48.137154 11.576124 0 0' : '48.2 11.5',
      n < 10 ? '203.0.113.7' : answer(n),
    ];
    const rows = [['Host', 'Reply to', 'Session', 'Home', 'How?'], ...createRows(60, cells)];
    const { questions, notes } = await importTable(rows);
    assert.deepEqual(
      questions.map(([text]) => text),
      ['How?'],
    );
    assert.match(notes, /Skipped columns about the person or the time: Host, Reply to, Session, Home\./);
    const named = await importTable(rows, ['--questions', 'Host']);
    assert.deepEqual(named.questions, [['Host', 'single_choice', { '2001:db8::1': 30, '203.0.113.7': 30 }]]);
  });
});

suite('a second row of headings is no response:', () => {
  test('ids of Nextcloud Forms, which never replace the texts', async () => {
    for (const texts of [
      ['Submission ID', 'User ID', 'User display name', 'Timestamp', 'How?'],
      ['Einsendungs-ID', 'Benutzer-ID', 'Anzeigename des Nutzers', 'Zeitstempel', 'How?'],
    ]) {
      const { totalResponses, questions } = await importTable([
        texts,
        ['submission_id', 'user_id', 'user_display_name', 'timestamp', 'question-id-5'],
        ...createRows(40, (n) => [String(n), '', 'Anonymous', '2026-02-01T10:00:00+01:00', answer(n)]),
      ]);
      assert.deepEqual([totalResponses, questions], [40, [single('How?')]]);
    }
  });

  test('labels of SoSci Survey, also if two are equal', async () => {
    const { totalResponses, questions } = await importTable([
      ['CASE', 'QUESTNNR', 'A101', 'A102'],
      ['Interview-Nummer (fortlaufend)', 'Fragebogen', 'Sauberkeit', 'Sauberkeit'],
      ...createRows(40, (n) => [String(n), 'base', answer(n), answer(n)]),
    ]);
    assert.deepEqual([totalResponses, questions], [40, [single('Sauberkeit'), single('Sauberkeit (2)')]]);
  });
});

suite('columns for the options of a question', () => {
  const chosen = (n: number, [yes, no]: readonly string[]) => (n % 2 ? (yes as string) : (no as string));
  const others = (n: number, [yes, no]: readonly string[]) => (n % 4 ? (yes as string) : (no as string));
  const expected = ['Use?', 'multiple_choice', { Bus: 20, Bike: 30 }];

  test('are one question, in the form of each system', async () => {
    const systems: [header: string, bus: string[], bike: string[]][] = [
      ['ResponseId,RecordedDate,Use? - Selected Choice - Bus,Use? - Selected Choice - Bike', [], []],
      ['ResponseId,RecordedDate,Use? - Bus,Use? - Bike', ['1', '-99'], ['1', '-99']],
      ['Response ID,Legacy Comments,Bus:Use?,Bike:Use?', [], []],
      ['sid,uid,Use?: Bus,Use?: Bike,serial', ['X', ''], ['X', '']],
      ['Entry Id,Entry Date,Use? (Bus),Use? (Bike),Source Url', [], []],
      ['Record ID,Complete?,Use? (choice=Bus),Use? (choice=Bike)', ...twice(['Checked', 'Unchecked'])],
      ['SubmissionDate,SubmitterID,Use?/Bus,Use?/Bike,ReviewState,Use?', ...twice(['1', '0'])],
      ['_uuid,_submission_time,Use?/Bus,Use?/Bike,_validation_status,Use?', ...twice(['True', 'False'])],
    ];
    for (const [header, bus, bike] of systems) {
      const names = header.split(',');
      const { questions } = await importTable([
        names,
        ...createRows(40, (n) => {
          const cells = [
            chosen(n, bus.length > 0 ? bus : ['Bus', '']),
            others(n, bike.length > 0 ? bike : ['Bike', '']),
          ];
          return [String(n), '', ...cells, '', n % 2 ? 'Bus Bike' : 'Bike'].slice(0, names.length);
        }),
      ]);
      assert.deepEqual(questions, [expected], header);
    }
  });

  test('have own words, which are counted and not read', async () => {
    const { questions } = await importTable([
      ['Response ID', 'Legacy Comments', 'Bus:Use?', 'Bike:Use?', 'Other - Write In:Use?'],
      ...createRows(40, (n) => [
        ...[String(n), '', chosen(n, ['Bus', '']), others(n, ['Bike', ''])],
        n < 15 ? `by ${n}` : '',
      ]),
    ]);
    assert.deepEqual(questions, [['Use?', 'multiple_choice', { Bus: 20, Bike: 30, Other: 15 }]]);
  });

  test('have the options in place of the question that Typeform leaves out', async () => {
    const { questions } = await importTable([
      ['#', 'Bus', 'Bike', 'How?', 'Start Date (UTC)', 'Submit Date (UTC)'],
      ...createRows(40, (n) => [
        String(n),
        chosen(n, ['Bus', '']),
        others(n, ['Bike', '']),
        answer(n),
        '',
        '',
      ]),
    ]);
    assert.deepEqual(questions, [['Bus / Bike', 'multiple_choice', { Bus: 20, Bike: 30 }], single('How?')]);
  });

  test('have codes of REDCap, and stay apart if they have different answers', async () => {
    const redcap = await importTable([
      ['record_id', 'f_complete', 'use___1', 'use___2'],
      ...createRows(40, (n) => [String(n), '2', chosen(n, ['1', '0']), others(n, ['1', '0'])]),
    ]);
    assert.deepEqual(redcap.questions, [['use', 'multiple_choice', { 1: 20, 2: 30 }]]);
    for (const header of [
      'ResponseId,RecordedDate,Rate - Bus,Rate - Bike',
      'sid,uid,A: Bus,A: Bike,serial',
    ]) {
      const names = header.split(',');
      const { questions } = await importTable([
        names,
        ...createRows(40, (n) => [String(n), '', answer(n), n % 2 ? 'Yes' : 'No', ''].slice(0, names.length)),
      ]);
      assert.deepEqual(
        questions.map(([, type]) => type),
        ['single_choice', 'single_choice'],
      );
    }
  });
});

test('answers that Qualtrics joins with a comma alone are noted as several answers', async () => {
  const rows = createRows(60, (n) => [String(n), '', ['Bus', 'Bike', 'Bus,Bike'][n % 3] as string]);
  const { notes } = await importTable([['ResponseId', 'RecordedDate', 'Use?'], ...rows]);
  assert.match(notes, /several answers: Use\?\./);
  const other = await importTable([['Timestamp', 'Time', 'Use?'], ...rows]);
  assert.doesNotMatch(other.notes, /several answers/);
});

test('a number that may be a code for a missing answer is noted in a table of unknown origin', async () => {
  for (const [others, missing, isNoted] of [
    [['1', '2'], '-99', true],
    [['1', '2'], '-9', true],
    [['0', '1'], '-999', true],
    [['1', '-1'], '-2', false],
    [['good', 'bad'], '-99', false],
  ] as const) {
    const { questions, notes } = await importTable([
      ['Timestamp', 'How?'],
      ...createRows(60, (n) => [`2026-02-01 10:${n}`, n < 40 ? (others[n % 2] as string) : missing]),
    ]);
    assert.equal(Object.keys(questions[0]?.[2] as object).length, 3, missing);
    const note = `“How?”: ${missing} (20) may be a code for a missing answer. It is published`;
    assert.equal(notes.includes(note), isNoted, notes);
  }
});

test('a column with one answer is noted as a possible option, unless everyone has it', async () => {
  const header = ['Timestamp', 'Bus', 'Consent'];
  const rows = createRows(40, (n) => [`2026-02-01 10:${n}`, n < 25 ? 'Bus' : '', 'yes']);
  const { questions, notes } = await importTable([header, ...rows]);
  assert.deepEqual(
    questions.map(([, , options]) => options),
    [{}, {}],
  );
  assert.match(
    notes,
    /“Bus”: 25 of 40 responses have a cell, all the same, .* head it "Question \[Option\]"/,
  );
  assert.match(notes, /“Consent”: everyone gave the same answer/);
});

test('braces that a survey replaces are noted', async () => {
  const noted = [
    'Why is it \u0024{q://QID1/ChoiceGroup/SelectedChoices}?',
    'Why {{field:12ab}}?',
    'How are you, {TOKEN:FIRSTNAME}?',
  ];
  const others = ['Which set, {1, 2} or { A, B }?', 'Pay in $ {?'];
  const questions = [...noted, ...others];
  const { notes } = await importTable([
    ['Timestamp', ...questions],
    ...createRows(40, (n) => [`2026-02-01 10:${n}`, ...questions.map(() => answer(n))]),
  ]);
  const quoted = noted.map((question) => `“${question}”`).join(', ');
  assert.ok(notes.includes(`in these questions: ${quoted}. Correct them`), notes);
});
