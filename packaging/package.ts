/** Builds all packages into `dist/packages/`. */
import { createHash } from 'node:crypto';
import { createReadStream, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { buildExecutables } from './executable/build-executables.ts';
import { packageFolder } from './package-folder.ts';
import { targets } from './targets.ts';

const { values } = parseArgs({ options: { target: { type: 'string', multiple: true } } });
const chosen = targets.filter(({ name }) => values.target?.includes(name) ?? true);
if (chosen.length !== (values.target?.length ?? targets.length))
  throw new Error(`--target must be one of: ${targets.map(({ name }) => name).join(', ')}.`);

const temporaryFolder = mkdtempSync(join(tmpdir(), 'rostra-package-'));
try {
  rmSync(packageFolder, { recursive: true, force: true });
  await buildExecutables(chosen, temporaryFolder);
  await writeChecksums();
} finally {
  rmSync(temporaryFolder, { recursive: true });
}

/** In the format of sha256sum. */
async function writeChecksums(): Promise<void> {
  const lines: string[] = [];
  for (const entry of readdirSync(packageFolder, { withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(packageFolder, entry.name)), hash);
    lines.push(`${hash.digest('hex')}  ${entry.name}\n`);
  }
  writeFileSync(join(packageFolder, 'SHA256SUMS'), lines.sort().join(''));
}
