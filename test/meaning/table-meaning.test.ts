/** What a row of a table says about its publication: through `skip` of the mapping, a status, or the title of a session. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { parse } from 'yaml';
import { createTableImporter } from '../formats/table-importer.ts';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { buildOds, buildXlsx, toOdsRows, toXlsxRows } from '../support/spreadsheet-builder.ts';
import { buildZip } from '../support/zip-builder.ts';
import { assertCountingState, assertPublished, assertRetracted } from './meaning-harness.ts';

const harness = await createImportHarness({ after });
const { writeMapping } = createTableImporter(harness);
const createOptions = (mapping: string, ...flags: string[]) => ({
  format: 'table',
  name: 'x.csv',
  flags: ['--mapping', writeMapping(mapping), ...flags],
});

const ofSessions = {
  options: createOptions('session:\n  id: Nr\n  committeeName: Gremium\n  title: Titel\n  date: Tag\n'),
  toInput: (marks: readonly (Partial<Record<'committee' | 'title' | 'date', string>> | undefined)[]) =>
    toCsv(',', [
      ['Nr', 'Gremium', 'Titel', 'Tag'],
      ...marks.map((mark, index) => [
        String(index),
        mark?.committee ?? 'Gemeinderat',
        mark?.title ?? '',
        mark?.date ?? '2026-03-17',
      ]),
    ]),
  list: 'sessions',
} as const;
const createSubmissions = (mapping: string, published: string) => ({
  options: createOptions(
    `submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n${mapping}`,
    '--remove-skipped',
  ),
  toInput: (marks: readonly (string | undefined)[]) =>
    toCsv(',', [
      ['Nr', 'Text', 'Datum', 'Mark'],
      ...marks.map((mark, index) => [String(index), 'Bänke', '2026-03-01', mark ?? published]),
    ]),
});

suite('tables:', { concurrency: 2 }, () => {
  // Any column can mean that a row is private. The mapping says so with skip, whose words do not depend on case and blanks.
  test('private and deleted: rows that the mapping skips are removed', async () => {
    await assertRetracted(harness, {
      ...createSubmissions('skip:\n  Mark: [nein, "0", gelöscht]\n', 'ja'),
      marks: ['nein', 'NEIN', ' Nein ', '0', 'gelöscht'],
      reason: /the mapping skips such rows/,
    });
  });

  test('private and deleted: rows are removed whose column is filled, or says no', async () => {
    await assertRetracted(harness, {
      ...createSubmissions('skip:\n  Mark: filled\n', ''),
      marks: [
        ...[
          'ja',
          '1',
          'true',
          '2026-03-01',
          'x',
          '✓',
          '☒',
          'nicht veröffentlichen',
          'n.ö.',
          'N (intern)',
          'No publicar',
          '0 1',
        ],
        ...['Nein (intern)', 'No – datos personales'],
      ],
      reason: /the mapping skips such rows/,
    });
    await assertPublished(harness, {
      ...createSubmissions('skip:\n  Mark: filled\n', ''),
      // MySQL writes 0000-00-00 for a missing date.
      marks: [
        '',
        ' ',
        'nein',
        'No',
        '0',
        'false',
        'null',
        'n/a',
        '-',
        '0000-00-00',
        '0000-00-00 00:00:00',
        'Nein (geprüft)',
        '☐',
      ],
    });
    await assertRetracted(harness, {
      ...createSubmissions('skip:\n  Mark: no\n', 'ja'),
      marks: [
        ...['nein', ' NEIN ', 'false', '0', 'vertraulich', 'nicht öffentlich', 'non', 'f', '0.0'],
        ...['nicht freigegeben', 'noch nicht freigegeben', 'Keine Freigabe', 'No (internal)', 'gesperrt'],
      ],
      reason: /the mapping skips such rows/,
    });
    await assertPublished(harness, {
      ...createSubmissions('skip:\n  Mark: no\n', 'ja'),
      marks: ['', 'ja', '1', 'öffentlich', 'freigegeben', 't', 'Ja, nicht anonym'],
    });
    await assertRetracted(harness, {
      ...createSubmissions('skip:\n  Mark: not yes\n', 'ja'),
      marks: [
        ...[
          '',
          'nein',
          'offen',
          'in Freigabe',
          'intern',
          'nicht öffentlich',
          '0',
          'Veröffentlichung beantragt',
        ],
        ...[
          'zur Veröffentlichung vorgesehen',
          '0000-00-00',
          '?',
          'noch zu veröffentlichen',
          'öffentlich?',
          'ja?',
        ],
        ...[
          'Ja, nur intern',
          'Ja (nur intern)',
          'Ja, aber erst nach Prüfung',
          '1. Entwurf',
          '1 = nein',
          '1 Rückfrage',
        ],
        ...[
          'Ja – Veröffentlichung abgelehnt',
          '01.03.2026: abgelehnt',
          '2026-03-01 gesperrt',
          '01.01.2099',
          'rejected',
        ],
      ],
      reason: /the mapping skips such rows/,
    });
    await assertPublished(harness, {
      ...createSubmissions('skip:\n  Mark: not yes\n', 'ja'),
      marks: [
        'ja',
        'x',
        '1',
        'true',
        'Ja (anonym)',
        'freigegeben',
        'öffentlich',
        'published',
        '01.03.2026',
        '✓',
      ],
    });
  });

  test('private and deleted: a status that says so removes the record, also a word that the mapping lacks', async () => {
    for (const status of [
      'values: { offen: received }',
      'values: { offen: received }\n    default: received',
    ])
      await assertRetracted(harness, {
        ...createSubmissions(`  status:\n    column: Mark\n    ${status}\n`, 'offen'),
        marks: [
          ...['gelöscht', 'Gelöscht ', 'nichtöffentlich', 'Entwurf', 'Spam', 'nicht freigegeben'],
          ...['erledigt (nicht veröffentlichen)', 'gelöscht (erledigt)', 'Spam (geschlossen)'],
          ...['erledigt [nicht öffentlich]', 'closed - spam', 'Gelöscht – erledigt', 'erledigt (1) {Spam}'],
          ...['erledigt (vertraulich)', 'Closed [hidden]', 'erledigt (nicht-öffentlich)'],
        ],
        reason: /records marked as/,
      });
    await assertPublished(harness, {
      ...createSubmissions(
        '  status:\n    column: Mark\n    values: { gelöscht: completed, offen: received }\n    default: received\n',
        'offen',
      ),
      marks: [
        ...['gelöscht', 'erledigt (öffentlich)', 'in Bearbeitung', 'nicht zuständig (privat)'],
        ...['weitergeleitet (Privat)', 'Entwurf (beschlossen)', 'Entwurf beschlossen'],
        ...['erledigt - nicht gelöscht', 'weitergeleitet [intern]', 'angenommen – geheim', 'spam-frei'],
      ],
    });
  });

  test('private and deleted: a column that says so is noted, unless the mapping names it', async () => {
    const rows = toCsv(',', [
      ['Nr', 'Text', 'Datum', 'Stand', 'Hinweis'],
      ['1', 'Bank', '2026-03-17', 'nichtöffentlich', ''],
      [
        '2',
        'Baum',
        '2026-03-18',
        'öffentlich',
        'Der Antrag war zuerst nichtöffentlich, jetzt aber nicht mehr.',
      ],
    ]);
    const submission = 'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n';
    const session = 'session:\n  id: Nr\n  committeeName: Text\n  date: Datum\n';
    for (const [list, mapping, published, noted] of [
      ['submissions', submission, 2, true],
      ['sessions', session, 2, true],
      ['submissions', `skip: { Stand: [nichtöffentlich] }\n${submission}`, 1, false],
    ] as const) {
      const town = await harness.createMunicipality();
      const { counts } = await harness.importContent(town, rows, createOptions(mapping, '--remove-skipped'));
      assert.equal((await harness.listAll(town, `/${list}`)).length, published);
      const notes = (counts.notes as unknown as string[]).filter((note) => /rows are not public/.test(note));
      assert.deepEqual(notes.length, noted ? 1 : 0);
      if (noted) assert.match(notes[0] ?? '', /^The column "Stand" seems to say which rows are not public\./);
    }
  });

  test('private: a column of yes and no that may say so is noted, unless the mapping decides on it', async () => {
    const mapping = 'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n';
    for (const [column, cell, noted] of [
      ['Freigabe Web', 'nein', true],
      ['Freigabe Web', 'ja', false],
      ['Nicht veröffentlichen', 'x', true],
      ['Veröffentlichung untersagt', 'ja', true],
      ...[
        'Nichtöffentliche Sitzung',
        'Vertrauliche Behandlung',
        'Private meeting',
        'MatterRestrictViewViaWeb',
      ].map((name) => [name, 'true', true] as const),
      ...['Öffentliche Sitzung', 'TOP öffentlich', 'Ö/N', 'Public meeting', 'moderiert'].map(
        (name) => [name, 'n', true] as const,
      ),
      ['Nicht öffentliche Sitzung', 'ja', true],
      ['Nicht öffentliche Sitzung', 'nein', false],
      ['Teil', 'Nichtöffentlicher Teil', true],
      ['Teil', 'Öffentlicher Teil', false],
      ['Private property', 'true', false],
      ...['Name veröffentlichen', 'Namen im Web anzeigen', 'publish name', 'E-Mail veröffentlichen'].map(
        (name) => [name, 'nein', false] as const,
      ),
      ['Foto veröffentlichen', 'nein', true],
      ['Öffentliche Toilette', 'nein', false],
      ['publication_status', 'published', false],
      ['Veröffentlichung', 'Amtsblatt 3/2026', false],
      ['intern', 'Kolonne 2 beauftragt', false],
      ['Straße gesperrt', 'ja', false],
    ] as const) {
      const rows = toCsv(';', [
        ['Nr', 'Text', 'Datum', column],
        ['1', 'Bank', '2026-03-17', cell],
      ]);
      for (const skip of ['', `skip: { ${column}: [nie] }\n`]) {
        const town = await harness.createMunicipality();
        const { counts } = await harness.importContent(town, rows, createOptions(skip + mapping));
        const notes = JSON.stringify(counts.notes);
        assert.equal(/rows are not public/.test(notes), noted && skip === '', `${column}: ${cell} ${skip}`);
      }
    }
  });

  test('private: columns and words for those who may see a row withhold it in a draft, and are noted otherwise', async () => {
    const mapping = 'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n';
    for (const [column, cell, skipped] of [
      ['Sichtbar für', 'Verwaltung', 'not yes'],
      ['Sichtbar fuer', 'Verwaltung', 'not yes'],
      ['visible to', 'staff', 'not yes'],
      ['Ö/NÖ', 'NÖ', 'not yes'],
      ['NÖ', 'x', 'filled'],
      ['Sperr-Vermerk', 'x', 'filled'],
      ['Einstufung', 'VS-NfD', undefined],
      ['Vermerk', 'nur für den Dienstgebrauch', undefined],
      ['audience', 'staff only', undefined],
      ['rights', 'not for publication', undefined],
      ...[
        ...['Vertraulichkeitsstufe', 'Schutzbedarf', 'Geheimhaltungsgrad', 'confidentiality level'],
        ...['classification level', 'Niveau de confidentialité', 'Poziom poufności', 'Einstufung'],
      ].map((column) => [column, 'hoch', ['hoch']] as const),
      ['Vertraulichkeit', '2', ['2']],
      ['Stand', 'streng vertraulich', ['streng vertraulich']],
      ['publication_status', 'submitted', 'not yes'],
      ['Freigabestatus', 'in Prüfung', 'not yes'],
      ...['discarded_at', 'trashed_at'].map((column) => [column, '2026-03-17', 'filled'] as const),
      ['deleted_by', 'admin', 'filled'],
    ] as const) {
      const rows = toCsv(';', [
        ['Nr', 'Text', 'Datum', column],
        ['1', 'Eine Bank am Teich', '2026-03-17', cell],
        ['2', 'Ein Baum am Weg', '2026-03-17', ''],
      ]);
      const suggest = harness.workspace.withDatabase('import', 'table', '-', '--suggest');
      assert.deepEqual(parse(await assertSucceeds(suggest, { input: rows })).skip?.[column], skipped, column);
      const town = await harness.createMunicipality();
      const { counts } = await harness.importContent(town, rows, createOptions(mapping));
      assert.match(JSON.stringify(counts.notes), /rows are not public/, column);
    }
  });

  test('private: grades that are low, or of something else, are not noted', async () => {
    const mapping = 'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n';
    for (const [column, cell] of [
      ...['öffentlich', 'offen', 'keine', 'gering', 'niedrig', 'nein', '0', ''].map(
        (cell) => ['Vertraulichkeitsstufe', cell] as const,
      ),
      ['Priorität', 'hoch'],
      ['Schutzbedarf', 'normal'],
      ['Einstufung', 'Kategorie 2'],
      ['classification', 'Roads'],
    ] as const) {
      const rows = toCsv(';', [
        ['Nr', 'Text', 'Datum', column],
        ['1', 'Eine Bank am Teich', '2026-03-17', cell],
      ]);
      const town = await harness.createMunicipality();
      const { counts } = await harness.importContent(town, rows, createOptions(mapping));
      assert.doesNotMatch(JSON.stringify(counts.notes), /rows are not public/, `${column}: ${cell}`);
    }
  });

  test('private: a topic that says so, and a member of an object in JSON, are noted', async () => {
    const mapping =
      'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n  topicCategoryName: Art\n';
    const row = { Nr: '1', Text: 'Bank', Datum: '2026-03-17', Art: 'Müll' };
    for (const [fields, noted] of [
      ...[
        { Art: 'Spam' },
        { Art: 'vertraulich' },
        { meta: { hidden: true } },
        { meta: { public: false } },
      ].map((fields) => [fields, true] as const),
      ...[{ Art: 'Spamfilter' }, { meta: { hidden: false } }, { meta: { public: true } }].map(
        (fields) => [fields, false] as const,
      ),
    ]) {
      const { name: _, ...options } = createOptions(mapping);
      const { counts } = await harness.importContent(
        await harness.createMunicipality(),
        JSON.stringify([{ ...row, ...fields }]),
        { ...options, name: 'x.json' },
      );
      assert.equal(/rows are not public/.test(String(counts.notes)), noted, JSON.stringify(fields));
    }
  });

  // An office can handle a request internally, and a property can be private.
  test('embargo: rows are published from the day of their publication on, and until the last one', async () => {
    const now = Temporal.Now.zonedDateTimeISO('Europe/Berlin');
    const toGerman = (date: Temporal.ZonedDateTime) =>
      `${String(date.day).padStart(2, '0')}.${String(date.month).padStart(2, '0')}.${date.year}`;
    const toIso = (date: Temporal.ZonedDateTime) => date.toPlainDateTime().toString().slice(0, 16);
    const [yesterday, tomorrow] = [now.subtract({ days: 1 }), now.add({ days: 1 })];
    const soon = toIso(now.add({ minutes: 10 }));
    const future = [
      toGerman(tomorrow),
      toIso(tomorrow),
      soon,
      `${soon}+01:00`.replace('T', ' '),
      '24.12.2099',
    ];
    const past = [toGerman(now), toGerman(yesterday), toIso(now.subtract({ minutes: 10 })), '1.2.26'];
    const reason = /the mapping skips such rows/;
    for (const value of ['future', 'not yes']) {
      const rows = createSubmissions(`skip:\n  Mark: ${value}\n`, '01.03.2026');
      await assertRetracted(harness, { ...rows, marks: future, reason });
      await assertPublished(harness, { ...rows, marks: past });
    }
    const from = createSubmissions('skip:\n  Mark: future\n', '');
    await assertPublished(harness, { ...from, marks: ['', '-', 'nein'] });
    const unread = ['nach dem Beschluss', '24. Dezember 2099', '31.02.2026', 'sofort'];
    await assertRetracted(harness, { ...from, marks: unread, reason });
    const until = createSubmissions('skip:\n  Mark: past\n', '');
    await assertRetracted(harness, { ...until, marks: [toGerman(yesterday), toIso(yesterday)], reason });
    await assertRetracted(harness, { ...until, marks: ['31. März 2020', '31.02.2020'], reason });
    const open = ['', toGerman(now), soon, toGerman(tomorrow), 'unbefristet'];
    await assertPublished(harness, { ...until, marks: open });
  });

  test('embargo: the country says whether a date with slashes begins with the month', async () => {
    const { year } = Temporal.Now.plainDateISO();
    const rows = toCsv(',', [
      ['Nr', 'Text', 'Datum', 'Mark'],
      ['1', 'Bank', '2026-03-01', `01/12/${year + 1}`],
      ['2', 'Baum', '2026-03-01', `12/01/${year - 1}`],
      ['3', 'Weg', '2026-03-01', `12/31/${year - 1}`],
    ]);
    const town = await harness.createMunicipality();
    const options = createOptions(
      'skip: { Mark: not yes }\nsubmission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n',
    );
    assertCounts(await harness.importContent(town, rows, options), { inserted: 2, ignored: 1 });
  });

  test('embargo: a draft and a dry run name columns with the dates of a publication', async () => {
    const mapping = 'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n';
    for (const [column, cell, skipped, noted] of [
      ['Sperrfrist bis', '31.12.2099', 'future', true],
      ['embargoUntil', '2099-12-31', 'future', true],
      ['Veröffentlichen am', '2026-01-01', 'future', false],
      ['Sichtbar bis', '2026-01-01', 'past', true],
      ['Veröffentlicht am', '2099-12-31', 'not yes', true],
      ...['freigabeDatum', 'Freigabe-Datum'].map((name) => [name, '2099-12-31', 'not yes', true] as const),
      ['Sperrfrist-Ende', '31.12.2099', 'future', true],
      // The end of a petition.
      ['gültig bis', '2026-01-01', undefined, false],
    ] as const) {
      const rows = toCsv(';', [
        ['Nr', 'Text', 'Datum', column],
        ['1', 'Bank', '2026-03-17', cell],
      ]);
      const suggest = harness.workspace.withDatabase('import', 'table', '-', '--suggest');
      const draft = await assertSucceeds(suggest, { input: rows });
      assert.equal(parse(draft).skip?.[column], skipped, column);
      const town = await harness.createMunicipality();
      const { counts } = await harness.importContent(town, rows, createOptions(mapping));
      assert.equal(/rows are not public/.test(JSON.stringify(counts.notes)), noted, column);
    }
  });

  test('private: a title with a word for it in brackets or before a colon removes the record, or is noted', async () => {
    const rows = createSubmissions('  title: Mark\n', 'Bank am Teich');
    const marks = [
      ...[
        '[vertraulich] Bank',
        'Bank (nicht öffentlich)',
        'Nicht veröffentlichen: Bank',
        'Bank [confidential]',
      ],
      ...['Bank (nur für den Dienstgebrauch) am Teich', 'NICHTÖFFENTLICH: Bank', 'VS-NfD: Bank'],
      'Bank (VS - Nur für den Dienstgebrauch)',
    ];
    await assertRetracted(harness, { ...rows, marks, reason: /records marked as not public/ });
    const doubtful = [
      '[intern] Bank',
      'ENTWURF: Bank',
      'Bank (privat)',
      'Spam: Bank',
      'TEST bitte löschen',
      'Test',
    ];
    const kept = [
      'Öffentlich: Bank',
      'Entwurf der Satzung',
      'Interne Wege (Schule)',
      'Trinkwasser: Test',
      'Testfeld',
    ];
    for (const [titles, noted] of [
      [doubtful, true],
      [kept, false],
    ] as const) {
      await assertPublished(harness, { ...rows, marks: titles });
      for (const title of titles) {
        const town = await harness.createMunicipality();
        const { counts } = await harness.importContent(town, rows.toInput([title]), rows.options);
        assert.equal(/in a title may mean/.test(String(counts.notes)), noted, title);
      }
    }
  });

  test('private: a status that may say so is published and noted, unless the mapping decides on it', async () => {
    const rows = createSubmissions('', 'offen').toInput(['erledigt [intern]', 'erledigt [intern]', 'offen']);
    const note = 'The status "erledigt [intern]" may mean that a record is not public.';
    for (const [mapping, inserted, noted] of [
      ['  status: Mark\n', 3, 1],
      ['  status: { column: Mark, values: { offen: received }, default: completed }\n', 3, 1],
      ['  status: { column: Mark, values: { offen: received, erledigt [intern]: completed } }\n', 3, 0],
      ['  status: Mark\nskip: { Mark: [erledigt [intern]] }\n', 1, 0],
    ] as const) {
      const town = await harness.createMunicipality();
      const { options } = createSubmissions(
        mapping.replaceAll('erledigt [intern]', '"erledigt [intern]"'),
        '',
      );
      const { counts } = await harness.importContent(town, rows, options);
      assert.equal(counts.inserted, inserted);
      const notes = (counts.notes as unknown as string[]).filter((text) => text.startsWith(note));
      assert.equal(notes.length, noted, mapping);
    }
  });

  test('private and deleted: nothing is imported if no file has a column of skip, in a mapping of several parts, too', async () => {
    const mapping = [
      'skip: { Öffentlichkeit: [nichtöffentlich] }',
      'submission: { id: Vorlage, description: Betreff, createdAt: Tag }',
      'session: { id: Sitzung, committeeName: Gremium, date: Tag }',
      'agenda: { session: Sitzung, submission: Vorlage }',
    ].join('\n');
    const town = await harness.createMunicipality();
    const rows = (column: string) =>
      toCsv(',', [
        ['Sitzung', 'Gremium', 'Tag', column, 'Vorlage', 'Betreff'],
        ['1', 'Rat', '2026-03-17', 'öffentlich', '1', 'Neubau'],
        ['1', 'Rat', '2026-03-17', 'nichtöffentlich', '2', 'Personal'],
      ]);
    const options = createOptions(mapping, '--remove-skipped');
    const files = ['Öffentlichkeit', 'Status'].map((column, n) =>
      harness.workspace.writeFile(`part-${n}.csv`, rows(column)),
    );
    const onlyOne = await harness.importContent(town, files, options);
    assert.match(
      onlyOne.stderr,
      /part-1\.csv has no column "Öffentlichkeit" of the mapping\..*Nothing was imported/s,
    );
    const renamed = await harness.importContent(town, rows('Öffentlichkeitsstatus'), options);
    assert.match(renamed.stderr, /has no column "Öffentlichkeit" of the mapping\..*Nothing was imported/s);
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    await harness.importContent(town, rows('Öffentlichkeit'), options);
    assert.deepEqual(
      (await harness.listAll(town, '/submissions')).map(({ description }) => description),
      ['Neubau'],
    );
  });

  test('private: an import ends at a heading that says so, and rows below it are not read', async () => {
    const town = await harness.createMunicipality();
    const options = createOptions('submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n');
    const rows = (heading: string) =>
      toCsv(';', [
        ['Nr', 'Datum', 'Text'],
        ['1', '2026-03-01', 'Bank'],
        [heading, '', ''],
        ['2', '2026-03-02', 'Beschwerde'],
      ]);
    for (const heading of [
      'Interne Vorgänge',
      'Nichtöffentlicher Teil',
      'Nicht veröffentlichen!',
      'Vertraulich:',
      'Private Anliegen',
      'Anliegen (privat)',
    ]) {
      const { code, stderr } = await harness.importContent(town, rows(heading), options);
      assert.equal(code, 1);
      assert.match(stderr, /, line 3, seems to be the heading of rows that must not be published: /);
    }
    assert.deepEqual(
      (await harness.listAll(town, '/submissions')).map(({ description }) => description),
      ['Bank'],
    );
    const footnote = `${rows('Internationales')}Keine internen Vorgänge enthalten;;\r\nInterner Stand: 1. März;;\r\n`;
    const { code } = await harness.importContent(town, footnote, options);
    // The two lines are rejected.
    assert.equal(code, 3);
    assert.equal((await harness.listAll(town, '/submissions')).length, 2);
  });

  test('private: nothing is imported below a title that says so, in text and in workbooks', async () => {
    const town = await harness.createMunicipality();
    const { name: _, ...options } = createOptions(
      'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n',
    );
    const table = [
      ['Nr', 'Datum', 'Text', 'Amt'],
      ['1', '2026-03-01', 'Bank', '32'],
    ];
    const importBelow = async (titles: readonly string[][], ...flags: string[]) => {
      const rows = [...titles, ...table];
      const given = { ...options, flags: [...options.flags, ...flags] };
      return [
        await harness.importContent(town, toCsv(';', rows), { ...given, name: 'x.csv' }),
        await harness.importContent(town, buildXlsx([{ name: 'x', rows: toXlsxRows(rows) }]), {
          ...given,
          name: 'x.xlsx',
        }),
      ];
    };
    for (const title of [
      'Interne Vorgänge',
      'Nichtöffentlicher Teil',
      'Vertraulich! Nur für den Dienstgebrauch; bitte nicht weitergeben',
      'Nicht-öffentliche Vorgänge der Stadt Musterstadt, Stand März 2026',
      'Interne Vorgänge der Stadt Musterstadt im ersten Quartal 2026',
    ])
      for (const { code, stderr } of [
        ...(await importBelow([['Mängelmelder'], [title, '', '', '']])),
        ...(await importBelow([[title, 'Stand: März', '', '']], '--header-row', '2')),
      ]) {
        assert.equal(code, 1);
        assert.match(
          stderr,
          /x\.(?:csv|xlsx, x), line [12], seems to be the heading of rows that must not be published: /,
        );
      }
    assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    for (const title of [
      ['Internationales', '', '', ''],
      ['Vertraulich', 'nein', '', ''],
      ['Ohne interne Vorgänge', 'Stand: März', '', ''],
      ...[
        ...['Liste (ohne interne und vertrauliche Vorgänge)', 'Interne Vorgänge wurden entfernt'],
        ...['Anträge zur Privatisierung', 'Private Flächen', 'Gesperrte Straßen', 'Haushalt 2026 - Entwurf'],
        ...['Öffentliche und nichtöffentliche Sitzungen', 'Angaben werden vertraulich behandelt'],
        'Vertraulich: nein',
      ].map((title) => [title, '', '', '']),
    ])
      for (const { code } of await importBelow([title])) assert.equal(code, 0, String(title));
  });

  // A filter hides rows, too, so hidden rows need not be private.
  test('private: nothing is imported from a sheet whose name says so, unless the user names it', async () => {
    const { name: _, ...options } = createOptions(
      'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n',
    );
    const rows = toXlsxRows([
      ['Nr', 'Datum', 'Text'],
      ['1', '2026-03-01', 'Bank'],
    ]);
    for (const [sheet, isPublic] of [
      ['Interne Vorgänge', false],
      ['nicht veröffentlichen', false],
      ['intern', false],
      ['International', true],
      ['ohne interne Vorgänge', true],
    ] as const) {
      const town = await harness.createMunicipality();
      const importSheet = (...flags: string[]) =>
        harness.importContent(town, buildXlsx([{ name: sheet, rows }]), {
          ...options,
          name: 'x.xlsx',
          flags: [...options.flags, ...flags],
        });
      const { code, stderr } = await importSheet();
      assert.equal(code, isPublic ? 0 : 1, sheet);
      assert.equal(/seems to have rows that must not be published: /.test(stderr), !isPublic);
      assert.equal((await importSheet('--sheet', sheet)).code, 0);
    }
  });

  test('cancelled: no session is imported from a sheet whose name says so, unless the user names it', async () => {
    const rows = toXlsxRows([
      ['Nr', 'Gremium', 'Titel', 'Tag'],
      ['1', 'Rat', '', '2026-03-17'],
    ]);
    for (const [sheet, isPublic] of [
      ['Abgesagte Sitzungen', false],
      ['Entfallene Termine 2026', false],
      ...['Cancelled meetings', 'Séances annulées', 'Sesiones canceladas', 'Sessions cancel·lades'].map(
        (name) => [name, false] as const,
      ),
      ...['Sedute annullate', 'Geannuleerde vergaderingen', 'Odwołane sesje'].map(
        (name) => [name, false] as const,
      ),
      ['Sitzungen 2026', true],
    ] as const) {
      const town = await harness.createMunicipality();
      const importSheet = (...flags: string[]) =>
        harness.importContent(town, buildXlsx([{ name: sheet, rows }]), {
          ...ofSessions.options,
          name: 'x.xlsx',
          flags: [...ofSessions.options.flags, ...flags],
        });
      assert.equal((await importSheet()).code, isPublic ? 0 : 1, sheet);
      assert.equal((await harness.listAll(town, '/sessions')).length, Number(isPublic), sheet);
      assert.equal((await importSheet('--sheet', sheet)).code, 0);
    }
  });

  test('private: the name of a file that says so, or of its folder in an archive, is noted', async () => {
    const mapping = 'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n';
    const rows = toCsv(',', [
      ['Nr', 'Text', 'Datum'],
      ['1', 'Bank', '2026-03-17'],
    ]);
    const other = rows.replace('1,', '2,');
    const zip = (files: Record<string, string>) =>
      buildZip(Object.entries(files).map(([name, content]) => ({ name, content })));
    const cases: [name: string, content: string | Buffer, noted: boolean][] = [
      ...['Interne Vorgänge.csv', 'anliegen_nichtoeffentlich.csv', 'vertraulich.csv'].map(
        (name): [string, string, boolean] => [name, rows, true],
      ),
      ...['Anliegen.csv', 'Internet.csv', 'Liste ohne interne Vorgänge.csv'].map(
        (name): [string, string, boolean] => [name, rows, false],
      ),
      ['x.zip', zip({ 'nicht öffentlich/a.csv': rows, 'offen/b.csv': other }), true],
      ['x.zip', zip({ 'anliegen/a.csv': rows, 'offen/b.csv': other }), false],
    ];
    for (const [name, content, noted] of cases) {
      const town = await harness.createMunicipality();
      const { counts } = await harness.importContent(town, content, { ...createOptions(mapping), name });
      const notes = (counts.notes as unknown as string[]).filter((note) =>
        /of the file are not public/.test(note),
      );
      assert.equal(notes.length, noted ? 1 : 0, `${name} ${noted}`);
    }
  });

  test('private: a note counts the hidden rows of a workbook, which are published', async () => {
    const table = [['Nr', 'Datum', 'Text'], ...['1', '2', '3'].map((id) => [id, '2026-03-01', 'Bank'])];
    const hideRows = (rows: string, tag: string, marks: readonly string[]) => {
      const [before = '', ...parts] = rows.split(tag);
      return before + parts.map((part, index) => `${tag.slice(0, -1)}${marks[index] ?? ''}>${part}`).join('');
    };
    const [xlsx, ods] = [toXlsxRows(table), toOdsRows(table)];
    const row = '<table:table-row>';
    const hide = (value: string, more = '') => ` table:visibility="${value}"${more}`;
    const twice = ' table:number-rows-repeated="2"';
    const cases: [name: string, content: Buffer, inserted: number, hidden: string | undefined][] = [
      [
        'x.xlsx',
        buildXlsx([{ name: 'L', rows: hideRows(xlsx, '<row>', ['', ' hidden="0"']) }]),
        3,
        undefined,
      ],
      [
        'x.xlsx',
        buildXlsx([
          { name: 'L', rows: hideRows(xlsx, '<row>', [' hidden="1"', ' hidden="1"', ' hidden="true"']) },
        ]),
        3,
        '2 rows are hidden',
      ],
      ['x.ods', buildOds([{ name: 'L', rows: hideRows(ods, row, ['', hide('visible')]) }]), 3, undefined],
      [
        'x.ods',
        buildOds([{ name: 'L', rows: hideRows(ods, row, ['', hide('filter'), hide('collapse', twice)]) }]),
        3,
        '3 rows are hidden',
      ],
      [
        'x.ods',
        buildOds([{ name: 'L', rows: hideRows(ods, row, ['', '', hide('collapse')]) }]),
        3,
        '1 row is hidden',
      ],
    ];
    for (const [name, content, inserted, hidden] of cases) {
      const town = await harness.createMunicipality();
      const mapping = 'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n';
      const { counts } = await harness.importContent(town, content, {
        ...createOptions(mapping, '--dry-run'),
        name,
      });
      assert.equal(counts.inserted, inserted);
      const notes = (counts.notes as unknown as string[]).filter((note) => note.includes('hidden'));
      assert.deepEqual(
        notes.map((note) => /sheet "L": (\d rows? (?:is|are) hidden), such as by a filter/.exec(note)?.[1]),
        hidden === undefined ? [] : [hidden],
      );
    }
  });

  test('cancelled: sessions are removed by a word in the mapped title or committee, also if the row is invalid', async () => {
    const marks = [
      ...[{ title: 'Gemeinderat - ENTFÄLLT' }, { title: 'abgesagt' }, { title: 'Rat (ent\u200Bfällt)' }],
      ...[{ committee: 'Gemeinderat - fällt aus' }, { committee: 'Cancelled: Council' }],
      ...[
        { title: 'Rat – entfällt', date: '17.3.' },
        { committee: 'Abgesagt! Rat', date: '' },
      ],
    ];
    await assertRetracted(harness, { ...ofSessions, marks, reason: /cancelled sessions/ });
    const kept = [
      { title: 'Rat - verschoben' },
      { title: 'Rat (nichtöffentlicher Teil entfällt)' },
      { title: '' },
    ];
    await assertPublished(harness, { ...ofSessions, marks: kept });
  });

  test('cancelled: a place that may say so is noted', async () => {
    const mapping = 'session:\n  id: Nr\n  committeeName: Gremium\n  date: Tag\n  place: Ort\n';
    for (const [place, noted] of [
      ['entfällt', true],
      ['Sitzung fällt aus', true],
      ['Rathaus', false],
    ] as const) {
      const rows = toCsv(',', [
        ['Nr', 'Gremium', 'Tag', 'Ort'],
        ['1', 'Rat', '2026-03-17', place],
      ]);
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, rows, createOptions(mapping));
      assertCounts(result, { inserted: 1 });
      assert.equal(/may mean that it is cancelled/.test(String(result.counts.notes)), noted, place);
    }
  });

  // Sessions that are not public are announced.
  test('private: a word in the title of a session is noted, and its session is published', async () => {
    for (const [title, noted] of [
      ...['Entwurf: Gemeinderat', '[intern] Klausur', 'Test'].map((text) => [text, true] as const),
      ...['Rat (nichtöffentlich)', 'Bericht: Entwurf', 'Rat'].map((text) => [text, false] as const),
    ])
      for (const mark of [{ title }, { committee: title }]) {
        const town = await harness.createMunicipality();
        const result = await harness.importContent(town, ofSessions.toInput([mark]), ofSessions.options);
        assertCounts(result, { inserted: 1 });
        assert.equal(/in a title may mean/.test(String(result.counts.notes)), noted, title);
      }
  });

  // A mapping has no field for the state of a session, and a column can concern a part of it.
  test('cancelled: a column that seems to say so is noted, unless the mapping names it', async () => {
    const rows = toCsv(',', [
      ['Nr', 'Gremium', 'Tag', 'Stand', 'Hinweis'],
      ['1', 'Rat', '2026-03-17', 'abgesagt', ''],
      ['2', 'Rat', '2026-03-18', 'geplant', 'Die Sitzung des Ausschusses vom 3. März wurde abgesagt'],
    ]);
    const mapping = 'session:\n  id: Nr\n  committeeName: Gremium\n  date: Tag\n';
    for (const [skip, published, noted] of [
      ['', 2, true],
      ['skip: { Stand: [abgesagt] }\n', 1, false],
    ] as const) {
      const town = await harness.createMunicipality();
      const options = createOptions(`${skip}${mapping}`, '--remove-skipped');
      const { counts } = await harness.importContent(town, rows, options);
      assert.equal((await harness.listAll(town, '/sessions')).length, published);
      assert.equal(/column "Stand" seems to say which sessions/.test(String(counts.notes)), noted);
      assert.doesNotMatch(String(counts.notes), /Hinweis/);
    }
  });

  test('cancelled: a column named after it is noted, unless its cells say no', async () => {
    const mapping = 'session:\n  id: Nr\n  committeeName: Gremium\n  date: Tag\n';
    for (const [column, cell, noted] of [
      ...['Entfällt', 'abgesagt', 'Ausfall', 'is_cancelled', 'annulé'].map(
        (name) => [name, 'x', true] as const,
      ),
      ['Absage', 'wegen Krankheit', true],
      ...[
        ...['Findet statt', 'fand statt', 'Sitzung findet statt?', 'takes_place', 'held', 'Gaat door'],
        ...['Findet statt (j/n)', 'Odbędzie się', 'Té lloc'],
      ].flatMap((name) =>
        ['nein', 'No', 'false', '0', 'nein, verschoben'].map((cell) => [name, cell, true] as const),
      ),
      ...['ja', '', 'ja (nicht öffentlich)'].map((cell) => ['Findet statt', cell, false] as const),
      ['Ort', 'nein', false],
      ['Abgesagt', 'nein', false],
      ['Ausfallstraße', 'ja', false],
    ] as const) {
      const rows = toCsv(',', [
        ['Nr', 'Gremium', 'Tag', column],
        ['1', 'Rat', '2026-03-17', cell],
        ['2', 'Rat', '2026-03-18', ''],
      ]);
      const town = await harness.createMunicipality();
      const { counts } = await harness.importContent(town, rows, createOptions(mapping));
      assert.equal(/seems to say which sessions/.test(String(counts.notes)), noted, `${column}: ${cell}`);
    }
  });

  // withdrawn: such a submission stays public with this status.
  test('draft: rows whose status is that of a draft are removed, also through the values of the mapping', async () => {
    await assertRetracted(harness, {
      ...createSubmissions('  status: Mark\n', 'received'),
      marks: ['draft', 'Entwurf', 'ENT\u00ADWURF', 'unveröffentlicht', 'noch nicht veröffentlicht'],
      reason: /drafts/,
    });
    await assertRetracted(harness, {
      ...createSubmissions(
        '  status: { column: Mark, values: { offen: received, intern: draft } }\n',
        'offen',
      ),
      marks: ['intern', 'Intern'],
      reason: /drafts/,
    });
    await assertPublished(harness, {
      ...createSubmissions('  status: Mark\n', 'received'),
      marks: ['withdrawn', 'Entwurf beschlossen', 'geplant', 'in Vorbereitung'],
    });
  });

  // A table has no time of the last change, so a row that says no counts: a later row may take back an earlier release.
  test('repeated: of a submission with rows that say yes and no, none is published', async () => {
    for (const [rule, yes, no] of [
      ['[nein]', 'ja', 'nein'],
      ['no', 'ja', 'nicht freigegeben'],
      ['not yes', 'ja', 'Nein (intern)'],
      ['filled', '', '2026-03-02'],
    ] as const) {
      const { options, toInput } = createSubmissions(`skip: { Mark: ${rule} }\n`, yes);
      const toRows = (states: readonly unknown[]) =>
        toInput(states.map(String)).replaceAll(/^\d,Bänke/gm, '0,Bänke');
      await assertCountingState(harness, options, toRows, [yes, no, yes], undefined);
      const town = await harness.createMunicipality();
      await harness.importContent(town, toRows([yes]), options);
      const { counts } = await harness.importContent(town, toRows([yes, no]), options);
      assert.match(String(counts.notes), /Removed: 1 published record \(the mapping skips such rows\)/);
      assert.deepEqual(await harness.listAll(town, '/submissions'), []);
    }
    const { options, toInput } = createSubmissions('skip: { Mark: not yes }\n', 'ja');
    const toRows = (states: readonly unknown[]) =>
      toInput(states.map(String)).replaceAll(/^\d,Bänke/gm, '0,Bänke');
    await assertCountingState(harness, options, toRows, ['', 'in Prüfung', 'ja'], {});
  });

  test('repeated: a row of an agenda that is skipped leaves its submission to other rows', async () => {
    const mapping = [
      'skip: { Mark: no }',
      'submission: { id: Nr, description: Text, createdAt: Datum }',
      'session: { id: Sitzung, committeeName: Text, date: Datum }',
    ].join('\n');
    const toInput = (states: readonly unknown[]) =>
      toCsv(',', [
        ['Nr', 'Text', 'Datum', 'Sitzung', 'Mark'],
        ...states.map((state, index) => ['1', 'Bänke', '2026-03-01', String(index), String(state)]),
      ]);
    await assertCountingState(harness, createOptions(mapping), toInput, ['nein', 'ja'], {
      description: 'Bänke',
    });
  });

  test('repeated: an agenda leaves out a submission that one of its rows retracts', async () => {
    for (const [mapping, no] of [
      ['skip: { Mark: no }\nsubmission: { id: Nr, description: Text, createdAt: Datum }', 'nein'],
      ['submission: { id: Nr, description: Text, createdAt: Datum, status: Mark }', 'gelöscht'],
    ] as const)
      for (const states of [
        ['ja', no],
        [no, 'ja'],
      ]) {
        const town = await harness.createMunicipality();
        const files = [
          toCsv(',', [
            ['Nr', 'Text', 'Datum', 'Mark'],
            ...states.map((state) => ['1', 'Bänke', '2026-03-01', state]),
            ['2', 'Bäume', '2026-03-01', 'ja'],
          ]),
          toCsv(',', [
            ['Sitzung', 'Gremium', 'Tag', 'Vorlage'],
            ['s', 'Rat', '2026-03-17', '1'],
            ['s', 'Rat', '2026-03-17', '2'],
          ]),
        ].map((content, index) =>
          harness.workspace.writeFile(`agenda-${no}-${states[0]}-${index}.csv`, content),
        );
        const session = 'session: { id: Sitzung, committeeName: Gremium, date: Tag }';
        const agenda = 'agenda: { session: Sitzung, submission: Vorlage }';
        await harness.importContent(town, files, createOptions([mapping, session, agenda].join('\n')));
        const [submissions, sessions] = [
          await harness.listAll(town, '/submissions'),
          await harness.listAll(town, '/sessions'),
        ];
        assert.deepEqual(
          submissions.map(({ description }) => description),
          ['Bäume'],
        );
        assert.deepEqual(
          sessions.map(({ submissionCount }) => submissionCount),
          [1],
        );
      }
  });

  // A row that is not skipped counts beside skipped ones, because a session can have a row for each item of its agenda.
  test('repeated: of a session with and without a word for cancelled, the cancellation counts', async () => {
    const toInput = (titles: readonly unknown[]) =>
      toCsv(',', [
        ['Nr', 'Gremium', 'Titel', 'Tag'],
        ...titles.map((title) => ['1', 'Rat', String(title), '2026-03-17']),
      ]);
    await assertCountingState(harness, ofSessions.options, toInput, ['Rat', 'Rat - entfällt'], undefined);
  });

  // Invisible characters are among the cases above. Personal data: redaction.test.ts and personal-data-detection.test.ts.
});
