/** `npm run release` and `scripts/verify-release`, on a copy of the checkout that is a repository of its own. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { version } from '../../packaging/package-folder.ts';
import { checkout } from '../support/checkout.ts';
import { copyCheckout, createTemporaryFolder } from '../support/files.ts';
import { skipWithout } from '../support/system-programs.ts';

const excluded = ['node_modules', 'dist', 'data', 'screenshots', '.git', 'test'];
const source = copyCheckout({ after }, [
  ...readdirSync(checkout).filter((name) => !excluded.includes(name)),
  // The trust report imports them.
  ...['test/formats', 'test/support', 'test/trust'],
]);
const folder = createTemporaryFolder({ after });
const key = join(folder, 'key.gpg');
const keyring = join(folder, 'public.gpg');

const git = (repository: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@rostra.example', ...args], {
    cwd: repository,
    encoding: 'utf8',
  });

before(() => {
  git(source, 'init', '--quiet');
  commitAll();
  const gpg = (...args: string[]) =>
    execFileSync('gpg', ['--homedir', folder, '--batch', '--quiet', ...args], { stdio: 'ignore' });
  gpg('--passphrase', '', '--quick-generate-key', 'Test', 'ed25519', 'sign', 'never');
  gpg('--output', key, '--export-secret-keys');
  gpg('--output', keyring, '--export');
  execFileSync('gpgconf', ['--homedir', folder, '--kill', 'all']);
});

function commitAll(): void {
  git(source, 'add', '--all');
  git(source, 'commit', '--quiet', '--message', 'A commit');
}

/** @param repository with a commit */
function runRelease(repository: string, ...args: string[]) {
  const command = ['run', '--silent', 'release', '--', ...args];
  const { status, stdout, stderr } = spawnSync('npm', command, { cwd: repository, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

function verify(...args: string[]) {
  const script = join(source, 'scripts/verify-release');
  const { status, stdout, stderr } = spawnSync(script, args, { encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

/** As the maintainers do before a release. */
function replacePlaceholders(): void {
  const files = git(source, 'grep', '--files-with-matches', '--extended-regexp', '(@|//)rostra\\.invalid');
  for (const file of files.trim().split('\n')) {
    const path = join(source, file);
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll('rostra.invalid', 'rostra.example'));
  }
}

const listFiles = (output: string): string[] =>
  (readdirSync(output, { recursive: true }) as string[]).filter((name) => name !== 'apt').sort();

suite('a rehearsal of a release', { skip: skipWithout('dpkg-deb', 'gpg') }, () => {
  const output = join(folder, 'one');
  const rehearse = (repository: string, to: string) =>
    runRelease(
      repository,
      ...['--version', version, '--rehearsal', '--target', 'linux-x64', '--key', key, '--output', to],
    );

  test('makes the same bytes in another folder, and is never complete', () => {
    const copy = join(folder, 'copy');
    git(folder, 'clone', '--quiet', source, copy);
    symlinkSync(join(checkout, 'node_modules'), join(copy, 'node_modules'));
    const second = join(folder, 'two');
    for (const result of [rehearse(source, output), rehearse(copy, second)]) {
      assert.equal(result.status, 3, result.output);
      assert.match(result.output, /This is a rehearsal and no release[\s\S]+not tested/);
    }
    assert.deepEqual(listFiles(output), listFiles(second));
    const reports = ['trust-report', 'performance-figures', 'self-assessment'];
    for (const name of [
      `apt/rostra_${version}_amd64.deb`,
      `rostra_${version}_linux_amd64.tar.gz`,
      ...reports.map((report) => `rostra_${version}_${report}.md`),
    ])
      assert.ok(listFiles(output).includes(name), name);
    for (const name of listFiles(output))
      assert.ok(readFileSync(join(output, name)).equals(readFileSync(join(second, name))), name);
  });

  test('describes the contents of each file, with Node.js, SQLite and the driver of PostgreSQL', () => {
    const listComponents = (program: string): string[] => {
      const file = join(output, `${program}_${version}_linux_amd64.tar.gz.cdx.json`);
      const { components } = JSON.parse(readFileSync(file, 'utf8'));
      return components.map(({ name }: { name: string }) => name);
    };
    const [ofRostra, ofMirror] = [listComponents('rostra'), listComponents('rostra-mirror')];
    for (const name of ['Node.js', 'SQLite', 'pg', 'better-sqlite3'])
      assert.ok(ofRostra.includes(name), name);
    for (const name of ['Node.js', 'SQLite', 'better-sqlite3']) assert.ok(ofMirror.includes(name), name);
    assert.ok(!ofMirror.includes('pg'));
    const files = listFiles(output);
    for (const name of files.filter((file) => /\.(gz|tgz|deb|tar)$/.test(file) && !file.includes('Packages')))
      assert.ok(files.includes(`${name}.cdx.json`), name);
  });

  test('is verified and rebuilt by an outsider', () => {
    const result = verify(output, keyring);
    assert.equal(result.status, 3, result.output);
    assert.match(result.output, /signature: good\ndigests: \d+ files are equal\n/);
    assert.equal(result.output.match(/^rebuild: \S+ is equal$/gm)?.length, 6, result.output);
  });

  test('is rejected if a file was changed, added, or signed by another key', () => {
    const added = join(output, 'added');
    writeFileSync(added, '');
    assert.match(verify(output, keyring, '--no-rebuild').output, /does not list \.\/added/);
    rmSync(added);
    appendFileSync(join(output, `rostra_${version}_release-notes.md`), ' ');
    const changed = verify(output, keyring, '--no-rebuild');
    assert.equal(changed.status, 1);
    assert.match(changed.output, /files differ from SHA256SUMS/);
    appendFileSync(join(output, 'SHA256SUMS'), '\n');
    assert.match(
      verify(output, keyring, '--no-rebuild').output,
      /signature of SHA256SUMS is not by this key/,
    );
  });
});

suite('a release is refused', { skip: skipWithout('gpg') }, () => {
  const output = join(folder, 'refused');
  const release = (...args: string[]) => runRelease(source, '--key', key, '--output', output, ...args);

  test('for a version that package.json does not have', () => {
    const result = release('--version', '9.9.9');
    assert.equal(result.status, 2);
    assert.match(result.output, /package\.json has the version \S+ instead of 9\.9\.9/);
  });

  test('without a key, unless it is a rehearsal', () => {
    const result = runRelease(source, '--version', version, '--output', output);
    assert.equal(result.status, 2);
    assert.match(result.output, /--key is missing/);
  });

  test('with files that have no commit', (t) => {
    const file = join(source, 'new.txt');
    writeFileSync(file, '');
    t.after(() => rmSync(file));
    const result = release('--version', version);
    assert.equal(result.status, 2);
    assert.match(result.output, /has changes without a commit:\n\?\? new\.txt/);
  });

  test('without notes, with notes that say "unreleased", with placeholders, and with a failed test', () => {
    const assertRefused = (reason: RegExp, changes: Record<string, string> = {}) => {
      for (const [name, text] of Object.entries(changes)) writeFileSync(join(source, name), text);
      commitAll();
      const result = release('--version', version);
      assert.equal(result.status, 2, result.output);
      assert.match(result.output, reason);
    };
    assertRefused(/has no notes for/, {
      'CHANGELOG.md': `# Changelog\n\n## ${version}\n\n## 0.0.1\n\nOlder.\n`,
    });
    assertRefused(/Replace "unreleased" by the date/, {
      'CHANGELOG.md': `# Changelog\n\n## ${version} (unreleased)\n\nNew.\n`,
    });
    assertRefused(/says "## \S+ \(2999-01-01\)", but publiccode\.yml has the releaseDate/, {
      'CHANGELOG.md': `# Changelog\n\n## ${version} (2999-01-01)\n\nNew.\n`,
    });
    const publicCode = readFileSync(join(source, 'publiccode.yml'), 'utf8');
    assertRefused(/addresses at rostra\.invalid\. Replace them by yours:\n[\s\S]*^contact\.txt$/m, {
      'publiccode.yml': `${publicCode.replace(/^releaseDate:.*\n/m, '')}\nreleaseDate: "2999-01-01"\n`,
      'contact.txt': ['security', 'rostra.invalid'].join('@'),
    });
    replacePlaceholders();
    assertRefused(/test\/upgrades\/fixtures\/\S+ is missing/);
    mkdirSync(join(source, 'test/upgrades/fixtures', version), { recursive: true });
    // The copy does not contain the program that runs tests.
    const untested = release('--version', version);
    assert.equal(untested.status, 1);
    assert.match(untested.output, /tests … FAILED\n[\s\S]*npm test failed/);
  });
});
