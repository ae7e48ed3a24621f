/** Which runs of `rostra sync oparl` stand in the history of imports. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { succeed } from '../support/command-line.ts';
import { newCouncil, newEndpoints, paper } from './endpoint.ts';
import { newHall } from './hall.ts';

const hall = await newHall({ after });
const { sync, state } = newEndpoints(hall);

test('a run stands in the history where something came of it, and `sync list` has them all', async () => {
  const server = await newCouncil({ after });
  const at = server.origin;
  const town = await hall.municipality();
  const runs = async () => {
    const printed = await succeed(hall.desk.on('import', '--history', '--json', '--organization', town.id));
    return (JSON.parse(printed) as Record<string, unknown>[]).map(
      ({ state, inserted, changed, removed, refused }) => [state, inserted, changed, removed, refused],
    );
  };
  const expected: unknown[][] = [];
  const ofRun = async (row: unknown[] | undefined, ...flags: string[]) => {
    await sync(town, server.body, ...flags);
    if (row !== undefined) expected.unshift(row);
    assert.deepEqual(await runs(), expected);
  };

  await ofRun(['done', 4, 0, 0, 0]);
  const { completedAt } = await state(town);
  await ofRun(undefined);
  assert.ok((await state(town)).completedAt > completedAt);
  server.put('paper', paper(at, 1, { name: 'Antrag 1 neu' }));
  await ofRun(['done', 0, 1, 0, 0]);
  // What is refused is news at its first run alone.
  server.put('paper', paper(at, 4, { name: '' }));
  await ofRun(['done', 0, 0, 0, 1]);
  await ofRun(undefined);
  await ofRun(undefined, '--full');
  server.remove('paper', `${at}/papers/2`);
  await ofRun(['done', 0, 0, 1, 1]);

  server.fault = (path) => (path === '/body' ? { status: 403 } : undefined);
  await ofRun(undefined);
  assert.match((await state(town)).error, /Access to .* is refused/);
});
