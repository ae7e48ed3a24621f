/** The import removes personal data from texts, and counts the rest. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { assertFails, assertSucceeds, type Municipality, startCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { assertTookAtMost } from '../support/nightly.ts';
import { createSubmission, surveys } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const harness = await createImportHarness({ after });
const all = { ROSTRA_REDACT: 'all' };

/** Each description with its published form. */
const redacted: Record<string, string> = {
  'Write to max.mustermann+x@amt.stadt.example.': 'Write to [E-Mail].',
  'mailto:a@b.de, <Müller@straße.de>; info (at) stadt.de': 'mailto:[E-Mail], <[E-Mail]>; [E-Mail]',
  'a@b.de c@d.de,e@f.de @ web.de': '[E-Mail] [E-Mail],[E-Mail] @ web.de',
  'Call 0721/133-1234 or +49 (0)721 1331234.': 'Call [Telefon] or [Telefon].',
  'Tel:07211331234 (0721 133 1234), (0721) 133-0': 'Tel:[Telefon] ([Telefon]), [Telefon]',
  '0176 12345678, 030 901820 0721 1331234': '[Telefon], [Telefon] [Telefon]',
  '0043 664 123456, +41 78 123 45 67, +1 617-635-4500': '[Telefon], [Telefon], [Telefon]',
  'IBAN DE89 3704 0044 0532 0130 00 please': 'IBAN [IBAN] please',
  'DE89370400440532013000,AT611904300234573201': '[IBAN],[IBAN]',
  'KA-AB 1234, B-MW123E, HH-XY 12H': '[Kennzeichen], [Kennzeichen], [Kennzeichen]',
  'ZH 123456 and W-12345 A': '[Kennzeichen] and [Kennzeichen]',
  'anna(ät)web.de, anna at web dot de, anna ät web punkt de': '[E-Mail], [E-Mail], [E-Mail]',
  'Kennzeichen: KN SW449, kn-sw 449, KNSW449; T692406C':
    'Kennzeichen: [Kennzeichen], [Kennzeichen], [Kennzeichen]; [Kennzeichen]',
  'License plate number: ABC-1234, Kennzeichen Nr. KN SW449, Kennzeichen: „KN SW449“, Kennzeichen lautet KN SW449':
    'License plate number: [Kennzeichen], Kennzeichen Nr. [Kennzeichen], Kennzeichen: „[Kennzeichen]“, Kennzeichen lautet [Kennzeichen]',
  'Kennzeichen NR-AB 1234, number plate NR12 ABC, plate number IS 4711, license plate number is: "ABC-1234"':
    'Kennzeichen [Kennzeichen], number plate [Kennzeichen], plate number [Kennzeichen], license plate number is: "[Kennzeichen]"',
  'license plate JVX 749, matrícula 1234 BCD': 'license plate [Kennzeichen], matrícula [Kennzeichen]',
  'anna [at] web [dot] de, info{at}stadt.de, anna @ web.de': '[E-Mail], [E-Mail], [E-Mail]',
  'anna%40web.de, anna\uff20web.de, anna&#64;web.de': '[E-Mail], [E-Mail], [E-Mail]',
  'as Word writes it: 0721 133\u20111234, KA\u2013AB 1234': 'as Word writes it: [Telefon], [Kennzeichen]',
  'Anna (a@b.de, 0721 1331234, KA-AB 12) 🚲': 'Anna ([E-Mail], [Telefon], [Kennzeichen]) 🚲',
};

