interface QueueLengths {
  /** Emails that wait for delivery or for another attempt. */
  mail: number;
  queuedRuns: number;
  runningRuns: number;
}

/** The queues of all municipalities, for monitoring. Errors: see store.ts. */
export interface QueueStore {
  countQueues(): Promise<QueueLengths>;
}
