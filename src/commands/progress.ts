import { Presets, SingleBar } from 'cli-progress';
import { note } from './context.ts';

export interface Progress {
  /** That many more bytes were read. */
  bytes(count: number): void;
  /** That many records were dealt with in all. */
  records(count: number): void;
  stop(): void;
}

const lineIntervalMs = 5_000;

/**
 * A bar on a terminal; elsewhere a line every few seconds. Both tell how many records a second there were so far.
 *
 * @param totalBytes undefined where nobody knows
 */
export function createProgress(totalBytes: number | undefined): Progress {
  const beganMs = performance.now();
  const perSecond = (records: number) =>
    Math.round(records / Math.max(1, (performance.now() - beganMs) / 1_000));
  return process.stderr.isTTY && totalBytes ? bar(totalBytes, perSecond) : lines(totalBytes, perSecond);
}

type Rate = (records: number) => number;

function bar(totalBytes: number, perSecond: Rate): Progress {
  const progress = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {percentage} %  {records} records, {rate} a second  {eta_formatted} left',
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  progress.start(totalBytes, 0, { records: 0, rate: 0 });
  return {
    bytes: (count) => progress.increment(count),
    records: (records) => progress.update({ records, rate: perSecond(records) }),
    stop: () => progress.stop(),
  };
}

function lines(totalBytes: number | undefined, perSecond: Rate): Progress {
  const beganMs = performance.now();
  let read = 0;
  let dealtWith = 0;
  const timer = setInterval(() => {
    const parts = [`${dealtWith} records, ${perSecond(dealtWith)} a second`];
    if (totalBytes) {
      parts.unshift(`${Math.floor((100 * read) / totalBytes)} % read`);
      const leftMs = ((performance.now() - beganMs) * (totalBytes - read)) / Math.max(1, read);
      parts.push(`about ${Math.ceil(leftMs / 1_000)} s left`);
    }
    note(parts.join(', '));
  }, lineIntervalMs);
  return {
    bytes: (count) => {
      read += count;
    },
    records: (count) => {
      dealtWith = count;
    },
    stop: () => clearInterval(timer),
  };
}
