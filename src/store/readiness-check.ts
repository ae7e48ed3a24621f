/** Readiness: the database is readable, and writable for rate limit counters. */
import type { Engine } from './engine.ts';

/** At most one write in this time, for any number of probes. */
const proofLifetimeMs = 1_000;

/** A row without municipality and key. */
const nilUuid = '00000000-0000-0000-0000-000000000000';

const writeCounter = `
  INSERT INTO rate_window (organization_id, key_id, window_start_ms, used, granted, last_used_at_ms)
  VALUES ($1, $2, 0, 0, 0, $3)
  ON CONFLICT (organization_id, key_id) DO UPDATE SET last_used_at_ms = excluded.last_used_at_ms`;

/** The returned function rejects with StoreUnavailableError unless the database is readable and writable. */
export function createReadinessCheck(engine: Engine): () => Promise<void> {
  let proof: Promise<unknown> | undefined;

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
    await engine.query('SELECT version FROM schema_migration');
    proof ??= proveWritable();
    await proof;
  };
}
