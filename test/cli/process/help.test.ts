import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { after, suite, test } from 'node:test';
import { checkout } from '../../support/checkout.ts';
import { assertFails, assertSucceeds, createCliWorkspace, runCli } from '../../support/cli-workspace.ts';

const commands: Record<string, string[]> = {
  serve: [
    '--database',
    '--host',
    '--port',
    '--rate-limit',
    '--rate-limit-window',
    '--cors-origins',
    '--log-level',
  ],
  init: ['--organization', '--public-url', '--administrator', '--database'],
  demo: ['--database', '--host', '--port'],
  health: ['--host', '--port'],
  'organization add': ['--id', '--database', '--json'],
  'organization list': ['--database', '--json'],
  'organization show': ['--database', '--json'],
  'organization edit': ['--time-zone', '--license-name', '--clear', '--database', '--json'],
  'organization remove': ['--yes', '--database'],
  'admin role': ['--database'],
  'key issue': [
    '--organization',
    '--name',
    '--expires',
    '--limit',
    '--contact',
    '--purpose',
    '--database',
    '--json',
  ],
  'key list': ['--organization', '--database', '--json'],
  'key show': ['--database', '--json'],
  'key edit': ['--name', '--expires', '--limit', '--contact', '--purpose', '--clear', '--database', '--json'],
  'key revoke': ['--database'],
  'key rotate': ['--grace', '--expires', '--database', '--json'],
  'import history': ['--organization', '--limit', '--database', '--json'],
  'import rostra': [
    '--organization',
    '--explain',
    '--dry-run',
    '--strict',
    '--time-zone',
    '--rejected',
    '--database',
    '--json',
  ],
  'import detect': [],
  'source undo': ['--organization', '--format', '--dry-run', '--yes', '--database', '--json'],
  'source add': [
    '--organization',
    '--format',
    '--url',
    '--every',
    '--mapping',
    '--redact',
    '--delete-missing',
    '--max-deleted',
    '--key-file',
    '--database',
    '--json',
  ],
  'source list': ['--organization', '--database', '--json'],
  'source show': ['--organization', '--database', '--json'],
  'source edit': ['--organization', '--clear', '--mapping', '--key-file', '--database', '--json'],
  'source run': [
    '--due',
    '--organization',
    '--dry-run',
    '--full',
    '--rejected',
    '--loosen-redaction',
    '--database',
    '--json',
  ],
  'source remove': ['--organization', '--database'],
  prune: ['--dry-run', '--database', '--json'],
  doctor: ['--min-free', '--max-backup-age', '--backup-folder', '--database', '--json'],
  mirror: ['--url', '--key-file', '--to', '--format', '--every', '--json'],
  'survey list': ['--organization', '--database', '--json'],
  migrate: ['--database', '--json'],
  backup: ['--keep', '--database'],
  restore: ['--yes', '--database', '--json'],
  drill: ['--folder', '--database', '--json'],
  'mail list': ['--database', '--json'],
  'mail test': [],
  'change-history restart': ['--database'],
  'cursor-secret rotate': ['--database'],
  completion: [],
};

const workspace = await createCliWorkspace({ after });

