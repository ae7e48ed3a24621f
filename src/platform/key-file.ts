/** Keys that commands read from a file or from standard input, because arguments of processes are visible to other users. */
import { readFileSync, statSync } from 'node:fs';
import { text } from 'node:stream/consumers';

/**
 * @param file `-` for standard input
 * @throws Error with a sentence
 */
export async function readKeyFile(
  file: string,
  stdin: NodeJS.ReadableStream,
  onWarning: (sentence: string) => void,
): Promise<string> {
  if (file === '-') return (await text(stdin)).trim();
  try {
    // Windows has no such permissions.
    if (process.platform !== 'win32' && (statSync(file).mode & 0o004) !== 0)
      onWarning(`Warning: Every user of this machine can read ${file}. Run "chmod o-r ${file}".`);
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'it does not exist' : message;
    throw new Error(`The key file ${file} cannot be read: ${reason}.`);
  }
}
