import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { isWellFormedKey } from '../../src/domain/api-key.ts';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  rostraFile,
  runCli,
} from '../support/cli-workspace.ts';

const workspace = await createCliWorkspace({ after });
const town = await createMunicipality(workspace, 'Musterstadt');
const issue = (...args: string[]) =>
  workspace.withDatabase('key', 'issue', '--organization', 'Musterstadt', ...args);
const record = async (...args: string[]) => JSON.parse(await assertSucceeds(issue(...args, '--json')));

suite('key issue', { concurrency: 3 }, () => {
  test('prints the secret and nothing else on standard output', async () => {
    const { code, stdout, stderr } = await runCli(issue('--name', 'Portal'));
    assert.equal(code, 0);
    assert.match(stdout, /^sk_rostra_[0-9A-Za-z]{36}\n$/);
    assert.ok(isWellFormedKey(stdout.trimEnd()));
    assert.ok(!stderr.includes(stdout.trimEnd()));
    assert.match(stderr, /it cannot be shown again/);
  });

  test('can be assigned to a variable of a shell: KEY=$(rostra key issue …)', async () => {
    const script = 'KEY=$("$0" "$@"); printf "[%s]" "$KEY"';
    const { stdout } = await promisify(execFile)(
      'sh',
      ['-c', script, rostraFile, ...issue('--name', 'Shell')],
      {
        env: { PATH: process.env.PATH },
      },
    );
    assert.match(stdout, /^\[sk_rostra_[0-9A-Za-z]{36}\]$/);
  });

  test('with --json prints the key and its record', async () => {
    const issued = await record('--name', 'Jot', '--limit', '50', '--expires', '2099-06-30');
    assert.ok(isWellFormedKey(issued.key));
    assert.equal(issued.prefix, issued.key.slice(0, 16));
    assert.equal(issued.name, 'Jot');
    assert.equal(issued.organizationId, town.id);
    assert.equal(issued.state, 'active');
    assert.equal(issued.requestLimit, 50);
    assert.equal(issued.expiresAt, '2099-06-30T23:59:59.999Z');
    assert.equal(issued.lastUsedAt, null);
    assert.equal(issued.usedInWindow, 0);
  });

  test('stores only a hash: the database does not contain the secret', async () => {
    const secret = await assertSucceeds(issue('--name', 'Geheim'));
    const rows = await workspace.sql('SELECT * FROM api_key');
    assert.ok(!JSON.stringify(rows).includes(secret.slice(17)));
  });

  test('accepts an exact time of expiry with any offset', async () => {
    const times: Record<string, string> = {
      '2099-06-30T12:00:00Z': '2099-06-30T12:00:00.000Z',
      '2099-06-30T12:00+02:00': '2099-06-30T10:00:00.000Z',
      '2096-02-29': '2096-02-29T23:59:59.999Z',
      '2099-06-30T12:00:00.5-01:30': '2099-06-30T13:30:00.500Z',
    };
    for (const [text, expected] of Object.entries(times)) {
      assert.equal((await record('--name', 'Ablauf', '--expires', text)).expiresAt, expected);
    }
  });

  test('accepts limits from 1 to 2147483647', async () => {
    for (const limit of ['1', '2147483647']) {
      assert.equal((await record('--name', 'Grenze', '--limit', limit)).requestLimit, Number(limit));
    }
  });

  test('accepts the id of the municipality in any case', async () => {
    const args = ['key', 'issue', '--organization', town.id.toUpperCase(), '--name', 'x', '--json'];
    assert.equal(JSON.parse(await assertSucceeds(workspace.withDatabase(...args))).organizationId, town.id);
  });

  const dates = {
    'a date in the past': '2020-01-01',
    '30 February': '2099-02-30',
    '30 February with a time': '2099-02-30T12:00:00Z',
    'a time without offset': '2099-01-01T00:00:00',
    'a German date': '30.06.2099',
    'a time that ends in the year 10000': '9999-12-31T23:59:59-12:00',
  };
  for (const [what, date] of Object.entries(dates)) {
    test(`rejects ${what} as an expiry with exit code 2`, async () => {
      await assertFails(issue('--name', 'x', '--expires', date), 2, /It must be a date|It is in the past/);
    });
  }

  const limits = ['0', '-1', '2147483648', '1.5', '007', ''];
  for (const limit of limits) {
    test(`rejects the limit ${JSON.stringify(limit)} with exit code 2`, async () => {
      await assertFails(
        issue('--name', 'x', `--limit=${limit}`),
        2,
        /It must be a whole number from 1 to 2147483647/,
      );
    });
  }

  const names = { blank: ' ', 'of 201 characters': 'x'.repeat(201), 'with a tab': 'a\tb' };
  for (const [what, name] of Object.entries(names)) {
    test(`rejects a name that is ${what} with exit code 2`, async () => {
      await assertFails(issue('--name', name), 2, /The name of a key must have 1 to 200 characters/);
    });
  }
});

suite('key revoke and key rotate', () => {
  test('report an unknown key and the command that lists all', async () => {
    for (const verb of ['revoke', 'rotate']) {
      await assertFails(
        workspace.withDatabase('key', verb, 'sk_rostra_nobody'),
        1,
        /Unknown key "sk_rostra_nobody"\..+"rostra key list"/,
      );
    }
  });

  test('do not print the secret if it is used as an id', async () => {
    const secret = await assertSucceeds(issue('--name', 'Ganz'));
    const { stderr, stdout } = await runCli(workspace.withDatabase('key', 'revoke', secret));
    assert.ok(!(stderr + stdout).includes(secret));
  });

  test('reject a prefix that two keys share, and accept the id', async () => {
    const [one, other] = [await record('--name', 'Eins'), await record('--name', 'Zwei')];
    await workspace.sql('UPDATE api_key SET prefix = $1 WHERE id = $2', [one.prefix, other.id]);
    await assertFails(
      workspace.withDatabase('key', 'revoke', one.prefix),
      1,
      /Several keys start with .+ Use the id/,
    );
    await assertSucceeds(workspace.withDatabase('key', 'revoke', one.id));
    const keys = JSON.parse(await assertSucceeds(workspace.withDatabase('key', 'list', '--json')));
    const state = (id: string) => keys.find((key: { id: string }) => key.id === id).state;
    assert.deepEqual([state(one.id), state(other.id)], ['revoked', 'active']);
  });
});
