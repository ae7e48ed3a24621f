/** Unpacks the browser of an npm package once per checkout. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import chromium from '@sparticuz/chromium';
import { cacheFolder } from './checkout.ts';

/**
 * The package unpacks the browser into the temporary folder, where a second process could start an incomplete copy. So
 * each process unpacks its own copy, and the first one moves its folder into the cache atomically. `test/run.ts` does it before
 * it starts processes, because it takes seconds.
 *
 * @returns path of the executable
 */
export async function unpackBrowser(): Promise<string> {
  const manifest = new URL('../../node_modules/@sparticuz/chromium/package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const folder = join(cacheFolder, `chromium-${version}`);
  if (!existsSync(folder)) {
    mkdirSync(cacheFolder, { recursive: true });
    const own = mkdtempSync(join(cacheFolder, 'unpacking-'));
    await withTemporaryFolder(own, () => chromium.executablePath());
    try {
      renameSync(own, folder);
    } catch (error) {
      rmSync(own, { recursive: true });
      if (!existsSync(folder)) throw error;
    }
  }
  return join(folder, 'chromium');
}

/** @param work must read the folder synchronously */
function withTemporaryFolder<Result>(folder: string, work: () => Result): Result {
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    return work();
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
