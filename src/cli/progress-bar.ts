import { Presets, SingleBar } from 'cli-progress';
import { getStreams } from './command-streams.ts';
import { printError } from './output.ts';

export interface Progress {
  /** Bytes read since the last call. */
  bytes(count: number): void;
  /** Records processed so far. */
  records(count: number): void;
  stop(): void;
}

const lineIntervalMs = 5_000;

/**
 * A bar on a terminal; elsewhere a line every few seconds. Both show records per second and the estimated
 * time left; some formats write only after the whole input was read.
 *
 * @param totalBytes undefined if unknown
 */
export function createProgress(totalBytes: number | undefined): Progress {
  const pace = createPace(totalBytes);
  return getStreams().stderr.isTTY && totalBytes ? bar(totalBytes, pace) : lines(totalBytes, pace);
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
      if (this.read >= totalBytes) return 'input read, writing the rest';
      const leftMs = (elapsedMs() * (totalBytes - this.read)) / Math.max(1, this.read);
      return `about ${Math.ceil(leftMs / 1_000)} s left`;
    },
  };
}

function bar(totalBytes: number, pace: Pace): Progress {
  const progress = new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {percentage} %  {records} records, {rate}/s, {left}',
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
  let processed = 0;
  const timer = setInterval(() => {
    const parts = [`${processed} records, ${pace.rate(processed)}/s`];
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
      processed = count;
    },
    stop: () => clearInterval(timer),
  };
}
