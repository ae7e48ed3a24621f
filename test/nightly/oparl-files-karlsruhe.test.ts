import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { createImportHarness } from '../support/import-harness.ts';

/** Open data of a council. It is not part of the project; the test is skipped without it. */
const folder = fileURLToPath(new URL('../../../shared/data/oparl-karlsruhe', import.meta.url));

test('council information of Karlsruhe is imported completely and can be paged through; a second import changes nothing', async (t) => {
  if (!existsSync(folder)) return t.skip(`${folder} is missing`);
  const harness = await createImportHarness(t);
  const town = await harness.createMunicipality();
  const paths = ['papers.ndjson.gz', 'meetings.ndjson.gz', 'organizations.json', 'consultations.json'].map(
    (name) => join(folder, name),
  );
  const result = await harness.importContent(town, paths, { format: 'oparl' });
  assert.equal(result.code, 0, result.stderr);
  assert.equal(result.counts.inserted, 4_231 + 2_609);
  assert.deepEqual(Object.keys(result.counts.unmappedValues as unknown as object), [
    'siehe Dokument Abstimmungsergebnisse',
  ]);

  const submissions = await harness.listAll(town, '/submissions');
  const sessions = await harness.listAll(town, '/sessions');
  const counts = sessions.map(({ submissionCount }) => submissionCount);
  assert.equal(submissions.length, 4_231);
  assert.equal(new Set(submissions.map(({ id }) => id)).size, 4_231);
  assert.equal(sessions.length, 2_609);
  assert.equal(
    counts.reduce((sum, count) => sum + count, 0),
    4_689,
  );
  assert.equal(counts.filter((count) => count > 0).length, 678);
  assert.equal(submissions.filter(({ protocolUrl }) => protocolUrl !== null).length, 3_564);

  const found = await harness.listAll(town, '/search/submissions');
  const places = (await harness.listAll(town, '/search/sessions')).map(({ place }) => place);
  assert.equal(found.filter(({ sourceStatus }) => sourceStatus !== null).length, 3_347);
  assert.equal(found.filter(({ sourceStatus }) => sourceStatus === 'mehrheitlich abgelehnt').length, 240);
  assert.equal(places.filter((place) => place !== null).length, 2_181);
  assert.equal(places.filter((place) => place === 'Bürgersaal, Rathaus am Marktplatz').length, 437);

  const fullest = sessions.toSorted((a, b) => b.submissionCount - a.submissionCount)[0];
  const { json } = await harness.get(town, `/sessions/${fullest.id}`);
  assert.equal(json.data.submissions.length, fullest.submissionCount);

  const second = await harness.importContent(town, paths.toReversed(), { format: 'oparl' });
  assert.equal(second.counts.unchanged, 4_231 + 2_609);
});
