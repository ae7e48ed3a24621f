import { Presets, SingleBar } from 'cli-progress';
import { getStreams } from './command-streams.ts';
import { printError } from './output.ts';

interface Progress {
  addBytes(count: number): void;
  /** @param count of all records processed so far */
  setRecords(count: number): void;
  stop(): void;
}

const lineIntervalMs = 5_000;

/**
 * A bar on a terminal; elsewhere a line every few seconds. Both show records per second and the estimated
 * time left; some formats write only after the whole input was read.
 *
 * @param totalBytes 0 if unknown
 */
export function createProgress(totalBytes = 0): Progress {
  const startedAtMs = performance.now();
  const bar = getStreams().stderr.isTTY && totalBytes > 0 ? createBar() : undefined;
  let bytes = 0;
  let records = 0;
  const describe = () => {
    const elapsedMs = performance.now() - startedAtMs;
    const leftSeconds = Math.ceil((elapsedMs * (totalBytes - bytes)) / Math.max(1, bytes) / 1_000);
    // The first bytes say nothing about the speed.
    const estimate = bytes * 100 < totalBytes ? 'estimating the time left' : `about ${leftSeconds} s left`;
    const rate = Math.round(records / Math.max(1, elapsedMs / 1_000));
    return {
      count: records === 0 ? 'no records yet' : `${records} records, ${rate}/s`,
      left: bytes >= totalBytes ? 'input read, writing the rest' : estimate,
    };
  };
  const printLine = () => {
    const { count, left } = describe();
    printError(
      totalBytes > 0 ? `${Math.floor((100 * bytes) / totalBytes)} % read, ${count}, ${left}` : count,
    );
  };
  bar?.start(totalBytes, 0, describe());
  const timer = bar === undefined ? setInterval(printLine, lineIntervalMs) : undefined;
  return {
    addBytes: (count) => {
      bytes += count;
      bar?.update(bytes, describe());
    },
    setRecords: (count) => {
      records = count;
      bar?.update(describe());
    },
    stop: () => {
      clearInterval(timer);
      bar?.stop();
    },
  };
}

const createBar = () =>
  new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {percentage} %  {count}, {left}',
      hideCursor: true,
    },
    Presets.shades_classic,
  );
