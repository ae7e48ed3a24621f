/** Readiness: published data is readable, and the database writable for rate limit counters. */
import type { StoreDamagedError } from '../domain/store-errors.ts';
import type { Engine } from './engine.ts';
import { submissionById } from './queries/statements.ts';

/** At most one write in this time, for any number of probes. */
const proofLifetimeMs = 1_000;

/** A row without municipality and key. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

/** With Citus, these would be on different nodes. One that responds is enough: it serves its municipalities. */
const probedIds = Array.from({ length: 16 }, (_, index) => `${nilUuid.slice(0, -2)}${10 + index}`);

const writeCounter = `
  INSERT INTO rate_window (organization_id, key_id, window_start_ms, used, last_used_at_ms)
  VALUES ($1, $2, 0, 0, $3)
  ON CONFLICT (organization_id, key_id) DO UPDATE SET last_used_at_ms = excluded.last_used_at_ms`;

/**
 * The returned function rejects with StoreUnavailableError unless the database is readable and writable, and with
 * StoreDamagedError after any statement has found damage: the probed pages may be intact.
 */
export function createReadinessCheck(engine: Engine): () => Promise<void> {
  let damage: StoreDamagedError | undefined;
  void engine.damaged.then((found) => {
    damage = found;
  });
  let proof: Promise<unknown> | undefined;
  /** The last one that was readable. */
  let probedId = probedIds[0] as string;

  async function readPublishedData(): Promise<void> {
    const read = async (id: string) => {
      await engine.readDocument(submissionById, id, nilUuid);
      return id;
    };
    probedId = await read(probedId).catch((error) =>
      Promise.any(probedIds.filter((id) => id !== probedId).map(read)).catch(() => {
        throw error;
      }),
    );
  }

  async function proveWritable(): Promise<void> {
    try {
      await engine.execute(writeCounter, [nilUuid, nilUuid, await engine.now()]);
      setTimeout(forgetProof, proofLifetimeMs).unref();
    } catch (error) {
      forgetProof();
      throw error;
    }
  }

  function forgetProof(): void {
    proof = undefined;
  }

  return async () => {
    if (damage !== undefined) throw damage;
    await engine.query('SELECT version FROM schema_migration');
    await readPublishedData();
    proof ??= proveWritable();
    await proof;
  };
}
