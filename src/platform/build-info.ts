/** Which build of which commit runs. */
import { execFileSync } from 'node:child_process';
import { readTextAsset } from './assets.ts';

/** Content of `src/platform/build.json`: `git archive` writes commit and time, `build.ts` and `npm run package` write all of it. */
export interface Build {
  /** 40 hexadecimal digits, followed by `-dirty` if files differ from the commit. Null if it is unknown. */
  commit: string | null;
  /** Of the commit, in seconds since 1970. Null if it is unknown. */
  time: string | null;
  form: string;
}

export function readBuild(): Build {
  const build: Build = JSON.parse(readTextAsset('src/platform/build.json'));
  return build.commit?.startsWith('$') ? { ...build, ...askGit() } : build;
}

function askGit(): Pick<Build, 'commit' | 'time'> {
  const git = (...args: string[]) =>
    // A server asks at its start, and must not hold up another command of Git.
    execFileSync('git', ['--no-optional-locks', ...args], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  try {
    return {
      // Without --exclude, the result could be the name of a tag.
      commit: git('describe', '--always', '--dirty', '--abbrev=40', '--exclude=*'),
      time: git('log', '-1', '--format=%ct'),
    };
  } catch {
    return { commit: null, time: null };
  }
}

/** @returns such as `1.0.0 (commit 2b1f…, executable for linux-x64)` */
export function describeVersion(version: string): string {
  const { commit, form } = readBuild();
  return `${version} (${commit === null ? '' : `commit ${commit}, `}${form})`;
}
