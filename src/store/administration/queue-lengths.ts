import type { QueueStore } from '../../domain/queue-lengths.ts';
import type { Engine } from '../engine.ts';

const countMail = "SELECT count(*) AS count FROM mail_message WHERE state = 'queued'";
const countQueuedJobs = "SELECT count(*) AS count FROM import_run WHERE state = 'queued'";
const countRunningJobs = "SELECT count(*) AS count FROM import_run WHERE state = 'running'";

export function createQueueStore(engine: Engine): QueueStore {
  const count = async (sql: string) => (await engine.query<{ count: number }>(sql))[0]?.count ?? 0;
  return {
    countQueues: async () => ({
      mail: await count(countMail),
      queuedJobs: await count(countQueuedJobs),
      runningJobs: await count(countRunningJobs),
    }),
  };
}
