/** Histogram of durations. */

/** Upper bounds in seconds, from half a millisecond to the time limit of a request. */
export const durationBounds: readonly number[] = [
  0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5,
];

export class Histogram {
  /** Observations of each bucket alone; the last one is above all bounds. */
  readonly counts: number[] = new Array(durationBounds.length + 1).fill(0);
  sum = 0;

  observe(seconds: number): void {
    let bucket = 0;
    while (bucket < durationBounds.length && seconds > (durationBounds[bucket] as number)) bucket += 1;
    this.counts[bucket] = (this.counts[bucket] as number) + 1;
    this.sum += seconds;
  }
}

export const createHistogram = (): Histogram => new Histogram();
