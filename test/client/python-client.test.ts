/** The Python client passes its own tests, which send requests to a server. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkout } from '../support/checkout.ts';
import { startCli } from '../support/cli-workspace.ts';
import { createFixtureWithServer } from '../support/fixture.ts';
import { byNight } from '../support/nightly.ts';
import { createSubmission, formatSurveyId } from '../support/records.ts';
import { skipWithout } from '../support/system-programs.ts';

const fixture = await createFixtureWithServer({ after });
const folder = join(checkout, 'packages/python');

async function runTests(file: string, environment: Record<string, string> = {}): Promise<void> {
  const { code, stderr } = await startCli(
    ['-B', '-W', 'error', join(folder, 'tests', file)],
    { environment: { PYTHONPATH: join(folder, 'src'), ...environment } },
    'python3',
  ).result;
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Ran \d{1,2} tests/m);
}

test('the Python client returns what the API returns', { skip: skipWithout('python3') }, async () => {
  const { id } = await fixture.store.addOrganization('Großstadt', formatSurveyId(90));
  await fixture.putRecords(
    id,
    Array.from({ length: 250 }, (_, n) => ({ kind: 'submission', ...createSubmission(1_000 + n) })),
  );
  await runTests('test_client.py', {
    ROSTRA_TEST_URL: fixture.server.address,
    ROSTRA_TEST_KEY: fixture.alice,
    ROSTRA_TEST_LARGE_KEY: (await fixture.issueKey(id)).secret,
  });
});

test(
  'the Python client repeats requests, and gives up, when a server or the network fails',
  {
    skip: skipWithout('python3') || byNight('it waits for timeouts, and the client rarely changes'),
  },
  () => runTests('test_faults.py'),
);
