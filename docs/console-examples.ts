/**
 * Runs the examples of the documentation. In a ```console block, a line that begins with `$ ` is a command, and the lines
 * after it are its output. `npm run docs` writes the outputs, and a test compares them.
 *
 * A block whose first line names a file, such as ```csv ideas.csv, becomes a file in the folder where the examples run.
 * `<!-- examples: server -->` starts the demo; `<!-- examples: COMMAND -->` runs a command and hides its output.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../src/program/run-command.ts';

const checkout = fileURLToPath(new URL('../', import.meta.url));

export interface Example {
  command: string;
  documented: string;
  actual: string;
}

const blocks = /^```(\S*) ?(.*)\n([\s\S]*?)^```$|^<!-- examples: (.*) -->$/gm;

export const hasExamples = (page: string) => page.includes('```console\n');

export interface ExampleRunner {
  /** Runs the examples of a page in order, in a new folder. It is the working directory of this process meanwhile. */
  run(page: string): Promise<Example[]>;
  /** Starts the demo, unless it runs. @returns how its API is reached */
  connect(): Promise<DemoConnection>;
  /** Stops the demo. */
  close(): Promise<void>;
}

/** Pages share one demo, because its start takes two seconds. @param program the command `./rostra` of the examples */
export function createExampleRunner(program = join(checkout, 'rostra')): ExampleRunner {
  let demo: Demo | undefined;
  const connect = async (): Promise<DemoConnection> => {
    demo ??= await startDemo(program, createCleanEnvironment());
    return demo.connection;
  };
  return {
    connect,
    run: async (page) => {
      const workingDirectory = process.cwd();
      const folder = mkdtempSync(join(tmpdir(), 'rostra-examples-'));
      const examples: Example[] = [];
      try {
        symlinkSync(program, join(folder, 'rostra'));
        symlinkSync(join(checkout, 'examples'), join(folder, 'examples'));
        process.chdir(folder);
        let environment = createCleanEnvironment();
        for (const [, language, file, content = '', setup] of page.matchAll(blocks)) {
          if (setup === 'server') environment = { ...environment, ...(await connect()) };
          else if (setup !== undefined) await runLine(setup, environment);
          else if (language === 'console') examples.push(...(await runBlock(content, environment)));
          else if (file) {
            mkdirSync(dirname(join(folder, file)), { recursive: true });
            writeFileSync(join(folder, file), content);
          }
        }
        return examples;
      } finally {
        process.chdir(workingDirectory);
        rmSync(folder, { recursive: true, force: true });
      }
    },
    close: async () => {
      await demo?.stop();
    },
  };
}

async function runBlock(block: string, environment: NodeJS.ProcessEnv): Promise<Example[]> {
  const examples: Example[] = [];
  for (const part of block.split(/^\$ /m).slice(1)) {
    const [, command = '', documented = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(part) ?? [];
    examples.push({ command, documented, actual: await runLine(command, environment) });
  }
  return examples;
}

/** @returns standard output and standard error together, as a terminal shows them */
async function runLine(line: string, environment: NodeJS.ProcessEnv): Promise<string> {
  // Starting a process costs half a second, so only lines that need a shell get one.
  const [, args] = /^\.\/rostra ((?:[^|&;<>$`#]|\$\w)+)$/.exec(line) ?? [];
  const output = args === undefined ? runShell(line, environment) : await runRostra(args, environment);
  return output === '' ? '' : `${output.replaceAll('\r', '').trimEnd()}\n`;
}

function runShell(line: string, environment: NodeJS.ProcessEnv): string {
  return execFileSync('sh', ['-c', `{ ${line}\n} 2>&1 || true`], { env: environment, encoding: 'utf8' });
}

/** @param args as a shell reads them */
async function runRostra(args: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const words = runShell(`printf '%s\\0' ${args}`, environment).split('\0').slice(0, -1);
  let output = '';
  const terminal = new Writable({
    write: (chunk, _, done) => {
      output += chunk;
      done();
    },
  });
  const streams = { stdin: Readable.from([]), stdout: terminal, stderr: terminal };
  await runCommand(words, { ...streams, env: environment });
  return output;
}

/** The environment without settings of Rostra and without colours. */
function createCleanEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(ROSTRA_|FORCE_COLOR$)/.test(name));
  return { ...Object.fromEntries(others), NO_COLOR: '1', COLUMNS: '100' };
}

/** Variables of the examples. */
export interface DemoConnection {
  /** Base URL of the API. */
  BASE: string;
  /** Key of the first municipality. */
  KEY: string;
}

interface Demo {
  connection: DemoConnection;
  stop(): Promise<void>;
}

async function startDemo(program: string, environment: NodeJS.ProcessEnv): Promise<Demo> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-demo-'));
  const server = spawn(program, ['demo', '--port', '0', '--database', join(folder, 'demo.db')], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stop = async () => {
    if (server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  };
  let output = '';
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (text: Buffer) => {
      output += text.toString();
    });
  while (!output.includes('Ctrl-C')) {
    if (server.exitCode !== null) throw new Error(output);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const base = `${/http:\/\/127\.0\.0\.1:\d+/.exec(output)?.[0]}/api/v1`;
  const key = /sk_rostra_\w+/.exec(output)?.[0] ?? '';
  return { connection: { BASE: base, KEY: key }, stop };
}

/** @returns the page with the actual output of each example */
export function replaceOutputs(page: string, examples: readonly Example[]): string {
  let text = page;
  for (const { command, documented, actual } of examples)
    if (normalize(actual) !== normalize(documented))
      text = text.replace(`$ ${command}\n${documented}`, () => `$ ${command}\n${actual}`);
  return text;
}

/**
 * Replaces everything that differs between runs: random ids, secrets, checksums, ports, times, durations, width of columns.
 * Published ids (version 5) are derived from the id of the municipality, so they are the same.
 */
export function normalize(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-46-9a-f][0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'ID')
    .replaceAll(/sk_rostra_\w+/g, 'KEY')
    .replaceAll(/\b[0-9a-f]{16}\b/g, 'CHECKSUM')
    .replaceAll(/invitation\/[\w-]+/g, 'invitation/SECRET')
    .replaceAll(/\d{4}-\d\d-\d\d[ T]\d\d[:-]\d\d[:-]?[\d.:-]*Z?/g, 'TIME')
    .replaceAll(/127\.0\.0\.1:\d+/g, 'ADDRESS')
    .replaceAll(/^(seconds|x-ratelimit-reset:|date:|x-ratelimit-remaining:) .*$/gim, '$1 N')
    .replaceAll(/"seconds": [\d.]+/g, '"seconds": N')
    .replaceAll(/"(next_cursor)":\s*"[\w-]+"/g, '"$1":"CURSOR"')
    .replaceAll(/\b\w+@[\w-]+$/gm, 'ACCOUNT')
    .replaceAll(/─+|-{4,}/g, '-')
    .replaceAll(/[ \t]+/g, ' ')
    .trim();
}
