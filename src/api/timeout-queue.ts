interface TimedWork {
  /** From `performance.now()`. */
  readonly startedMs: number;
}

interface TimeoutQueue<Work extends TimedWork> {
  add(work: Work): void;
  remove(work: Work): void;
}

/**
 * Bounds the time of many pieces of work with one timer. All have the same timeout, so the oldest is always first.
 *
 * @param checkIntervalMs the longest delay of a timeout
 * @param onTimeout must itself cancel work that should not continue
 */
export function createTimeoutQueue<Work extends TimedWork>(
  timeoutMs: number,
  checkIntervalMs: number,
  onTimeout: (work: Work) => void,
): TimeoutQueue<Work> {
  const queue = new Set<Work>();
  let isScheduled = false;

  function check(): void {
    const latestStart = performance.now() - timeoutMs;
    for (const work of queue) {
      if (work.startedMs > latestStart) break;
      queue.delete(work);
      onTimeout(work);
    }
    isScheduled = queue.size > 0;
    if (isScheduled) schedule();
  }

  const schedule = () => setTimeout(check, checkIntervalMs).unref();

  return {
    add: (work) => {
      queue.add(work);
      if (isScheduled) return;
      isScheduled = true;
      schedule();
    },
    remove: (work) => {
      queue.delete(work);
    },
  };
}
