/**
 * Data versions on Citus. A transaction commits on the node with the published data first, and on the coordinator, which
 * has the data version, a moment later or, after a crash, never. So the writer gives the municipality a write token
 * before its transaction, and responses are not cached until it has ended: no request gets a response from before the
 * commit.
 */
import { randomUUID } from 'node:crypto';
import { escapeLiteral } from 'pg';
import type { Query } from './connection-pool.ts';

const setToken = 'UPDATE organization SET write_token = $2 WHERE id = $1';

/** Another writer may have begun in the meantime. */
const removeToken = `UPDATE organization SET data_version = pg_current_xact_id()::text::bigint, write_token = nullif(write_token, $2)
  WHERE id = $1`;

/** @param query commits each statement */
export function createWriteTokens(query: Query) {
  return {
    /** @param transaction the exclusive transaction of the municipality, before it writes */
    begin: async (transaction: Query, organizationId: string) => {
      const token = randomUUID();
      await query(setToken, [organizationId, token]);
      // The triggers of published tables reject writes without it.
      await transaction(`SET LOCAL rostra.write_token = ${escapeLiteral(token)}`);
      return {
        /** Call it when the transaction has ended. If it fails, responses are not cached until the next one ends. */
        end: async () => {
          await query(removeToken, [organizationId, token]).catch(() => undefined);
        },
      };
    },
  };
}
