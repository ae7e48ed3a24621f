/** `--suggest` decides by the values of a column, and asks where they leave a doubt. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });

let files = 0;

async function suggestMapping(content: string, ending = 'csv') {
  files += 1;
  const file = harness.workspace.writeFile(`${files}.${ending}`, content);
  const text = await assertSucceeds(harness.workspace.withDatabase('import', 'table', file, '--suggest'));
  return { text, submission: parse(text).submission ?? {} };
}

/** @param rows of cells by the number of the row */
const suggestRows = (header: readonly string[], rows: number, createRow: (n: number) => string[]) =>
  suggestMapping(toCsv(',', [[...header], ...Array.from({ length: rows }, (_, n) => createRow(n))]));

const formatDay = (n: number) => new Date(Date.UTC(2026, 0, 1 + n)).toISOString().slice(0, 10);

test('a column with one value for all rows is no text, and a web address is the source', async () => {
  const questions = Array.from({ length: 12 }, (_, n) => ({
    body: 'Musterstadt',
    content: `How is the state of matter ${n}?`,
    name: `Question to the council about matter ${n}`,
    originator: ['Heidi Beispiel', 'Jörg Muster'][n % 2],
    paper_type: 'Question',
    published_at: formatDay(n),
    reference: `VII-EF-80${n}`,
    url: `https://council.example/vo020?number=${n}`,
  }));
  const { submission, text } = await suggestMapping(JSON.stringify(questions), 'json');
  assert.deepEqual(submission.description.columns, ['name', 'content']);
  assert.equal(submission.title, 'name');
  assert.equal(submission.sourceUrl, 'url');
  assert.match(
    text,
    /# "name": filled in 12 of 12 rows, 12 distinct[^;]+; "content": filled in 12 of 12 rows/,
  );
  assert.match(text, /"originator": names of people, by its values/);
  const constant = await suggestRows(['id', 'text', 'link', 'created'], 3, (n) => [
    `${n}`,
    'Musterstadt, the town on the hill',
    `https://town.example/${n}`,
    formatDay(n),
  ]);
  assert.equal(constant.submission.description, undefined);
  assert.match(constant.text, /description: CHECK: no column with a text found/);
});

test('a column with replies of the municipality is the answer, but other comments and notes are not', async () => {
  for (const name of [
    ...[
      'Kommentar der Verwaltung',
      'Stellungnahme',
      'status_notes',
      'official_response',
      'Réponse de la ville',
    ],
    ...['respuesta_municipal', 'Risposta', 'Resposta', 'Reactie gemeente', 'Odpowiedź'],
  ]) {
    const { text, submission } = await suggestRows(
      ['id', 'text', 'created', name, 'Kommentar', 'notes'],
      12,
      (n) => [
        `A-${n}`,
        `The lamp in front of house ${n} is broken`,
        formatDay(n),
        n % 3 === 0 ? '' : `We have repaired lamp ${n} and thank you for the hint`,
        `internal remark ${n}`,
        `called again ${n}`,
      ],
    );
    assert.equal(submission.answer, name, text);
    assert.deepEqual(submission.description, 'text', text);
    assert.match(text, /"Kommentar": notes, by its name/);
    assert.match(text, /"notes": notes, by its name/);
  }
  // Neither a short word nor a time is a reply.
  for (const cell of ['Ja', '2026-03-01 12:00']) {
    const { submission } = await suggestRows(['id', 'text', 'created', 'response'], 12, (n) => [
      `A-${n}`,
      `The lamp in front of house ${n} is broken`,
      formatDay(n),
      cell === 'Ja' && n % 2 === 0 ? 'Nein' : cell,
    ]);
    assert.equal(submission.answer, undefined);
  }
});

