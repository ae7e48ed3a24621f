/** Runs the commands and the server of a checkout as processes, and cleans up what differs from run to run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Scope } from '../support/files.ts';

export interface CommandOutput {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Program {
  run(...args: string[]): Promise<CommandOutput>;
  /** @returns standard output without its last line break @throws if the exit code is not 0 */
  runSuccessfully(...args: string[]): Promise<string>;
  /** Starts a server. @returns the first match of its output */
  start(args: readonly string[], pattern: RegExp): Promise<RegExpExecArray>;
}

/** @param checkout folder with the packages of `npm ci` */
export function createProgram(scope: Scope, checkout: string, folder: string): Program {
  const spawnProgram = (args: readonly string[]) => {
    const child = spawn(join(checkout, 'node_modules/.bin/node'), [join(checkout, 'src/main.ts'), ...args], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        NO_COLOR: '1',
        ROSTRA_RATE_LIMIT: '100000000',
        // The endpoint of the recording.
        ROSTRA_DOWNLOAD_NETWORKS: '127.0.0.1',
        NODE_COMPILE_CACHE: join(checkout, 'node_modules/.cache/compiled'),
      },
    });
    const output = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      child[stream].setEncoding('utf8').on('data', (text: string) => {
        output[stream] += text;
      });
    }
    return { child, output };
  };

  const program: Program = {
    run: async (...args) => {
      const { child, output } = spawnProgram(args);
      const [code] = await once(child, 'close');
      return { code, ...output };
    },
    runSuccessfully: async (...args) => {
      const { code, stdout, stderr } = await program.run(...args);
      if (code !== 0) throw new Error(`${args.join(' ')} ended with ${code}: ${stderr}`);
      return stdout.trimEnd();
    },
    start: (args, pattern) => {
      const { child, output } = spawnProgram(args);
      const exited = once(child, 'exit');
      scope.after(async () => {
        child.kill('SIGTERM');
        await exited;
      });
      return new Promise((resolve, reject) => {
        const listen = () => {
          const match = pattern.exec(output.stdout) ?? pattern.exec(output.stderr);
          if (match !== null) resolve(match);
        };
        child.stdout.on('data', listen);
        child.stderr.on('data', listen);
        void exited.then(() => reject(new Error(`${args.join(' ')} ended: ${output.stderr}`)));
      });
    },
  };
  return program;
}

const startMs = Date.now();

/** Windows of keys, grace periods and next runs of sources end later. */
const maxAheadMs = 10 * 86_400_000;

/**
 * Replaces what differs from run to run: random ids (UUIDs of version 4; derived ones have version 5), secrets, cursors, which
 * a secret of the database signs, times of this run, durations and paths.
 */
export function createNormalizer(folder: string): (text: string) => string {
  const replaceTime = (time: string) => {
    const ms = Date.parse(time.replace(' ', 'T'));
    if (ms < startMs - 60_000 || ms > Date.now() + maxAheadMs) return time;
    return ms <= Date.now() + 60_000 ? '<now>' : '<soon>';
  };
  return (text) =>
    text
      .replaceAll(folder, '<folder>')
      .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>')
      .replaceAll(/sk_rostra_\w+/g, '<key>')
      .replaceAll(/\/(invitation|unsubscribe)\/[\w-]+/g, '/$1/<secret>')
      .replaceAll(/(cursor=|cursor":")[\w-]+/g, '$1<cursor>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z/g, replaceTime)
      .replaceAll(/\b\d[\d.,]* ?(?:ms|s|seconds?|Sekunden?|min|minutes?|Minuten?)\b/g, '<duration>')
      .replaceAll(/[A-Z2-7]{4}(?: [A-Z2-7]{4}){7}/g, '<secret>')
      .replaceAll(/(rostra-rejected\/)[\dTZ-]+/g, '$1<now>')
      .replaceAll(/^.*\b(?:\d+ records, \d+\/s|no records yet, ).*\n/gm, '')
      .replaceAll(/\b\d\d:\d\d(?::\d\d)?(?= (?:UTC|CES?T|MES?Z|Uhr)\b)/g, '<time>')
      .replaceAll(/(seconds"?:? +)[\d.]+/g, '$1<duration>');
}
