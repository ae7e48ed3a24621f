import { randomUUID } from 'node:crypto';
import type { Engine, Queryable } from '../engine.ts';

/** Starts a new history in every municipality, so that clients of `/changes` start anew. See `AccessStore.restartChangeHistory`. */
export async function restartChangeHistory(engine: Engine): Promise<void> {
  const isCitus = engine.dialect === 'postgres' && (await engine.hasTable('pg_dist_partition'));
  if (engine.dialect === 'postgres' && !isCitus) {
    await engine.transaction(undefined, (transaction) =>
      transaction.exec('SELECT restart_change_histories()'),
    );
    return;
  }
  const organizations = await engine.query<{ id: string }>('SELECT id FROM organization ORDER BY id');
  const restart = (statements: Queryable, { id }: { id: string }) =>
    statements.execute('UPDATE change_history SET history_id = $2 WHERE organization_id = $1', [
      id,
      randomUUID(),
    ]);
  if (isCitus)
    for (const one of organizations)
      await engine.transaction(one.id, (transaction) => restart(transaction, one));
  else
    await engine.transaction(undefined, async (transaction) => {
      for (const one of organizations) await restart(transaction, one);
    });
}
