/** The import converts markup to text. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createUuidV5 } from '../../src/domain/values/uuid.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createMeeting, createOrganization, createPaper } from '../support/oparl-builders.ts';
import { createSubmission } from '../support/records.ts';
import { createTableImporter } from './table-importer.ts';

const harness = await createImportHarness({ after });

/** Source texts with their published form. */
const converted: Record<string, [source: string, text: string]> = {
  'inline elements, entities and a script': [
    '<b>Radweg</b> &amp; Bus &#128690;<script>alert("x < y")</script>',
    'Radweg & Bus 🚲',
  ],
  'paragraphs, lists and headings': [
    '<h2>Wunsch</h2>\n<p>Mehr\n  <em>Bäume</em>.<br>Bitte!</p><style>p { color: red }</style>\n<ul><li>Linden<li>Eichen</ul>\n<p>&nbsp;</p><p>Danke</p>',
    'Wunsch\n\nMehr Bäume.\nBitte!\n\n- Linden\n- Eichen\n\nDanke',
  ],
  'a table': ['<table><tr><td>Mo</td><td>8</td></tr><tr><td>Di</td><td>9</td></tr></table>', 'Mo 8\nDi 9'],
  'line breaks of a text without blocks': ['Zeile 1\n\n  <i>Zeile</i> 2 &amp; 3', 'Zeile 1\n\n  Zeile 2 & 3'],
  'markup escaped once': ['&lt;b&gt;fett&lt;/b&gt;', '<b>fett</b>'],
  'markup escaped twice': ['&amp;lt;b&amp;gt;', '&lt;b&gt;'],
  'comments and attributes': [
    '<!-- a --><a href="https://x.example/?a=1&amp;b=2" title="a>b">hier</a>',
    'hier',
  ],
  'names in capitals, and markup of office programs': [
    '<P>Ort<O:P></O:P></P><FONT COLOR=red>rot</FONT>',
    'Ort\n\nrot',
  ],
  'brackets and ampersands next to markup': [
    '<p>x<y>z, 3 < 4 & AT&T, <anna></p>',
    'x<y>z, 3 < 4 & AT&T, <anna>',
  ],
};

/** Texts without markup. */
const plain = [
  'a < b & c',
  'Ich <3 Bäume',
  'x<y>z',
  'Mail an <anna>',
  'wenn a <b gilt',
  'https://x.example/?a=1&copy=2&lt=3',
  '  zwei   Blanks\n\tund mehr'.trim(),
];

const cases = [...Object.values(converted), ...plain.map((text): [string, string] => [text, text])];

test('markup is removed from Open311 texts, and plain texts are unchanged', async () => {
  const town = await harness.createMunicipality();
  const requests = cases.map(([description], n) => ({
    service_request_id: String(n),
    service_name: 'Grün &amp; <i>Bäume</i>',
    description,
    requested_datetime: '2026-03-01T09:15:00Z',
  }));
  const result = await harness.importContent(town, JSON.stringify(requests), { format: 'open311' });
  assertCounts(result, { inserted: cases.length });
  const published = new Map(
    (await harness.listAll(town, '/submissions')).map((row) => [row.referenceNumber, row]),
  );
  for (const [n, [source, text]] of cases.entries())
    assert.equal(published.get(String(n)).description, text, source);
  assert.equal(published.get('0').topicCategoryName, 'Grün & Bäume');
});

test('markup of any size and depth is converted or rejected in limited time', async () => {
  const town = await harness.createMunicipality();
  const request = (description: string, n: number) => ({
    service_request_id: String(n),
    description,
    requested_datetime: '2026-03-01T09:15:00Z',
  });
  const large = [
    '<div>'.repeat(150_000),
    '<ul><li>'.repeat(4_900),
    '<b>'.repeat(9_999),
    `<b>x</b>${' '.repeat(900_000)}y`,
    '<!--'.repeat(200_000),
    `<a ${'x="'.repeat(300_000)}`,
    '<'.repeat(900_000),
    `<p>${'&'.repeat(900_000)}`,
  ];
  const result = await harness.importContent(town, JSON.stringify([...large, '<p>Radweg</p>'].map(request)), {
    format: 'open311',
  });
  assert.match(result.rejections[0]?.reason ?? '', /^its markup has more than 10000 tags$/);
  const published = await harness.listAll(town, '/submissions');
  assert.ok(published.some(({ description }) => description === 'Radweg'));
});

