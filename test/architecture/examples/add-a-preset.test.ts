/** The changes in docs/add-a-preset.md, applied to a copy of the project, add the preset. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { startCli } from '../../support/cli-workspace.ts';
import { startDataServer } from '../../support/data-server.ts';
import { applyDocumentedChanges } from '../../support/documented-changes.ts';

const mapping = `submission:
  id: id
  description: summary
  status: { column: status, values: { Open: received } }
  createdAt: created_at
`;

test('a preset added as documented needs two files, and its pages are imported', async (t) => {
  const { copy, files } = applyDocumentedChanges(t, 'docs/add-a-preset.md');
  assert.deepEqual(files, ['src/ingest/presets/seeclickfix.ts', 'src/ingest/presets/presets.ts']);

  const server = await startDataServer(t);
  const issues = Array.from({ length: 250 }, (_, index) => ({
    ...{ id: index + 1, status: 'Open', summary: `Pothole ${index + 1}` },
    created_at: '2026-03-01T10:00:00-05:00',
  }));
  server.files.set('/api/v2/issues', (request, response) => {
    const query = new URL(request.url ?? '', server.origin).searchParams;
    assert.equal(query.get('place_url'), 'new-haven');
    const [page, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 20)];
    const metadata = { pagination: { entries: issues.length, page, per_page: size } };
    response.end(
      JSON.stringify({ metadata, issues: issues.slice((page - 1) * size, page * size), errors: {} }),
    );
  });

  writeFileSync(join(copy, 'mapping.yaml'), mapping);
  writeFileSync(join(copy, 'authority.pem'), server.certificate);
  const run = async (...args: string[]) => {
    const environment = {
      ROSTRA_DATABASE: join(copy, 'rostra.db'),
      ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1',
      NODE_EXTRA_CA_CERTS: join(copy, 'authority.pem'),
    };
    const command = startCli(['src/main.ts', ...args], { folder: copy, environment }, process.execPath);
    const { code, stdout, stderr } = await command.result;
    assert.equal(code, 0, stderr);
    return stdout.trim();
  };
  await run('migrate');
  const organization = ['--organization', await run('organization', 'add', 'Ort')];
  await run(
    ...['source', 'add', 'Issues', ...organization, '--format', 'table', '--mapping', 'mapping.yaml'],
    ...['--system', 'seeclickfix', '--url', `${server.origin}/new-haven`, '--pause', '0'],
  );
  const counts = JSON.parse(await run('source', 'run', 'Issues', ...organization, '--json'));
  assert.deepEqual([counts.inserted, counts.rejected], [250, 0]);
  // Two of them count the issues.
  assert.equal(server.requests.length, 5);
});