/** Similar texts that stay. */
const kept = [
  'File 2026/0142, VO/2026/01234, 0142/2026, Drs. 20/123456, Az. 0142-2026-1',
  'on 01.03.2026, 1.3.26, 2026-03-01, 01.01.2026-31.12.2026, 03/04/2015 at 14:30',
  'open 08.00-16.00 and 08:00-16:00',
  '1.234.567,89 EUR, +49.500.000 EUR, 0,123456 %, 1.000.000',
  'budgets 2025-2026, 2026/2027, 2025 2026 2027',
  '76133 Karlsruhe, 01067 Dresden, house 0-3, lamp 0123456, ISBN 978-3-16-148410-0',
  'pole #N-0328008-2, case 101001424112, duplicate 1521643/1182048',
  'wrong check digits: DE88 3704 0044 0532 0130 00',
  'Congress St. @ Dot. Ave., @stadt, a@b, 3 kg @ 2.50',
  'B-Plan, S-Bahn, DIN-A 4, DIN-EN 1176, DIN EN 1176, AG 2026, B 27, A 8, KA AB',
  'open 0630-0815, Mo-Fr 0900-1700, 0800 - 1200 Uhr, 0800 1600, 0700/1900, on 02 03 2026, 0302.2026',
  'Az 0361-1234/24, Az. 0211 2024, ?id=0721133123',
  'Volksbank AG 76131 Karlsruhe, Deutsche Bahn AG 10785 Berlin',
  'Haus A-C 5, Linie S-B 41, from A-Z 100',
  'Congress St @ Dot.Ave',
  'DIN276, EN1176, BMBF2020, COVID19, look at the dot on the map, license plate readers on 5 streets',
  '[E-Mail] [Telefon] [IBAN] [Kennzeichen]',
];

function createRecords(descriptions: readonly string[]) {
  return descriptions.map((description, n) => ({
    kind: 'submission',
    ...createSubmission(n, { description }),
  }));
}

test('personal data is replaced and counted, similar texts stay, and a second import changes nothing', async () => {
  const town = await harness.createMunicipality();
  const lines = toNdjson(createRecords([...Object.keys(redacted), ...kept]));
  const count = Object.keys(redacted).length + kept.length;
  const first = await harness.importContent(town, lines, { environment: all });
  assertCounts(first, { inserted: count });
  assert.deepEqual(first.counts.redacted, { email: 17, phone: 13, iban: 3, plate: 21 });
  assert.doesNotMatch(first.stdout + first.stderr, /mustermann|1331234|DE89/);

  const published = await harness.listAll(town, '/submissions');
  const descriptions = new Set(published.map(({ description }) => description));
  assert.deepEqual(descriptions, new Set([...Object.values(redacted), ...kept]));

  assertCounts(await harness.importContent(town, lines, { environment: all }), { unchanged: count });
  const again = toNdjson(published.map((record) => ({ kind: 'submission', ...record })));
  assertCounts(await harness.importContent(town, again, { environment: all }), { unchanged: count });
});

test('redaction is off by default; once it is on, only --loosen-redaction turns it off', async () => {
  const town = await harness.createMunicipality();
  const lines = toNdjson(createRecords(['Ask a@b.de', 'No address']));
  const off = await harness.importContent(town, lines);
  assertCounts(off, { inserted: 2 });
  assert.equal(off.counts.redacted, undefined);
  const on = await harness.importContent(town, lines, { environment: { ROSTRA_REDACT: 'email' } });
  assertCounts(on, { changed: 1, unchanged: 1 });
  assert.deepEqual(on.counts.redacted, { email: 1 });
  const forgotten = await harness.importContent(town, lines);
  assertCounts(forgotten, { unchanged: 2 });
  assert.match(forgotten.stderr, /^Redacting email, as earlier imports of this source did\.$/m);
  const looser = await harness.importContent(town, lines, { flags: ['--redact', 'off'] });
  assert.deepEqual([looser.code, looser.stdout], [2, '']);
  assert.match(
    looser.stderr,
    /^Earlier imports of this source redacted email\. .+ Nothing was read\. .+\(--redact email\), or add --loosen-redaction /,
  );
  const loosen = ['--loosen-redaction'];
  assertCounts(await harness.importContent(town, lines, { flags: [...loosen, '--dry-run'] }), {
    changed: 1,
    unchanged: 1,
  });
  assertCounts(await harness.importContent(town, lines), { unchanged: 2 });
  assertCounts(await harness.importContent(town, lines, { flags: loosen }), { changed: 1, unchanged: 1 });
  assertCounts(await harness.importContent(town, lines), { unchanged: 2 });
});

