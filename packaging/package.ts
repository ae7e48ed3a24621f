/** Builds all packages into `dist/packages/`. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { buildDebianPackage } from './debian/build-debian-package.ts';
import { buildExecutables } from './executable/build-executables.ts';
import { checkout, packageFolder } from './package-folder.ts';
import { targets } from './targets.ts';

const { values } = parseArgs({ options: { target: { type: 'string', multiple: true } } });
const chosen = targets.filter(({ name }) => values.target?.includes(name) ?? true);
if (chosen.length !== (values.target?.length ?? targets.length))
  throw new Error(`--target must be one of: ${targets.map(({ name }) => name).join(', ')}.`);

const temporaryFolder = mkdtempSync(join(tmpdir(), 'rostra-package-'));
try {
  rmSync(packageFolder, { recursive: true, force: true });
  await buildExecutables(chosen, temporaryFolder);
  if (isInstalled('dpkg-deb')) {
    for (const target of chosen) await buildDebianPackage(target, readSourceDate(), temporaryFolder);
  } else {
    process.stderr.write('dpkg-deb is not installed, so no Debian package is built.\n');
  }
  // The image of the container has a folder for its volume.
  mkdirSync(join(packageFolder, 'data'));
  await writeChecksums();
} finally {
  rmSync(temporaryFolder, { recursive: true });
}

function isInstalled(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/** https://reproducible-builds.org/specs/source-date-epoch/ */
function readSourceDate(): Date {
  const seconds =
    process.env.SOURCE_DATE_EPOCH ??
    execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: checkout, encoding: 'utf8' });
  return new Date(Number(seconds) * 1_000);
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
