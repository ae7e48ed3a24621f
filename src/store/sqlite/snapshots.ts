/** Snapshots of SQLite: read transactions on connections of their own, as long as the write-ahead log keeps their state. */
import type Database from 'better-sqlite3';
import type { Queryable, Snapshot } from '../engine.ts';
import { createSnapshotSlots } from '../snapshot-slots.ts';

/** Each has a cache of two megabytes, and keeps the write-ahead log from starting anew. */
const maxSnapshots = 16;

/** Of these, for municipalities that have none. */
const reservedSnapshots = 4;

export interface Snapshots {
  open(organizationId: string): Promise<Snapshot>;
  /** Ends those that are open. */
  closeAll(): void;
}

interface Connected {
  connection: Database.Database;
  query: Queryable['query'];
}

export function createSnapshots(connect: () => Connected): Snapshots {
  const open = new Set<Database.Database>();
  const slots = createSnapshotSlots(maxSnapshots, reservedSnapshots);

  function begin(): Connected {
    const connected = connect();
    connected.connection.exec('BEGIN');
    return connected;
  }

  return {
    open: async (organizationId) => {
      const release = await slots.acquire(organizationId);
      try {
        const { connection, query } = begin();
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
