/** Writes the database of a release, and records what that release answers. */
import assert from 'node:assert/strict';
import type { Scope } from '../support/files.ts';
import { recordAnswers } from './answers.ts';
import { emptyTables, fillDatabase, type Release } from './fill-database.ts';
import { type DatabaseSettings, type FixtureEngine, writeRecording } from './fixture.ts';

/** @param folder of the fixture, which is created */
export async function writeFixture(
  scope: Scope,
  engine: FixtureEngine,
  createRelease: (scope: Scope, settings: DatabaseSettings) => Release,
  folder: string,
): Promise<void> {
  const settings = await engine.create(scope);
  const access = await fillDatabase(createRelease(scope, settings));
  const counts = await engine.countRows(settings);
  const empty = [...counts].flatMap(([table, count]) => (count === 0 ? [table] : []));
  assert.deepEqual(
    empty.filter((table) => !emptyTables.has(table)),
    [],
    'tables without rows: fill them in fill-database.ts',
  );
  await engine.write(settings, folder);
  // Requests of the recording are not part of the fixture.
  const server = await createRelease(scope, await engine.restore(scope, folder)).serve();
  const answers = await recordAnswers(Number(new URL(server.address).port), access);
  await server.stop();
  writeRecording(folder, { access, answers });
}
