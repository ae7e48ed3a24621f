/** Sessions and their agendas are imported from tables through a mapping. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertSucceeds, type Municipality } from '../support/cli-workspace.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createTableImporter } from './table-importer.ts';

const harness = await createImportHarness({ after });
const { writeMapping, importTable } = createTableImporter(harness);

let folders = 0;

/** Imports files, given by name, with one mapping. */
function importFiles(
  town: Municipality,
  tables: Record<string, string>,
  mapping: string,
  flags: string[] = [],
) {
  folders += 1;
  const paths = Object.entries(tables).map(([name, content]) =>
    harness.workspace.writeFile(`tables-${folders}-${name}`, content),
  );
  return harness.importContent(town, paths, {
    format: 'table',
    flags: ['--mapping', writeMapping(mapping), ...flags],
  });
}

/** Every session with all its published fields and the texts of its agenda, by date. */
async function listSessions(town: Municipality) {
  const sessions = await harness.listAll(town, '/sessions');
  const found = [];
  for (const { id } of sessions) {
    const { json } = await harness.get(town, `/sessions/${id}`);
    const { id: _, createdAt, submissions, ...session } = json.data;
    found.push({
      ...session,
      agenda: submissions.map(({ description }: { description: string }) => description),
    });
  }
  return found.toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

const papers = `Vorlage;Betreff;Datum
VO/1;Spielplatz;02.01.2026
VO/2;Radweg;03.01.2026
VO/3;Schule;04.01.2026
`;

const meetings = `Sitzung;Gremium;Tag;Beginn;Ende
101;Bauausschuss;14.01.2026;17:00;19.30 Uhr
102;Gemeinderat;21.01.2026;18 Uhr;
103;Gemeinderat;28.01.2026;;
`;

const submission = `submission:
  id: Vorlage
  description: Betreff
  createdAt: { column: Datum, date: DD.MM.YYYY }
`;

const session = `session:
  id: Sitzung
  committeeName: Gremium
  date: { column: Tag, date: DD.MM.YYYY }
  timeSlot: { columns: [Beginn, Ende] }
`;

const expected = [
  {
    committeeName: 'Bauausschuss',
    date: '2026-01-14',
    timeSlot: '17:00-19:30',
    submissionCount: 2,
    agenda: ['Radweg', 'Spielplatz'],
  },
  {
    committeeName: 'Gemeinderat',
    date: '2026-01-21',
    timeSlot: '18:00',
    submissionCount: 1,
    agenda: ['Spielplatz'],
  },
  { committeeName: 'Gemeinderat', date: '2026-01-28', timeSlot: null, submissionCount: 0, agenda: [] },
];

suite('sessions and agendas are imported', () => {
  test('from a table of submissions, one of sessions and one of agenda items, in any order', async () => {
    const items = `Sitzung;TOP;Vorlage;Titel
101;2;VO/1;Spielplatz
101;1;VO/2;Radweg
101;3;;Verschiedenes
102;10;VO/1;Spielplatz
`;
    const mapping = `${submission}${session}agenda: { session: Sitzung, submission: Vorlage, order: TOP }\n`;
    const tables = { 'items.csv': items, 'meetings.csv': meetings, 'papers.csv': papers };
    const town = await harness.createMunicipality();
    const first = await importFiles(town, tables, mapping);
    assertCounts(first, { inserted: 6 });
    assert.deepEqual(await listSessions(town), expected);
    const again = await importFiles(
      town,
      { 'papers.csv': papers, 'items.csv': items, 'meetings.csv': meetings },
      mapping,
    );
    assertCounts(again, { unchanged: 6 });
    const changed = items.replace('102;10;VO/1;Spielplatz', '102;10;VO/3;Schule');
    assertCounts(await importFiles(town, { ...tables, 'items.csv': changed }, mapping), {
      unchanged: 5,
      changed: 1,
    });
    const sessions = await listSessions(town);
    assert.deepEqual(sessions[1]?.agenda, ['Schule']);
  });

  test('from submissions with a column of their session', async () => {
    const linked = `Vorlage;Betreff;Datum;Beraten in
VO/2;Radweg;03.01.2026;101
VO/1;Spielplatz;02.01.2026;101, 102
VO/3;Schule;04.01.2026;
`;
    const town = await harness.createMunicipality();
    const agenda = 'agenda: { session: Beraten in, submission: Vorlage, separator: "," }\n';
    assertCounts(
      await importFiles(
        town,
        { 'meetings.csv': meetings, 'papers.csv': linked },
        submission + session + agenda,
      ),
      { inserted: 6 },
    );
    assert.deepEqual(await listSessions(town), expected);
  });

  test('from sessions with a list of submissions in one cell', async () => {
    const listed = meetings
      .replace('Ende\n', 'Ende;Vorlagen\n')
      .replace('Uhr\n', 'Uhr;VO/2 | VO/1\n')
      .replace('18 Uhr;\n', '18 Uhr;;VO/1\n')
      .replace(';;\n', ';;;\n');
    const town = await harness.createMunicipality();
    const agenda = 'agenda: { session: Sitzung, submission: Vorlagen, separator: "|" }\n';
    assertCounts(
      await importFiles(
        town,
        { 'papers.csv': papers, 'meetings.csv': listed },
        submission + session + agenda,
      ),
      { inserted: 6 },
    );
    assert.deepEqual(await listSessions(town), expected);
  });

  test('from one table with a row for each agenda item', async () => {
    const rows = `Sitzung;Gremium;Tag;Beginn;Ende;Vorlage;Betreff;Datum
101;Bauausschuss;14.01.2026;17:00;19.30 Uhr;VO/2;Radweg;03.01.2026
101;Bauausschuss;14.01.2026;17:00;19.30 Uhr;VO/1;Spielplatz;02.01.2026
102;Gemeinderat;21.01.2026;18 Uhr;;VO/1;Spielplatz;02.01.2026
103;Gemeinderat;28.01.2026;;;;;
;;;;;VO/3;Schule;04.01.2026
`;
    const town = await harness.createMunicipality();
    const agenda = 'agenda: { session: Sitzung, submission: Vorlage }\n';
    const result = await importTable(town, rows, submission + session + agenda);
    assertCounts(result, { inserted: 6, ignored: 1 });
    assert.deepEqual(await listSessions(town), expected);
  });

  test('alone, and leave the agendas of an earlier import unchanged', async () => {
    const town = await harness.createMunicipality();
    const items = 'Sitzung;Vorlage\n101;VO/2\n';
    const agenda = 'agenda: { session: Sitzung, submission: Vorlage }\n';
    await importTable(town, papers, submission);
    assertCounts(
      await importFiles(town, { 'meetings.csv': meetings, 'items.csv': items }, session + agenda),
      { inserted: 3 },
    );
    const moved = meetings.replace('14.01.2026', '15.01.2026');
    assertCounts(await importTable(town, moved, session), { changed: 1, unchanged: 2 });
    const [first] = await listSessions(town);
    assert.equal(first?.date, '2026-01-15');
    assert.deepEqual(first?.agenda, ['Radweg']);
  });
});

test('days and times of sessions are read in many spellings', async () => {
  const spellings: [slot: string, date: string, expected: string | null][] = [
    ['18:00-20:00', '', '18:00-20:00'],
    ['18.00 – 20.30 Uhr', '', '18:00-20:30'],
    ['18 bis 20 Uhr', '', '18:00-20:00'],
    ['18h30', '', '18:30'],
    ['ab 18 Uhr', '', '18:00'],
    ['ca. 18:00 Uhr', '', '18:00'],
    ['ore 18:00', '', '18:00'],
    ['19.30 uur', '', '19:30'],
    ['18 heures', '', '18:00'],
    ['de 18h à 20h', '', '18:00-20:00'],
    ['18:00 Uhr s.t.', '', '18:00'],
    ['18:00 Uhr (öffentlich)', '', '18:00'],
    ['18:00 bis ca. 20:00', '', '18:00-20:00'],
    ['18.00 Uhr – Ende offen', '', '18:00'],
    ['godz. 18:00', '', '18:00'],
    ['6:30 pm', '', '18:30'],
    ['20:00-18:00', '', '20:00'],
    ['2026-01-14T17:00:00', '', '17:00'],
    ['14.01.2026 17:00', 'DD.MM.YYYY HH:mm', '17:00'],
    ['2026-01-14T17:00:00Z', 'YYYY-MM-DD[T]HH:mm:ssZ', '18:00'],
    ['', '', null],
  ];
  const rows = spellings.map(([slot], at) => `${at};Rat;2026-01-14;${slot}\n`);
  for (const pattern of new Set(spellings.map(([, date]) => date))) {
    const town = await harness.createMunicipality();
    const selected = rows.filter((_, at) => spellings[at]?.[1] === pattern);
    const mapping = `timeZone: Europe/Berlin\nsession:\n  id: nr\n  committeeName: body\n  date: day\n  timeSlot: { column: slot${pattern && `, date: "${pattern}"`} }\n`;
    const result = await importTable(town, `nr;body;day;slot\n${selected.join('')}`, mapping);
    assertCounts(result, { inserted: selected.length });
    const published = await harness.listAll(town, '/sessions');
    assert.deepEqual(
      published.map(({ timeSlot }) => timeSlot).toSorted(),
      spellings.flatMap(([, date, slot]) => (date === pattern ? [slot] : [])).toSorted(),
    );
  }
});

test('cancelled sessions are removed, and midnight is an unknown time', async () => {
  const town = await harness.createMunicipality();
  const toTable = (name: string) => `Sitzung;Gremium;Tag;Beginn;Ende
101;${name};14.01.2026;17:00;00:00
101;${name};14.01.2026;17:00;00:00
102;Gemeinderat;21.01.2026;17:00;00:00
103;Gemeinderat;28.01.2026;00:00;00:00
`;
  assertCounts(await importFiles(town, { 'a.csv': toTable('Sportausschuss') }, session), { inserted: 3 });
  const cancelled = await importFiles(town, { 'a.csv': toTable('Entfällt! Sportausschuss') }, session);
  assertCounts(cancelled, { removed: 1, unchanged: 2 });
  assert.equal(String(cancelled.counts.notes).match(/the session is cancelled/g)?.length, 1);
  assert.deepEqual(
    (await listSessions(town)).map(({ timeSlot }) => timeSlot),
    ['17:00', null],
  );
});

test('sessions whose day or start is a word for cancelled are removed', async () => {
  const town = await harness.createMunicipality();
  const first = `Sitzung;Gremium;Tag;Beginn;Ende
1;Rat;14.01.2026;17:00;
2;Rat;15.01.2026;17:00;
3;Rat;16.01.2026;17:00;
`;
  const next = first.replace('14.01.2026', 'entfällt').replace('15.01.2026;17:00', '15.01.2026;abgesagt');
  const flags = ['--source', 'council'];
  await importFiles(town, { 'first.csv': first }, session, flags);
  await importFiles(town, { 'first.csv': next }, session, flags);
  assert.deepEqual(
    (await listSessions(town)).map(({ date }) => date),
    ['2026-01-16'],
  );
});

test('sessions whose day or start says that they are postponed are removed until they have a new one', async () => {
  const town = await harness.createMunicipality();
  const first = `Sitzung;Gremium;Tag;Beginn;Ende
1;Rat;14.01.2026;17:00;
2;Rat;15.01.2026;17:00;
3;Rat;16.01.2026;17:00;
4;Rat (verschoben vom 9.1.);17.01.2026;17:00;
`;
  const next = first
    .replace('15.01.2026', 'wird verschoben')
    .replace('16.01.2026;17:00', '16.01.2026;Postponed');
  const importRows = (rows: string) =>
    importFiles(town, { 'rows.csv': rows }, session, ['--source', 'council']);
  const listDates = async () => (await listSessions(town)).map(({ date }) => date);
  await importRows(first);
  const result = await importRows(next);
  assertCounts(result, { removed: 2, unchanged: 2 });
  assert.match(String(result.counts.notes), /sessions that wait for a new date/);
  assert.deepEqual(await listDates(), ['2026-01-14', '2026-01-17']);
  await importRows(first.replace('15.01.2026', '22.01.2026'));
  assert.deepEqual(await listDates(), ['2026-01-14', '2026-01-16', '2026-01-17', '2026-01-22']);
});

test('a heading or title of cancelled sessions ends the import', async () => {
  const town = await harness.createMunicipality();
  const [header = '', ...rows] = meetings.split('\n');
  for (const lines of [
    [header, 'Abgesagte Sitzungen;;;;', ...rows],
    ['Abgesagte Sitzungen 2026;;;;', header, ...rows],
  ]) {
    const { code, stderr } = await importFiles(town, { 'x.csv': lines.join('\n') }, session);
    assert.notEqual(code, 0);
    assert.match(stderr, /Abgesagte Sitzungen/);
  }
  assert.deepEqual(await listSessions(town), []);
});

test('the day of a time with an offset is that of the time zone', async () => {
  const town = await harness.createMunicipality();
  const mapping =
    'timeZone: Europe/Berlin\nsession:\n  id: nr\n  committeeName: body\n  date: { column: day, date: "YYYY-MM-DD HH:mmZ" }\n';
  await importTable(town, 'nr,body,day\n1,Rat,2026-01-14 23:30Z\n', mapping);
  const [published] = await harness.listAll(town, '/sessions');
  assert.equal(published?.date, '2026-01-15');
});

test('invalid sessions are rejected with line and reason, and others are imported', async () => {
  const rows = `Sitzung;Gremium;Tag;Beginn;Ende
101;Bauausschuss;14.01.2026;17:00;
101;Bauausschuss;15.01.2026;17:00;
102;Rat;31.02.2026;;
103;;21.01.2026;;
104;Rat;21.01.2026;abends;
105;Rat;;;
;Rat;21.01.2026;;
106;Rat;21.01.2026;17:00;19:00
`;
  const town = await harness.createMunicipality();
  const { rejections, counts } = await importTable(town, rows, session);
  assert.equal(counts.inserted, 2);
  assert.deepEqual(
    rejections.map(({ line, reason }) => [line, reason]),
    [
      [3, 'an earlier row of the same session has other fields; the first one counts'],
      [4, 'date must be a date such as 2026-03-01'],
      [5, 'committeeName is missing'],
      [
        6,
        'timeSlot: `Beginn`, `Ende` is not a time such as 18:00 or 18:00-20:00; if it has a date too, name its pattern with date',
      ],
      [7, 'date is missing'],
      [8, 'id is missing'],
    ],
  );
});

test('agenda items of unknown sessions and submissions are counted and left out', async () => {
  const town = await harness.createMunicipality();
  const items = 'Sitzung;Vorlage\n101;VO/1\n101;VO/99\n999;VO/2\n';
  const mapping = `${submission}${session}agenda: { session: Sitzung, submission: Vorlage }\n`;
  const tables = { 'papers.csv': papers, 'meetings.csv': meetings, 'items.csv': items };
  const { stdout, stderr, counts } = await importFiles(town, tables, mapping);
  assert.equal(counts.inserted, 6);
  assert.match(
    stdout + stderr,
    /1 agenda item refers to a session that the input lacks, and is left out\.[\s\S]*1 agenda item refers to a submission that the input lacks, and is left out\./,
  );
  const [first] = await listSessions(town);
  assert.deepEqual(first?.agenda, ['Spielplatz']);
});

suite('nothing is imported', () => {
  const mapping = `${submission}${session}agenda: { session: Sitzung, submission: Vorlage }\n`;

  test('if no file has the columns of the agenda', async () => {
    const town = await harness.createMunicipality();
    const { stderr } = await importFiles(town, { 'papers.csv': papers, 'meetings.csv': meetings }, mapping);
    assert.match(stderr, /No file has all columns of agenda in the mapping: "Sitzung", "Vorlage"\./);
    assert.deepEqual(await harness.listAll(town, '/sessions'), []);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });

  test('if a file has the columns of no part', async () => {
    const town = await harness.createMunicipality();
    const tables = { 'papers.csv': papers, 'meetings.csv': meetings.replace('Gremium', 'Gremien') };
    const { stderr } = await importFiles(town, tables, mapping);
    assert.match(stderr, /meetings\.csv has no column "\w+" of the mapping's (session|agenda)\./);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
  });
});

test('--explain prints the rules of sessions and agendas', async () => {
  const file = writeMapping(`${submission}${session}agenda: { session: Sitzung, submission: Vorlage }\n`);
  const output = await assertSucceeds(
    harness.workspace.withDatabase('import', 'table', '--explain', '--mapping', file),
  );
  assert.match(output, /SUBMISSION +FROM[\s\S]*SESSION +FROM/);
  assert.match(output, /date +`Tag` as DD\.MM\.YYYY/);
  assert.match(output, /timeSlot +`Beginn`, `Ende`/);
  assert.match(output, /submissions +submissions `Vorlage` of session `Sitzung`/);
});

test('several date patterns are tried in their order', async () => {
  const town = await harness.createMunicipality();
  const mapping =
    'timeZone: UTC\nsubmission:\n  id: nr\n  description: text\n  createdAt: { columns: [day, time], date: [ISO, DD.MM.YYYY HH:mm, DD.MM.YYYY] }\n';
  const rows = 'nr,text,day,time\n1,a,01.03.2026,08:15\n2,b,02.03.2026,\n3,c,2026-03-03,\n4,d,soon,\n';
  const { rejections } = await importTable(town, rows, mapping);
  assert.deepEqual(
    rejections.map(({ line, reason }) => [line, reason]),
    [
      [
        5,
        'createdAt: `day`, `time` does not match ISO or DD.MM.YYYY HH:mm or DD.MM.YYYY; correct the cell, or the date pattern in the mapping',
      ],
    ],
  );
  const published = await harness.listAll(town, '/submissions');
  assert.deepEqual(published.map(({ createdAt }) => createdAt).toSorted(), [
    '2026-03-01T08:15:00.000Z',
    '2026-03-02T00:00:00.000Z',
    '2026-03-03T00:00:00.000Z',
  ]);
});
