/** Temporary files, which only their owner can read. */
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InputError } from '../input-error.ts';

interface TemporaryFile {
  path: string;
  /** Its descriptor. */
  file: number;
  /** Appends the content. @throws InputError if the folder for temporary files is not writable, or full */
  write(content: string | Buffer): void;
  /** Closes and deletes it. */
  remove(): void;
}

/** @throws InputError if the folder for temporary files is not writable */
export function createTemporaryFile(fileName: string): TemporaryFile {
  const folder = describeFailure(() => mkdtempSync(join(tmpdir(), 'rostra-import-')));
  const path = join(folder, fileName);
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  try {
    const file = describeFailure(() => openSync(path, 'wx+', 0o600));
    return {
      path,
      file,
      write: (content) => describeFailure(() => writeFileSync(file, content)),
      remove: () => {
        closeSync(file);
        removeFolder();
      },
    };
  } catch (error) {
    removeFolder();
    throw error;
  }
}

const maxCopyBytes = 1024 ** 3;

/** Copies a content, for formats that need random access. @throws InputError if it is larger than 1 GiB */
export async function copyToTemporaryFile(
  name: string,
  content: AsyncIterable<Buffer>,
): Promise<Pick<TemporaryFile, 'path' | 'remove'>> {
  const copy = createTemporaryFile('input');
  try {
    let bytes = 0;
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > maxCopyBytes) throw new InputError({ code: 'archive-needs-file', file: name });
      copy.write(chunk);
    }
    return copy;
  } catch (error) {
    copy.remove();
    throw error;
  }
}

function describeFailure<Result>(access: () => Result): Result {
  try {
    return access();
  } catch (error) {
    const { message } = error as Error;
    throw new InputError({ code: 'temporary-folder-unwritable', folder: tmpdir(), detail: message });
  }
}
