import { Presets, SingleBar } from 'cli-progress';
import { printError } from './output.ts';
import { streams } from './streams.ts';

export interface Progress {
  /** That many more bytes were read. */
  bytes(count: number): void;
  /** That many records were dealt with in all. */
  records(count: number): void;
  stop(): void;
}

const lineIntervalMs = 5_000;

/**
 * A bar on a terminal; elsewhere a line every few seconds. Both tell how many records a second there were so far, and
 * what is left to read; some formats are written when all is read.
 *
 * @param totalBytes undefined where nobody knows
 */
export function createProgress(totalBytes: number | undefined): Progress {
  const pace = createPace(totalBytes);
  return streams().stderr.isTTY && totalBytes ? bar(totalBytes, pace) : lines(totalBytes, pace);
}

interface Pace {
  read: number;
  /** Records a second. */
  rate(records: number): number;
  left(): string;
}

function createPace(totalBytes = 0): Pace {
  const beganMs = performance.now();
  const elapsedMs = () => performance.now() - beganMs;
  return {
    read: 0,
    rate: (records) => Math.round(records / Math.max(1, elapsedMs() / 1_000)),
    left() {
      if (this.read >= totalBytes) return 'all read, the rest is being written';
      const leftMs = (elapsedMs() * (totalBytes - this.read)) / Math.max(1, this.read);
      return `about ${Math.ceil(leftMs / 1_000)} s left`;
    },
  };
}

function bar(totalBytes: number, pace: Pace): Progress {
  const progress = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {percentage} %  {records} records, {rate} a second, {left}',
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  progress.start(totalBytes, 0, { records: 0, rate: 0, left: '' });
  return {
    bytes: (count) => {
      pace.read += count;
      progress.increment(count, { left: pace.left() });
    },
    records: (records) => progress.update({ records, rate: pace.rate(records), left: pace.left() }),
    stop: () => progress.stop(),
  };
}

function lines(totalBytes: number | undefined, pace: Pace): Progress {
  let dealtWith = 0;
  const timer = setInterval(() => {
    const parts = [`${dealtWith} records, ${pace.rate(dealtWith)} a second`];
    if (totalBytes) {
      parts.unshift(`${Math.floor((100 * pace.read) / totalBytes)} % read`);
      parts.push(pace.left());
    }
    printError(parts.join(', '));
  }, lineIntervalMs);
  return {
    bytes: (count) => {
      pace.read += count;
    },
    records: (count) => {
      dealtWith = count;
    },
    stop: () => clearInterval(timer),
  };
}
