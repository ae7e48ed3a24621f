import { randomUUID } from 'node:crypto';
import type { Engine } from '../engine.ts';

/** See `AccessStore.restartChangeHistory`. */
export async function restartChangeHistory(engine: Engine): Promise<void> {
  const organizations = await engine.query<{ id: string }>('SELECT id FROM organization ORDER BY id');
  for (const { id } of organizations) {
    await engine.transaction(id, (transaction) =>
      transaction.execute('UPDATE change_history SET history_id = $2 WHERE organization_id = $1', [
        id,
        randomUUID(),
      ]),
    );
  }
}
