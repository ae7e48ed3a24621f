/** Runs the samples of examples/api with every shell and interpreter that this machine has. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type CommandResult, startCli } from './cli-workspace.ts';
import { createTemporaryFolder, type Scope } from './files.ts';
import { nodeBinary } from './server-process.ts';
import { skipWithout } from './system-programs.ts';

export type Task = 'list-submissions' | 'upcoming-sessions' | 'mirror-daily' | 'chart-survey';

export interface SampleProgram {
  /** The shell or the interpreter. */
  name: string;
  language: 'sh' | 'python' | 'typescript' | 'r';
  /** Why the samples cannot run on this machine. */
  skip: string | false;
  run(task: Task, args: readonly string[], connection: Connection): Promise<CommandResult>;
}

export interface Connection {
  /** Origin of the server. */
  url: string;
  key: string;
  /** Folder with executables that precede those of the machine. */
  executables?: string;
}

const samples = fileURLToPath(new URL('../../examples/api', import.meta.url));
const client = new URL('../../packages/client/src/index.ts', import.meta.url);

export function createSamplePrograms(scope: Scope): SampleProgram[] {
  const folder = createTemporaryFolder(scope);
  cpSync(samples, folder, { recursive: true });
  installClient(join(folder, 'typescript/node_modules/rostra-client'));

  const create = (
    name: string,
    language: SampleProgram['language'],
    extension: string,
    skip: string | false,
    program = name,
  ): SampleProgram => ({
    name,
    language,
    skip,
    run: (task, args, { url, key, executables }) => {
      const environment = {
        BASE: `${url}/api/v1`,
        KEY: key,
        PATH: [...(executables === undefined ? [] : [executables]), process.env.PATH].join(':'),
      };
      const options = { environment, folder: join(folder, language) };
      return startCli([`${task}.${extension}`, ...args], options, program).result;
    },
  });

  const skipWithoutR = () =>
    skipWithout('Rscript') ||
    (spawnSync('Rscript', ['-e', 'library(httr2)']).status !== 0 && 'the R package httr2 is not installed');
  return [
    ...(['bash', 'dash', 'zsh'] as const).map((shell) =>
      create(shell, 'sh', 'sh', skipWithout('curl', 'jq', shell)),
    ),
    create('python3', 'python', 'py', skipWithout('python3')),
    create('Node.js', 'typescript', 'ts', false, nodeBinary),
    create('Rscript', 'r', 'R', skipWithoutR()),
  ];
}

/** Node.js strips no types below node_modules, so the package refers to the sources. */
function installClient(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', exports: './index.js' }));
  writeFileSync(join(folder, 'index.js'), `export * from '${client.href}';\n`);
}
