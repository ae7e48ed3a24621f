import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** Writes `SHA256SUMS` of the files in a folder, in the format of sha256sum. */
export async function writeChecksums(folder: string, { recursive = false } = {}): Promise<void> {
  const lines: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    lines.push(`${hash.digest('hex')}  ${relative(folder, path)}\n`);
  }
  writeFileSync(join(folder, 'SHA256SUMS'), lines.sort().join(''));
}
