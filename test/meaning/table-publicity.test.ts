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
const { importTable } = createTableImporter(harness);

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
        createTableImporter(harness).writeMapping(
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
});