suite('help', { concurrency: 3 }, () => {
  for (const [command, options] of Object.entries(commands)) {
    test(`rostra ${command} --help describes the command and its options`, async () => {
      const help = await assertSucceeds([...command.split(' '), '--help']);
      const [usage = '', , description = ''] = help.split('\n');
      assert.ok(usage.startsWith(`Usage: rostra ${command}`), usage);
      assert.match(description, /^[A-Z].{20,}/);
      for (const option of options) assert.match(help, new RegExp(`^  ${option}[ \\n]`, 'm'));
      assert.doesNotMatch(help, /default:\s+\d{6,}/, 'a duration is not in milliseconds');
    });
  }

  test('rostra --help and the help of groups list every command with a summary', async () => {
    const helps = new Map<string, string>();
    for (const group of [
      '',
      'organization',
      'key',
      'admin',
      'import',
      'source',
      'survey',
      'mail',
      'change-history',
      'cursor-secret',
    ]) {
      helps.set(group, await assertSucceeds([...group.split(' ').filter(Boolean), '--help']));
    }
    for (const command of Object.keys(commands)) {
      const words = command.split(' ');
      const group = words.length === 2 ? (words[0] as string) : '';
      assert.match(
        helps.get(group) as string,
        new RegExp(`^  ${words.at(-1)}( [^ ]+)* {2,}\\w`, 'm'),
        command,
      );
    }
    const summaries = [...(helps.get('') ?? '').matchAll(/^ {2}[a-z-]+(?: [^ ]+)* {2,}(.*)/gm)];
    for (const [, summary = ''] of summaries) assert.match(summary, /^[a-z]/);
    assert.match(helps.get('key') ?? '', /^Commands to manage API keys/m);
  });

  test('rostra import --help names the formats', async () => {
    const help = await assertSucceeds(['import', '--help']);
    for (const format of ['rostra', 'oparl', 'decidim', 'consul'])
      assert.match(help, new RegExp(`^  ${format} \\[.+\\S`, 'm'));
  });

  test('rostra help key prints the help of the command', async () => {
    assert.match(await assertSucceeds(['help', 'key']), /^Usage: rostra key/);
  });

  test('rostra --version prints the version of the package, the commit, and that a checkout runs', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim();
    assert.equal(
      (await assertSucceeds(['--version'])).replace('-dirty', ''),
      `${version} (commit ${commit}, checkout)`,
    );
  });

  test('rostra without a command, and a group without a command, print the help and exit with 2', async () => {
    for (const args of [[], ['key'], ['organization'], ['change-history'], ['cursor-secret']]) {
      const { code, stdout, stderr } = await runCli(args);
      assert.equal(code, 2);
      assert.match(stderr, /^Usage: rostra/);
      assert.equal(stdout, '');
    }
  });
});

suite('invalid arguments', { concurrency: 3 }, () => {
  const invalid: [args: string[], sentence: RegExp][] = [
    [['serv'], /unknown command 'serv'\n\(Did you mean serve\?\)/],
    [['organisation', 'list'], /unknown command 'organisation'\n\(Did you mean organization\?\)/],
    [['key', 'isue'], /unknown command 'isue'\n\(Did you mean issue\?\)/],
    [
      workspace.withDatabase('organization', 'list', '--jsn'),
      /unknown option '--jsn'\n\(Did you mean --json\?\)/,
    ],
    [['serve', '--rate-limt', '5'], /unknown option '--rate-limt'\n\(Did you mean --rate-limit\?\)/],
    [workspace.withDatabase('organization', 'list', 'extra'), /too many arguments/],
    [workspace.withDatabase('organization', 'add'), /missing required argument 'name'/],
    [workspace.withDatabase('key', 'revoke'), /missing required argument 'id\|prefix'/],
    [
      workspace.withDatabase('key', 'issue', '--name', 'x'),
      /required option '--organization <name\|id>' not specified/,
    ],
    [
      workspace.withDatabase('import', 'rostra', 'x'),
      /required option '--organization <name\|id>' not specified/,
    ],
    [
      ['import', 'tabel', 'x.csv'],
      /unknown command 'tabel'\n\(Did you mean table\?\)\n"rostra import --help" lists the formats/,
    ],
    [workspace.withDatabase('import', 'rostra', '--organization', 'x'), /missing required argument 'paths'/],
    [['migrate', '--database'], /option '--database <database>' argument missing/],
  ];
  for (const [args, sentence] of invalid) {
    test(`rostra ${args.join(' ').replace(workspace.folder, '')} exits with 2 and reports the error`, async () => {
      const { stderr } = await assertFails(args, 2, sentence);
      assert.match(stderr, /--help/);
    });
  }
});
