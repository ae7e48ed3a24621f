/** A temporary copy of a content, for formats that need random access. */
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../input-error.ts';

const maxBytes = 1024 ** 3;

/** Only its owner can read it. @throws InputError if the content is larger than 1 GiB, or the folder is not writable */
export async function createTemporaryFile(
  name: string,
  content: AsyncIterable<Buffer>,
): Promise<{ path: string; remove: () => void }> {
  const folder = describeFailure(() => mkdtempSync(join(tmpdir(), 'rostra-import-')));
  const path = join(folder, 'input');
  const remove = () => rmSync(folder, { recursive: true, force: true });
  try {
    const file = describeFailure(() => openSync(path, 'wx', 0o600));
    try {
      let bytes = 0;
      for await (const chunk of content) {
        bytes += chunk.length;
        if (bytes > maxBytes) throw new InputError({ code: 'archive-needs-file', file: name });
        describeFailure(() => writeSync(file, chunk));
      }
    } finally {
      closeSync(file);
    }
    return { path, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

export function describeFailure<Result>(access: () => Result): Result {
  try {
    return access();
  } catch (error) {
    const { message } = error as Error;
    throw new InputError({ code: 'temporary-folder-unwritable', folder: tmpdir(), detail: message });
  }
}
