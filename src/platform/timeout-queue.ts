/**
 * Bounds the time of many pieces of work with one timer. All have the same timeout, so the oldest is always first.
 *
 * A linked list, because a `Set` with many deletions keeps ended work in memory until the next major garbage collection
 * (docs/decisions/0078-short-lived-objects-stay-unreferenced.md).
 */
export interface TimedWork {
  /** From `performance.now()`. */
  readonly startedMs: number;
}

/** Work in a queue. It has neighbours until it is removed. */
export interface QueuedWork<Work extends TimedWork> {
  work: Work | undefined;
  previous: QueuedWork<Work> | undefined;
  next: QueuedWork<Work> | undefined;
}

interface TimeoutQueue<Work extends TimedWork> {
  add(work: Work): QueuedWork<Work>;
  /** @returns whether the work was in the queue */
  remove(queued: QueuedWork<Work>): boolean;
}

/**
 * @param checkIntervalMs the longest delay of a timeout
 * @param onTimeout must itself cancel work that should not continue
 */
export function createTimeoutQueue<Work extends TimedWork>(
  timeoutMs: number,
  checkIntervalMs: number,
  onTimeout: (work: Work) => void,
): TimeoutQueue<Work> {
  let oldest: QueuedWork<Work> | undefined;
  let newest: QueuedWork<Work> | undefined;
  let isScheduled = false;

  function remove(queued: QueuedWork<Work>): boolean {
    if (queued.work === undefined) return false;
    const { previous, next } = queued;
    if (previous === undefined) oldest = next;
    else previous.next = next;
    if (next === undefined) newest = previous;
    else next.previous = previous;
    queued.work = queued.previous = queued.next = undefined;
    return true;
  }

  function check(): void {
    const latestStart = performance.now() - timeoutMs;
    while (oldest?.work !== undefined && oldest.work.startedMs <= latestStart) {
      const { work } = oldest;
      remove(oldest);
      onTimeout(work);
    }
    isScheduled = oldest !== undefined;
    if (isScheduled) schedule();
  }

  const schedule = () => setTimeout(check, checkIntervalMs).unref();

  return {
    add: (work) => {
      const queued: QueuedWork<Work> = { work, previous: newest, next: undefined };
      if (newest === undefined) oldest = queued;
      else newest.next = queued;
      newest = queued;
      if (!isScheduled) {
        isScheduled = true;
        schedule();
      }
      return queued;
    },
    remove,
  };
}
