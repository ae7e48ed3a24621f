/** The command line accepts every command in the documentation. */
import assert from 'node:assert/strict';
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { after, test } from 'node:test';
import type { Command } from 'commander';
import { formats } from '../../src/ingest/formats/format-registry.ts';
import type { CommandContext } from '../../src/program/cli/command-context.ts';
import { withStreams } from '../../src/program/cli/command-streams.ts';
import { createProgram } from '../../src/program/run-command.ts';
import { checkout } from '../support/checkout.ts';

const pages = globSync(['*.md', 'docs/**/*.md', 'examples/*.{md,yaml}', 'migrations/*.md'], {
  cwd: checkout,
}).filter((page) => page !== 'docs/commands.md');

/** Working directory with the files that documented commands name. */
const folder = mkdtempSync(join(tmpdir(), 'rostra-documented-'));
const before = process.cwd();
after(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true, force: true });
});
for (const name of ['boston-311.yaml', 'new-york-participatory-budgeting.yaml'])
  copyFileSync(join(checkout, 'examples', name), join(folder, name));
copyFileSync(join(checkout, 'examples/boston-311.yaml'), join(folder, 'requests.yaml'));
writeFileSync(join(folder, 'requests.csv'), 'id,title\n1,Lamp\n');
process.chdir(folder);

/** Replaces the configuration, which an accepted command reads first. */
class CommandAcceptedError extends Error {}

function acceptCommand(): never {
  throw new CommandAcceptedError();
}

const context: CommandContext = {
  version: '0',
  ownProcess: undefined,
  environment: {},
  readVariables: acceptCommand,
  takeWarnings: () => [],
  readConfig: acceptCommand,
  readTracingSettings: () => assert.fail(),
  checkDatabasePages: () => assert.fail(),
  isOwnerSuperuser: () => assert.fail(),
  startTracing: () => assert.fail(),
  openStore: () => assert.fail(),
  inspectDatabase: () => assert.fail(),
  inspectReplicas: () => assert.fail(),
  copyStore: () => assert.fail(),
  planStoreDistribution: () => assert.fail(),
  distributeStore: () => assert.fail(),
  verifyBackup: acceptCommand,
  restoreStore: () => assert.fail(),
  drillStore: () => assert.fail(),
};

/** Commands that read standard input find it empty. */
const runSilently = <Result>(work: () => Promise<Result>) =>
  withStreams(
    { stdin: Readable.from([]), stdout: new PassThrough().resume(), stderr: new PassThrough().resume() },
    work,
  );

async function createSilentProgram(): Promise<Command> {
  const program = await createProgram(context);
  const silence = (command: Command) => {
    command.configureOutput({ writeOut: () => undefined, writeErr: () => undefined });
    command.commands.forEach(silence);
  };
  silence(program);
  return program;
}

/** Lines in shell blocks, and in comments of the examples, that call Rostra. */
function findCommandLines(page: string): string[] {
  const text = readFileSync(join(checkout, page), 'utf8');
  const shell = page.endsWith('.md')
    ? [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block]) => block).join('\n')
    : text.replaceAll(/^# {1,2}/gm, '');
  return shell
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
    .filter((line) => /(^|[\s(=])(\.\/)?rostra [a-z-]/.test(line));
}

/** The arguments of `rostra`, up to a comment, a redirection or the end of a substitution. */
function parseArguments(line: string): string[] {
  const [, call = ''] = /(?:^|[\s(=])(?:\.\/)?rostra (.*)$/.exec(line) ?? [];
  const end = /\s#\s|\s[>|;&]|\)/.exec(call)?.index ?? call.length;
  return [...call.slice(0, end).matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
}

/** Values for placeholders in the documentation. */
const placeholders: Record<string, string> = { FORMAT: 'oparl' };

const lines = pages.flatMap((page) => findCommandLines(page).map((line) => ({ page, line })));

test('the documentation contains commands', () => {
  assert.ok(lines.length > 20, `${lines.length}`);
});

test('the documentation adds sources of known formats', () => {
  const known = formats.map(({ name }): string => name);
  for (const { page, line } of lines) {
    const [, format] = /\bsource .*--format (\S+)/.exec(line) ?? [];
    if (format !== undefined) assert.ok(known.includes(format), `${page}: ${line}`);
  }
});

for (const { page, line } of lines) {
  test(`${page}: "${line.trim()}" is accepted`, async () => {
    const words = parseArguments(line).map((word) =>
      Object.hasOwn(placeholders, word) ? (placeholders[word] as string) : word,
    );
    try {
      await runSilently(async () => (await createSilentProgram()).parseAsync(words, { from: 'user' }));
    } catch (error) {
      const isFileMissing = /There is no file|does not exist|no such/i.test((error as Error).message);
      if (!(error instanceof CommandAcceptedError) && !isFileMissing) throw error;
    }
  });
}
