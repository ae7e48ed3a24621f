import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { isWellFormedKey } from '../../src/domain/keys/api-key.ts';
import { describeChanges } from '../support/audit-changes.ts';
import {
  assertFails,
  assertSucceeds,
  createCliWorkspace,
  createMunicipality,
  runCli,
} from '../support/cli-workspace.ts';
import { rostraFile } from '../support/server-process.ts';

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
      await assertFails(
        issue('--name', 'x', '--expires', date),
        2,
        /It must be a date|It must not be in the past/,
      );
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
      await assertFails(issue('--name', name), 2, /It must have 1 to 200 characters/);
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

suite('key edit', { concurrency: 2 }, () => {
  const edit = (id: string, ...args: string[]) => workspace.withDatabase('key', 'edit', id, ...args);
  const subjects = async (id: string) => {
    const rows = await workspace.sql<{ subject: string; changes: string }>(
      `SELECT subject, changes FROM audit_event WHERE action = 'key.edited' AND subject LIKE '%' || $1 || '%' ORDER BY at`,
      [id],
    );
    return rows.map(
      ({ subject, changes }) => `${subject}: ${describeChanges({ changes: JSON.parse(changes) })}`,
    );
  };

  test('changes the named values, keeps the others, and logs old and new values', async () => {
    const { key: _, ...key } = await record('--name', 'Portal', '--contact', 'IT office', '--limit', '50');
    const args = ['--name', 'Open-data portal', '--purpose', 'Map of reports', '--expires', '2099-06-30'];
    const edited = JSON.parse(await assertSucceeds(edit(key.prefix, ...args, '--json')));
    assert.deepEqual(edited, {
      ...key,
      name: 'Open-data portal',
      purpose: 'Map of reports',
      expiresAt: '2099-06-30T23:59:59.999Z',
      // A window may end meanwhile.
      windowEndsAt: edited.windowEndsAt,
    });
    assert.deepEqual(await subjects(key.prefix), [
      `Portal (${key.prefix}): name: Portal → Open-data portal; expiresAt: – → 2099-06-30T23:59:59.999Z; purpose: – → Map of reports`,
    ]);
  });

  test('with --clear removes expiry, limit, contact and purpose', async () => {
    const key = await record(
      ...['--name', 'Clear', '--contact', 'A', '--purpose', 'B', '--limit', '5', '--expires', '2099-01-01'],
    );
    await assertSucceeds(edit(key.id, '--clear', 'expires,limit, contact,purpose'));
    const shown = JSON.parse(await assertSucceeds(workspace.withDatabase('key', 'show', key.id, '--json')));
    assert.deepEqual(
      [shown.expiresAt, shown.requestLimit, shown.contact, shown.purpose],
      [null, null, null, null],
    );
  });

  test('writes no audit event if the values are the same', async () => {
    const key = await record('--name', 'Same', '--contact', 'A');
    await assertSucceeds(edit(key.id, '--name', 'Same', '--contact', 'A'));
    assert.deepEqual(await subjects(key.prefix), []);
  });

  test('of a revoked key is rejected', async () => {
    const key = await record('--name', 'Ended');
    await assertSucceeds(workspace.withDatabase('key', 'revoke', key.id));
    await assertFails(edit(key.id, '--name', 'Other'), 1, /The key was revoked/);
    assert.deepEqual(await subjects(key.prefix), []);
  });

  test('rejects invalid and contradicting options with exit code 2', async () => {
    const { id } = await record('--name', 'Kept');
    await assertFails(edit(id), 2, /Specify at least one change/);
    await assertFails(edit(id, '--contact', 'x'.repeat(201)), 2, /It must have 1 to 200 characters/);
    await assertFails(edit(id, '--purpose', 'a\nb'), 2, /It must have 1 to 500 characters/);
    await assertFails(edit(id, '--limit', '0'), 2, /It must be a whole number/);
    await assertFails(edit(id, '--expires', '2020-01-01'), 2, /It must not be in the past/);
    await assertFails(edit(id, '--clear', 'name'), 2, /It must be some of expires, limit, contact, purpose/);
    await assertFails(edit(id, '--limit', '5', '--clear', 'limit'), 2, /contradict each other/);
    await assertFails(edit('sk_rostra_nobody', '--name', 'x'), 1, /Unknown key/);
  });
});

suite('key show and key list', { concurrency: 2 }, () => {
  test('link a key with its successor, which has the same contact and purpose', async () => {
    const old = await record('--name', 'Linked', '--contact', 'IT office', '--purpose', 'Map');
    const rotated = workspace.withDatabase('key', 'rotate', old.id, '--json');
    const successor = JSON.parse(await assertSucceeds(rotated));
    assert.deepEqual(
      [successor.contact, successor.purpose, successor.predecessorId, successor.successorId],
      ['IT office', 'Map', old.id, null],
    );
    const shown = await assertSucceeds(workspace.withDatabase('key', 'show', old.prefix));
    assert.match(shown, new RegExp(`^replaced by +${successor.id}$`, 'm'));
    assert.match(shown, /^contact +IT office$/m);
    const shownSuccessor = await assertSucceeds(workspace.withDatabase('key', 'show', successor.id));
    assert.match(shownSuccessor, new RegExp(`^replaced +${old.id}$`, 'm'));
    const list = await assertSucceeds(workspace.withDatabase('key', 'list'));
    assert.match(
      list,
      new RegExp(`^${old.id}  ${old.prefix}  Linked +IT office +.+ active +${successor.prefix} `, 'm'),
    );
  });
});

suite('key rotate', { concurrency: 2 }, () => {
  test('of a key that was already replaced is rejected and names the successor', async () => {
    for (const grace of ['24h', '0']) {
      const old = await record('--name', 'Twice');
      const rotate = (...args: string[]) => workspace.withDatabase('key', 'rotate', old.id, ...args);
      const successor = JSON.parse(await assertSucceeds(rotate('--grace', grace, '--json')));
      await assertFails(
        rotate(),
        1,
        new RegExp(`The key was already replaced by Twice \\(${successor.prefix}\\)`),
      );
    }
  });

  test('twice at the same time creates one successor', async () => {
    const old = await record('--name', 'Race');
    const rotate = () => runCli(workspace.withDatabase('key', 'rotate', old.id));
    const codes = (await Promise.all([rotate(), rotate()])).map(({ code }) => code);
    assert.deepEqual(codes.toSorted(), [0, 1]);
  });
});
