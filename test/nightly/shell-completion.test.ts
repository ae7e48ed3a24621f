/** The tab key in interactive shells. `script` of util-linux provides the terminal. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { assertSucceeds } from '../support/cli-workspace.ts';
import { createTemporaryFolder } from '../support/files.ts';
import { skipWithout } from '../support/system-programs.ts';

const folder = createTemporaryFolder({ after });
mkdirSync(join(folder, 'work'));
writeFileSync(join(folder, 'work/bürgerhaushalt.csv'), '');

/** Begins with a command that prints its arguments instead of Rostra. */
const shells: Record<'bash' | 'zsh', { command: string; setUp: (script: string) => string }> = {
  bash: {
    command: 'bash --norc --noprofile -i',
    setUp: (script) => `source ${script}; rostra() { echo "arguments: $*."; }`,
  },
  zsh: {
    command: 'zsh -f -i',
    setUp: (script) =>
      `autoload -Uz compinit && compinit -u -D; source ${script}; rostra() { echo "arguments: $*." }`,
  },
};

/** Types lines into a shell. @returns the output */
async function type(command: string, lines: readonly string[]): Promise<string> {
  const child = spawn('script', ['-qfec', command, '/dev/null'], {
    cwd: join(folder, 'work'),
    env: { PATH: process.env.PATH, HOME: folder, TERM: 'dumb', LANG: 'C.UTF-8', PS1: '> ' },
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  for (const line of [...lines, 'exit']) child.stdin.write(`${line}\n`);
  await new Promise((resolve) => child.once('exit', resolve));
  return output;
}

const lines: [typed: string, completed: string][] = [
  ['rostra key iss\t', 'key issue'],
  ['rostra serve --log-l\t deb\t', 'serve --log-level debug'],
  ['rostra completion fi\t', 'completion fish'],
  ['rostra import table b\t', 'import table bürgerhaushalt.csv'],
];

for (const name of ['bash', 'zsh'] as const) {
  const { command, setUp } = shells[name];
  suite(`the tab key in ${name}`, { skip: skipWithout(name, 'script') }, () => {
    test('completes commands, options, values and files', async () => {
      const script = join(folder, `rostra.${name}`);
      writeFileSync(script, await assertSucceeds(['completion', name]));
      const output = await type(command, [setUp(script), ...lines.map(([typed]) => typed)]);
      for (const [, completed] of lines)
        assert.ok(output.replaceAll(/ +\./g, '.').includes(`arguments: ${completed}.`), output);
    });
  });
}

test('fish completes commands, options, values and files', { skip: skipWithout('fish') }, async () => {
  const script = join(folder, 'rostra.fish');
  writeFileSync(script, await assertSucceeds(['completion', 'fish']));
  for (const [typed, completed] of lines) {
    const words = typed.replaceAll('\t', '').replace(/-l deb$/, '-level deb');
    const { stdout } = spawnSync('fish', ['--no-config', '-c', `source ${script}; complete -C '${words}'`], {
      cwd: join(folder, 'work'),
      env: { PATH: process.env.PATH, HOME: folder, LANG: 'C.UTF-8' },
      encoding: 'utf8',
    });
    assert.equal(stdout.split(/[\t\n]/)[0], completed.split(' ').at(-1));
  }
});
