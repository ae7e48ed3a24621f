import type { QueueStore } from '../../domain/installation/queue-lengths.ts';
import type { Engine } from '../engine.ts';

const countMail = "SELECT count(*) AS count FROM mail_message WHERE state = 'queued'";
const countQueuedRuns = "SELECT count(*) AS count FROM import_run WHERE state = 'queued'";
const countRunningRuns = "SELECT count(*) AS count FROM import_run WHERE state = 'running'";

export function createQueueStore(engine: Engine): QueueStore {
  const count = async (sql: string) => (await engine.query<{ count: number }>(sql))[0]?.count ?? 0;
  return {
    countQueues: async () => ({
      mail: await count(countMail),
      queuedRuns: await count(countQueuedRuns),
      runningRuns: await count(countRunningRuns),
    }),
  };
}
