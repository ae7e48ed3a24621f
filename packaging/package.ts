/** Builds all packages into `dist/packages/`. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readBuild } from '../src/platform/build-info.ts';
import { buildDebianPackage } from './debian/build-debian-package.ts';
import { copyDocuments } from './documents.ts';
import { archiveExecutable } from './executable/archive-executable.ts';
import { buildExecutables } from './executable/build-executables.ts';
import { packageFolder, programs, version } from './package-folder.ts';
import { targets } from './targets.ts';
import { writeChecksums } from './write-checksums.ts';

const help = `Usage: npm run package -- [options]

Builds the executables of Rostra and of the mirror, their archives and a Debian package for each platform into dist/packages, with
SHA256SUMS. Takes about two minutes.

  --target NAME  only this platform; can be repeated: ${targets.map(({ name }) => name).join(', ')}
  --help         show this text
`;

const { values } = parseArgs({
  options: { target: { type: 'string', multiple: true }, help: { type: 'boolean', default: false } },
});
if (values.help) {
  process.stdout.write(help);
  process.exit(0);
}
const chosen = targets.filter(({ name }) => values.target?.includes(name) ?? true);
if (chosen.length !== (values.target?.length ?? targets.length))
  throw new Error(`--target must be one of: ${targets.map(({ name }) => name).join(', ')}.`);

const report = (line: string) => void process.stdout.write(`${line}\n`);

const temporaryFolder = mkdtempSync(join(tmpdir(), 'rostra-package-'));
try {
  rmSync(packageFolder, { recursive: true, force: true });
  report(`Building the executable for ${chosen.map(({ name }) => name).join(' and for ')} …`);
  await buildExecutables(chosen, temporaryFolder);
  const date = readSourceDate();
  const hasDpkg = spawnSync('dpkg-deb', ['--version'], { stdio: 'ignore' }).status === 0;
  if (!hasDpkg) process.stderr.write('dpkg-deb is not installed, so no Debian package is built.\n');
  report(`Packing ${hasDpkg ? 'archives and Debian packages' : 'archives'} …`);
  await Promise.all(
    chosen.map(async (target) => {
      for (const program of programs) await archiveExecutable(program, target, date, temporaryFolder);
      if (hasDpkg) await buildDebianPackage(target, date, temporaryFolder);
    }),
  );
  // The image of the container has a folder for its volume, and the documentation.
  mkdirSync(join(packageFolder, 'data'));
  copyDocuments(packageFolder);
  await writeChecksums(packageFolder);
  report(`${packageFolder} has, for version ${version}:\n${describeFiles()}`);
} finally {
  rmSync(temporaryFolder, { recursive: true });
}

/** A line for each file except for the documentation, with its size in MiB. */
function describeFiles(): string {
  const names = readdirSync(packageFolder, { recursive: true, encoding: 'utf8' });
  const programs = names.filter((name) => !name.startsWith('docs/'));
  const lines = programs.toSorted().flatMap((name) => {
    const found = statSync(join(packageFolder, name));
    return found.isFile() ? [`${(found.size / 1_048_576).toFixed(1).padStart(7)} MiB  ${name}`] : [];
  });
  return lines.join('\n');
}

/** https://reproducible-builds.org/specs/source-date-epoch/ */
function readSourceDate(): Date {
  const seconds = process.env.SOURCE_DATE_EPOCH ?? readBuild().time;
  if (seconds === null) throw new Error('Git names no commit here: set SOURCE_DATE_EPOCH.');
  return new Date(Number(seconds) * 1_000);
}
