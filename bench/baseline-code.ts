/** Installs the code of the last commit that changed the baseline, to run it beside the current code. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));
const baselineFile = 'bench/baseline.json';

export interface BaselineCode {
  fillRows: typeof import('./rows.ts').fillRows;
  startRostra: typeof import('./start-servers.ts').startRostra;
  remove(): void;
}

/**
 * @returns the abbreviated id of the last commit that changed the baseline
 * @throws Error if git does not know it: outside of a repository, in a shallow clone, before the baseline is committed
 */
export async function findBaselineCommit(): Promise<string> {
  const git = async (...words: string[]) => (await runFile('git', words, { cwd: repository })).stdout.trim();
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true')
    throw new Error('A shallow clone has no commit of the baseline. Run "git fetch --unshallow" first.');
  if ((await git('status', '--porcelain', '--', baselineFile)) !== '')
    throw new Error(`${baselineFile} has changes that are not committed. Commit or revert them first.`);
  return git('log', '-1', '--format=%h', '--', baselineFile);
}

export async function installBaselineCode(commit: string): Promise<BaselineCode> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-bench-'));
  const remove = () => rmSync(folder, { recursive: true });
  try {
    const code = join(folder, 'code');
    const archive = join(folder, 'code.tar');
    mkdirSync(code);
    await runFile('git', ['archive', '--output', archive, commit], { cwd: repository });
    await runFile('tar', ['-xf', archive], { cwd: code });
    await runFile('npm', ['ci', '--omit=dev'], { cwd: code });
    const load = (file: string) => import(join(code, 'bench', file));
    const { fillRows } = await load('rows.ts');
    const { startRostra } = await load('start-servers.ts');
    return { fillRows, startRostra, remove };
  } catch (error) {
    remove();
    throw error;
  }
}
