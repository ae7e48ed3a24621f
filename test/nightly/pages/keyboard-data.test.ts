/** Work on published data with the keyboard alone: decisions on records, open data, sources, and the steps of an import. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { launchBrowser } from '../../support/browser.ts';
import { createTemporaryFolder } from '../../support/files.ts';
import { createFixture } from '../../support/fixture.ts';
import { createSubmission } from '../../support/records.ts';
import { composeTable, definition, lisa } from '../../support/run-bench.ts';
import {
  confirmButton,
  createSignedInMunicipality,
  waitForText,
} from '../../support/signed-in-municipality.ts';

const fixture = await createFixture({ after });
const { store } = fixture;
const folder = createTemporaryFolder({ after });
const server = await fixture.startServer({ ROSTRA_UPLOAD_FOLDER: join(folder, 'uploads') }, true);
const browser = await launchBrowser({ after });

const reason = 'Names a person who asked for it.';

/** Opens the first page of a municipality with a submission. */
async function openMunicipality(name: string) {
  const municipality = await createSignedInMunicipality(fixture, server, browser, name);
  const id = crypto.randomUUID();
  const record = createSubmission(1, { id, title: 'Broken lamp' });
  await fixture.putRecords(municipality.id, [{ kind: 'submission', ...record }]);
  await municipality.page.goto(municipality.path);
  return municipality;
}

async function openRecord(name: string) {
  const municipality = await openMunicipality(name);
  await municipality.user.press('Published data', 'Submissions');
  await municipality.user.press('Broken lamp', 'Broken lamp');
  return municipality;
}

test('the keyboard alone corrects a submission', async () => {
  const { page, user, readSubmissions } = await openRecord('Correcttown');
  await user.press('Correct submission', 'Correct submission');
  await user.enter(/^Title/, 'Broken street lamp');
  await user.choose('Status', 'completed');
  await user.enter(/^Reason/, reason);
  await user.press('Publish correction', 'Broken street lamp');
  await page.getByText('The correction is published.').waitFor();
  assert.equal((await readSubmissions())[0]?.status, 'completed');
});

test('the keyboard alone unpublishes a submission after a form without a reason, and publishes it again', async () => {
  const { page, user, readSubmissions } = await openRecord('Unpublishtown');
  await user.press('Unpublish', 'Unpublish submission');
  await user.press('Unpublish', 'Unpublish submission');
  await user.moveTo('Enter a reason.');
  await page.keyboard.press('Enter');
  await page.keyboard.insertText(reason);
  await user.activate('Broken lamp');
  await page.getByText('This submission is not published').waitFor();
  assert.deepEqual(await readSubmissions(), []);
  await user.press('Unpublished and corrected', 'Unpublished and corrected');
  await user.press(/^Broken lamp/, 'Broken lamp');
  await user.press('Publish again', 'Publish again');
  await user.press('Publish again', 'Broken lamp');
  await page.getByText('The record is published again').waitFor();
  assert.equal((await readSubmissions()).length, 1);
});

test('the keyboard alone removes a submission for good', async () => {
  const { page, user, readSubmissions } = await openRecord('Removetown');
  await user.press('Remove for good', 'Remove submission for good');
  await user.enter(/^Reason/, reason);
  await user.press('Remove for good', 'Submission');
  await page.getByText('This submission was removed for good').waitFor();
  assert.deepEqual(await readSubmissions(), []);
});

test('the keyboard alone chooses a licence and switches open data on', async () => {
  const { page, user } = await openMunicipality('Opentown');
  await user.press('Settings', 'Settings');
  await user.choose('Licence', 'Data licence Germany');
  await user.press('Save', 'Settings');
  await user.press('Set up open data', 'Open data');
  await user.moveTo(/^Search engines may list/);
  await page.keyboard.press('Space');
  await user.press('Switch open data on', 'Open data');
  await page.getByText('Open data is on').waitFor();
  assert.equal((await fetch(`${server.address}/open/opentown`)).status, 200);
});

test('the keyboard alone changes the settings of a source, and removes it', async () => {
  const { id, page, user } = await openMunicipality('Sourcetown');
  await store.addSource(id, definition, lisa);
  await user.press('Sources', 'Sources');
  await user.press(definition.name, definition.name);
  await user.press('Edit settings', /^Edit source/);
  await user.moveTo(/^Personal data in texts/);
  await page.keyboard.press('Enter');
  await user.moveTo(/^Telephone numbers/);
  await page.keyboard.press('Space');
  await user.press('Save', definition.name);
  await page.getByText('The settings have been saved.').waitFor();
  await user.press('Remove source', 'Remove source');
  await user.press('Remove source', 'Sources');
  assert.equal(await store.findSource({ organizationId: id, name: definition.name }), undefined);
});

test('the keyboard alone reads the lists of a dry run, decides about personal data, imports, and undoes it', async () => {
  const { id, page, user, readSubmissions } = await openMunicipality('Dryruntown');
  await store.addSource(id, { ...definition, redaction: { ...definition.redaction, kinds: [] } }, lisa);
  const file = join(folder, 'reports.csv');
  writeFileSync(file, `${composeTable(3)}\n4,Laterne,offen,März`);
  await user.press('Sources', 'Sources');
  await user.press(definition.name, definition.name);
  await user.press('Import the next file', 'Import a file');
  await user.chooseFile(/^File/, file);
  await user.press('Upload and check', 'Import of reports.csv');
  await waitForText(page, 'The dry run is complete');
  await user.press('1, Rejected records', 'Rejected records');
  await user.press('Import of reports.csv', 'Import of reports.csv');
  await user.press('Replace personal data', 'Import of reports.csv');
  await page.getByRole('button', { name: 'Replace personal data' }).waitFor({ state: 'detached' });
  await waitForText(page, 'The dry run is complete');
  await user.press(confirmButton, 'Import of reports.csv');
  await waitForText(page, 'The import is complete');
  assert.equal((await readSubmissions()).length, 4);
  await user.press('Undo this import', 'Undo the last import');
  await user.press('Undo this import', /^(Undo the last import of|The last import of)/);
  await waitForText(page, 'The import was undone');
  assert.equal((await readSubmissions()).length, 1);
});