test('fewer kinds, another country and changed patterns count as looser; additions do not', async () => {
  const town = await harness.createMunicipality();
  const lines = toNdjson(createRecords(['Ask a@b.de']));
  const file = (name: string, patterns: string) => harness.workspace.writeFile(name, patterns);
  const one = file('one.yaml', "Name: 'Frau \\w+'\n");
  const two = file('two.yaml', "Nummer: 'K-\\d+'\nFrau: 'Frau \\w+'\n");
  const changed = file('changed.yaml', "Name: 'Herr \\w+'\n");
  const steps: [flags: string[], lost: RegExp | undefined][] = [
    [['--redact', 'phone', '--redact-patterns', one, '--dry-run'], undefined],
    [['--redact', 'email'], undefined],
    [['--redact', 'email,phone', '--redact-country', 'AT', '--redact-patterns', one], undefined],
    [['--redact-patterns', one], undefined],
    [
      ['--redact', 'all', '--redact-country', 'AT'],
      /no longer redact the pattern "Name", .+ --redact-patterns /,
    ],
    [
      ['--redact', 'all', '--redact-patterns', one, '--redact-country', 'DE'],
      /no longer redact phone \(AT\), /,
    ],
    [['--redact', 'phone,iban', '--redact-patterns', one], /no longer redact email, /],
    [['--redact-patterns', changed], /no longer redact the pattern "Name", /],
    [[], /redacted email, phone \(AT\), the pattern "Name"\. .+ no longer redact the pattern "Name", /],
    [['--redact', 'email,phone,iban', '--redact-patterns', two], undefined],
    [['--redact-patterns', one], /no longer redact the pattern "Nummer", /],
    [['--source', 'Andere'], undefined],
  ];
  for (const [flags, lost] of steps) {
    const { code, stderr } = await harness.importContent(town, lines, { flags });
    assert.equal(code, lost === undefined ? 0 : 2, `${flags.join(' ')}: ${stderr}`);
    if (lost !== undefined) assert.match(stderr, lost);
  }
  const [row] = await harness.workspace.sql<{ redaction: string }>(
    "SELECT redaction FROM import_source WHERE organization_id = $1 AND name = ''",
    [town.id],
  );
  assert.doesNotMatch(row?.redaction ?? '', /Frau \\/);
});

test('a source that redacts plates or telephone numbers keeps its country', async () => {
  const lines = toNdjson(createRecords(['AG 12345 blocks the cycle path']));
  for (const kind of ['plate', 'phone']) {
    const town = await harness.createMunicipality();
    const importFor = (country: string) =>
      harness.importContent(town, lines, { flags: ['--redact', kind, '--redact-country', country] });
    assert.equal((await importFor('CH')).code, 0);
    const { code, stderr } = await importFor('DE');
    assert.equal(code, 2, kind);
    const flags = `--redact ${kind} --redact-country CH`;
    for (const part of [`redacted ${kind} (CH).`, `no longer redact ${kind} (CH),`, `(${flags})`])
      assert.ok(stderr.includes(part), stderr);
    assert.equal((await importFor('CH')).code, 0);
  }
  const town = await harness.createMunicipality();
  for (const country of ['CH', 'DE']) {
    const flags = ['--redact', 'email,iban', '--redact-country', country];
    assert.equal((await harness.importContent(town, lines, { flags })).code, 0);
  }
});

test('addresses of English-speaking cities are redacted as people type them', async () => {
  const town = await harness.createMunicipality();
  const texts = {
    'She resides at 94-08 214 street.': 'She resides at [Adresse].',
    'Noise from 5191 Codwise pl apt#1 again': 'Noise from [Adresse] again',
    'Behind 12 5th ave, Unit 4B': 'Behind [Adresse]',
    '3 street lights, 12 Main street lamps, bus 12 Market street fair':
      '3 street lights, 12 Main street lamps, bus 12 Market street fair',
  };
  const lines = toNdjson(createRecords(Object.keys(texts)));
  await harness.importContent(town, lines, { flags: ['--redact', 'all,address'] });
  const published: { description: string }[] = await harness.listAll(town, '/submissions');
  assert.deepEqual(published.map(({ description }) => description).sort(), Object.values(texts).sort());
});

