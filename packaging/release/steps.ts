/** The steps of a release, in their order. */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkout } from '../package-folder.ts';
import type { Target } from '../targets.ts';
import { writeChecksums } from '../write-checksums.ts';
import { writeAptIndex } from './apt-repository.ts';
import { buildContainerArchive } from './container-archives.ts';
import { installDependencies, MissingPartError, type Program, run } from './programs.ts';
import { installTools, runTool } from './release-tools.ts';
import { writeSboms } from './sbom.ts';
import { exportPublicKey, sign } from './sign.ts';

export interface Release {
  version: string;
  /** 40 hexadecimal digits. */
  commit: string;
  /** Of the commit. All files have this date, so that the same commit results in the same bytes. */
  date: Date;
  /** From CHANGELOG.md. */
  notes: string;
  /** File with the secret key. Undefined only in a rehearsal. */
  key: string | undefined;
  isRehearsal: boolean;
  targets: readonly Target[];
  /** Folder for the files of the release. */
  output: string;
  /** Temporary folder. */
  folder: string;
  /** The unpacked source archive with its dependencies. Everything is built here, as outsiders do who rebuild it. */
  tree: string;
  /** Parts that could not be made so far, with the reason of each. */
  missing: string[];
}

export interface Step {
  title: string;
  /** If one is not installed, the step is left out, and the release is incomplete. */
  programs?: readonly Program[];
  /** @throws MissingPartError if the part cannot be made on this machine; another error ends the release */
  run(release: Release): void | Promise<void>;
}

/** Debian packages are in the folder that apt reads. */
export const aptFolder = 'apt';

export const steps: readonly Step[] = [
  {
    title: 'tests',
    run: ({ isRehearsal }) => {
      if (isRehearsal) throw new MissingPartError('not tested, because this is a rehearsal');
      run('npm', ['test'], { cwd: checkout });
    },
  },
  { title: 'source archive', run: archiveSource },
  { title: 'unpacked source with its dependencies', run: installTree },
  { title: 'executables', run: buildPackages },
  { title: 'Debian packages', programs: ['dpkg-deb'], run: copyDebianPackages },
  { title: 'container archives', programs: ['buildah'], run: buildContainerArchives },
  { title: 'npm packages', run: packNpmPackages },
  { title: 'Python package', programs: ['python3'], run: buildPythonPackage },
  { title: 'SBOMs', run: writeSboms },
  {
    title: 'release notes',
    run: ({ output, version, notes }) =>
      writeFileSync(join(output, `rostra_${version}_release-notes.md`), notes),
  },
  { title: 'reports', run: writeReports },
  { title: 'apt repository', programs: ['dpkg-deb', 'gpg'], run: buildAptRepository },
  { title: 'public key', programs: ['gpg'], run: exportPublicKey },
  {
    title: 'checksums',
    run: async ({ output, missing }) => {
      if (missing.length > 0) writeFileSync(join(output, 'INCOMPLETE'), toLines(missing));
      await writeChecksums(output, { recursive: true });
    },
  },
  {
    title: 'signature',
    programs: ['gpg'],
    run: (release) => sign(release, '--detach-sign', 'SHA256SUMS', 'SHA256SUMS.asc'),
  },
];

export const toLines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

const getSourceArchive = ({ output, version }: Release) => join(output, `rostra_${version}_src.tar.gz`);

function archiveSource(release: Release): void {
  const format = ['-c', 'tar.tar.gz.command=gzip -9n', 'archive', '--format=tar.gz'];
  const output = [`--prefix=rostra_${release.version}/`, '--output', getSourceArchive(release)];
  run('git', [...format, ...output, release.commit], { cwd: checkout });
}

function installTree(release: Release): void {
  run('tar', ['-xzf', getSourceArchive(release), '-C', release.folder]);
  installDependencies(release.tree);
  installTools(release);
}

const getPackageFolder = ({ tree }: Release) => join(tree, 'dist/packages');

function copyPackages(release: Release, extension: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const files = readdirSync(getPackageFolder(release)).filter((file) => file.endsWith(extension));
  for (const file of files) copyFileSync(join(getPackageFolder(release), file), join(folder, file));
}

function buildPackages(release: Release): void {
  const flags = release.targets.flatMap(({ name }) => ['--target', name]);
  run('npm', ['run', 'package', '--', ...flags], { cwd: release.tree });
  copyPackages(release, '.tar.gz', release.output);
}

function copyDebianPackages(release: Release): void {
  copyPackages(release, '.deb', join(release.output, aptFolder));
}

function buildContainerArchives(release: Release): void {
  for (const target of release.targets) buildContainerArchive(release, target);
}

/** Every tool must be able to load the packages and their types. */
function packNpmPackages(release: Release): void {
  const { tree, output, version } = release;
  const flags = ['--pack-destination', output, '--loglevel=error'];
  run('npm', ['pack', ...flags], { cwd: tree });
  for (const name of ['rostra-client', 'rostra-mirror'])
    run('npm', ['pack', '--workspace', name, ...flags], { cwd: tree });
  for (const name of ['rostra', 'rostra-client', 'rostra-mirror'])
    runTool(release, 'publint', [join(output, `${name}-${version}.tgz`), '--strict']);
  // The mirror is a command without types.
  for (const name of ['rostra', 'rostra-client'])
    runTool(release, 'attw', [join(output, `${name}-${version}.tgz`), '--profile', 'esm-only']);
}

function buildPythonPackage({ tree, output, date }: Release): void {
  try {
    run('python3', ['-c', 'import build, setuptools, wheel']);
  } catch {
    throw new MissingPartError(
      'a Python module is not installed. Debian: apt-get install python3-build python3-setuptools python3-wheel',
    );
  }
  const env = { ...process.env, SOURCE_DATE_EPOCH: String(date.getTime() / 1_000) };
  // In an isolated environment, each release would have the setuptools of its day.
  const flags = ['--no-isolation', '--outdir', output];
  run('python3', ['-m', 'build', ...flags, join(tree, 'packages/python')], { env });
}

/** Measurements and assessments are files of a release, and no pages of the documentation. */
export function writeReports({ tree, output, version }: Pick<Release, 'tree' | 'output' | 'version'>): void {
  const print = (script: string) => run('npm', ['run', '--silent', script, '--', '--report'], { cwd: tree });
  const reports = {
    'trust-report': print('trust'),
    'performance-figures': print('bench:figures'),
    'self-assessment': readFileSync(join(tree, 'packaging/release/self-assessment.md')),
  };
  for (const [name, text] of Object.entries(reports))
    writeFileSync(join(output, `rostra_${version}_${name}.md`), text);
}

function buildAptRepository(release: Release): void {
  const folder = join(release.output, aptFolder);
  if (!existsSync(folder)) throw new MissingPartError('there are no Debian packages');
  writeAptIndex(folder, release.date);
  sign(release, '--clearsign', `${aptFolder}/Release`, `${aptFolder}/InRelease`);
}
