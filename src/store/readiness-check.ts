/** Whether requests can be answered: the database answers, and takes the counts without which no request is answered. */
import type { Engine } from './engine.ts';

/** However many probes ask, there is one write in this time. */
const proofLifetimeMs = 1_000;

/** A row that belongs to no municipality and no key. */
const nobody = '00000000-0000-0000-0000-000000000000';

const writeCounter = `
  INSERT INTO rate_window (organization_id, key_id, window_start_ms, used, granted, last_used_at_ms)
  VALUES ($1, $1, 0, 0, 0, $2)
  ON CONFLICT (organization_id, key_id) DO UPDATE SET last_used_at_ms = excluded.last_used_at_ms`;

/** @returns what rejects with StoreUnavailable unless the database can be read and written */
export function createReadinessCheck(engine: Engine): () => Promise<void> {
  let proof: Promise<unknown> | undefined;

  async function proveWritable(): Promise<void> {
    try {
      await engine.execute(writeCounter, [nobody, await engine.now()]);
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