test('placeholders and combined options are in the language of the municipality, or of the installation', async () => {
  const lines = toNdjson(createRecords(['Write to anna@web.de']));
  const responses = toCsv(',', [
    ['Timestamp', 'Trees?'],
    ...Array.from({ length: 30 }, (_, n) => ['1', n < 25 ? 'Yes' : `No ${n}`]),
  ]);
  const readPublished = async (town: Municipality) => {
    const [survey] = await harness.store.listSurveys(town.id);
    const { json } = await harness.get(town, `/surveys/${survey?.id}/results`);
    const { optionText } = json.data.questions[0].options.at(-1);
    return [(await harness.listAll(town, '/submissions'))[0].description, optionText];
  };
  for (const [language, environment, expected] of [
    ['en', {}, ['Write to [e-mail]', 'Other answers']],
    ['fr', { ROSTRA_LANGUAGE: 'es' }, ['Write to [e-mail]', 'Autres réponses']],
    [undefined, { ROSTRA_LANGUAGE: 'es' }, ['Write to [correo electrónico]', 'Otras respuestas']],
    [undefined, {}, ['Write to [E-Mail]', 'Weitere Antworten']],
  ] as const) {
    const town = await harness.createMunicipality();
    if (language !== undefined) await harness.store.editOrganization(town.id, { language });
    await harness.importContent(town, lines, { flags: ['--redact', 'all'], environment });
    const { stderr } = await harness.importContent(town, responses, { format: 'survey-rows', environment });
    assert.deepEqual(await readPublished(town), expected, stderr);
  }
});

test('a survey keeps the words that it was published with, although its municipality has changed its language', async () => {
  const town = await harness.createMunicipality();
  const importCounts = (yes: number, other: number) =>
    harness.importContent(
      town,
      toCsv(',', [['Frage'], ...Array<string[]>(yes).fill(['Ja']), ...Array<string[]>(other).fill(['Nein'])]),
      { format: 'survey-rows', flags: ['--questions', 'Frage', '--status', 'active', '--source', 'S'] },
    );
  assertCounts(await importCounts(30, 5), { inserted: 1 });
  await harness.store.editOrganization(town.id, { language: 'en' });
  assertCounts(await importCounts(45, 8), { changed: 1 });
});

test('telephone numbers are those of the country of the municipality, unless the import names another one', async () => {
  const lines = toNdjson(createRecords(['Ring 044 668 18 00 please']));
  for (const [country, flags, expected] of [
    ['CH', [], 'Ring [Telefon] please'],
    ['CH', ['--redact-country', 'US'], 'Ring 044 668 18 00 please'],
  ] as const) {
    const town = await harness.createMunicipality();
    await harness.store.editOrganization(town.id, { country });
    await harness.importContent(town, lines, { flags: ['--redact', 'all', ...flags] });
    assert.equal((await harness.listAll(town, '/submissions'))[0].description, expected);
  }
});

test('the words, names and patterns of a municipality are replaced in every import, until it removes them', async () => {
  const town = await harness.createMunicipality();
  const readDescription = async () => (await harness.listAll(town, '/submissions'))[0].description;
  const lines = toNdjson(
    createRecords(['ERIKA\u00a0\n     Muster-Mann (Muster) asks, K-123456; Mustermanns stay']),
  );
  const redactionTerms = 'Muster\nErika Muster-Mann\nKundennummer = /K-\\d{6}/';
  await harness.store.editOrganization(town.id, { redactionTerms });
  const first = await harness.importContent(town, lines);
  assert.deepEqual(first.counts.redacted, { Kundennummer: 1, entfernt: 2 });
  assert.equal(await readDescription(), '[entfernt] ([entfernt]) asks, [Kundennummer]; Mustermanns stay');
  await harness.store.editOrganization(town.id, { redactionTerms: null });
  assertCounts(await harness.importContent(town, lines), { changed: 1 });
  assert.match(await readDescription(), /^ERIKA\s+Muster-Mann/);
});

