/** Published data: recommended values of the API are shown with their translation, other values as they are. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { assertSucceeds } from '../../support/cli-workspace.ts';
import { createFixtureWithServer } from '../../support/fixture.ts';
import { createFormClient, createSignedInClient, signIn } from '../../support/form-client.ts';
import { createSubmission, formatSurveyId } from '../../support/records.ts';

const fixture = await createFixtureWithServer({ after });
const anna = await createSignedInClient(fixture.server, fixture.store, fixture.a);
const german = createFormClient(fixture.server.address, 'de');
await signIn(german, anna.email);
await fixture.putRecords(fixture.a, [
  { kind: 'submission', ...createSubmission(31, { status: 'completed', supportCount: 99 }) },
  { kind: 'submission', ...createSubmission(32, { status: 'Wiedervorlage', supportCount: 98 }) },
  // Names of inherited object properties must not count as translations.
  { kind: 'submission', ...createSubmission(33, { status: 'constructor', supportCount: 97 }) },
]);
const published = `/admin/organizations/${fixture.a}/published`;
const survey = `/admin/organizations/${fixture.a}/data/surveys/${formatSurveyId(1)}`;

/** The isolated texts of a page: names from users and values of the API. */
const namesOn = (page: string) => [...page.matchAll(/<bdi>([^<]+)<\/bdi>/g)].map(([, name]) => name);

suite('values of the API', () => {
  test('have German words in surveys, submissions, charts and questions', async () => {
    const { body } = await german.get(`${published}?period=all`);
    const names = namesOn(body);
    for (const name of ['beendet', 'laufend', 'erledigt']) assert.ok(names.includes(name), name);
    assert.match(body, /<svg class="chart-key".+?<bdi>in Prüfung<\/bdi>/s);
    assert.match(body, /<title>[^<]+[.,] in Prüfung: \d+/);
    assert.match(body, /<th [^>]+><span class="short-text"><bdi>in Prüfung<\/bdi><\/span><\/th>/);
    const ofSurvey = namesOn((await german.get(survey)).body);
    for (const name of ['beendet', 'Einfachauswahl', 'Freitext']) assert.ok(ofSurvey.includes(name), name);
  });

  test('have English words, and are shown as they are if the municipality defined them', async () => {
    const names = namesOn((await german.get(`${published}?period=all`)).body);
    for (const name of ['Wiedervorlage', 'constructor']) assert.ok(names.includes(name), name);
    const english = namesOn((await anna.get(`${published}?period=all`)).body);
    for (const name of ['closed', 'in review', 'Wiedervorlage']) assert.ok(english.includes(name), name);
  });
});

suite('sources without support counts', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-statistics-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  const request = {
    service_request_id: '1',
    service_name: 'Light',
    requested_datetime: '2026-03-01T10:15:00Z',
  };
  const note = /These sources do not count supporters.+?<bdi>Mängelmelder<\/bdi>/s;

  async function importRequest(fields: object, ...command: string[]) {
    const file = join(folder, 'requests.json');
    writeFileSync(file, JSON.stringify([{ ...request, ...fields }]));
    await assertSucceeds([
      ...['import', 'open311', file, '--organization', fixture.a, '--source', 'Mängelmelder'],
      ...['--database', fixture.database, ...command],
    ]);
  }

  test('are named until an import or an undo says otherwise', async () => {
    assert.doesNotMatch((await anna.get(published)).body, note);
    await importRequest({});
    assert.match((await anna.get(published)).body, note);
    assert.match((await german.get(published)).body, /enthalten keine Angaben zu Unterstützungen/);
    await importRequest({ extended_attributes: { votes: 3 } });
    assert.doesNotMatch((await anna.get(published)).body, note);
    await importRequest({});
    assert.match((await anna.get(published)).body, note);
    await assertSucceeds([
      ...['source', 'undo', 'Mängelmelder', '--organization', fixture.a, '--yes'],
      ...['--database', fixture.database],
    ]);
    assert.doesNotMatch((await anna.get(published)).body, note);
  });
});
