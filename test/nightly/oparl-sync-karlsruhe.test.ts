import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { createSyncCommands } from '../support/council-server.ts';
import { createImportHarness } from '../support/import-harness.ts';
import { type OparlObject, startOparlServer } from '../support/oparl-server.ts';

/** What a real council publishes; it lies beside the project where that is developed, and is no part of it. */
const folder = fileURLToPath(new URL('../../../shared/data/oparl-karlsruhe', import.meta.url));

const lines = (name: string): OparlObject[] =>
  gunzipSync(readFileSync(join(folder, name)))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const array = (name: string): OparlObject[] => JSON.parse(readFileSync(join(folder, name), 'utf8'));

test('the council information of Karlsruhe comes from an endpoint as it does from files', async (t) => {
  if (!existsSync(folder)) return t.skip(`there is no ${folder}`);
  const harness = await createImportHarness(t);
  const { sync } = createSyncCommands(harness);
  const server = await startOparlServer(t);
  server.etags = true;
  server.lists = {
    organization: array('organizations.json'),
    meeting: lines('meetings.ndjson.gz'),
    paper: lines('papers.ndjson.gz'),
    consultation: array('consultations.json'),
  };
  const [town, twin] = [await harness.createMunicipality(), await harness.createMunicipality()];
  const { code, counts, stderr } = await sync(town, server.systemUrl);
  assert.equal(code, 0, stderr);
  t.diagnostic(JSON.stringify(counts));
  assert.equal(counts.inserted, 4_231 + 2_609);
  // The committees of 58 meetings are in no list, and lie on a host that is not asked.
  t.diagnostic(`${server.requests.length} requests`);

  const paths = ['papers.ndjson.gz', 'meetings.ndjson.gz', 'organizations.json', 'consultations.json'].map(
    (name) => join(folder, name),
  );
  const result = await harness.importContent(twin, paths, { format: 'oparl' });
  assert.equal(result.counts.inserted, counts.inserted);
  assert.deepEqual(result.counts.unmappedValues, counts.unmappedValues);
  for (const list of ['/submissions', '/sessions']) {
    const [here, there] = [await harness.listAll(town, list), await harness.listAll(twin, list)];
    const sorted = (records: Record<string, unknown>[]) =>
      records.map(({ id, ...rest }) => JSON.stringify(rest)).sort();
    assert.deepEqual(sorted(here), sorted(there));
  }

  server.requests.length = 0;
  const second = await sync(town, server.systemUrl);
  t.diagnostic(JSON.stringify(second.counts));
  assert.equal(second.counts.unchanged, 4_231 + 2_609);
  assert.equal(server.requests.length, 6);
});
