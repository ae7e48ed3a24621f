/** What a file of Pabulib says about the publication of its projects: https://pabulib.org/format */
import assert from 'node:assert/strict';
import { after, suite, test } from 'node:test';
import { assertCounts, createImportHarness } from '../support/import-harness.ts';

const harness = await createImportHarness({ after });
const options = { format: 'pabulib', name: 'vote.pb' };
const toFile = (projects: readonly string[]) =>
  ['META', 'key;value', 'instance;2026', 'PROJECTS', 'project_id;cost;votes;name;selected', ...projects].join(
    '\n',
  );

// private, cancelled, deleted, draft: a file has the projects of a vote that was held, so each project was public. The standard has
// no column that takes it back.
// withdrawn: the standard has no such mark; a project that was withdrawn before the vote is not in the file.
// invisible characters: the format has no marks in which they could stand; those of texts are the same for each format.
// personal data: voters are in VOTES, of which only numbers are read (pabulib.test.ts).
suite('Pabulib:', () => {
  test('a project that was not selected is public, and a repeated one counts once', async () => {
    const town = await harness.createMunicipality();
    const result = await harness.importContent(
      town,
      toFile(['1;100;9;Benches;1', '2;100;3;Trees;0', '2;100;3;Trees;0']),
      options,
    );
    assertCounts(result, { inserted: 2, ignored: 1 });
    const statuses = (await harness.listAll(town, '/submissions')).map(({ status }) => status).sort();
    assert.deepEqual(statuses, ['accepted', 'rejected']);
  });
});
