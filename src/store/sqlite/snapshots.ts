/** Snapshots of SQLite: read transactions on separate connections. */
import type Database from 'better-sqlite3';
import type { Queryable, Snapshot } from '../engine.ts';
import { createSnapshotSlots } from '../snapshot-slots.ts';

/** Each has a cache of 2 MB and prevents a reset of the write-ahead log. */
const maxSnapshots = 16;

/** See snapshot-slots.ts. */
const reservedSnapshots = 4;

export function createSnapshots(connect: () => { connection: Database.Database; query: Queryable['query'] }) {
  const open = new Set<Database.Database>();
  const acquireSlot = createSnapshotSlots(maxSnapshots, reservedSnapshots);

  return {
    open: async (organizationId: string): Promise<Snapshot> => {
      const release = await acquireSlot(organizationId);
      try {
        const { connection, query } = connect();
        connection.exec('BEGIN');
        open.add(connection);
        return {
          query,
          close: async () => {
            if (!open.delete(connection)) return;
            connection.close();
            release();
          },
        };
      } catch (error) {
        release();
        throw error;
      }
    },
    closeAll: () => {
      for (const connection of open) connection.close();
      open.clear();
    },
  };
}
