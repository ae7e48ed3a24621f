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
 * A bar on a terminal; elsewhere a line every few seconds.
 *
 * @param totalBytes undefined where nobody knows
 */
export function createProgress(totalBytes: number | undefined): Progress {
  return process.stderr.isTTY && totalBytes ? bar(totalBytes) : lines(totalBytes);
}

function bar(totalBytes: number): Progress {
  const progress = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {percentage} %  {records} records  {eta_formatted} left',
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  progress.start(totalBytes, 0, { records: 0 });
  return {
    bytes: (count) => progress.increment(count),
    records: (records) => progress.update({ records }),
    stop: () => progress.stop(),
  };
}

function lines(totalBytes: number | undefined): Progress {
  let read = 0;
  let dealtWith = 0;
  const timer = setInterval(() => {
    const share = totalBytes ? `${Math.floor((100 * read) / totalBytes)} % read, ` : '';
    note(`${share}${dealtWith} records`);
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
