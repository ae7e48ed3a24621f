/** What commands show on terminals. */
import { SingleBar } from 'cli-progress';

/** Replaces control characters except tabs and line breaks: foreign text can contain terminal escape sequences. */
export const replaceControlCharacters = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');

export interface LiveCount {
  set(count: number): void;
  /** Prints a sentence above the count. */
  print(sentence: string): void;
  stop(): void;
}

/**
 * Shows a count whose total is unknown. Only on a terminal: the log of a nightly run needs no progress.
 *
 * @param isShown false: only sentences are printed
 */
export function createLiveCount(
  unit: string,
  isShown: boolean,
  print: (sentence: string) => void,
): LiveCount {
  const startedAtMs = performance.now();
  const format = `{value} ${unit}, {rate}/s`;
  const bar = isShown ? new SingleBar({ stream: process.stderr, format, hideCursor: true }) : undefined;
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
      print(sentence);
      start();
    },
    stop: () => bar?.stop(),
  };
}
