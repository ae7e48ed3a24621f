import { randomUUID } from 'node:crypto';
import type Database from 'better-sqlite3';

/** After a restore, positions of /changes from after the backup are invalid, even if the data has overtaken them. */
export function startNewHistories(copy: Database.Database): void {
  copy.transaction(() => {
    const start = copy.prepare('UPDATE change_history SET history_id = ? WHERE organization_id = ?');
    for (const id of copy.prepare('SELECT id FROM organization').pluck().all()) start.run(randomUUID(), id);
  })();
}
