/** A database of each released version is upgraded, and answers as that version did. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engine } from '../support/database.ts';
import { startServer } from '../support/server.ts';
import { assertSameAnswers } from './answers.ts';
import { createPostgresFixtures, listFixtures, readRecording, sqliteFixtures } from './fixture.ts';
import { findEditedMigrations } from './released-migrations.ts';

const fixtures =
  engine === 'SQLite' ? sqliteFixtures : createPostgresFixtures(process.env.ROSTRA_TEST_CLUSTER as string);

test('released migrations are not edited', () => {
  assert.deepEqual(findEditedMigrations(), []);
  const edited = [{ sum: '0'.repeat(64), name: `${fixtures.name}/0001_schema.sql` }];
  assert.equal(findEditedMigrations(edited).length, 1);
});

for (const [version, folder] of listFixtures(fixtures))
  test(`a database of ${version} is upgraded, and gives the same answers`, async (t) => {
    const { access, answers } = readRecording(folder);
    const { ROSTRA_DATABASE: database, ...settings } = await fixtures.restore(t, folder);
    const server = await startServer(t, database, settings);
    assert.ok((await assertSameAnswers(server.port, access, answers)) > 0);
  });
