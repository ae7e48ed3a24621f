import { randomBytes } from 'node:crypto';
import { type Engine, type Queryable, readTimestamp } from '../engine.ts';
import { selectCursorSecrets } from '../queries/statements.ts';
import { insertRow } from '../write-row.ts';

/** Creates the first secret when the store opens, so that no request has to write one. */
export async function ensureCursorSecret(engine: Engine): Promise<void> {
  if ((await engine.query(selectCursorSecrets)).length > 0) return;
  await engine.transaction(undefined, async (transaction) => {
    if ((await transaction.query(selectCursorSecrets)).length === 0) await addCursorSecret(transaction);
  });
}

/** Adds a secret that signs new cursors. The one before still verifies cursors; older ones are deleted. */
export async function addCursorSecret(transaction: Queryable): Promise<void> {
  const [latest] = await transaction.query<{ generation: number }>(selectCursorSecrets);
  const generation = (latest?.generation ?? 0) + 1;
  const createdAt = await readTimestamp(transaction);
  await insertRow(transaction, 'cursor_secret', {
    generation,
    secret: randomBytes(32),
    created_at: createdAt,
  });
  await transaction.execute('DELETE FROM cursor_secret WHERE generation < $1', [generation - 1]);
}

/** The newest secret comes first. */
export async function readCursorSecrets(engine: Engine): Promise<[Buffer, ...Buffer[]]> {
  const rows = await engine.query<{ secret: Buffer }>(selectCursorSecrets);
  return rows.map(({ secret }) => secret) as [Buffer, ...Buffer[]];
}
