/** `--suggest` drafts a valid mapping from the beginning of a table, with comments on the lines to check. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';
import { assertFails, assertSucceeds, runCli } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { realDataByNight } from '../support/nightly.ts';

const harness = await createImportHarness({ after });

interface Draft {
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests check single fields
  yaml: any;
  /** The columns under "Left out" with their kind of personal data. */
  leftOut: Record<string, string>;
}

let files = 0;

async function suggestMapping(content: string | Buffer, ...flags: string[]): Promise<Draft> {
  files += 1;
  const text = await assertSucceeds(
    harness.workspace.withDatabase(
      'import',
      'table',
      harness.workspace.writeFile(`${files}.csv`, content),
      '--suggest',
      ...flags,
    ),
  );
  const [, ...left] = text.split('# Left out,')[1]?.split('# Not used:')[0]?.split('\n') ?? [];
  const entries = left
    .filter(Boolean)
    .map((line) => /^# {3}(".*"): (.*), by/.exec(line)?.slice(1) as [string, string]);
  return {
    text,
    yaml: parse(text),
    leftOut: Object.fromEntries(entries.map(([name, what]) => [JSON.parse(name), what])),
  };
}

test('a number of other things than supporters is no support count', async () => {
  const others = [
    ...['Stimmen in %', 'votes_percent', 'Anteil der Stimmen', 'Durchschnittliche Unterstützer', 'max_votes'],
    ...[
      'Nein-Stimmen',
      'votes_down',
      'votes against',
      'votes contre',
      'Ungültige Unterschriften',
      'invalidVotes',
    ],
    ...['Mitzeichnungen (unbestätigt)', 'signatures_pending', 'Fehlende Unterschriften', 'signatures_needed'],
  ];
  for (const [column, expected] of [
    ...others.map((name) => [name, undefined] as const),
    ...['Ja-Stimmen', 'votes_up', 'Stimmen', 'signatures', 'Stimmen für'].map(
      (name) => [name, name] as const,
    ),
  ]) {
    const rows = [
      ['1', 'Bank', '2026-03-01', '30'],
      ['2', 'Baum', '2026-03-02', '12'],
    ];
    const { yaml } = await suggestMapping(toCsv(';', [['Nr', 'Betreff', 'Eingang', column], ...rows]));
    assert.equal(yaml.submission.supportCount, expected, column);
  }
});

const german = toCsv(';', [
  [
    'Vorgangsnummer',
    'Betreff',
    'Beschreibung',
    'Kategorie',
    'Bearbeitungsstand',
    'Eingang',
    'Geändert am',
    'Unterstützer',
    'Foto',
    'Vorname',
    'Nachname',
    'E-Mail',
    'Telefon',
    'Straße',
    'Hausnr.',
    'PLZ',
    'Ort',
    'Längengrad',
    'Benutzer-ID',
    'Interne Notiz',
    'Projektadresse',
    'Fläche',
  ],
  ...[1, 2, 3, 4, 5].map((n) => [
    `V-${n}`,
    `Zebrastreifen ${n}`,
    n === 3 ? 'Rückfragen an a@example.org oder 0721 123 4567' : `Vor der Schule ${n}`,
    n % 2 === 0 ? 'Verkehr' : 'Grün',
    ['Neu', 'in Bearbeitung', 'Erledigt', 'Abgelehnt', 'Wiedervorlage'][n - 1] as string,
    `${10 + n}.03.2026 08:15`,
    n < 3 ? '' : `${10 + n}.04.2026`,
    n === 5 ? '1.234' : String(n),
    n === 1 ? 'bild.jpg' : '',
    'Eva',
    'Muster',
    'eva@example.org',
    '0721 123',
    'Lindenstraße',
    '4a',
    '76133',
    'Karlsruhe',
    '8.4037',
    '17',
    'k.A.',
    'Lindenstraße 4a',
    '12',
  ]),
]);

const encodeLatin1 = (text: string) => Buffer.from(text, 'latin1');

test('the draft for a German export in Windows-1252 works unchanged', async () => {
  const { text, yaml, leftOut } = await suggestMapping(encodeLatin1(german));
  assert.match(text, /^# yaml-language-server: \$schema=table-mapping\.schema\.json\n/);
  assert.match(text, /^encoding: windows-1252 # CHECK/m);
  assert.doesNotMatch(text, /timeZone/);
  assert.match(text, /CHECK: some cells of "Beschreibung" contain email addresses, telephone numbers; they/);
  assert.equal(yaml.delimiter, ';');
  assert.deepEqual(yaml.empty, ['k.A.']);
  assert.deepEqual(yaml.submission, {
    id: 'Vorgangsnummer',
    referenceNumber: 'Vorgangsnummer',
    description: { columns: ['Betreff', 'Beschreibung'], join: '\n\n' },
    status: {
      column: 'Bearbeitungsstand',
      values: {
        Neu: 'submitted',
        'in Bearbeitung': 'in_review',
        Erledigt: 'completed',
        Abgelehnt: 'rejected',
      },
    },
    topicCategoryName: 'Kategorie',
    supportCount: { column: 'Unterstützer', thousands: '.', decimal: ',' },
    hasAttachments: 'Foto',
    createdAt: { column: 'Eingang', date: 'DD.MM.YYYY HH:mm' },
    statusChangedAt: { column: 'Geändert am', date: 'DD.MM.YYYY' },
    title: 'Betreff',
  });
  assert.match(text, /^ +# Wiedervorlage: … # 1 row; CHECK/m);
  assert.deepEqual(leftOut, {
    Vorname: 'names of people',
    Nachname: 'names of people',
    'E-Mail': 'email addresses',
    Telefon: 'telephone numbers',
    Straße: 'streets',
    'Hausnr.': 'streets',
    PLZ: 'postcodes',
    Ort: 'addresses',
    Längengrad: 'coordinates',
    'Benutzer-ID': 'user ids',
    'Interne Notiz': 'notes',
    Projektadresse: 'addresses',
  });
  assert.match(text, /# Not used:\n# {3}"Fläche"/);

  const town = await harness.createMunicipality();
  const mapping = harness.workspace.writeFile('draft.yaml', text);
  const result = await harness.importContent(town, encodeLatin1(german), {
    format: 'table',
    name: 'x.csv',
    flags: ['--mapping', mapping],
  });
  assertCounts(result, { inserted: 4, rejected: 1 });
  assert.match(
    result.rejections[0]?.reason ?? '',
    /^status: `.+` has a word that is not among the values of the mapping/,
  );
});

test('times in columns that name UTC are drafted as such, and published as they are', async () => {
  const town = await harness.createMunicipality();
  const table = toCsv(',', [
    ['id', 'title', 'text', 'createdUtc', 'updated_gmt'],
    ['1', 'Bench', 'A bench at the pond', '2026-03-01 10:00', '2026-03-02 23:30'],
    ['2', 'Lamp', 'A lamp at the pond', '2026-03-01 11:00', '2026-03-03 23:30'],
  ]);
  const { text, yaml } = await suggestMapping(table);
  assert.deepEqual(yaml.submission.createdAt, { column: 'createdUtc', date: 'ISO', timeZone: 'UTC' });
  assert.deepEqual(yaml.submission.statusChangedAt, { column: 'updated_gmt', date: 'ISO', timeZone: 'UTC' });
  const mapping = harness.workspace.writeFile('utc.yaml', text);
  const flags = ['--mapping', mapping, '--time-zone', 'America/New_York'];
  assertCounts(await harness.importContent(town, table, { format: 'table', name: 'utc.csv', flags }), {
    inserted: 2,
  });
  assert.deepEqual(
    (await harness.listAll(town, '/submissions')).map(({ createdAt }) => createdAt),
    ['2026-03-01T11:00:00.000Z', '2026-03-01T10:00:00.000Z'],
  );
});

test('headers in eight languages are recognized', async () => {
  const tables: [header: string[], row: string[], expected: object, leftOut: string[]][] = [
    [
      ['caseId', 'Title', 'Status', 'CreatedAt', 'UpdatedAt', 'Votes', 'user_name', 'zip', 'lat', 'email'],
      ['1', 'Bench', 'Open', '2026-03-01T10:00:00Z', '2026-03-02T10:00:00Z', '1,234', 'x', '1', '1', 'x'],
      {
        id: 'caseId',
        description: 'Title',
        status: { column: 'Status', values: { Open: 'received' } },
        supportCount: { column: 'Votes', thousands: ',' },
        createdAt: { column: 'CreatedAt', date: 'ISO' },
        statusChangedAt: { column: 'UpdatedAt', date: 'ISO' },
      },
      ['user_name', 'zip', 'lat', 'email'],
    ],
    [
      [
        'Identifiant',
        'Intitulé',
        'Description',
        'Thème',
        'État',
        'Date de dépôt',
        'Nom',
        'Prénom',
        'Courriel',
        'Code postal',
      ],
      ['1', 'Banc', 'Un banc', 'Parcs', 'En cours', '31/03/2026', 'x', 'x', 'x', 'x'],
      {
        id: 'Identifiant',
        description: { columns: ['Intitulé', 'Description'], join: '\n\n' },
        status: { column: 'État', values: { 'En cours': 'in_review' } },
        topicCategoryName: 'Thème',
        createdAt: { column: 'Date de dépôt', date: 'DD/MM/YYYY' },
      },
      ['Nom', 'Prénom', 'Courriel', 'Code postal'],
    ],
    [
      [
        'Número',
        'Título',
        'Categoría',
        'Estado',
        'Fecha',
        'Apoyos',
        'Teléfono',
        'Dirección',
        'Apellidos',
        'Observaciones',
      ],
      ['1', 'Banco', 'Parques', 'Aceptada', '20260301', '3', 'x', 'x', 'x', 'x'],
      {
        id: 'Número',
        description: 'Título',
        status: { column: 'Estado', values: { Aceptada: 'accepted' } },
        topicCategoryName: 'Categoría',
        supportCount: 'Apoyos',
        createdAt: { column: 'Fecha', date: 'YYYYMMDD' },
      },
      ['Teléfono', 'Dirección', 'Apellidos', 'Observaciones'],
    ],
    [
      [
        'Numer projektu',
        'Nazwa projektu',
        'Opis',
        'Kategoria',
        'Status',
        'Liczba głosów',
        'Data złożenia',
        'Imię i nazwisko',
        'Ulica',
      ],
      ['BO.1', 'Ławka', 'Ławka przy stawie', 'Zieleń', 'Zrealizowany', '12', '31.03.2026', 'x', 'x'],
      {
        id: 'Numer projektu',
        description: { columns: ['Nazwa projektu', 'Opis'], join: '\n\n' },
        status: { column: 'Status', values: { Zrealizowany: 'completed' } },
        topicCategoryName: 'Kategoria',
        supportCount: 'Liczba głosów',
        createdAt: { column: 'Data złożenia', date: 'DD.MM.YYYY' },
      },
      ['Imię i nazwisko', 'Ulica'],
    ],
    [
      [
        'Meldingsnummer',
        'Onderwerp',
        'Omschrijving',
        'Hoofdcategorie',
        'Status',
        'Datum melding',
        'Datum afhandeling',
        'Postcode',
        'Naam',
      ],
      ['M-1', 'Bank', 'Een bank', 'Groen', 'Afgehandeld', '31-03-2026', '01-04-2026', 'x', 'x'],
      {
        id: 'Meldingsnummer',
        description: { columns: ['Onderwerp', 'Omschrijving'], join: '\n\n' },
        status: { column: 'Status', values: { Afgehandeld: 'completed' } },
        topicCategoryName: 'Hoofdcategorie',
        createdAt: { column: 'Datum melding', date: 'DD-MM-YYYY' },
        statusChangedAt: { column: 'Datum afhandeling', date: 'DD-MM-YYYY' },
      },
      ['Postcode', 'Naam'],
    ],
    [
      [
        'Numero segnalazione',
        'Oggetto',
        'Tipologia',
        'Stato',
        'Data segnalazione',
        'Data chiusura',
        'Indirizzo',
        'Cognome',
      ],
      ['1', 'Panchina', 'Verde', 'Presa in carico', '31/03/2026', '', 'x', 'x'],
      {
        id: 'Numero segnalazione',
        description: 'Oggetto',
        status: { column: 'Stato', values: { 'Presa in carico': 'received' } },
        topicCategoryName: 'Tipologia',
        createdAt: { column: 'Data segnalazione', date: 'DD/MM/YYYY' },
      },
      ['Indirizzo', 'Cognome'],
    ],
    [
      [
        "Número d'expedient",
        'Títol',
        'Descripció',
        'Àmbit',
        'Estat',
        'Nombre de suports',
        'Data de creació',
        'Adreça',
        'Correu electrònic',
      ],
      ['E-1', 'Banc', 'Un banc', 'Parcs', 'En tramitació', '3', '31/03/2026', 'x', 'x'],
      {
        id: "Número d'expedient",
        description: { columns: ['Títol', 'Descripció'], join: '\n\n' },
        status: { column: 'Estat', values: { 'En tramitació': 'in_review' } },
        topicCategoryName: 'Àmbit',
        supportCount: 'Nombre de suports',
        createdAt: { column: 'Data de creació', date: 'DD/MM/YYYY' },
      },
      ['Adreça', 'Correu electrònic'],
    ],
  ];
  for (const [header, row, expected, personal] of tables) {
    const { yaml, leftOut } = await suggestMapping(toCsv(';', [header, row]));
    const { referenceNumber: _, title, ...submission } = yaml.submission;
    assert.deepEqual(submission, expected);
    const { description } = submission as { description: string | { columns: string[] } };
    const [first] = typeof description === 'string' ? [description] : description.columns;
    assert.ok(title === undefined || title === first, title);
    assert.deepEqual(Object.keys(leftOut).toSorted(), personal.toSorted());
  }
});

test('personal data is detected by the values of a column', async () => {
  const columns: Record<string, [what: string | undefined, values: [string, string, string]]> = {
    nr: [undefined, ['101001240735', '101001240736', '101001240737']],
    titel: [undefined, ['Bank', 'Baum', 'Spielplatz am Weg']],
    datum: [undefined, ['01.03.2026', '02.03.2026', '03.03.2026']],
    f1: ['email addresses', ['a@example.org', '', 'B.C@example.de']],
    f2: ['telephone numbers', ['+49 721 1234567', '0721/1234567', '']],
    f3: ['telephone numbers', ['(617) 635-4500', '617-635-4500', '']],
    f4: ['coordinates', ['49.00937', '48.99992', '']],
    // A draft maps it to the location.
    f5: [undefined, ['(42.3594, -71.0587)', 'POINT (8.4037 49.0094)', '']],
    f6: ['streets', ['Lindenstraße 4', 'Am Ring 12', '']],
    f7: ['streets', ['29 Hereford St', '145-151 Ipswich Street', '12 Elm Ave']],
    f8: ['streets', ['12 rue de la Paix', 'Calle Mayor 3', 'avenue Foch']],
    f9: ['bank accounts', ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000', '']],
    f11: ['email addresses', ['a\uff20example.org', 'b\u200b@example.org', '']],
    f12: ['telephone numbers', ['+49\u2011721\u20111234567', '0721\u00a0/ 1234\u00ad567', '']],
    f10: [undefined, ['12.5', '3', '0.25']],
    f13: [undefined, ['0123/2021-26', '0124/2021-26', '0815/2021-26']],
    'Project name': [undefined, ['A', 'B', 'C']],
    Name: ['names of people', ['A', 'B', 'C']],
    Property: ['parcels or buildings', ['A', 'B', 'C']],
    Property_Type: [undefined, ['House', 'Flat', 'House']],
    Contact_Type: ['email addresses', ['a@example.org', 'd@example.org', 'c@example.org']],
  };
  const names = Object.keys(columns);
  const rows = [0, 1, 2].map((at) => names.map((name) => columns[name]?.[1][at] as string));
  const { leftOut, text } = await suggestMapping(toCsv(';', [names, ...rows]));
  const expected = Object.entries(columns).flatMap(([name, [what]]) => (what ? [[name, what]] : []));
  assert.deepEqual(leftOut, Object.fromEntries(expected));
  assert.doesNotMatch(text, /example\.org|Lindenstra|Hereford|3704|42\.3594|1234567/);
});

test('a text about streets is suggested with a warning, but a column of addresses is left out, whatever its name', async () => {
  const rows = ['Bahnhofstraße 12', 'Lindenstr. 4', 'Am Ring 7'].map((place, index) => [
    `A-${index}`,
    `Schlagloch vor dem Haus ${place}`,
    `Vor der ${place} ist ein Loch, bitte an a${index}@example.org antworten.`,
    place,
    `Wir haben das Loch in der Lindenstr. ${index} gefüllt.`,
    `0${index + 1}.03.2026`,
  ]);
  const { leftOut, yaml, text } = await suggestMapping(
    toCsv(';', [['Aktenzeichen', 'Betreff', 'Text', 'Hinweis', 'Antwort', 'Eingang'], ...rows]),
  );
  assert.deepEqual(leftOut, { Hinweis: 'streets' });
  assert.deepEqual(yaml.submission.description, { columns: ['Betreff', 'Text'], join: '\n\n' });
  assert.deepEqual([yaml.submission.title, yaml.submission.answer], ['Betreff', 'Antwort']);
  assert.match(text, /email addresses/);
  assert.match(text, /house numbers/);
});

test('identifiers and nicknames in any spelling become at most the id of a record', async () => {
  const names = [
    'endorsements_ids',
    'author_nickname',
    'user_id',
    'supportersIds',
    'votesUserIDs',
    'USER_NICKNAME',
    'superuser',
    'Benutzerkennung',
    'Unterstützer-IDs',
    'StimmenNutzerNr',
    'Spitzname',
    'Titel-ID',
    'category_uuid',
    'support_uids',
    'apodo',
  ];
  const header = ['case_id', ...names, 'text', 'Häuser', 'date'];
  const row = (n: number) => [
    `${n}`,
    ...names.map((_, at) => `${at}${n}`),
    `A bench ${n}`,
    '3',
    '2026-01-01',
  ];
  const { yaml, leftOut, text } = await suggestMapping(toCsv(',', [header, row(1), row(2)]));
  assert.deepEqual(yaml.submission, {
    id: 'case_id',
    description: 'text',
    createdAt: { column: 'date', date: 'ISO' },
  });
  assert.deepEqual(Object.keys(leftOut), names);
  assert.match(text, /# Not used:\n# {3}"Häuser"/);
});

test('columns that are filled late are found, and user ids never become counts', async () => {
  const header = 'id,title,endorsements_ids,author_nickname,user_id,votes,photo,unused,published_at';
  const row = (n: number) =>
    n <= 200
      ? `${n},Bench ${n},,,,,,,2026-01-01`
      : `${n},Bench ${n},${90_000 + n},ada${n},${n},7,x.jpg,,2026-01-01`;
  const content = [header, ...Array.from({ length: 220 }, (_, n) => row(n + 1)), ''].join('\n');
  const { text, yaml, leftOut } = await suggestMapping(content);
  assert.deepEqual(yaml.submission, {
    id: 'id',
    description: 'title',
    supportCount: 'votes',
    hasAttachments: 'photo',
    createdAt: { column: 'published_at', date: 'ISO' },
    title: 'title',
  });
  assert.match(text, /# CHECK: 200 cells of "votes" are empty; they become 0\./);
  assert.deepEqual(Object.keys(leftOut), ['endorsements_ids', 'author_nickname', 'user_id']);
  assert.match(text, /# Not used:\n# {3}"unused": empty/);
  const town = await harness.createMunicipality();
  const flags = ['--mapping', harness.workspace.writeFile('decidim-like.yaml', text)];
  assertCounts(await harness.importContent(town, content, { format: 'table', flags }), { inserted: 220 });
  const published = await harness.listAll(town, '/submissions');
  assert.deepEqual([...new Set(published.map(({ supportCount }) => supportCount))].toSorted(), [0, 7]);
});

test('the draft lists the words of a status with their counts in the whole input', async () => {
  const words = (n: number) =>
    n === 250 ? 'Wiedervorlage' : n > 210 ? 'erledigt' : n % 2 ? 'offen' : 'Offen';
  const rows = Array.from({ length: 300 }, (_, n) => `${n},Bench,${words(n)},2026-01-01\n`);
  const content = `nr,titel,status,datum\n${rows.join('')}`;
  for (const draft of [
    (await suggestMapping(content)).text,
    await assertSucceeds(harness.workspace.withDatabase('import', 'table', '-', '--suggest'), {
      input: content,
    }),
  ]) {
    assert.deepEqual(parse(draft).submission.status.values, { Offen: 'received', erledigt: 'completed' });
    assert.match(draft, /^ +Offen: received # 211 rows$/m);
    assert.match(draft, /^ +erledigt: completed # 88 rows$/m);
    assert.match(draft, /^ +# Wiedervorlage: … # 1 row; CHECK/m);
  }
});

test('the draft leaves out rows whose status says that they are not public', async () => {
  const content = toCsv(',', [
    ['nr', 'titel', 'status', 'datum'],
    ...['offen', 'nichtöffentlich', 'Gelöscht', 'gelöscht', 'Spam', 'Entwurf', 'Wiedervorlage'].map(
      (status, n) => [String(n), `Bank ${n}`, status, '2026-01-01'],
    ),
  ]);
  const { text, yaml } = await suggestMapping(content);
  assert.deepEqual(yaml.skip, { status: ['Gelöscht', 'nichtöffentlich', 'Spam', 'Entwurf'] });
  assert.deepEqual(yaml.submission.status.values, { offen: 'received' });
  assert.match(
    text,
    /^ {2}status: \[.+\] # CHECK: 5 rows are left out, because the status seems to say that they are not public$/m,
  );
  assert.match(
    text,
    /# Wiedervorlage: … # 1 row; CHECK: write the published status, or add the word to skip$/m,
  );
  const town = await harness.createMunicipality();
  const flags = ['--mapping', harness.workspace.writeFile('skipped-statuses.yaml', text)];
  const result = await harness.importContent(town, content, { format: 'table', flags });
  assertCounts(result, { inserted: 1, ignored: 5, rejected: 1 });
  assert.deepEqual(
    (await harness.listAll(town, '/submissions')).map(({ status }) => status),
    ['received'],
  );
});

test('blanks after a closing quotation mark are harmless, in the draft and in the import', async () => {
  const { workspace } = harness;
  for (const delimiter of [',', ';', '\t']) {
    const blanks = delimiter === '\t' ? '  ' : ' \t';
    const content = [
      ['"id"', `"title"${blanks}`, `"created"${blanks}`],
      ['1', `"A ""red""${blanks},${blanks}""green"" bench"${blanks}`, '2026-01-01'],
      // A chunk of the file ends among the blanks.
      ['2', `"${'A tree. '.repeat(9_000)}"${' '.repeat(200_000)}`, '"2026-01-02"'],
    ]
      .map((row) => row.join(delimiter))
      .join('\r\n');
    const { text } = await suggestMapping(content);
    assert.doesNotMatch(text, /CHECK: an import would reject/);
    const town = await harness.createMunicipality();
    const flags = ['--mapping', workspace.writeFile('blanks.yaml', text)];
    assertCounts(await harness.importContent(town, content, { format: 'table', flags }), { inserted: 2 });
    const descriptions = (await harness.listAll(town, '/submissions')).map(({ description }) => description);
    assert.ok(descriptions.includes(`A "red"${blanks},${blanks}"green" bench`), descriptions[0]);
  }
});

test('an unpaired quotation mark inside of a cell changes no other cell', async () => {
  const { workspace } = harness;
  const content =
    'id,title,created\n1,5" pipe,2026-01-01\n2,"Platz ""Alte Post"" neu","2026-01-02"\n3,"  b  ",2026-01-03\n';
  const town = await harness.createMunicipality();
  const mapping = 'submission:\n  id: id\n  description: title\n  createdAt: created\n';
  const flags = ['--mapping', workspace.writeFile('unpaired.yaml', mapping)];
  await harness.importContent(town, content, { format: 'table', flags });
  const descriptions = (await harness.listAll(town, '/submissions')).map(({ description }) => description);
  assert.ok(descriptions.includes('Platz "Alte Post" neu'), descriptions.join());
});

test('the draft reports rows that the import rejects, such as with a text after a closing quotation mark', async () => {
  const sound = 'id,title,created\r\n1,"A bench",2026-01-01\r\n';
  const broken = '2,"A tree","2026-01-01"\t"x"\r\n';
  const { workspace } = harness;
  const { text } = await suggestMapping(sound + broken);
  const reason =
    /line \d: is not a row of this table: the closing quotation mark of "created" is followed by a tab \(U\+0009\) instead of a delimiter/;
  assert.match(text, reason);
  assert.match(text, /^# CHECK: an import would reject 1 row, as in /m);
  const town = await harness.createMunicipality();
  const flags = ['--mapping', workspace.writeFile('tab.yaml', text)];
  const result = await harness.importContent(town, sound + broken, { format: 'table', flags });
  assertCounts(result, { inserted: 1, rejected: 1 });
  assert.match(`line ${result.rejections[0]?.line}: ${result.rejections[0]?.reason}`, reason);

  const every = workspace.writeFile('tabs.csv', `id,title,created\r\n${broken}${broken}`);
  await assertFails(workspace.withDatabase('import', 'table', every, '--suggest'), 1, reason);
  const header = workspace.writeFile('broken-header.csv', '"id","title"x\r\n1,x\r\n');
  const inHeader =
    /broken-header\.csv, line 1: the closing quotation mark of column 2 is followed by "x" \(U\+0078\)/;
  await assertFails(workspace.withDatabase('import', 'table', header, '--suggest'), 1, inHeader);
  const args = workspace.withDatabase('import', 'table', header, '--organization', town.id, ...flags);
  assert.match((await runCli(args)).stderr, inHeader);
});

suite('the draft of a date', { concurrency: 2 }, () => {
  const createdAt = async (...values: string[]) => {
    const { text, yaml } = await suggestMapping(
      toCsv(',', [['id', 'title', 'created'], ...values.map((value, n) => [String(n), 'x', value])]),
    );
    return { text, date: yaml.submission.createdAt?.date };
  };

  test('mentions a second matching pattern, and a missing one', async () => {
    const open = await createdAt('01/02/2026', '03/04/2026');
    assert.equal(open.date, 'DD/MM/YYYY');
    assert.match(open.text, /# CHECK: the cells of "created" match MM\/DD\/YYYY as well as DD\/MM\/YYYY\./);
    const dashes = await createdAt('01-02-2026', '03-04-2026');
    assert.equal(dashes.date, 'DD-MM-YYYY');
    assert.match(dashes.text, /# CHECK: the cells of "created" match MM-DD-YYYY as well as DD-MM-YYYY\./);
    const short = await createdAt('1/2/26', '3/14/26');
    assert.equal(short.date, 'M/D/YY');
    const shortOpen = await createdAt('1/2/26', '3/4/26');
    assert.match(shortOpen.text, /# CHECK: the cells of "created" match M\/D\/YY as well as D\/M\/YY\./);
    const none = await createdAt('soon', 'next week');
    assert.equal(none.date, undefined);
    assert.match(none.text, /# createdAt: CHECK: no column found whose values match a known date pattern/);
  });

  test('follows the country of the municipality, and without one that of the installation', async () => {
    const table = 'id,title,created\n1,x,01/02/2026\n2,x,03/04/2026\n';
    const town = await harness.createMunicipality();
    const suggestDate = async (...flags: string[]) =>
      (await suggestMapping(table, ...flags)).yaml.submission.createdAt.date;
    const dates: Record<string, string> = {};
    for (const country of ['US', 'GB', 'PH']) {
      await assertSucceeds(
        harness.workspace.withDatabase('organization', 'edit', town.id, '--country', country),
      );
      dates[country] = await suggestDate('--organization', town.id);
    }
    assert.deepEqual(dates, { US: 'MM/DD/YYYY', GB: 'DD/MM/YYYY', PH: 'MM/DD/YYYY' });
    const environment = { ROSTRA_COUNTRY: 'US' };
    const file = harness.workspace.writeFile('american.csv', table);
    assert.match(
      await assertSucceeds(['import', 'table', file, '--suggest'], { environment }),
      /MM\/DD\/YYYY/,
    );
    assert.equal(await suggestDate(), 'DD/MM/YYYY');
  });

  test('counts the cells that do not match, and names the first one', async () => {
    const days = Array.from({ length: 210 }, (_, n) => `${(n % 28) + 1}.03.2026`.padStart(10, '0'));
    const { text, date } = await createdAt(...days, '31.04.2026', 'unknown');
    assert.equal(date, 'DD.MM.YYYY');
    assert.match(text, /date: DD\.MM\.YYYY # DD\.MM\.YYYY in 210 of 212 rows/);
    assert.match(
      text,
      /# CHECK: 2 cells of "created" do not match DD\.MM\.YYYY, the first in \S+\.csv, line 212; their rows are rejected\./,
    );
  });

  test('combines a column of days with a column of times', async () => {
    const { yaml, text } = await suggestMapping(
      toCsv(';', [
        ['Nr', 'Text', 'Datum', 'Uhrzeit', 'Erledigt am'],
        ['1', 'Bank', '01.03.2026', '8:05', ''],
        ['2', 'Baum', '31.03.2026', '18:30', '02.04.2026'],
      ]),
    );
    assert.deepEqual(yaml.submission.createdAt, { columns: ['Datum', 'Uhrzeit'], date: 'DD.MM.YYYY H:mm' });
    assert.match(text, /# "Datum": DD\.MM\.YYYY in 2 of 2 rows; "Uhrzeit": H:mm in 2 of 2 rows/);
    const iso = await suggestMapping(
      'id,title,date,time\n1,Bench,2026-03-01,08:05:00\n2,Tree,2026-03-02,18:30:00\n',
    );
    assert.deepEqual(iso.yaml.submission.createdAt, {
      columns: ['date', 'time'],
      date: 'YYYY-MM-DD HH:mm:ss',
    });
    const town = await harness.createMunicipality();
    const flags = ['--mapping', harness.workspace.writeFile('times.yaml', iso.text)];
    await harness.importContent(town, 'id,title,date,time\n1,Bench,2026-03-01,08:05:00\n', {
      format: 'table',
      flags,
    });
    const [published] = await harness.listAll(town, '/submissions');
    assert.equal(published?.createdAt, '2026-03-01T07:05:00.000Z');
  });

  test('has the only matching pattern', async () => {
    assert.equal((await createdAt('01/02/2026 1:05 PM', '01/13/2026 11:05 AM')).date, 'MM/DD/YYYY h:mm A');
    assert.equal((await createdAt('01/02/2026', '13/02/2026')).date, 'DD/MM/YYYY');
    assert.equal((await createdAt('1.2.2026 8:05', '12.12.2026 18:05')).date, 'D.M.YYYY H:mm');
    assert.equal((await createdAt('1420461641', '1420461642')).date, 'unix');
    assert.equal((await createdAt('2014', '2015')).date, 'YYYY');
    assert.equal((await createdAt('29.02.24', '01.03.26')).date, 'DD.MM.YY');
  });

  test('with an offset is ISO', async () => {
    const { date } = await createdAt('2026-03-01T10:00:00+01:00', '2026-03-01 10:00:00Z');
    assert.equal(date, 'ISO');
  });
});

test('the draft of an id has several columns, or a comment, if no column identifies the rows', async () => {
  const rows = [
    ['2015', '3', 'Park'],
    ['2015', '4', 'Park'],
    ['2016', '3', 'Park'],
  ];
  const several = await suggestMapping(toCsv(',', [['Year', 'District', 'Title'], ...rows]));
  assert.deepEqual(several.yaml.submission.id, ['Year', 'District']);
  const alike = await suggestMapping(toCsv(',', [['Year', 'District', 'Title'], ...rows, ...rows]));
  assert.equal(alike.yaml.submission.id, undefined);
  assert.match(alike.text, /# id: CHECK: no column identifies the rows/);
  const file = harness.workspace.writeFile('incomplete.yaml', alike.text);
  await assertFails(
    harness.workspace.withDatabase('import', 'table', '--explain', '--mapping', file),
    2,
    /incomplete\.yaml, line \d+: submission\.id is missing/,
  );
});

test('a column ID whose rows are repeated is the suggested identifier, and a number of followers never is', async () => {
  const header = ['ID', 'Title', 'Created', 'Num Of Followers', 'Number of comments'];
  const row = (id: number, n: number, title = `Proposal ${id}`) => [
    ...[String(id), title, '2026-03-01', String(1_000 + n), String(2_000 + n)],
  ];
  const rows = Array.from({ length: 40 }, (_, n) => row(n, n));
  const repeated = [row(1, 50), row(2, 51, 'Another title'), row(3, 52, 'A third title')];
  const content = toCsv(',', [header, ...rows, ...repeated]);
  const { yaml, text } = await suggestMapping(content);
  assert.equal(yaml.submission.id, 'ID', text);
  const others = toCsv(
    ',',
    [header, ...rows, ...repeated].map(([, ...cells]) => cells),
  );
  const without = await suggestMapping(others);
  assert.doesNotMatch(String(without.yaml.submission.id), /Num|Number/, without.text);

  const town = await harness.createMunicipality();
  const flags = ['--mapping', harness.workspace.writeFile('id.yaml', text), '--dry-run'];
  const { counts } = await harness.importContent(town, content, { format: 'table', flags });
  assert.match(String(counts.notes), /(?:^|,)2 rows share an identifier with other contents: /);
});

test('the status of a case is no identifier, even if each row has another one', async () => {
  const content = toCsv(',', [
    ['CASE_STATUS', 'Case number', 'Title', 'Created'],
    ['Open since May', '7', 'Bench', '2026-03-01'],
    ['Closed in June', '8', 'Tree', '2026-03-02'],
  ]);
  const { yaml, text } = await suggestMapping(content);
  assert.equal(yaml.submission.id, 'Case number', text);
  assert.doesNotMatch(text, /id:.*CASE_STATUS/);
});

test('a status column with too many or only unknown words is marked, and the draft is valid', async () => {
  const unknown = await suggestMapping(
    'id,title,state,created\n1,a,"x: #1",2026-01-01\n2,b,"null",2026-01-02\n3,c,true,2026-01-03\n',
  );
  assert.deepEqual(unknown.yaml.submission.status, { column: 'state', values: {} });
  assert.match(unknown.text, /# "x: #1": … # 1 row; CHECK[^\n]*\n +# "true": … # 1 row; CHECK/);
  const many = Array.from({ length: 40 }, (_, n) => `${n},a,word ${n},2026-01-01\n`).join('');
  const texts = await suggestMapping(`id,title,state,created\n${many}`);
  assert.equal(texts.yaml.submission.status, undefined);
});

test('column names with YAML syntax are quoted', async () => {
  const header = [
    'null',
    'id: x # y',
    'Title "quoted"',
    'created\nat',
    "it's votes",
    '- state',
    '{photo}',
    '✓ [type]',
    'on',
    '@topic',
  ];
  const row = ['1', '1', 'a', '2026-01-01', '3', 'open', 'x.jpg', 'b', 'c', 'd'];
  const { text, yaml } = await suggestMapping(
    toCsv(',', [header, row, row.with(1, '2').with(2, 'b').with(6, '')]),
  );
  assert.equal(yaml.submission.id, 'id: x # y');
  assert.equal(yaml.submission.description, 'Title "quoted"');
  assert.equal(yaml.submission.createdAt.column, 'created\nat');
  assert.equal(yaml.submission.supportCount, "it's votes");
  assert.equal(yaml.submission.status.column, '- state');
  assert.equal(yaml.submission.hasAttachments, '{photo}');
  const file = harness.workspace.writeFile('odd.yaml', text);
  await assertSucceeds(harness.workspace.withDatabase('import', 'table', '--explain', '--mapping', file));
});

test('several files with the same columns become one draft; files with other columns are rejected', async () => {
  const header = ['Nr', 'Betreff', 'Stand', 'Eingang'];
  const year = (number: number, state: string) =>
    toCsv(';', [header, [String(number), 'Licht an der Hauptstraße 5', state, '01.03.2026']]);
  const one = harness.workspace.writeFile(
    '2025.csv',
    toCsv(';', [header, ['1', 'Licht', 'offen', '13.03.2025']]),
  );
  const two = harness.workspace.writeFile('2026.csv', year(2, 'erledigt'));
  const text = await assertSucceeds(harness.workspace.withDatabase('import', 'table', one, two, '--suggest'));
  assert.deepEqual(parse(text).submission.status.values, { offen: 'received', erledigt: 'completed' });
  assert.match(text, /some cells of "Betreff" contain house numbers/);
  assert.match(text, /^# Drafted from ".*2025\.csv" and 1 other file: their first lines and 2 rows\.$/m);
  const other = harness.workspace.writeFile('other.csv', 'id;Titel\n1;Licht\n');
  await assertFails(
    harness.workspace.withDatabase('import', 'table', one, other, '--suggest'),
    1,
    /other\.csv has other columns than .*2025\.csv: draft a mapping for each/,
  );
});

test('the columns of a text are no alternatives to it', async () => {
  const { text, yaml } = await suggestMapping(
    'id,Title,Description,created\n1,A bench beside the path around the pond,To rest.,2026-01-01\n2,A tree in the park behind the town hall,For shade.,2026-01-02\n',
  );
  assert.deepEqual(yaml.submission.description.columns, ['Title', 'Description']);
  assert.doesNotMatch(text, /^ +# Other columns: .*"Title" \(/m);
});

test('the draft marks empty votes and damaged characters', async () => {
  const { text, yaml } = await suggestMapping(
    toCsv(',', [
      ['id', 'title', 'votes', 'created'],
      ['1', 'CafÃ© on the square', '12', '2026-01-01'],
      ['2', 'A bench', '', '2026-01-02'],
    ]),
  );
  assert.equal(yaml.submission.supportCount, 'votes');
  assert.match(text, /# CHECK: 1 cell of "votes" is empty; it becomes 0\./);
  assert.match(text, /# CHECK: some cells of "title" have damaged characters, such as "Ã©": see "replace"\./);
  const sound = await suggestMapping('id,title,votes,created\n1,Café São Paulo – “â”,12,2026-01-01\n');
  assert.doesNotMatch(sound.text, /are empty|damaged/);
});

test('the delimiter line of Excel is not the header', async () => {
  for (const [line, delimiter] of [
    ['sep=;', ';'],
    ['"sep=|"', '|'],
    ['sep=\t', '\t'],
  ] as const) {
    const rows = [
      ['id', 'title', 'created'],
      ['7', 'A bench', '2026-01-01'],
    ];
    const opening = `\ufeff${line}\r\n`;
    const content = opening + toCsv(delimiter, [...rows, ['8', 'A bench', 'never']]);
    const { text, yaml } = await suggestMapping(opening + toCsv(delimiter, rows));
    assert.equal(yaml.delimiter, delimiter === '\t' ? 'tab' : delimiter);
    assert.equal(yaml.submission.id, 'id');
    const town = await harness.createMunicipality();
    const mapping = harness.workspace.writeFile(`excel-${delimiter.codePointAt(0)}.yaml`, text);
    const flags = ['--mapping', mapping];
    const result = await harness.importContent(town, content, { format: 'table', flags });
    assertCounts(result, { inserted: 1, rejected: 1 });
    assert.equal(result.rejections[0]?.line, 4);
  }
});

test('invalid input for a draft is explained', async () => {
  const { workspace } = harness;
  await assertFails(
    workspace.withDatabase('import', 'table', '--suggest'),
    2,
    /Name the files to draft a mapping from/,
  );
  await assertFails(
    workspace.withDatabase('import', 'table', 'none.csv', '--suggest'),
    1,
    /There is no file none\.csv/,
  );
  for (const [name, content] of [
    ['only.csv', 'id,title\n'],
    ['text.csv', 'Minutes of the meeting\n'],
    ['object.csv', '{"id": 1}\n'],
  ] as const)
    await assertFails(
      workspace.withDatabase('import', 'table', workspace.writeFile(name, content), '--suggest'),
      1,
      /is not a table with a first line of column names|has no list of objects/,
    );
  await assertFails(
    workspace.withDatabase('import', 'table', workspace.writeFile('zip.csv', 'PK\x03\x04'), '--suggest'),
    1,
    /is a truncated or damaged zip archive/,
  );
});

test('tables without a specific format are detected as table', async () => {
  const own = harness.workspace.writeFile('own.csv', 'id,description,createdAt\n1,x,2026-01-01T00:00:00Z\n');
  const other = harness.workspace.writeFile('other.csv', 'nr,text\n1,x\n');
  const output = await assertSucceeds(['import', 'detect', own, other]);
  const formats = [...output.matchAll(/^ {2}(\w+): /gm)].map(([, name]) => name);
  assert.deepEqual(formats, ['rostra', 'table']);
  assert.match(output, /table: any table, through a mapping file; --suggest drafts one/);
});

test('the draft for the export of a city imports all rows with a text', {
  skip: realDataByNight,
}, async (t) => {
  const file = fileURLToPath(
    new URL('../../../shared/data/boston-311-2015/Street Light Outages.csv', import.meta.url),
  );
  if (!existsSync(file)) return t.skip(`${file} is missing`);
  const draft = await assertSucceeds(harness.workspace.withDatabase('import', 'table', file, '--suggest'));
  const mapping = harness.workspace.writeFile('boston.yaml', draft);
  const town = await harness.createMunicipality();
  const result = await harness.importContent(town, [file], {
    format: 'table',
    flags: ['--mapping', mapping, '--dry-run'],
  });
  assertCounts(result, { inserted: 7_953, rejected: 3 });
});
