/** The tab key in a terminal is tested by `test/nightly/shell-completion.test.ts`. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { after, suite, test } from 'node:test';
import { assertFails, assertSucceeds, createCliWorkspace } from '../../support/cli-workspace.ts';

const workspace = await createCliWorkspace({ after });
const script = workspace.writeFile('rostra.bash', await assertSucceeds(['completion', 'bash']));

/** `mapfile` of the script needs it. */
const hasBash = spawnSync('bash', ['-c', '((BASH_VERSINFO[0] >= 4))']).status === 0;

/** @param line words as Bash splits them; the last one is the word to complete */
function complete(...line: string[]): string[] {
  const call = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rostra; printf "%s " "\${COMPREPLY[@]}"`;
  return execFileSync('bash', ['-c', call, 'bash', script, 'rostra', ...line], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
    .trim()
    .split(' ');
}

suite('completion in bash', { skip: hasBash ? false : 'needs Bash 4' }, () => {
  const cases: [line: string[], words: string[]][] = [
    [['ke'], ['key']],
    [
      ['key', 'r'],
      ['revoke', 'rotate'],
    ],
    [['key', 'issue', '--n'], ['--name']],
    [
      ['serve', '--log-level', ''],
      ['fatal', 'error', 'warn', 'info', 'debug', 'silent'],
    ],
    [['serve', '--log-format', '=', 'j'], ['json']],
    [
      ['serve', '--admin', '='],
      ['on', 'off'],
    ],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish'],
    ],
    [
      ['admin', 'role', 'a@stadt.example', ''],
      ['reader', 'administrator'],
    ],
    // The value of an option is neither a command nor an argument.
    [['admin', 'role', '--database', 'key', 'a@stadt.example', 'r'], ['reader']],
    [['key', 'issue', '--name', ''], ['']],
    [['unknown', 'x'], ['']],
  ];
  for (const [line, words] of cases) {
    test(`completes "rostra ${line.join(' ')}"`, () => assert.deepEqual(complete(...line), words));
  }

  test('lists every command of the help', async () => {
    const help = await assertSucceeds(['--help']);
    const names = [...help.matchAll(/^ {2}([a-z-]+)(?= .*\w)/gm)].map(([, name]) => name);
    assert.ok(names.length > 15);
    assert.deepEqual(complete('').sort(), names.sort());
  });
});

test('completion for an unknown shell is rejected with the known ones', async () => {
  await assertFails(['completion', 'tcsh'], 2, /Allowed choices are bash, zsh, fish/);
});
