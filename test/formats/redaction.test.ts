/** The import removes personal data from texts, and counts the rest. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { getPlaceholderWords, type Language } from '../../src/domain/organizations/placeholder-words.ts';
import { describeReason } from '../../src/domain/reasons/reason.ts';
import { assertFails, assertSucceeds, type Municipality, startCli } from '../support/cli-workspace.ts';
import { toCsv, toNdjson } from '../support/files.ts';
import { assertCounts, createImportHarness, listDescriptions } from '../support/import-harness.ts';
import { assertTookAtMost, byNight, isNightly } from '../support/nightly.ts';
import { createSubmission, surveys } from '../support/records.ts';
import { waitUntil } from '../support/wait-until.ts';

const harness = await createImportHarness({ after });
const all = { ROSTRA_REDACT: 'all' };

interface Example {
  text: string;
  published: string;
  /** Kinds of the labels. */
  labels: string[];
}

/** One table for all expressions, beside them. */
const exampleLines = readFileSync(
  new URL('../../src/ingest/privacy/redaction/examples.txt', import.meta.url),
  'utf8',
)
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split('\t') as [group: string, text: string]);

function parseExample(marked: string, language: Language): Example {
  const { placeholders, removed } = getPlaceholderWords(language);
  const words: Record<string, string> = { ...placeholders, removed };
  const line = marked.replaceAll(/\\u\{([\da-f]+)\}/g, (_, code) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  const label = /⟦(\w+):(.+?)⟧/gsu;
  return {
    text: line.replaceAll(label, '$2'),
    published: line.replaceAll(label, (_, kind) => `[${words[kind] ?? assert.fail(kind)}]`),
    labels: [...line.matchAll(label)].map(([, kind = '']) => kind),
  };
}

const countLabels = (examples: readonly Example[]) => {
  const counts: Record<string, number> = {};
  for (const kind of examples.flatMap(({ labels }) => labels)) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
};

function createRecords(descriptions: readonly string[]) {
  return descriptions.map((description, n) => ({
    kind: 'submission',
    ...createSubmission(n, { description }),
  }));
}

const numberRecords = (descriptions: readonly string[]) =>
  createRecords(descriptions).map((record, n) => ({ ...record, referenceNumber: `${n}` }));

test('personal data is replaced and counted in every script, similar texts stay, and a second import changes nothing', async () => {
  const byCountry = Map.groupBy(
    exampleLines.filter(([group]) => /^[A-Z]{2}$/.test(group)),
    ([country]) => country,
  );
  assert.ok(byCountry.size > 10);
  for (const [country, lines] of byCountry) {
    const town = await harness.createMunicipality();
    const examples = lines.map(([, text]) => parseExample(text, 'de'));
    const content = toNdjson(numberRecords(examples.map(({ text }) => text)));
    const flags = ['--redact', 'all,address', '--redact-country', country];
    const first = await harness.importContent(town, content, { flags });
    assertCounts(first, { inserted: lines.length });
    assert.doesNotMatch(first.stdout + first.stderr, /mustermann|1331234|DE89/);
    assert.deepEqual(
      await listDescriptions(harness, town),
      examples.map(({ published }) => published),
      country,
    );
    const found = Object.entries(first.counts.redacted ?? {}).filter(([, count]) => count !== 0);
    assert.deepEqual(Object.fromEntries(found), countLabels(examples), country);
    assertCounts(await harness.importContent(town, content, { flags }), { unchanged: lines.length });
    const again = (await harness.listAll(town, '/submissions')).map((record) => ({
      kind: 'submission',
      ...record,
    }));
    assertCounts(await harness.importContent(town, toNdjson(again), { flags }), { unchanged: lines.length });
  }
});

test('no invisible character hides personal data, wherever it is', async () => {
  const items = {
    'anna.muster@example.de': '[E-Mail]',
    '0151 23456789': '[Telefon]',
    '+49 721 1331234': '[Telefon]',
    'DE89 3704 0044 0532 0130 00': '[IBAN]',
    'KA-AB 1234': '[Kennzeichen]',
    'Kaiserstraße 12': '[Adresse]',
    'Max Mustermann': '[entfernt]',
    'Mustermann, Max': '[entfernt]',
  };
  const characters = Array.from({ length: 0x11_00_00 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint > 0 && (codePoint < 0xd8_00 || codePoint > 0xdf_ff))
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /\p{Default_Ignorable_Code_Point}|\p{Cf}/u.test(character));
  const texts = characters
    .filter((_, index) => isNightly || index % 300 === 0)
    .map((character) =>
      Object.entries(items).map(([item, placeholder]) => {
        const places = Array.from({ length: item.length - 1 }, (_, place) => place + 1);
        const lines = places.map((place) => `: ${item.slice(0, place)}${character}${item.slice(place)}, and`);
        return { text: lines.join('\n'), published: places.map(() => `: ${placeholder}, and`).join('\n') };
      }),
    )
    .map((each) => ({
      text: each.map(({ text }) => text).join('\n'),
      published: each.map(({ published }) => published).join('\n'),
    }));
  const town = await harness.createMunicipality();
  await harness.store.editOrganization(town.id, { redactionTerms: 'Max Mustermann' });
  await harness.importContent(town, toNdjson(numberRecords(texts.map(({ text }) => text))), {
    flags: ['--redact', 'all,address'],
  });
  assert.deepEqual(
    await listDescriptions(harness, town),
    texts.map(({ published }) => published),
  );
});

test('each dash of Unicode joins personal data like a hyphen', async () => {
  const dashes = Array.from({ length: 0x11_00_00 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd8_00 || codePoint > 0xdf_ff)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /\p{Dash}/u.test(character));
  assert.ok(dashes.includes('\u2015') && dashes.includes('\u2212'));
  const town = await harness.createMunicipality();
  await harness.importContent(
    town,
    toNdjson(numberRecords(dashes.map((dash) => `: KA${dash}AB 1234, 0151${dash}23456789, and`))),
    { flags: ['--redact', 'all'] },
  );
  assert.deepEqual(
    await listDescriptions(harness, town),
    dashes.map(() => ': [Kennzeichen], [Telefon], and'),
  );
});

test('the words and names of a municipality are replaced in their forms, spellings and orders', async () => {
  const lines = exampleLines.filter(([group]) => !/^[A-Z]{2}$/.test(group));
  for (const [index, [group, list = '']] of lines.entries()) {
    if (!group.startsWith('words ')) continue;
    const language = group.slice('words '.length) as Language;
    const next = lines.findIndex(([other], at) => at > index && other !== 'text');
    const own = lines.slice(index + 1, next === -1 ? undefined : next);
    const examples = own.map(([, text]) => parseExample(text, language));
    const town = await harness.createMunicipality();
    const redactionTerms = list.split(' | ').join('\n');
    await harness.store.editOrganization(town.id, { language, redactionTerms });
    const content = toNdjson(numberRecords(examples.map(({ text }) => text)));
    const { counts } = await harness.importContent(town, content);
    assert.deepEqual(
      await listDescriptions(harness, town),
      examples.map(({ published }) => published),
      list,
    );
    const { removed } = getPlaceholderWords(language);
    assert.deepEqual(counts.redacted, { [removed]: countLabels(examples).removed }, list);
  }
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
  const note = 'Redacting email, as earlier imports of this source did.';
  const { notes: reported } = JSON.parse(forgotten.stdout);
  assert.ok(reported.includes(note), forgotten.stdout);
  const runs = await harness.store.listImportRuns(town.id, undefined, 1);
  const stored = runs.flatMap(({ notes }) => notes.map((one) => describeReason(one)));
  assert.ok(stored.includes(note), stored.join('\n'));
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
    createRecords(['ERIKA\u00a0\n     Muster-Mann (Muster) asks, K-123456, Q-123; Mustermanns stay']),
  );
  const redactionTerms = 'Muster\nErika Muster-Mann\nKundennummer = /K-\\d{6}/\nKundennummer = /Q-\\d{3}/';
  await harness.store.editOrganization(town.id, { redactionTerms });
  const first = await harness.importContent(town, lines);
  assert.deepEqual(first.counts.redacted, { Kundennummer: 2, entfernt: 2 });
  assert.equal(
    await readDescription(),
    '[entfernt] ([entfernt]) asks, [Kundennummer], [Kundennummer]; Mustermanns stay',
  );
  await harness.store.editOrganization(town.id, { redactionTerms: null });
  assertCounts(await harness.importContent(town, lines), { changed: 1 });
  assert.match(await readDescription(), /^ERIKA\s+Muster-Mann/);
});

