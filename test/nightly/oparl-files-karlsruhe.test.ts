import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createImportHarness } from '../support/import-harness.ts';

/** Open data of a council. It is not part of the project; the test is skipped without it. */
const folder = fileURLToPath(new URL('../../../shared/data/oparl-karlsruhe', import.meta.url));

interface CouncilFile {
  name: string;
  accessUrl: string;
  mimeType: string;
}

interface FoundRecord {
  documents: { title: string; url: string; mediaType: string | null }[];
}

const toLine = (title: string, url: string, mediaType: string | null) =>
  [title.replaceAll(/\s+/g, ' ').trim(), url, mediaType].join(' | ');

/**
 * Compares every document of the records with the files of the source, which are read without the importer.
 *
 * @returns the number of records with documents, and of documents
 */
function countDocuments(list: string, properties: readonly string[], found: readonly FoundRecord[]) {
  const lines = gunzipSync(readFileSync(join(folder, `${list}.ndjson.gz`)))
    .toString()
    .trim()
    .split('\n');
  const objects = lines.map((line) => JSON.parse(line));
  const filesOf = new Map<string, string>();
  for (const object of objects) {
    if (object.deleted === true || (list === 'papers' && !/antrag|anfrage/i.test(object.paperType ?? '')))
      continue;
    const all: CouncilFile[] = properties.flatMap((property) => object[property] ?? []);
    // The agenda of a part that is not public, and meetings that are not, unless a file is called public.
    const isNonPublic = /\(nicht öffentlich\)/.test(object.name);
    if (isNonPublic && !all.some(({ name }) => /öffentlich/.test(name))) continue;
    const files = all.filter(({ name }) => name !== 'Tagesordnung nö');
    const [first] = files;
    if (first === undefined) continue;
    const texts = files
      .slice(0, 50)
      .map(({ name, accessUrl, mimeType }) => toLine(name, accessUrl, mimeType));
    filesOf.set(first.accessUrl, texts.join('\n'));
  }
  const published = found.filter(({ documents }) => documents.length > 0);
  for (const { documents } of published)
    assert.equal(
      documents.map(({ title, url, mediaType }) => toLine(title, url, mediaType)).join('\n'),
      filesOf.get(documents[0]?.url ?? ''),
    );
  assert.equal(published.length, filesOf.size);
  return { records: published.length, documents: published.flatMap(({ documents }) => documents).length };
}

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
  const foundSessions = await harness.listAll(town, '/search/sessions');
  const places = foundSessions.map(({ place }) => place);
  assert.equal(found.filter(({ sourceStatus }) => sourceStatus !== null).length, 3_347);
  assert.equal(found.filter(({ sourceStatus }) => sourceStatus === 'mehrheitlich abgelehnt').length, 240);
  assert.equal(places.filter((place) => place !== null).length, 2_181);
  assert.equal(places.filter((place) => place === 'Bürgersaal, Rathaus am Marktplatz').length, 437);

  const ofPapers = countDocuments('papers', ['mainFile', 'auxiliaryFile'], found);
  assert.deepEqual(ofPapers, { records: 4_180, documents: 11_698 });
  assert.equal(submissions.filter(({ hasAttachments }) => hasAttachments).length, 4_180);
  const ofMeetings = countDocuments(
    'meetings',
    ['invitation', 'resultsProtocol', 'verbatimProtocol', 'auxiliaryFile'],
    foundSessions,
  );
  assert.deepEqual(ofMeetings, { records: 2_123, documents: 7_848 });

  const fullest = sessions.toSorted((a, b) => b.submissionCount - a.submissionCount)[0];
  const { json } = await harness.get(town, `/sessions/${fullest.id}`);
  assert.equal(json.data.submissions.length, fullest.submissionCount);

  const second = await harness.importContent(town, paths.toReversed(), { format: 'oparl' });
  assert.equal(second.counts.unchanged, 4_231 + 2_609);
});
