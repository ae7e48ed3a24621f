/** Lines that a server logs, past ones and those to come. */
export interface ServerLog {
  lines: string[];
  add(waitForLine: string): void;
  /** Resolves with the first line that matches, past ones included. */
  line(pattern: RegExp): Promise<string>;
  /** No line will follow. */
  end(): void;
}

export function createServerLog(): ServerLog {
  const lines: string[] = [];
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of waiting) look();
  };
  let isOver = false;
  return {
    lines,
    add: (line) => {
      lines.push(line);
      wake();
    },
    line: (pattern) =>
      new Promise((resolve, reject) => {
        const fail = (why: string) =>
          settle(() => reject(new Error(`${why} without a line like ${pattern}:\n${lines.join('\n')}`)));
        const timeout = setTimeout(() => fail('two minutes passed'), 120_000);
        const settle = (how: () => void) => {
          clearTimeout(timeout);
          waiting.delete(look);
          how();
        };
        const look = () => {
          const found = lines.find((text) => pattern.test(text));
          if (found !== undefined) settle(() => resolve(found));
          else if (isOver) fail('the server ended');
        };
        waiting.add(look);
        look();
      }),
    end: () => {
      isOver = true;
      wake();
    },
  };
}
