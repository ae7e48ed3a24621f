/** What the draft, the dry run and the import make of columns and words for rows that may not be public. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { parse } from 'yaml';
import { createTableImporter } from '../formats/table-importer.ts';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { toCsv } from '../support/files.ts';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';
import { assertPublished, assertRetracted } from './meaning-harness.ts';

const harness = await createImportHarness({ after });
const { importTable, writeMapping } = createTableImporter(harness);

const mapping = 'submission:\n  id: Nr\n  description: Text\n  createdAt: Datum\n';

/** @returns a table with a column `Mark` of these cells */
const toRows = (cells: readonly string[], column = 'Mark') =>
  toCsv(';', [
    ['Nr', 'Text', 'Datum', column],
    ...cells.map((cell, index) => [String(index), `Eine Bank am Teich ${index}`, '2026-03-01', cell]),
  ]);

const suggest = (content: string) =>
  assertSucceeds(harness.workspace.withDatabase('import', 'table', '-', '--suggest'), { input: content });

/** @returns the notes of an import */
async function importNotes(content: string, given: string): Promise<string[]> {
  const { counts } = await importTable(await harness.createMunicipality(), content, given);
  return counts.notes as unknown as string[];
}

suite('publicity in tables:', { concurrency: 2 }, () => {
  test('a status that says who deleted or hid a record, or what it waits for, retracts it', async () => {
    const options = {
      format: 'table',
      name: 'x.csv',
      flags: [
        '--mapping',
        writeMapping(
          `${mapping}  status: { column: Mark, values: { offen: received }, default: received }\n`,
        ),
      ],
    };
    const toInput = (marks: readonly (string | undefined)[]) => toRows(marks.map((mark) => mark ?? 'offen'));
    await assertRetracted(harness, {
      options,
      toInput,
      marks: [
        ...['Gelöscht durch Nutzer', 'deleted by user', 'hidden by admin', 'removed by moderator'],
        ...['Supprimé par le modérateur', "eliminato dall'utente", 'Entfernt durch die Moderation'],
        ...['erledigt (gelöscht von der Redaktion)', 'soft deleted', 'soft-deleted', 'trashed', 'censored'],
        ...['censored by moderator', 'embargoed', 'zur Freigabe', 'Freigabe ausstehend'],
        ...['redaktionelle Prüfung ausstehend', 'wartet auf Bestätigung'],
      ],
      reason: /records marked as/,
    });
    await assertPublished(harness, {
      options,
      toInput,
      marks: [
        ...['entfernt', 'removed', 'removed by contractor', 'Entfernt durch Bauhof', 'Müll gelöscht durch'],
        ...['von Nutzer gemeldet', 'privat gemeldet durch Nutzer'],
      ],
    });
    for (const status of ['entfernt', 'Removed'])
      assert.match(
        String(await importNotes(toRows([status]), `${mapping}  status: Mark\n`)),
        new RegExp(`status "${status}" may mean that a record is not public`),
      );
  });

  test('a draft and a dry run name words that pass a list of words that are not public', async () => {
    const rows = toRows(['hoch', 'gering', 'Kategorie 2', 'Kategorie 2', 'öffentlich'], 'Einstufung');
    const draft = await suggest(rows);
    assert.deepEqual(parse(draft).skip, { Einstufung: ['hoch'] });
    assert.match(draft, /^ +# CHECK: .*: "Kategorie 2" \(2 rows\)$/m);
    for (const [skip, noted] of [
      ['Einstufung: [hoch]', true],
      ['Einstufung: [hoch, kategorie 2]', false],
      ['Einstufung: [Englisch]', false],
      ['Einstufung: not yes', false],
    ] as const) {
      const notes = String(await importNotes(rows, `skip: { ${skip} }\n${mapping}`));
      assert.equal(
        /lacks "Kategorie 2" \(2\)\. Their rows are published/.test(notes),
        noted,
        `${skip}: ${notes}`,
      );
    }
  });

  test('a status with a word for published rows leaves out all others, unless it says how far requests are', async () => {
    const words = ['publish', 'private', 'future', 'pending', 'auto-draft', 'draft', 'inherit', 'trash'];
    const table = (cells: readonly string[]) =>
      toCsv(';', [
        ['id', 'text', 'date', 'comment_status', 'status'],
        ...cells.map((cell, index) => [
          String(index),
          `A bench at the pond ${index}`,
          '2026-03-01',
          'open',
          cell,
        ]),
      ]);
    const { skip, submission } = parse(await suggest(table(words)));
    assert.deepEqual(skip, { status: 'not yes' });
    assert.equal(submission.status.column, 'status');
    const { skip: ofWork } = parse(await suggest(table(['veröffentlicht', 'in Bearbeitung', 'gelöscht'])));
    assert.deepEqual(ofWork, { status: ['gelöscht'] });
    const town = await harness.createMunicipality();
    const result = await importTable(
      town,
      table(words),
      'skip: { status: not yes }\nsubmission:\n  id: id\n  description: text\n  createdAt: date\n',
    );
    assertCounts(result, { inserted: 1, ignored: words.length - 1 });
  });

  test('names with the prefix or the suffix of a system, and members of objects, withhold rows in a draft', async () => {
    for (const [column, cell, skipped] of [
      ['Is_Private__c', 'TRUE', 'filled'],
      ['Public__c', 'FALSE', 'not yes'],
      ['proposal_publicationStatus', 'TRASHED_NOT_VISIBLE', 'not yes'],
      ['proposal_trashedAt', '2026-03-01', 'filled'],
      ['meldung_freigegeben', 'nein', 'not yes'],
      ['state.is_internal', 'true', 'filled'],
      ['moderation.hidden', 'true', 'filled'],
      ['Veröff. (j/n)', 'nein', 'not yes'],
      ...['user.is_private', 'photo.hidden', 'adresse.öffentlich', 'Private_Road__c'].map(
        (name) => [name, 'true', undefined] as const,
      ),
    ] as const) {
      const rows = toRows([cell, ''], column);
      assert.deepEqual(parse(await suggest(rows)).skip?.[column], skipped, column);
      if (skipped !== undefined)
        assert.match(String(await importNotes(rows, mapping)), /rows are not public/, column);
    }
    // Only names of its own retract a record without a mapping.
    const ofRequest = {
      service_request_id: '1',
      description: 'Bank',
      requested_datetime: '2026-03-01T10:00:00Z',
    };
    const options = { format: 'open311', name: 'x.json' };
    const result = await harness.importContent(
      await harness.createMunicipality(),
      JSON.stringify([{ ...ofRequest, status: 'open', Is_Private__c: true }]),
      options,
    );
    assertCounts(result, { inserted: 1 });
  });

  test('the reason of a deletion is no topic', async () => {
    for (const [column, topic] of [
      ['trashedReason', undefined],
      ['close reason', undefined],
      ['reason', 'reason'],
    ] as const)
      assert.equal(
        parse(await suggest(toRows(['Noise', 'Trees', 'Noise'], column))).submission.topicCategoryName,
        topic,
        column,
      );
  });

  test('columns for removed, blocked and approved records leave out rows in a draft, and are noted', async () => {
    for (const [column, cells, skipped] of [
      ...['is_removed', 'is_blocked', 'is_censored', 'removed', 'hidden_from_public', 'private_flag'].map(
        (name) => [name, ['true', 'false'], 'filled'] as const,
      ),
      ...['Entfernt', 'ist_gesperrt', 'Papierkorb', 'spam_flag', 'needs_moderation', 'is_trashed'].map(
        (name) => [name, ['ja', 'nein'], 'filled'] as const,
      ),
      ...['removed_at', 'entfernt', 'Entfernt am', 'deletion_date', 'deleted date'].map(
        (name) => [name, ['2026-03-05', ''], 'filled'] as const,
      ),
      ...['approved', 'is_displayed', 'public_flag'].map(
        (name) => [name, ['true', 'false'], 'not yes'] as const,
      ),
      ['moderation_state', ['published', 'rejected', 'needs_review'], 'not yes'],
      ['approval_state', ['approved', 'rejected', 'pending'], 'not yes'],
    ] as const) {
      const rows = toRows(cells, column);
      const { skip, submission } = parse(await suggest(rows));
      assert.deepEqual(skip, { [column]: skipped }, column);
      assert.notEqual(submission.status?.column, column);
      assert.match(String(await importNotes(rows, mapping)), /rows are not public/, column);
    }
    // Their rows are published without a mapping that says otherwise.
    const ofRequest = { description: 'Bank', requested_datetime: '2026-03-01T10:00:00Z', status: 'open' };
    for (const [fields, counts] of [
      [{ removed: true }, { inserted: 1 }],
      [{ blocked: true }, { inserted: 1 }],
      [{ entfernt: '2026-03-05' }, { inserted: 1 }],
      [{ trash: true, Papierkorb: 'ja' }, { inserted: 1 }],
      [{ moderator_status: 'rejected' }, { inserted: 1 }],
      [{ is_removed: true }, { ignored: 1 }],
      [{ removed_at: '2026-03-05' }, { ignored: 1 }],
    ] as const) {
      const content = JSON.stringify([{ service_request_id: '1', ...ofRequest, ...fields }]);
      const town = await harness.createMunicipality();
      const result = await harness.importContent(town, content, { format: 'open311', name: 'x.json' });
      assertCounts(result, counts);
    }
  });

  test('a status of moderators without a word for a release is that of the record', async () => {
    const { skip, submission } = parse(
      await suggest(toRows(['CONSIDERATION', 'ACCEPTED', 'REJECTED'], 'moderator_status')),
    );
    assert.equal(skip, undefined);
    assert.equal(submission.status.column, 'moderator_status');
    assert.equal(parse(await suggest(toRows(['x', 'Müll', 'Laub'], 'Entfernt'))).skip, undefined);
  });

  test('a date of a deletion that stands for an unknown one withholds nothing', async () => {
    const request = {
      service_request_id: '1',
      description: 'Bank',
      requested_datetime: '2026-03-01T10:00:00Z',
      status: 'open',
    };
    const sentinels = ['0001-01-01T00:00:00', '9999-12-31', 'NaT', '1970-01-01', '1970-01-01T00:00:00Z'];
    for (const [name, values, counts] of [
      ['deleted_at', sentinels, { inserted: 1 }],
      ['gelöscht am', sentinels, { inserted: 1 }],
      ['deleted_at', ['1970-01-02', '2026-03-05', '2060-01-01T00:00:00Z'], { ignored: 1 }],
      ['embargo until', ['9999-12-31'], { ignored: 1 }],
      ['published_at', ['9999-12-31'], { ignored: 1 }],
      ['Sperrvermerk', ['9999-12-31'], { ignored: 1 }],
      ['visible until', ['0001-01-01'], { ignored: 1 }],
    ] as const)
      for (const value of values) {
        const town = await harness.createMunicipality();
        const content = JSON.stringify([{ ...request, [name]: value }]);
        const result = await harness.importContent(town, content, { format: 'open311', name: 'x.json' });
        assertCounts(result, counts);
      }
    const cells = [...sentinels, '2026-03-05', ''];
    const draft = await suggest(toRows(cells, 'deleted_at'));
    assert.match(draft, /deleted_at: filled # CHECK: 1 row is left out/);
    for (const [column, published] of [
      ['deleted_at', cells.length - 1],
      ['Sperrfrist', 2],
      ['Sperrvermerk', cells.length - 2],
    ] as const) {
      const town = await harness.createMunicipality();
      await importTable(town, toRows(cells, column), `skip: { ${column}: filled }\n${mapping}`);
      assert.equal((await harness.listAll(town, '/submissions')).length, published, column);
    }
  });

  test('words for everyone beside neutral ones release a row', async () => {
    const town = await harness.createMunicipality();
    const released = [
      ...['öffentlich sichtbar', 'öffentlich einsehbar', 'oeffentlich zugaenglich', 'Everyone can see'],
      ...['public access', 'All users', 'citizens', 'ja, mit Foto', 'sichtbar für alle'],
    ];
    const withheld = [
      ...['nur intern sichtbar', 'visible for users', 'nicht öffentlich sichtbar', 'no access'],
      ...['sichtbar für Verwaltung', 'alle Mitarbeiter', 'ja, nach Anonymisierung', 'can see'],
    ];
    const rows = toRows([...released, ...withheld], 'Sichtbarkeit');
    const result = await importTable(town, rows, `skip: { Sichtbarkeit: not yes }\n${mapping}`);
    assertCounts(result, { inserted: released.length, ignored: withheld.length });
  });

  test('rows that repeat other records are counted in the draft and the dry run, and published', async () => {
    for (const [column, cells, count] of [
      ['duplicate_of', ['', '1', '1'], 2],
      ['DUPLICATE', ['false', 'true', 'false'], 1],
      ['merged_into', ['', '', '7'], 1],
      ['Dublette von', ['', '12', ''], 1],
    ] as const) {
      const rows = toRows(cells, column);
      const draft = await suggest(rows);
      assert.equal(parse(draft).skip, undefined, column);
      assert.match(
        draft,
        new RegExp(`^# CHECK: ${count} rows? of "${column}" .*skip: \\{ ${column}: filled \\}$`, 'm'),
      );
      const notes = String(await importNotes(rows, mapping));
      assert.match(notes, new RegExp(`${count} rows? seems? to repeat (?:an)?other records?`), column);
      const without = await importNotes(rows, `skip: { ${column}: filled }\n${mapping}`);
      assert.doesNotMatch(String(without), /repeat/, column);
    }
  });
});
