/** Installs the code that saved the baseline, to run it beside the current code. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const runFile = promisify(execFile);
const repository = fileURLToPath(new URL('..', import.meta.url));

export interface BaselineCode {
  /** Abbreviated id of the last commit that changed bench/baseline.json. */
  commit: string;
  fillDatabase: typeof import('./fill-database.ts').fillDatabase;
  createRows: typeof import('./rows.ts').createRows;
  startRostra: typeof import('./start-servers.ts').startRostra;
  remove(): void;
}

/** @throws Error if the clone is shallow, because git then names a wrong commit */
export async function installBaselineCode(): Promise<BaselineCode> {
  const commit = await findCommit();
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
    const { fillDatabase } = await load('fill-database.ts');
    const { createRows } = await load('rows.ts');
    const { startRostra } = await load('start-servers.ts');
    return { commit, fillDatabase, createRows, startRostra, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

async function findCommit(): Promise<string> {
  const git = async (...words: string[]) => (await runFile('git', words, { cwd: repository })).stdout.trim();
  if ((await git('rev-parse', '--is-shallow-repository')) === 'true')
    throw new Error(
      'The commit of the baseline is unknown in a shallow clone. Run "git fetch --unshallow" first.',
    );
  return git('log', '-1', '--format=%h', '--', 'bench/baseline.json');
}
