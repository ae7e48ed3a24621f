/**
 * Runs the examples of the documentation. In a ```console block, a line that begins with `$ ` is a command, and the lines
 * after it are its output. `npm run docs` writes the outputs, and a test compares them.
 *
 * A block whose first line names a file, such as ```csv ideas.csv, becomes a file in the folder where the examples run.
 * `<!-- examples: server -->` starts the demo; `<!-- examples: COMMAND -->` runs a command and hides its output.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const checkout = fileURLToPath(new URL('../', import.meta.url));

export interface Example {
  command: string;
  documented: string;
  actual: string;
}

const blocks = /^```(\S*) ?(.*)\n([\s\S]*?)^```$|^<!-- examples: (.*) -->$/gm;

export const hasExamples = (page: string) => page.includes('```console\n');

/** Runs the examples of a page in order, in a new folder. */
export async function runExamples(page: string): Promise<Example[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rostra-examples-'));
  let server: ChildProcess | undefined;
  const examples: Example[] = [];
  try {
    symlinkSync(join(checkout, 'rostra'), join(folder, 'rostra'));
    symlinkSync(join(checkout, 'examples'), join(folder, 'examples'));
    let environment = createCleanEnvironment();
    for (const [, language, file, content = '', setup] of page.matchAll(blocks)) {
      if (setup === 'server') [server, environment] = await startDemo(folder, environment);
      else if (setup !== undefined) runShell(setup, folder, environment);
      else if (language === 'console') examples.push(...runBlock(content, folder, environment));
      else if (file) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), content);
      }
    }
    return examples;
  } finally {
    if (server !== undefined && server.exitCode === null) {
      server.kill('SIGTERM');
      await once(server, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

function runBlock(block: string, folder: string, environment: NodeJS.ProcessEnv): Example[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [, command = '', documented = ''] = /^((?:.*\\\n)*.*)\n?([\s\S]*)$/.exec(part) ?? [];
      return { command, documented, actual: runShell(command, folder, environment) };
    });
}

/** Standard output and standard error together, as a terminal shows them. */
function runShell(command: string, folder: string, environment: NodeJS.ProcessEnv): string {
  const script = `{ ${command}\n} 2>&1 || true`;
  const output = execFileSync('sh', ['-c', script], { cwd: folder, env: environment, encoding: 'utf8' });
  return output === '' ? '' : `${output.replaceAll('\r', '').trimEnd()}\n`;
}

/** The environment without settings of Rostra and without colours. */
function createCleanEnvironment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(([name]) => !/^(ROSTRA_|FORCE_COLOR$)/.test(name));
  return { ...Object.fromEntries(others), NO_COLOR: '1', COLUMNS: '100' };
}

async function startDemo(
  folder: string,
  environment: NodeJS.ProcessEnv,
): Promise<[ChildProcess, NodeJS.ProcessEnv]> {
  const server = spawn('./rostra', ['demo', '--port', '0', '--database', 'demo.db'], {
    cwd: folder,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
  const survey = /surveys\/([\w-]+)\/results/.exec(output)?.[1] ?? '';
  return [server, { ...environment, BASE: base, KEY: key, SURVEY: survey }];
}

/** @returns the page with the actual output of each example */
export function replaceOutputs(page: string, examples: readonly Example[]): string {
  let text = page;
  for (const { command, documented, actual } of examples)
    if (normalize(actual) !== normalize(documented))
      text = text.replace(`$ ${command}\n${documented}`, () => `$ ${command}\n${actual}`);
  return text;
}

/** Replaces everything that differs between runs: ids, secrets, checksums, ports, times, durations, width of columns. */
export function normalize(output: string): string {
  return output
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
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