test('a short and a long text of a defect report are its title and its text', async () => {
  const draft = await suggestRows(['Nr', 'Kurztext', 'Langtext', 'Rubrik', 'Datum'], 3, (n) => [
    `A-${n}`,
    `Laterne ${n} defekt`,
    `Die Laterne vor dem Haus ${n} ist aus`,
    'Licht',
    formatDay(n),
  ]);
  const { submission } = parse(draft.text);
  assert.deepEqual(
    [submission.title, submission.description.columns],
    ['Kurztext', ['Kurztext', 'Langtext']],
  );
});

test('a column that says which rows are public is drafted as skip, with the rows that it leaves out', async () => {
  const header = ['Nr', 'Text', 'Datum', 'Öffentlich', 'hidden_at', 'Gelöscht', 'Veröffentlicht'];
  const draft = await suggestRows(header, 30, (n) => [
    `A-${n}`,
    `Die Laterne vor dem Haus ${n} ist seit Wochen aus`,
    formatDay(n),
    n % 10 === 0 ? 'nein' : 'ja',
    n === 7 ? '2026-05-01 12:00' : '',
    '',
    formatDay(n + 1),
  ]);
  assert.deepEqual(parse(draft.text).skip, {
    Öffentlich: 'not yes',
    hidden_at: 'filled',
    Gelöscht: 'filled',
    Veröffentlicht: 'not yes',
  });
  assert.match(draft.text, /Öffentlich: not yes # CHECK: 3 rows are left out, .+ which are public: "nein"$/m);
  assert.match(draft.text, /hidden_at: filled # CHECK: 1 row is left out/);
  assert.match(draft.text, /Veröffentlicht: not yes # CHECK: 0 rows are left out/);
  assert.doesNotMatch(draft.text.split('# Not used:')[1] ?? '', /Öffentlich|hidden_at|Gelöscht/);
  const other = await suggestRows(['id', 'text', 'created', 'public_space', 'published'], 3, (n) => [
    `${n}`,
    `The bench in front of house ${n} is broken`,
    formatDay(n),
    'no',
    formatDay(n),
  ]);
  assert.deepEqual(parse(other.text).skip, { published: 'not yes' });
});

test('a row is drafted as public only if its column of releases says yes', async () => {
  const texts = (n: number) => `Die Laterne vor dem Haus ${n} ist seit Wochen aus`;
  const draftColumn = async (name: string, cells: string[]) => {
    const { text } = await suggestRows(['Nr', 'Text', 'Datum', name], cells.length, (n) => [
      `A-${n}`,
      texts(n),
      formatDay(n),
      cells[n] ?? '',
    ]);
    return [parse(text).skip?.[name], /# CHECK: .+ public(?:: (.+))?$/m.exec(text)?.[1]];
  };
  for (const [name, cells, skip, leftOut] of [
    [
      'Freigabe',
      ['ja', 'nein', 'offen', 'in Freigabe', 'nur intern', '', 'Ja (anonym)'],
      'not yes',
      '"nein", "offen", "in Freigabe", "nur intern", empty',
    ],
    ['öffentlich', ['x', 'x', ''], 'not yes', 'empty'],
    ['Öffentlich (j/n)', ['j', 'n', 'j'], 'not yes', '"n"'],
    ['Freigabe am', ['01.03.2026', '', '02.03.2026'], 'not yes', 'empty'],
    [
      'released_at',
      ['2026-03-01T10:00:00Z', '', '0000-00-00 00:00:00'],
      'not yes',
      '"0000-00-00 00:00:00", empty',
    ],
    ['Freigabestatus', ['freigegeben', 'offen', 'abgelehnt'], 'not yes', '"offen", "abgelehnt"'],
    ['Öffentlichkeitsstatus', ['öffentlich', 'nichtöffentlich'], 'not yes', '"nichtöffentlich"'],
    ['Sichtbarkeit', ['alle', 'nur Verwaltung', 'intern'], 'not yes', '"nur Verwaltung", "intern"'],
    ['Freigabe', ['in Prüfung', 'offen', ''], 'not yes', '"in Prüfung", "offen", empty'],
    ['moderation_status', ['approved', 'rejected', 'flagged'], 'not yes', '"rejected", "flagged"'],
    ['Sperrvermerk', ['', 'X', 'nein'], 'filled', '"X"'],
    ['Vertraulich', ['ja', 'nein', 'öffentlich', 'Nein (geprüft)', 'keine'], 'filled', '"ja"'],
    ['intern', ['ja', 'nein', ''], 'filled', '"ja"'],
    ['Nur intern', ['', 'x', ''], 'filled', '"x"'],
    ['Vertraulich', ['', '✓', '☒', '☐'], 'filled', '"✓", "☒"'],
    ['Freigabe Web', ['', '✔️', '✔️'], 'not yes', 'empty'],
    ['is_test', ['0', '1', ''], 'filled', '"1"'],
    ['consent_given', ['yes', 'no'], 'not yes', '"no"'],
    ['intern', ['Kolonne 2 beauftragt', 'Nachfrage offen', ''], undefined, undefined],
    ['Nicht für Veröffentlichung', ['ja', 'nein'], 'filled', '"ja"'],
    ['Sperre', ['ja', 'nein'], 'filled', '"ja"'],
    ['Excluded', ['yes', 'no'], 'filled', '"yes"'],
    ['Nicht vertraulich', ['ja', 'nein'], 'not yes', '"nein"'],
    ['Widerspruch Veröffentlichung', ['ja', 'nein', ''], 'filled', '"ja"'],
    ['Kein Widerspruch gegen Veröffentlichung', ['ja', 'nein'], 'not yes', '"nein"'],
    ['Opted out of publication', ['yes', 'no'], 'filled', '"yes"'],
    ['In publicatie (ja/nee)', ['ja', 'nee'], 'not yes', '"nee"'],
    ['Show on map', ['true', 'false'], 'not yes', '"false"'],
    ['Zustimmung', ['ja', 'nein', ''], 'not yes', '"nein", empty'],
    ['Zustimmung', ['12', '3', '7'], undefined, undefined],
    ['Straße gesperrt', ['ja', 'nein'], undefined, undefined],
    ['Zustimmung Ortsrat', ['ja', 'nein'], undefined, undefined],
    ['Freigabe', ['', '', ''], 'no', undefined],
    ['Telefonart', ['privat', 'dienstlich', 'privat'], undefined, undefined],
  ] as const)
    assert.deepEqual(await draftColumn(name, [...cells]), [skip, leftOut], name);
});

test('a status that says that rows are not public is drafted as skip, also beside the column of the status', async () => {
  const draft = await suggestRows(['Nr', 'Text', 'Datum', 'Status', 'Beschluss'], 12, (n) => [
    `A-${n}`,
    `Die Laterne vor dem Haus ${n} ist seit Wochen aus`,
    formatDay(n),
    ['beschlossen', 'nicht öffentlich', 'gelöscht', 'vertagt'][n % 4] as string,
    n % 2 === 0 ? 'angenommen' : 'abgelehnt',
  ]);
  const { skip, submission } = parse(draft.text);
  assert.equal(submission.status.column, 'Beschluss');
  assert.deepEqual(skip, { Status: ['nicht öffentlich', 'gelöscht'] });
  const many = await suggestRows(['Nr', 'Text', 'Datum', 'Status'], 33, (n) => [
    `A-${n}`,
    `Die Laterne vor dem Haus ${n} ist seit Wochen aus`,
    formatDay(n),
    n === 5 ? 'gelöscht' : `bei Stelle ${n}`,
  ]);
  assert.deepEqual(parse(many.text).skip, { Status: ['gelöscht'] });
  assert.match(
    many.text,
    /# status: "Status" has more than 30 different words; every submission is "submitted"\./,
  );
});

test('a number after a street is the number of a house, not of the record', async () => {
  const { submission, text } = await suggestRows(['DETALL', 'DATA_ALTA', 'CARRER', 'NUMERO'], 30, (n) => [
    `Farola apagada delante de la entrada ${n}`,
    formatDay(n),
    'Mallorca',
    `${100 + n}`,
  ]);
  assert.equal(submission.referenceNumber, undefined);
  assert.notEqual(submission.id, 'NUMERO');
  assert.match(text, /"NUMERO": streets, by its name/);
  const own = await suggestRows(['Detalle', 'Fecha', 'Distrito', 'Numero'], 30, (n) => [
    `Farola apagada delante de la entrada ${n}`,
    formatDay(n),
    'Centro',
    `${100 + n}`,
  ]);
  assert.equal(own.submission.id, 'Numero');
});

test('columns with names of people are left out by their values', async () => {
  const people = {
    submitted_by: ['Heidi Beispiel', 'Jörg van der Muster', 'Dr. Anna-Lena Weber', 'Beispiel, Erika'],
    'Eingebracht durch': [
      'Stadträtin Müller',
      'Herr Schmidt',
      'StR Jan Weber; StRin Eva Maier',
      'Frau Dr. Berg',
    ],
    Ponente: ['José Luis García', 'García Márquez, Gabriel', 'Montserrat Puig', 'Carmen Ruiz'],
    Name: ['heidi', 'M. Beispiel', 'Muster', 'erika m'],
  };
  const things = {
    Agency: ['Solid Waste', 'Parks Department', 'Bulky Items', 'Street Lights'],
    Council: ['SPD-Fraktion', 'Sport Ausschuss', 'Rat', 'Bauausschuss'],
    Place: ['Jamaica Plain', 'Mission Bay', 'South End', 'North End'],
  };
  const columns = { ...people, ...things };
  const { text } = await suggestRows(['id', 'title', 'created', ...Object.keys(columns)], 4, (n) => [
    `${n}`,
    `Bench ${n}`,
    formatDay(n),
    ...Object.values(columns).map((values) => values[n] ?? ''),
  ]);
  const [, ...leftOut] = text.split('# Left out')[1]?.split('# Not used:')[0]?.split('\n') ?? [];
  const named = leftOut.flatMap((line) => /"(.*)": names of people/.exec(line)?.[1] ?? []);
  assert.deepEqual(named.toSorted(), Object.keys(people).toSorted());
});

test('acronyms in column names are words of their own', async () => {
  const { submission, text } = await suggestRows(
    ['SRRecordID', 'SRType', 'CreatedDate', 'SRStatus', 'StatusDate', 'Agency', 'HTMLText'],
    40,
    (n) => [
      `18-000${n}`,
      ['Dirty alley', 'Parking complaint'][n % 2] as string,
      formatDay(n),
      ['Closed', 'Open', 'Closed (Duplicate)', 'Closed (Transferred)'][n % 4] as string,
      formatDay(n + 2),
      ['Transportation', 'Solid Waste'][n % 2] as string,
      `An alley with rubbish ${n}`,
    ],
  );
  assert.equal(submission.id, 'SRRecordID');
  assert.equal(submission.topicCategoryName, 'SRType');
  assert.equal(submission.description, 'HTMLText');
  assert.equal(submission.statusChangedAt.column, 'StatusDate');
  assert.equal(submission.status.column, 'SRStatus');
  assert.deepEqual(submission.status.values, {
    Closed: 'completed',
    Open: 'received',
    'Closed (Duplicate)': 'withdrawn',
    'Closed (Transferred)': 'completed',
  });
  assert.doesNotMatch(text, /status: "StatusDate" has more than/);
});

test('requests without a text publish their topic as text, which the draft asks about', async () => {
  const { submission, text } = await suggestRows(['ticket', 'Request Type', 'opened'], 12, (n) => [
    `${n}`,
    ['Pothole', 'Lamp'][n % 2] as string,
    formatDay(n),
  ]);
  assert.equal(submission.topicCategoryName, 'Request Type');
  assert.equal(submission.description, 'Request Type');
  assert.match(text, /CHECK: no column has a text, so "Request Type" is the text and the topic/);
});

test('documents, shared numbers and placeholders are no title, page, reference or attachment', async () => {
  const header = [
    'lfdNr',
    'Vorlage',
    'Doc title',
    'Bezeichnung',
    'Link',
    'Web page',
    'School Number',
    'Year',
    'Picture',
  ];
  const { submission, text } = await suggestRows(header, 24, (n) => [
    `${n + 1}`,
    `VO/2024/${1000 + n}`,
    `Plan ${n}`,
    n % 2 === 0 ? 'Bench' : 'Tree',
    `https://town.example/file-${n}.pdf`,
    `https://town.example/matter/${n}`,
    `${n % 3}`,
    '2024',
    'https://town.example/no-image.png',
  ]);
  assert.deepEqual(submission, {
    id: 'Vorlage',
    description: 'Bezeichnung',
    createdAt: { column: 'Year', date: 'YYYY' },
    hasAttachments: 'Doc title',
    documents: 'Link',
    title: 'Bezeichnung',
    sourceUrl: 'Web page',
  });
  assert.match(text, /CHECK: "Bezeichnung" has only 2 different texts, which may be topics/);
  assert.match(text, /CHECK: "Year" has only years, which become the first of January/);
  const codes = await suggestRows(['Vorlage', 'Betreff', 'Datum', 'Status'], 24, (n) => [
    `VO/2024/${1000 + n}`,
    `Subject ${n}`,
    formatDay(n),
    'Duplicate (closed)',
  ]);
  assert.deepEqual(codes.submission.id, 'Vorlage');
  assert.deepEqual(codes.submission.status.values, { 'Duplicate (closed)': 'withdrawn' });
});

test('the severity of something else is no priority, and other words than those recommended are a question', async () => {
  const header = ['_id', 'Complaint text', 'opened', 'Delay_Severity'];
  const createRow = (n: number) => [
    `${n}`,
    `Tram ${n}, budget line 61000 50010`,
    formatDay(n),
    n % 2 === 0 ? 'High' : 'Low',
  ];
  const { submission, text } = await suggestRows(header, 12, createRow);
  assert.deepEqual([submission.id, submission.priorityLevel], ['_id', undefined]);
  assert.match(text, /CHECK: "_id" may number the rows anew in each export/);
  assert.doesNotMatch(text, /telephone numbers/);
  const own = await suggestRows([...header, 'Request severity level'], 12, (n) => [
    ...createRow(n),
    n % 2 === 0 ? 'high' : 'minor',
  ]);
  assert.equal(own.submission.priorityLevel, 'Request severity level');
  assert.match(
    own.text,
    /CHECK: "Request severity level" has other words than [^\n]+, such as "minor": map them/,
  );
});

test('numbers of things, of wards and of a goal are no date, reference, id or support', async () => {
  const header = ['Title', 'Ward Number', 'Count', 'Signatures Needed', 'Signature Count'];
  const { submission, text } = await suggestRows([...header, 'Resolution Status', 'Street Type'], 3, (n) => [
    `Playground ${n}`,
    '4',
    `${2001 + n}`,
    '500',
    `${[61, 7, 640][n]}`,
    ['Open', 'Closed'][n % 2] ?? '',
    'AVE',
  ]);
  assert.deepEqual(submission, {
    id: ['Ward Number', 'Title'],
    description: 'Title',
    title: 'Title',
    status: { column: 'Resolution Status', values: { Open: 'received', Closed: 'completed' } },
    supportCount: 'Signature Count',
  });
  assert.match(text, /# CHECK: no single column identifies the rows/);
  assert.match(text, /# createdAt: CHECK: no column found/);
  assert.match(text, /"Street Type": streets, by its name/);
});

test('a column that only its values suggest is a question, and each field has evidence from its values', async () => {
  const { text, submission } = await suggestRows(['Lfd', 'Kurztitel', 'Wann'], 20, (n) => [
    `${n + 1}`,
    `Bank ${n}`,
    formatDay(n),
  ]);
  assert.deepEqual([submission.id, submission.createdAt.column], ['Lfd', 'Wann']);
  assert.match(
    text,
    /# CHECK: all values of "Lfd" differ; only this suggests that they identify a record\.\n {2}# CHECK: "Lfd" may number[^\n]+\n {2}id: Lfd/,
  );
  assert.match(
    text,
    /# CHECK: only the values of "Wann" suggest this field; the name of the column is unknown\./,
  );
  assert.match(text, /title: Kurztitel # filled in 20 of 20 rows, 20 distinct, 7 characters on average\n/);
});

test('a number that occurs twice is named with its rows, and the column stays the id', async () => {
  const { submission, text } = await suggestRows(['Number', 'Subject', 'Date'], 100, (n) => [
    `V/${n === 60 ? 59 : n}/2026`,
    `Matter ${n}`,
    formatDay(n),
  ]);
  assert.equal(submission.id, 'Number');
  assert.match(
    text,
    /CHECK: 1 row of "Number" has the number of an earlier row[^\n]*"V\/59\/2026" in [^\n]* line 61 and [^\n]* line 62/,
  );
  // Numbers that begin anew in each year.
  const yearly = await suggestRows(['Year', 'Number', 'Subject'], 100, (n) => [
    `${2020 + Math.floor(n / 50)}`,
    `${n % 50}`,
    `Matter ${n}`,
  ]);
  assert.deepEqual(yearly.submission.id, ['Year', 'Number']);
});

test('a column with known repetitions identifies no rows, however many different values it has', async () => {
  const { submission, text } = await suggestRows(['Easting', 'Ticket', 'Subject', 'Opened'], 10_600, (n) => [
    `${3_000_000 + (n < 400 ? n % 7 : n)}`,
    `${n === 50 ? 49 : n}`,
    `Lamp ${n}`,
    formatDay(n % 900),
  ]);
  assert.equal(submission.id, 'Ticket');
  assert.match(text, /1 row of "Ticket" has the number of an earlier row, which counts instead/);
  const code = await suggestRows(['Code of place', 'Subject', 'Opened'], 10_600, (n) => [
    `${3_000_000 + (n < 400 ? n % 7 : n)}`,
    `Lamp ${n}`,
    formatDay(n % 900),
  ]);
  assert.notEqual(code.submission.id, 'Code of place');
});

test('texts for the administration alone are left out, and those that become public are marked', async () => {
  const suggest = async (name: string) => {
    const { text, submission } = await suggestRows(['Nr', 'Meldungstext', 'Datum', name, 'Fotos'], 6, (n) => [
      `A-${n}`,
      `Die Laterne vor dem Haus ${n} ist seit Wochen aus`,
      formatDay(n),
      `Das Amt prüft die Meldung ${n} bis zum Ende des Monats`,
      `https://town.example/${n}.jpg`,
    ]);
    return { text, submission };
  };
  for (const name of [
    'Verwaltungsinterne Stellungnahme',
    'Antwort Entwurf',
    'Text (ungeschwärzt)',
    'Stellungnahme intern',
  ]) {
    const { text, submission } = await suggest(name);
    assert.deepEqual([submission.answer, submission.description], [undefined, 'Meldungstext'], name);
    assert.ok(text.includes(`#   ${JSON.stringify(name)}: notes, by its name`), text);
  }
  const { text, submission } = await suggest('Antwort');
  assert.equal(submission.answer, 'Antwort');
  assert.match(text, /# CHECK: it is published as the answer of the municipality\.\n.*\n? +answer: Antwort/);
  assert.match(text, /# CHECK: the files become public, .+\n.*\n? +documents: Fotos/);
});
