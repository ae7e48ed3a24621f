import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readBuild } from '../../src/assets/build.ts';
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
  for (const name of ['package.json', 'packages/client/package.json']) {
    const found = JSON.parse(readFileSync(join(checkout, name), 'utf8')).version;
    if (found !== version) throw new RefusedError(`${name} has the version ${found} instead of ${version}.`);
  }
  const notes = readReleaseNotes(version, isRehearsal);
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

/** @returns the section of the version in CHANGELOG.md, as a page of its own */
function readReleaseNotes(version: string, isRehearsal: boolean): string {
  const sections = readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
  const section = sections.find((text) => /^## (\S+)/.exec(text)?.[1] === version);
  const [heading = '', ...lines] = section?.split('\n') ?? [];
  if (lines.join('').trim() === '') throw new RefusedError(`CHANGELOG.md has no notes for ${version}.`);
  if (/unreleased/i.test(heading) && !isRehearsal)
    throw new RefusedError(`CHANGELOG.md says "${heading}". Replace "unreleased" by the date.`);
  return `# Rostra ${version}\n\n${lines.join('\n').trim()}\n`;
}
