/** Published data: recommended values of the API are shown with their translation, other values as they are. */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
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
  test('follow their German translation in surveys, submissions, charts and questions', async () => {
    const { body } = await german.get(`${published}?period=all`);
    const names = namesOn(body);
    for (const name of ['beendet (closed)', 'laufend (active)', 'erledigt (completed)'])
      assert.ok(names.includes(name), name);
    assert.match(body, /<svg class="chart-key".+?<bdi>in Prüfung \(in_review\)<\/bdi>/s);
    assert.match(body, /<title>[^<]+[.,] in Prüfung \(in_review\): \d+/);
    assert.match(
      body,
      /<th [^>]+><span class="short-text"><bdi>in Prüfung \(in_review\)<\/bdi><\/span><\/th>/,
    );
    const ofSurvey = namesOn((await german.get(survey)).body);
    for (const name of ['beendet (closed)', 'Einfachauswahl (single_choice)', 'Freitext (text)'])
      assert.ok(ofSurvey.includes(name), name);
  });

  test('are shown as they are if the municipality defined them, and on English pages', async () => {
    const names = namesOn((await german.get(`${published}?period=all`)).body);
    for (const name of ['Wiedervorlage', 'constructor']) assert.ok(names.includes(name), name);
    const english = namesOn((await anna.get(`${published}?period=all`)).body);
    for (const name of ['closed', 'completed', 'Wiedervorlage']) assert.ok(english.includes(name), name);
  });
});