test('addresses are counted, and redacted only if they are named; the source remembers them', async () => {
  const town = await harness.createMunicipality();
  const lines = toNdjson(createRecords(['Lamp at Kaiserstraße 12, call 0721 1331234']));
  const import1 = await harness.importContent(town, lines, { environment: all });
  assert.deepEqual(import1.counts.redacted, { email: 0, phone: 1, iban: 0, plate: 0 });
  assert.deepEqual(import1.counts.personalData, { address: 1 });
  const named = await harness.importContent(town, lines, { flags: ['--redact', 'all,address'] });
  assert.deepEqual(named.counts.redacted, { email: 0, phone: 1, iban: 0, plate: 0, address: 1 });
  assert.equal(
    (await harness.listAll(town, '/submissions'))[0].description,
    'Lamp at [Adresse], call [Telefon]',
  );
  const looser = await harness.importContent(town, lines, { environment: all });
  assert.equal(looser.code, 2);
  assert.match(
    looser.stderr,
    /This import would no longer redact address, .+\(--redact email,phone,iban,plate,address /,
  );
});

test('French numbers with dots, Spanish and Polish solid numbers and Italian ones are found in their country', async () => {
  for (const [country, text, expected] of [
    [
      'FR',
      '01.42.34.56.78, 06-12-34-56-78, 0612345678, le 01.02.2026',
      '[Telefon], [Telefon], [Telefon], le 01.02.2026',
    ],
    ['ES', '612345678, 612 345 678, expediente 612345678', '[Telefon], [Telefon], expediente 612345678'],
    ['PL', '601234567, 600 000 000 zł, NIP 601-234-567', '[Telefon], 600 000 000 zł, NIP 601-234-567'],
    ['IT', '347 1234567, 06 1234 5678, pratica n. 3471234567', '[Telefon], [Telefon], pratica n. 3471234567'],
    ['NL', '06-12345678, kenmerk 020-1234567', '[Telefon], kenmerk 020-1234567'],
  ] as const) {
    const town = await harness.createMunicipality();
    const flags = ['--redact', 'phone', '--redact-country', country];
    await harness.importContent(town, toNdjson(createRecords([text])), { flags });
    assert.equal((await harness.listAll(town, '/submissions'))[0].description, expected, country);
  }
});

test('only the selected kinds are replaced', async () => {
  const town = await harness.createMunicipality();
  const text = 'a@b.de, 0721 1331234, DE89 3704 0044 0532 0130 00, KA-AB 1234';
  const { counts } = await harness.importContent(town, toNdjson(createRecords([text])), {
    environment: { ROSTRA_REDACT: 'plate, email' },
  });
  assert.deepEqual(counts.redacted, { email: 1, plate: 1 });
  const [{ description }] = await harness.listAll(town, '/submissions');
  assert.equal(description, '[E-Mail], 0721 1331234, DE89 3704 0044 0532 0130 00, [Kennzeichen]');
});

test('a Swiss plate of five digits is found only in Switzerland, because elsewhere it looks like a postcode', async () => {
  const text = 'AG 12345, AG-12345, AG 123456';
  for (const [country, expected] of [
    ['CH', '[Kennzeichen], [Kennzeichen], [Kennzeichen]'],
    ['DE', 'AG 12345, [Kennzeichen], [Kennzeichen]'],
  ] as const) {
    const town = await harness.createMunicipality();
    const environment = { ROSTRA_REDACT: 'plate', ROSTRA_REDACT_COUNTRY: country };
    await harness.importContent(town, toNdjson(createRecords([text])), { environment });
    assert.equal((await harness.listAll(town, '/submissions'))[0].description, expected);
  }
});

test('national numbers are those of the configured country', async () => {
  const texts = ['call 617-635-4500, (617) 635-4500 or 1-617-635-4500 about 101001234567 on 03/04/2015'];
  for (const [country, expected] of [
    ['US', 'call [Telefon], [Telefon] or [Telefon] about 101001234567 on 03/04/2015'],
    ['DE', texts[0]],
  ] as const) {
    const town = await harness.createMunicipality();
    await harness.importContent(town, toNdjson(createRecords(texts)), {
      environment: { ...all, ROSTRA_REDACT_COUNTRY: country },
    });
    assert.equal((await harness.listAll(town, '/submissions'))[0].description, expected);
  }
});

test('descriptions of all formats are redacted, such as CSV and OParl; titles and questions of surveys are unchanged', async () => {
  const town = await harness.createMunicipality();
  const table = toCsv(',', [
    ['id', 'description', 'createdAt'],
    ['1', 'Ask a@b.de', '2026-03-01T09:15:00Z'],
  ]);
  await harness.importContent(town, table, { name: 'x.csv', environment: all });
  const paper = {
    id: 'https://oparl.example/paper/1',
    type: 'https://schema.oparl.org/1.1/Paper',
    name: 'Anfrage: Wer liest a@b.de?',
    paperType: 'Anfrage',
    date: '2026-03-01',
  };
  const result = await harness.importContent(town, toNdjson([paper]), { format: 'oparl', environment: all });
  // In the text and in the title.
  assert.deepEqual(result.counts.redacted, { iban: 0, email: 2, phone: 0, plate: 0 });
  const texts = (await harness.listAll(town, '/submissions')).map(({ description }) => description).sort();
  assert.deepEqual(texts, ['Anfrage: Wer liest [E-Mail]?', 'Ask [E-Mail]']);

  const survey = { kind: 'survey', ...surveys[0], title: 'Do you read a@b.de?', status: 'active' };
  const { counts } = await harness.importContent(town, toNdjson([survey]), { environment: all });
  assert.deepEqual(counts.personalData, { email: 1 });
  const { json } = await harness.get(town, `/surveys/${survey.surveyId}/results`);
  assert.equal(json.data.title, 'Do you read a@b.de?');
});

test('dry runs and strict runs redact too, and the summary for people has the counts', async () => {
  const town = await harness.createMunicipality();
  const lines = toNdjson(createRecords(['Ask a@b.de']));
  const file = harness.workspace.writeFile('dry.ndjson', lines);
  const args = harness.workspace.withDatabase(
    'import',
    'rostra',
    file,
    '--organization',
    town.id,
    '--dry-run',
  );
  const output = await assertSucceeds(args, { environment: all });
  assert.match(output, /^Redacted: email 1, phone 0, iban 0, plate 0\.$/m);
  assertCounts(await harness.importContent(town, lines, { environment: all, flags: ['--strict'] }), {
    inserted: 1,
  });
  assert.equal((await harness.listAll(town, '/submissions'))[0].description, 'Ask [E-Mail]');
});

test('the summary counts possible personal data that stays, in dry runs and real runs', async () => {
  const town = await harness.createMunicipality();
  const lines = toNdjson(
    createRecords(['Ask a@b.de or c@d.de, 0721 1331234', 'KA-AB 1234', 'File 2026/0142']),
  );
  for (const flags of [['--dry-run'], []]) {
    const { counts, stderr } = await harness.importContent(town, lines, { flags });
    assert.deepEqual([counts.redacted, counts.personalData], [undefined, { email: 2, phone: 1, plate: 1 }]);
    // A dry run prints samples of the documents that it would publish.
    const { samples, ...summary } = counts;
    assert.doesNotMatch(JSON.stringify(summary) + stderr, /a@b|1331234|KA-AB/);
  }
  const some = await harness.importContent(town, lines, { flags: ['--redact', 'email'] });
  assert.deepEqual([some.counts.redacted, some.counts.personalData], [{ email: 2 }, { phone: 1, plate: 1 }]);
  const file = harness.workspace.writeFile('counted.ndjson', lines);
  const args = harness.workspace.withDatabase('import', 'rostra', file, '--organization', town.id);
  assert.match(
    await assertSucceeds(args),
    /^Redacted: email 2\.\nPossible personal data in texts: 1 telephone number, 1 licence plate\. To replace it, use --redact phone,plate\.$/m,
  );
});

test('reference numbers, topics and committee names are redacted; a file number does not count as a telephone number', async () => {
  const town = await harness.createMunicipality();
  const submission = (n: number, referenceNumber: string, topicCategoryName: string) => ({
    kind: 'submission',
    ...createSubmission(n, { referenceNumber, topicCategoryName, description: 'Bench' }),
  });
  const session = {
    kind: 'session',
    id: 'one',
    committeeName: 'Beirat (Tel. 0721 1331234)',
    date: '2026-03-01',
    submissions: [],
  };
  const lines = toNdjson([
    submission(1, 'anna@web.de', 'Mobility, ask b@web.de'),
    submission(2, '+49 721 1331234', 'Mobility'),
    submission(3, '07211331234', 'Mobility'),
    submission(4, 'KA-AB 1234', 'Mobility'),
    session,
  ]);
  const result = await harness.importContent(town, lines, { environment: all });
  assert.deepEqual(result.counts.redacted, { email: 2, phone: 2, iban: 0, plate: 0 });
  const published = await harness.listAll(town, '/submissions');
  const numbers = published.map(({ referenceNumber }) => referenceNumber).sort();
  assert.deepEqual(numbers, ['07211331234', 'KA-AB 1234', '[E-Mail]', '[Telefon]']);
  assert.ok(published.some(({ topicCategoryName }) => topicCategoryName === 'Mobility, ask [E-Mail]'));
  const [{ committeeName }] = await harness.listAll(town, '/sessions');
  assert.equal(committeeName, 'Beirat (Tel. [Telefon])');
});

test('a description that redaction makes too long is rejected', async () => {
  const town = await harness.createMunicipality();
  const lines = toNdjson(createRecords(['a@b.de '.repeat(14_000), `${'x'.repeat(99_990)} a@b.de`]));
  const result = await harness.importContent(town, lines, { environment: all });
  assertCounts(result, { inserted: 1, rejected: 1 });
  assert.match(
    result.rejections[0]?.reason ?? '',
    /description has more than 100000 characters after redaction/,
  );
});

test('crafted texts take no more time than others', async () => {
  const hostile = [
    'a%40',
    'a @ ',
    'a{at}b[dot]',
    '1',
    '1 ',
    '01',
    '0721-133 ',
    '(',
    '+1',
    '1/',
    'a',
    'a@',
    'a@a.',
    'DE89 ',
    'KA-',
    '[ at ',
    '12 ',
    'Am 1 ',
    'Berliner 5 ',
    'Straße 1 ',
    '1 rue de la ',
    'via A 1 ',
    'Calle de ',
  ];
  const texts = hostile.map((piece) => piece.repeat(99_000 / piece.length));
  const town = await harness.createMunicipality();
  const before = process.cpuUsage();
  const result = await harness.importContent(town, toNdjson(createRecords(texts)), { environment: all });
  const { user } = process.cpuUsage(before);
  assert.equal(result.counts.read, hostile.length);
  // Quadratic time for 99,000 characters would be minutes. Unlike the duration, it does not depend on other processes.
  assert.ok(user < 20_000_000, `${user / 1_000_000} s of processor time`);
});

suite('custom patterns', { concurrency: 2 }, () => {
  const take = async (patterns: string, texts: string[], name = 'patterns.yaml') => {
    const town = await harness.createMunicipality();
    const file = harness.workspace.writeFile(`${town.id}-${name}`, patterns);
    const result = await harness.importContent(town, toNdjson(createRecords(texts)), {
      environment: { ROSTRA_REDACT_PATTERNS: file },
    });
    const published = await harness.listAll(town, '/submissions');
    return { result, texts: published.map(({ description }) => description).sort() };
  };

  test('are read from YAML or JSON, replace their matches by their names, and are counted', async () => {
    const yaml = "# of the utilities\nKundennummer: 'K-\\d{6}'\nName: '(?:Herr|Frau) \\p{Lu}\\p{Ll}+'\n";
    const json = JSON.stringify({ Kundennummer: 'K-\\d{6}', Name: '(?:Herr|Frau) \\p{Lu}\\p{Ll}+' });
    for (const patterns of [yaml, json]) {
      const { result, texts } = await take(patterns, ['Frau Öztürk, K-123456, a@b.de', 'K-12345']);
      assert.deepEqual(texts, ['K-12345', '[Name], [Kundennummer], a@b.de']);
      assert.deepEqual(result.counts.redacted, { Kundennummer: 1, Name: 1 });
    }
  });

  test('that would run forever reject only the record in question, with a hint', async () => {
    const { result, texts } = await take("slow: '(a+)+$'", ['aaa', 'nothing', `${'a'.repeat(50)}b`]);
    assertCounts(result, { inserted: 2, rejected: 1 });
    assert.deepEqual(texts, ['[slow]', 'nothing']);
    assert.match(
      result.rejections[0]?.reason ?? '',
      /the pattern "slow" takes too long .+ simplify the pattern/,
    );
  });

  test('that are slow can be interrupted, and are reported', async () => {
    const town = await harness.createMunicipality();
    const file = harness.workspace.writeFile('slow.yaml', "slow: '(a+)+$'\n");
    const lines = toNdjson(createRecords(Array.from({ length: 60 }, () => `${'a'.repeat(50)}b`)));
    const args = ['rostra', harness.workspace.writeFile('slow.ndjson', lines), '--organization', town.id];
    const running = startCli(harness.workspace.withDatabase('import', ...args), {
      environment: { ROSTRA_REDACT_PATTERNS: file },
    });
    await waitUntil('the import', async () => {
      const runs = await harness.workspace.sql('SELECT id FROM import_run WHERE organization_id = $1', [
        town.id,
      ]);
      return runs.length > 0;
    });
    await setTimeout(500);
    const signalled = performance.now();
    running.child.kill('SIGINT');
    const { code, stderr } = await running.result;
    assert.equal(code, 130, stderr);
    // Sixty times a quarter of a second is 15 s.
    assertTookAtMost(10_000, performance.now() - signalled);
    assert.match(stderr, /Interrupted\. Nothing was imported\./);
  });

  test('in a file with another encoding are reported, because they would match nothing', async () => {
    const file = harness.workspace.writeFile('latin.yaml', Buffer.from('Name: "Herr M\xfcller"\n', 'latin1'));
    const town = await harness.createMunicipality();
    const { code, stderr } = await harness.importContent(town, toNdjson(createRecords(['Herr Müller'])), {
      environment: { ROSTRA_REDACT_PATTERNS: file },
    });
    assert.equal(code, 2, stderr);
    assert.match(stderr, /latin\.yaml cannot be read: it is not UTF-8/);
  });

  test('that are invalid are reported at the start with their problem', async () => {
    const town = await harness.createMunicipality();
    const wrong: [content: string, sentence: RegExp][] = [
      ["x: '('", /ROSTRA_REDACT_PATTERNS are invalid: The pattern "x" is not a regular expression \(/],
      [`x: '${'y'.repeat(300_000)}'`, /"x" is not a regular expression \(Regular expression too large\)/],
      ["x: 'a*'", /ROSTRA_REDACT_PATTERNS are invalid: The pattern "x" matches the empty text/],
      ['x: 5', /ROSTRA_REDACT_PATTERNS are invalid: The pattern "x" is not a text/],
      ["email: 'a'", /"email" is not the name of a pattern/],
      ["'a]': 'a'", /"a\]" is not the name of a pattern: a name has at most 40 letters, blanks and hyphens/],
      ['- a', /The file of patterns must map names to patterns/],
      ['', /The file of patterns must map names to patterns/],
      ['{"a": "b",', /The file of patterns is neither JSON nor YAML/],
      ['{"a": "b", "a": "c"}', /neither JSON nor YAML \(Map keys must be unique/],
    ];
    for (const [n, [content, sentence]] of wrong.entries()) {
      const environment = { ROSTRA_REDACT_PATTERNS: harness.workspace.writeFile(`wrong-${n}.yaml`, content) };
      const args = harness.workspace.withDatabase('import', 'rostra', '-', '--organization', town.id);
      await assertFails(args, 2, sentence, { environment });
    }
    const ofSource = ['source', 'add', 'own', '--format', 'rostra', '--organization', town.id];
    await assertFails(
      harness.workspace.withDatabase(
        ...ofSource,
        '--redact-patterns',
        harness.workspace.writeFile('own.yaml', "x: 'a*'"),
      ),
      2,
      /^(?!.*ROSTRA_REDACT_PATTERNS).*The pattern "x" matches the empty text/s,
    );
  });
});
