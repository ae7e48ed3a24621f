/** Tables through a mapping file: all its keys, and the output of --explain. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { assertFails, assertSucceeds } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { createTableImporter, minimalMapping } from './table-importer.ts';

const harness = await createImportHarness({ after });
const { writeMapping, findSubmission, importTable } = createTableImporter(harness);

suite('a mapping file supports', { concurrency: 2 }, () => {
  test('columns, joined columns, constants, values, numbers, empty words and skipped rows', async () => {
    const town = await harness.createMunicipality();
    const table = toCsv(';', [
      ['Jahr', 'Nr', 'Titel', 'Text', 'Stand', 'Thema', 'Stimmen', 'Anlagen', 'Mail', 'Protokoll'],
      ['2025', '1', 'Zebrastreifen', 'vor der Schule', 'Erledigt', 'Verkehr', '1.234', '2', 'a@b.de', ''],
      ['2026', '1', 'Bank', 'k. A.', 'OFFEN ', ' n/a ', '12,0', '0', 'c@d.de', 'https://rat.example.org/1'],
      ['2026', '2', 'Bäume', '', 'Vertagt', 'Grün', '-', '', 'e@f.de', '-'],
      ['2026', '3', 'Test', '', 'Entwurf', 'Grün', '1', '', '', ''],
      ['2026', '4', 'Noch ein Test', '', '', 'Grün', '1', '', '', ''],
    ]);
    const mapping = `
empty: ["-", k. A., N/A, null]
timeZone: Europe/Berlin
skip:
  Stand: [entwurf, ""]
submission:
  id: [Jahr, Nr]
  referenceNumber: { columns: [Nr, Jahr], join: / }
  description:
    columns: [Titel, Text]
    join: "\\n"
  status:
    column: Stand
    values: { erledigt: completed, Offen: received }
    default: in_review
  topicCategoryName: { column: Thema, default: Sonstiges }
  priorityLevel: { constant: high }
  supportCount: { column: Stimmen, thousands: ".", decimal: "," }
  hasAttachments:
    column: Anlagen
    values: { 0: false }
    default: true
  protocolUrl: Protokoll
  createdAt: { column: Jahr, date: YYYY }
`;
    const result = await importTable(town, table, mapping);
    assert.equal(result.code, 0, result.stderr);
    assertCounts(result, { inserted: 3, ignored: 2 });
    assert.deepEqual((result.counts as Record<string, unknown>).unmappedValues, {
      Vertagt: { count: 1, publishedAs: 'in_review' },
      2: { count: 1, publishedAs: 'true' },
    });
    const { id: _, ...first } = await findSubmission(town, 'Zebrastreifen\nvor der Schule');
    assert.deepEqual(first, {
      referenceNumber: '1/2025',
      description: 'Zebrastreifen\nvor der Schule',
      status: 'completed',
      topicCategoryName: 'Verkehr',
      priorityLevel: 'high',
      supportCount: 1_234,
      hasAttachments: true,
      protocolUrl: null,
      createdAt: '2024-12-31T23:00:00.000Z',
      statusChangedAt: '2024-12-31T23:00:00.000Z',
    });
    const second = await findSubmission(town, 'Bank');
    assert.deepEqual(
      [second.status, second.topicCategoryName, second.supportCount, second.hasAttachments],
      ['received', 'Sonstiges', 12, false],
    );
    assert.equal(second.protocolUrl, 'https://rat.example.org/1');
    const third = await findSubmission(town, 'Bäume');
    assert.deepEqual([third.status, third.supportCount, third.protocolUrl], ['in_review', 0, null]);
    const again = await importTable(town, table, mapping);
    assertCounts(again, { unchanged: 3, ignored: 2 });
  });

  test('replacements of damaged characters, which change no ids', async () => {
    const town = await harness.createMunicipality();
    const table = toCsv(',', [
      ['nr', 'text', 'date'],
      ['Ã¼1', 'GrÃ¼n und schÃ¶n $&', '2026-01-01'],
    ]);
    assertCounts(await importTable(town, table, `timeZone: UTC\n${minimalMapping}`), { inserted: 1 });
    const mended = `timeZone: UTC\nreplace: { Ã¼: ü, Ã¶: ö, $&: € }\n${minimalMapping}`;
    assertCounts(await importTable(town, table, mended), { changed: 1 });
    await findSubmission(town, 'Grün und schön €');
  });

  test('an id of several columns, which is different for different cells', async () => {
    const town = await harness.createMunicipality();
    const table =
      'a,b,text,date\n1,23,x,2026-01-01\n12,3,y,2026-01-01\n,123,z,2026-01-01\n123,,v,2026-01-01\n,,w,2026-01-01\n';
    const result = await importTable(town, table, `timeZone: UTC\n${minimalMapping.replace('nr', '[a, b]')}`);
    assertCounts(result, { inserted: 4, rejected: 1 });
    assert.equal(result.rejections[0]?.reason, 'id is missing');
  });

  test('empty words in one or in all columns of the id', async () => {
    const town = await harness.createMunicipality();
    const table = 'a,b,text,date\nNA,1,x,2026-01-01\n,na,y,2026-01-01\n';
    const mapping = (id: string) => `empty: [NA]\ntimeZone: UTC\n${minimalMapping.replace('nr', id)}`;
    const alone = await importTable(town, table, mapping('a'));
    assert.deepEqual(
      alone.rejections.map(({ line, id, reason }) => [line, id, reason]),
      [
        [2, undefined, 'id is missing'],
        [3, undefined, 'id is missing'],
      ],
    );
    const together = await importTable(town, table, mapping('[a, b]'));
    assertCounts(together, { inserted: 1, rejected: 1 });
    assert.deepEqual([together.rejections[0]?.line, together.rejections[0]?.reason], [3, 'id is missing']);
  });

  test('a default for empty cells, and values that equal published words', async () => {
    const town = await harness.createMunicipality();
    const table = 'nr,text,date,state\n1,x,2026-01-01,\n2,y,2026-01-01,in_review\n3,z,2026-01-01,Closed\n';
    const status = '{ column: state, values: { in_review: accepted }, default: in_review }';
    await importTable(town, table, `timeZone: UTC\n${minimalMapping}  status: ${status}\n`);
    assert.equal((await findSubmission(town, 'x')).status, 'in_review');
    assert.equal((await findSubmission(town, 'y')).status, 'accepted');
    assert.equal((await findSubmission(town, 'z')).status, 'in_review');
  });

  test('an unusual delimiter', async () => {
    const town = await harness.createMunicipality();
    const table = 'nr|text, long; and "full"|date\n1|a, b; c|2026-01-01\n';
    const mapping = `delimiter: "|"\ntimeZone: UTC\n${minimalMapping.replace('text', '"text, long; and \\"full\\""')}`;
    assertCounts(await importTable(town, table.replaceAll('"', ''), mapping.replaceAll('\\"', '')), {
      inserted: 1,
    });
    const tabs = 'nr\ttext\tdate\n1\tmore; of; these; than; tabs\t2026-01-01\n';
    assertCounts(await importTable(town, tabs, `delimiter: tab\ntimeZone: UTC\n${minimalMapping}`), {
      changed: 1,
    });
  });

  test('thousands and decimal separators', async () => {
    const town = await harness.createMunicipality();
    const rows = (...numbers: string[]) =>
      toCsv(';', [['nr', 'text', 'date', 'n'], ...numbers.map((n) => [n, n, '2026-01-01', n])]);
    const createMapping = (form: string) =>
      `timeZone: UTC\n${minimalMapping}  supportCount: { column: n${form} }\n`;
    const plain = await importTable(
      town,
      rows('7', '8.0', '1.5', '1,000', '-3', '1e3', 'x', '99999999999'),
      createMapping(''),
    );
    assertCounts(plain, { inserted: 2, rejected: 6 });
    assert.match(
      plain.rejections[0]?.reason ?? '',
      /^supportCount: `n` is not a whole number; if it has separators/,
    );
    assert.equal(plain.rejections[4]?.reason, 'supportCount: `n` is not a whole number');
    const spaced = await importTable(
      town,
      rows('12 345', '1\u202f234', '12 34'),
      createMapping(', thousands: " "'),
    );
    assertCounts(spaced, { inserted: 2, rejected: 1 });
    const swiss = await importTable(town, rows("1'234", '1’235', '1.236'), createMapping(`, thousands: "'"`));
    assertCounts(swiss, { inserted: 2, rejected: 1 });
    const german = await importTable(
      town,
      rows('1.000', '2,0', '2,5', '1.00'),
      createMapping(', thousands: "."'),
    );
    assertCounts(german, { inserted: 2, rejected: 2 });
    const sums = (await harness.listAll(town, '/submissions')).map(({ supportCount }) => supportCount);
    assert.deepEqual(
      sums.toSorted((a, b) => a - b),
      [2, 7, 8, 1_000, 1_234, 1_234, 1_235, 12_345],
    );
  });
});

test('--explain prints the rules of the mapping', async () => {
  const file = writeMapping(`timeZone: Europe/Berlin
submission:
  id: [Jahr, Nr]
  description: { columns: [Titel, Text] }
  status: { column: Stand, values: { offen: received }, default: submitted }
  priorityLevel: { constant: high }
  hasAttachments: Foto
  createdAt: { column: Eingang, date: DD.MM.YYYY }
`);
  const withoutZone = writeMapping(readFileSync(file, 'utf8').replace(/^timeZone.+/, ''));
  assert.match(
    await assertSucceeds(
      harness.workspace.withDatabase('import', 'table', '--explain', '--mapping', withoutZone),
    ),
    /^createdAt +`Eingang` as DD\.MM\.YYYY, the municipality's time zone$/m,
  );
  const output = await assertSucceeds(
    harness.workspace.withDatabase('import', 'table', '--explain', '--mapping', file),
  );
  for (const line of [
    /^SUBMISSION +FROM$/m,
    /^id +`Jahr`, `Nr`$/m,
    /^description +`Titel`, `Text`$/m,
    /^status +`Stand`: offen → received; else submitted$/m,
    /^priorityLevel +always "high"$/m,
    /^hasAttachments +whether `Foto` is filled$/m,
    /^createdAt +`Eingang` as DD\.MM\.YYYY, Europe\/Berlin$/m,
  ])
    assert.match(output, line);
  await assertFails(
    harness.workspace.withDatabase('import', 'table', '--explain'),
    2,
    /A mapping is needed: name its file with --mapping/,
  );
});

test('the examples are valid for their JSON schema and for the command', async () => {
  const folder = new URL('../../examples/', import.meta.url);
  const schema = JSON.parse(readFileSync(new URL('table-mapping.schema.json', folder), 'utf8'));
  const check = new Ajv({ allowUnionTypes: true }).compile(schema);
  const examples = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
  assert.ok(examples.length >= 2);
  for (const name of examples) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    assert.match(text, /^# yaml-language-server: \$schema=table-mapping\.schema\.json\n/);
    assert.ok(check(parse(text)), JSON.stringify(check.errors));
    await assertSucceeds(
      harness.workspace.withDatabase(
        'import',
        'table',
        '--explain',
        '--mapping',
        fileURLToPath(new URL(name, folder)),
      ),
    );
  }
});