test('markup is removed from each CSV column separately, so that joined columns keep their paragraphs', async () => {
  const town = await harness.createMunicipality();
  const { importTable, findSubmission } = createTableImporter(harness);
  const mapping =
    'submission:\n  id: nr\n  description:\n    columns: [title, body]\n    join: "\\n\\n"\n  topicCategoryName: topic\n  createdAt: date\n';
  const table = toCsv(',', [
    ['nr', 'title', 'body', 'topic', 'date'],
    ['1', 'Radweg &amp; Bus', '<p>Mehr</p><p>davon</p>', 'Weg &amp; <b>Steg</b>', '2026-03-01T09:15:00Z'],
    ['2', 'a < b', '<p></p>', 'x', '2026-03-01T09:15:00Z'],
  ]);
  assertCounts(await importTable(town, table, mapping), { inserted: 2 });
  const { topicCategoryName } = await findSubmission(town, 'Radweg & Bus\n\nMehr\n\ndavon');
  assert.equal(topicCategoryName, 'Weg & Steg');
  await findSubmission(town, 'a < b');
});

test('markup is removed from names of OParl papers, committees and topics', async () => {
  const town = await harness.createMunicipality();
  const objects = [
    createPaper(1, { name: 'Radweg &amp; <b>Bus</b>', keyword: ['Weg &amp; Steg'] }),
    createOrganization(1, 'Ausschuss für Bau &amp; Umwelt'),
    createMeeting(1, { organization: [createOrganization(1, '').id] }),
  ];
  await harness.importContent(town, toNdjson(objects), { format: 'oparl' });
  const [published] = await harness.listAll(town, '/submissions');
  assert.deepEqual([published.description, published.topicCategoryName], ['Radweg & Bus', 'Weg & Steg']);
  assert.equal((await harness.listAll(town, '/sessions'))[0].committeeName, 'Ausschuss für Bau & Umwelt');
});

test('markup is removed from titles, questions and options of surveys', async () => {
  const town = await harness.createMunicipality();
  const flags = ['--title', 'Weg &amp; Steg', '--survey-id', 'wege', '--total-from-rows'];
  const table = toCsv(',', [
    ['', 'ja &amp; <b>gern</b>', 'a < b'],
    ['<i>Wege</i>', '30', '20'],
  ]);
  await harness.importContent(town, table, { format: 'survey-table', flags, name: 'x.csv' });
  const rows = ['ja &amp; gern', 'a < b'].flatMap((answer) => Array.from({ length: 20 }, () => [answer]));
  const columns = toCsv(',', [['Mehr <b>Wege</b>?'], ...rows]);
  await harness.importContent(town, columns, {
    format: 'survey-rows',
    flags: ['--survey-id', 'antworten', '--new-survey'],
    name: 'y.csv',
  });
  const results = async (id: string) =>
    (await harness.get(town, `/surveys/${createUuidV5(id, town.id)}/results`)).json.data;
  const optionsOf = ({ questions }: { questions: { options: { optionText: string }[] }[] }) =>
    questions[0]?.options.map(({ optionText }) => optionText);
  const counted = await results('wege');
  assert.equal(counted.title, 'Weg & Steg');
  assert.match(counted.questions[0].questionText, / – Wege$/);
  assert.deepEqual(optionsOf(counted), ['ja & gern', 'a < b']);
  const answered = await results('antworten');
  assert.equal(answered.questions[0].questionText, 'Mehr Wege?');
  assert.deepEqual(optionsOf(answered), ['a < b', 'ja & gern']);
});

test("markup in Rostra's own format is published unchanged", async () => {
  const town = await harness.createMunicipality();
  const records = cases.map(([description], n) => ({
    kind: 'submission',
    ...createSubmission(n),
    description,
  }));
  assertCounts(await harness.importContent(town, toNdjson(records)), { inserted: records.length });
  const published = new Map(
    (await harness.listAll(town, '/submissions')).map(({ id, description }) => [id, description]),
  );
  for (const { id, description } of records) assert.equal(published.get(id), description);
});
