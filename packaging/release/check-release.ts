import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readBuild } from '../../src/platform/build-info.ts';
import { checkout } from '../package-folder.ts';
import type { Release } from './steps.ts';

/** The release must not be made from this checkout, or with these arguments. */
export class RefusedError extends Error {}

export type CheckedRelease = Omit<Release, 'folder' | 'tree' | 'missing'>;

type Request = Pick<Release, 'version' | 'key' | 'output' | 'isRehearsal' | 'targets'>;

/** @throws RefusedError */
export function checkRelease(request: Request): CheckedRelease {
  const { version, key, output, isRehearsal } = request;
  const status = git('status', '--porcelain');
  if (status !== '') throw new RefusedError(`The checkout has changes without a commit:\n${status}`);
  for (const [file, found] of Object.entries(readVersions()))
    if (found !== version) throw new RefusedError(`${file} has the version ${found} instead of ${version}.`);
  const notes = readReleaseNotes(version, isRehearsal);
  if (!isRehearsal) {
    checkContacts();
    checkFixtures(version);
  }
  if (key !== undefined && !existsSync(key)) throw new RefusedError(`There is no key ${key}.`);
  if (existsSync(output) && readdirSync(output).length > 0)
    throw new RefusedError(`${output} contains files already.`);
  const { commit, time } = readBuild();
  return { ...request, notes, commit: String(commit), date: new Date(Number(time) * 1_000) };
}

function git(...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: checkout, encoding: 'utf8', stdio: 'pipe' }).trimEnd();
  } catch (error) {
    throw new RefusedError(`A release is made from a checkout of git: ${(error as Error).message}`);
  }
}

const read = (file: string): string => readFileSync(join(checkout, file), 'utf8');

const pythonVersion = 'packages/python/src/rostra_client/version.py';

/** By the file that has the version. */
const readVersions = (): Record<string, string | undefined> => ({
  'package.json': JSON.parse(read('package.json')).version,
  'packages/client/package.json': JSON.parse(read('packages/client/package.json')).version,
  'packages/mirror/package.json': JSON.parse(read('packages/mirror/package.json')).version,
  [pythonVersion]: /"(.+)"$/m.exec(read(pythonVersion))?.[1],
  'publiccode.yml': parse(read('publiccode.yml')).softwareVersion,
});

/** Addresses at rostra.invalid stand for those of the maintainers: see GOVERNANCE.md. */
function checkContacts(): void {
  const pattern = '(@|//)rostra\\.invalid';
  const { status, stdout, stderr } = spawnSync(
    'git',
    ['grep', '--files-with-matches', '--extended-regexp', pattern],
    { cwd: checkout, encoding: 'utf8' },
  );
  if (status === 0)
    throw new RefusedError(
      `These files have addresses at rostra.invalid. Replace them by yours:\n${stdout.trimEnd()}`,
    );
  // It exits with 1 if no file matches.
  if (status !== 1) throw new RefusedError(`Addresses at rostra.invalid cannot be searched for: ${stderr}`);
}

/** Later versions are tested with them. */
function checkFixtures(version: string): void {
  const folder = `test/upgrades/fixtures/${version}`;
  if (!existsSync(join(checkout, folder)))
    throw new RefusedError(`${folder} is missing. Write it with "npm run release-schema", and commit it.`);
}

/** @returns the section of the version in CHANGELOG.md, as a page of its own */
function readReleaseNotes(version: string, isRehearsal: boolean): string {
  const sections = read('CHANGELOG.md').split(/^(?=## )/m);
  const section = sections.find((text) => /^## (\S+)/.exec(text)?.[1] === version);
  const [heading = '', ...lines] = section?.split('\n') ?? [];
  if (lines.join('').trim() === '') throw new RefusedError(`CHANGELOG.md has no notes for ${version}.`);
  if (/unreleased/i.test(heading) && !isRehearsal)
    throw new RefusedError(`CHANGELOG.md says "${heading}". Replace "unreleased" by the date.`);
  const { releaseDate } = parse(read('publiccode.yml'));
  if (!isRehearsal && !heading.endsWith(`(${releaseDate})`))
    throw new RefusedError(
      `CHANGELOG.md says "${heading}", but publiccode.yml has the releaseDate ${releaseDate}.`,
    );
  // The notes are published beside the archives, where relative links are broken.
  const text = lines
    .join('\n')
    .trim()
    .replaceAll(/\[([^\]]+)\]\((?!https?:)([^)#]+)[^)]*\)/g, '$1 (`$2`)');
  return `# Rostra ${version}\n\n${text}\n\nThe documentation is in the source archive, \`rostra_${version}_src.tar.gz\`: begin with \`docs/installing.md\`.\n`;
}