test('a Polish name of three letters is replaced as it is, because its stem is a part of other words', async () => {
  const town = await harness.createMunicipality();
  await harness.store.editOrganization(town.id, { language: 'pl', redactionTerms: 'Ala' });
  await harness.importContent(town, toNdjson(createRecords(['Ala zgłasza śmieci: folia alu'])));
  const { removed } = getPlaceholderWords('pl');
  assert.deepEqual(await listDescriptions(harness, town), [`[${removed}] zgłasza śmieci: folia alu`]);
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

test('descriptions of all formats are redacted, such as CSV and OParl; titles of surveys, too', async () => {
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
  assert.deepEqual([counts.redacted, counts.personalData], [{ email: 1, phone: 0, iban: 0, plate: 0 }, {}]);
  const { json } = await harness.get(town, `/surveys/${survey.surveyId}/results`);
  assert.equal(json.data.title, 'Do you read [E-Mail]?');
});

test('every published text is redacted: statuses, priorities, times in words and types of questions', async () => {
  const town = await harness.createMunicipality();
  const submission = {
    kind: 'submission',
    ...createSubmission(1),
    title: 'Bench, a@b.de',
    status: 'done by a@b.de',
    priorityLevel: 'as a@b.de says',
    statusChangedAt: 'on Monday, a@b.de',
  };
  const questions = (surveys[0]?.questions ?? []).map((question) => ({
    ...question,
    questionType: 'scale of a@b.de',
  }));
  const survey = { kind: 'survey', ...surveys[0], status: 'closed by a@b.de', questions };
  const lines = toNdjson([submission, survey]);
  const found = await harness.importContent(town, lines, { flags: ['--dry-run'] });
  assert.deepEqual(found.counts.personalData, { email: 5 + questions.length });
  const { counts } = await harness.importContent(town, lines, { flags: ['--redact', 'email'] });
  assert.deepEqual(counts.redacted, { email: 5 + questions.length });
  assert.deepEqual(counts.personalData, {});
  const [published] = await harness.listAll(town, '/submissions');
  assert.deepEqual(
    [published.status, published.priorityLevel, published.statusChangedAt],
    ['done by [E-Mail]', 'as [E-Mail] says', 'on Monday, [E-Mail]'],
  );
  const { json } = await harness.get(town, `/surveys/${survey.surveyId}/results`);
  assert.deepEqual(
    [json.data.status, json.data.questions[0].questionType],
    ['closed by [E-Mail]', 'scale of [E-Mail]'],
  );
});

test('a link with personal data in it is counted, and left out if the kind is replaced; other links stay', async () => {
  const folder = 'https://ris.example/files';
  const links = {
    [`${folder}/Protokoll_Max.Mustermann@example.de.pdf`]: 'email',
    [`${folder}/Protokoll%5FMax.Mustermann%40exam%E2%80%8Bple.de.pdf`]: 'email',
    [`${folder}/show?file=Brief%2520an%2520anna%2540example.de`]: 'email',
    [`${folder}/Ruf%20+49%20721%201331234%20an.pdf`]: 'phone',
    [`${folder}/DE89370400440532013000.pdf`]: 'iban',
    [`${folder}/Bauantrag_Kaiserstra%C3%9Fe_12.pdf`]: 'address',
    [`${folder}/Antrag_K%F6nigstra%DFe_12.pdf`]: 'address',
    [`${folder}/Mustermann,%20Erika.pdf`]: undefined,
    [`${folder}/vo020.asp?VOLFDNR=07211331234&id=KA-AB%201234`]: undefined,
    [`${folder}/logo@2x.png`]: undefined,
  };
  const town = await harness.createMunicipality();
  const submissions = Object.keys(links).map((protocolUrl, n) => ({
    kind: 'submission',
    ...createSubmission(n, { protocolUrl }),
    sourceUrl: protocolUrl,
  }));
  const lines = toNdjson(submissions);
  const found = await harness.importContent(town, lines);
  assert.deepEqual(found.counts.personalData, { email: 6, phone: 2, iban: 2, address: 4 });
  const listLinks = async () => {
    const published = await harness.listAll(town, '/submissions');
    return published.flatMap(({ protocolUrl }) => protocolUrl ?? []).sort();
  };
  assert.deepEqual(await listLinks(), Object.keys(links).sort());

  await harness.store.editOrganization(town.id, { redactionTerms: 'Erika Mustermann' });
  const { counts } = await harness.importContent(town, lines, { flags: ['--redact', 'email,phone,iban'] });
  assert.deepEqual(counts.redacted, { email: 6, phone: 2, iban: 2, entfernt: 2 });
  assert.deepEqual(counts.personalData, { address: 4 });
  const kept = Object.entries(links).filter(
    ([link, kind]) => kind === 'address' || (kind === undefined && !link.includes('Muster')),
  );
  assert.deepEqual(await listLinks(), kept.map(([link]) => link).sort());
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
  assert.match(
    output,
    /^Redacted: email 1, phone 0, iban 0, plate 0\.\nNames of people are not detected\.$/m,
  );
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
    /^Redacted: email 2\.\nPossible personal data in texts: 1 telephone number, 1 licence plate\. To replace it, use --redact phone,plate\.\nNames of people are not detected\.$/m,
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
    submission(5, '07211331234 (+49 721 1331235)', 'Mobility'),
    session,
  ]);
  const result = await harness.importContent(town, lines, { environment: all });
  assert.deepEqual(result.counts.redacted, { email: 2, phone: 3, iban: 0, plate: 0 });
  const published = await harness.listAll(town, '/submissions');
  const numbers = published.map(({ referenceNumber }) => referenceNumber).sort();
  assert.deepEqual(numbers, [
    '07211331234',
    '07211331234 ([Telefon])',
    'KA-AB 1234',
    '[E-Mail]',
    '[Telefon]',
  ]);
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
    '\u200b1',
    '\u00ada',
    '\uff11 ',
    '&#8203;1',
    '&amp;',
    '&x',
    '<wbr',
    '1\ufe0f\u20e3',
    'Max M.',
  ];
  const texts = hostile.map((piece) => piece.repeat(99_000 / piece.length));
  const town = await harness.createMunicipality();
  await harness.store.editOrganization(town.id, {
    redactionTerms: ['Max Muster', `${'ab '.repeat(99)}z`, `${'M. '.repeat(19)}z`, 'Max M M M M'].join('\n'),
  });
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

  test('that are slow can be interrupted, and are reported', {
    skip: byNight('it starts a process that works for seconds'),
  }, async () => {
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
