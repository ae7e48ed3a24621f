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
    const leftMs = (elapsedMs * (totalBytes - bytes)) / Math.max(1, bytes);
    return {
      records,
      rate: Math.round(records / Math.max(1, elapsedMs / 1_000)),
      left:
        bytes >= totalBytes ? 'input read, writing the rest' : `about ${Math.ceil(leftMs / 1_000)} s left`,
    };
  };
  const printLine = () => {
    const { rate, left } = describe();
    const line = `${records} records, ${rate}/s`;
    printError(totalBytes > 0 ? `${Math.floor((100 * bytes) / totalBytes)} % read, ${line}, ${left}` : line);
  };
  bar?.start(totalBytes, 0, { records, rate: 0, left: '' });
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

interface LiveCount {
  set(count: number): void;
  /** Prints a sentence above the count. */
  print(sentence: string): void;
  stop(): void;
}

/** Shows a count whose total is unknown. Only on a terminal: the log of a nightly run needs no progress. */
export function createLiveCount(unit: string): LiveCount {
  const startedAtMs = performance.now();
  const format = `{value} ${unit}, {rate}/s`;
  const bar = getStreams().stderr.isTTY
    ? new SingleBar({ stream: process.stderr, format, hideCursor: true })
    : undefined;
  let count = 0;
  const describe = () => ({ rate: Math.round((1_000 * count) / (performance.now() - startedAtMs + 1)) });
  const start = () => bar?.start(0, count, describe());
  start();
  return {
    set: (value) => {
      count = value;
      bar?.update(count, describe());
    },
    print: (sentence) => {
      bar?.stop();
      printError(sentence);
      start();
    },
    stop: () => bar?.stop(),
  };
}

const createBar = () =>
  new SingleBar(
    {
      stream: process.stderr,
      format: '{bar} {percentage} %  {records} records, {rate}/s, {left}',
      hideCursor: true,
    },
    Presets.shades_classic,
  );
