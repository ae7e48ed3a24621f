interface Waiting {
  /** As `performance.now()` tells it. */
  readonly startedMs: number;
}

export interface Deadline<Work extends Waiting> {
  begin(work: Work): void;
  end(work: Work): void;
}

/**
 * One timer for all: each has the same time, so those that wait longest stand first.
 *
 * @param patienceMs how long each may take
 * @param lookEveryMs how late it may be noticed that the time is up
 * @param late told of work that was not done in time; it ends by itself, as each of its statements is bounded
 */
export function createRequestTimeouts<Work extends Waiting>(
  patienceMs: number,
  lookEveryMs: number,
  late: (work: Work) => void,
): Deadline<Work> {
  const waiting = new Set<Work>();
  let looking = false;

  function look(): void {
    const latest = performance.now() - patienceMs;
    for (const work of waiting) {
      if (work.startedMs > latest) break;
      waiting.delete(work);
      late(work);
    }
    looking = waiting.size > 0;
    if (looking) lookLater();
  }

  const lookLater = () => setTimeout(look, lookEveryMs).unref();

  return {
    begin: (work) => {
      waiting.add(work);
      if (looking) return;
      looking = true;
      lookLater();
    },
    end: (work) => {
      waiting.delete(work);
    },
  };
}
