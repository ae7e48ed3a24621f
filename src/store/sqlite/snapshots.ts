/** Snapshots of SQLite: read transactions on separate connections. */
import type Database from 'better-sqlite3';
import type { Queryable, Snapshot } from '../engine.ts';
import { createSnapshotSlots } from '../snapshot-slots.ts';

/** Each has a cache of 2 MB and prevents a reset of the write-ahead log. */
const maxSnapshots = 16;

/** See snapshot-slots.ts. */
const reservedSnapshots = 4;

export interface Snapshots {
  open(organizationId: string): Promise<Snapshot>;
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
