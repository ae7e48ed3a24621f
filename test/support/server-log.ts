/** Log lines of a server, with a way to wait for one. */
export interface ServerLog {
  lines: string[];
  add(line: string): void;
  /** Resolves with the first matching line, past or future. */
  waitForLine(pattern: RegExp): Promise<string>;
  /** Call after the last line. */
  end(): void;
}

export function createServerLog(): ServerLog {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const notify = () => {
    for (const listen of waiting) listen();
  };
  let isOver = false;
  return {
    lines,
    add: (line) => {
      lines.push(line);
      notify();
    },
    waitForLine: (pattern) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) =>
          settle(() => reject(new Error(`${why} without a line like ${pattern}:\n${lines.join('\n')}`)));
        const timeout = setTimeout(() => fail('two minutes passed'), 120_000);
        const settle = (finish: () => void) => {
          clearTimeout(timeout);
          waiting.delete(listen);
          finish();
        };
        const listen = () => {
          const found = lines.find((text) => pattern.test(text));
          if (found !== undefined) settle(() => resolve(found));
          else if (isOver) fail('the server ended');
        };
        waiting.add(listen);
        listen();
      }),
    end: () => {
      isOver = true;
      notify();
    },
  };
}
