/** Notes on files in another encoding than UTF-8: one for each encoding, because an archive may have thousands of files. */
import type { Reason } from '../reasons/reason.ts';

interface EncodingNotes {
  add(file: string, encoding: string): void;
  list(): Reason[];
}

export function createEncodingNotes(): EncodingNotes {
  const found = new Map<string, { file: string; count: number }>();
  return {
    add: (file, encoding) => {
      const files = found.get(encoding);
      if (files === undefined) found.set(encoding, { file, count: 1 });
      else files.count += 1;
    },
    list: () => [...found].map(([encoding, files]) => ({ code: 'encoding-detected', encoding, ...files })),
  };
}
