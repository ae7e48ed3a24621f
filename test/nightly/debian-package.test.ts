/** The Debian package, installed on Debian 12 with systemd. Needs root, `debootstrap` and `systemd-nspawn`. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { arch, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, suite, test } from 'node:test';
import { createSystemdUnits } from '../../packaging/debian/systemd-units.ts';
import { packageFolder, version } from '../../packaging/package-folder.ts';
import { preparePackages } from '../support/packages.ts';
import { readCommands } from '../support/read-commands.ts';
import { skipWithout } from '../support/system-programs.ts';
import { waitUntil } from '../support/wait-until.ts';

const architecture = arch() === 'arm64' ? 'arm64' : 'amd64';
const debFile = join(packageFolder, `rostra_${version}_${architecture}.deb`);

const skip =
  skipWithout('dpkg-deb', 'debootstrap', 'systemd-nspawn', 'systemd-analyze') ||
  (process.getuid?.() !== 0 && 'only root can boot a machine');

// Not below /dev/shm: the root of a machine needs device files and more space.
const folder = mkdtempSync(join(tmpdir(), 'rostra-debian-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const run = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', cwd: folder });
  return { status, output: stdout + stderr };
};

/** The same package with a higher version and another setting, for an upgrade. It is not compressed. */
function createUpgrade(): string {
  const content = join(folder, 'upgrade');
  execFileSync('dpkg-deb', ['--raw-extract', debFile, content]);
  const control = join(content, 'DEBIAN/control');
  writeFileSync(control, readFileSync(control, 'utf8').replace(/^Version: .*$/m, 'Version: 99.0'));
  appendFileSync(join(content, 'usr/share/rostra/rostra.conf'), '\n#ROSTRA_LATER_SETTING=\n');
  const file = join(folder, 'upgrade.deb');
  execFileSync('dpkg-deb', ['--build', '--root-owner-group', '-Znone', content, file], { stdio: 'ignore' });
  return file;
}

interface Machine {
  /** Runs a shell script as root. @returns its output; fails if the script fails */
  execute(script: string): string;
  stop(): Promise<void>;
}

/** Boots Debian with its systemd in namespaces, without a network. */
async function bootMachine(root: string): Promise<Machine> {
  const flags = ['--register=no', '--keep-unit', '--boot', '--console=pipe', '--private-network'];
  const nspawn = spawn('systemd-nspawn', ['-D', root, ...flags], { stdio: 'ignore' });
  // Its first child starts the machine in another one, and ends.
  const readInit = () =>
    readFileSync(`/proc/${nspawn.pid}/task/${nspawn.pid}/children`, 'utf8').split(' ')[0];
  const enter = ['-m', '-u', '-i', '-n', '-p', '-r', '-w', '--', 'env', '-i'];
  const variables = ['PATH=/usr/sbin:/usr/bin:/sbin:/bin', 'LANG=C.UTF-8', 'DEBIAN_FRONTEND=noninteractive'];
  const execute = (script: string, timeout = 300_000) =>
    execFileSync('nsenter', ['-t', `${readInit()}`, ...enter, ...variables, 'bash', '-c', script], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout,
    });
  const stop = async () => {
    const exited = once(nspawn, 'exit');
    nspawn.kill('SIGTERM');
    await exited;
  };
  try {
    await waitUntil('the start of the machine', () => {
      try {
        return /running|degraded/.test(execute('systemctl is-system-running || true', 5_000));
      } catch {
        return false;
      }
    });
  } catch (error) {
    await stop();
    throw error;
  }
  return { execute, stop };
}

suite('the Debian package', { skip }, () => {
  let machine: Machine;
  let key = '';

  /** Runs a script while a client sends one request after another. Fails if a response is not 200. */
  function executeUnderLoad(script: string): void {
    const statuses = machine.execute(`
      rm -f /tmp/stop
      request() { curl -s -o /dev/null -w '%{http_code}\\n' -H 'Authorization: Bearer ${key}' http://127.0.0.1:8080/api/v1/me; }
      (while [ ! -e /tmp/stop ]; do request; done > /tmp/codes) &
      { ${script}; } >/dev/null || status=$?
      touch /tmp/stop; wait
      sort /tmp/codes | uniq -c
      exit $status`);
    assert.match(statuses, /^ +\d+ 200\n$/);
  }

  after(() => machine?.stop());

  test('is built', () => {
    preparePackages();
    assert.match(run('dpkg-deb', '--info', debFile).output, /Package: rostra/);
  });

  test('has no errors of lintian and correct manual pages', {
    skip: skipWithout('lintian', 'man', 'mandoc'),
  }, () => {
    const content = join(folder, 'content');
    execFileSync('dpkg-deb', ['--extract', debFile, content]);
    for (const page of ['man1/rostra.1.gz', 'man5/rostra.conf.5.gz']) {
      const file = join(content, 'usr/share/man', page);
      assert.equal(run('sh', '-c', `man --warnings -l ${file} >/dev/null`).output, '');
      assert.equal(run('mandoc', '-Tlint', '-Wwarning', file).output, '');
    }
    assert.equal(run('lintian', '--allow-root', '--fail-on', 'error,warning', debFile).status, 0);
  });

  test('has units with an exposure below 2.5', () => {
    for (const [name, text] of Object.entries(createSystemdUnits())) {
      if (!name.endsWith('.service')) continue;
      const file = join(folder, name);
      writeFileSync(file, text);
      assert.equal(
        run('systemd-analyze', 'security', '--offline=true', '--threshold=25', file).status,
        0,
        name,
      );
    }
  });

  test('creates user and database when it is installed, and starts nothing', async () => {
    const root = join(folder, 'root');
    const needed = 'adduser,libatomic1,libstdc++6,curl,dbus,systemd-sysv';
    execFileSync('debootstrap', ['--variant=minbase', `--include=${needed}`, 'bookworm', root], {
      stdio: 'ignore',
    });
    cpSync(debFile, join(root, 'root/rostra.deb'));
    cpSync(createUpgrade(), join(root, 'root/upgrade.deb'));
    machine = await bootMachine(root);
    machine.execute('dpkg -i /root/rostra.deb');
    assert.equal(machine.execute('stat -c "%U:%G %a" /etc/rostra/rostra.conf').trim(), 'root:rostra 640');
    assert.equal(machine.execute('stat -c "%U:%G %a" /var/lib/rostra/rostra.db').trim(), 'rostra:rostra 600');
    assert.match(
      machine.execute('systemctl is-enabled rostra rostra-backup.timer || true'),
      /^disabled\ndisabled$/m,
    );
    assert.equal(machine.execute('systemctl is-active rostra || true').trim(), 'inactive');
    machine.execute(
      'cd /usr/lib/systemd/system; systemd-analyze verify --man=no rostra*.service rostra*.timer',
    );
  });

  test('has a command that uses the settings and the user of the service', () => {
    const [, init = ''] = readCommands('docs/first-run.md', '## The Debian package').map((line) =>
      line.replace('sudo ', ''),
    );
    assert.match(machine.execute(`${init} 2>&1`), /sudo systemctl enable --now rostra/);
    assert.match(machine.execute(init), /^https:\/\/api\.stadt\.example\/admin\/invitation\//);
    assert.match(
      machine.execute('cat /etc/rostra/rostra.conf'),
      /^ROSTRA_PUBLIC_URL=https:\/\/api\.stadt\.example$/m,
    );
    assert.equal(machine.execute('stat -c "%U:%G %a" /etc/rostra/rostra.conf').trim(), 'root:rostra 640');
    key = machine.execute('rostra key issue --organization "Stadt Beispiel" --name Portal').trim();
    assert.match(key, /^sk_rostra_/);
    assert.match(
      machine.execute('setpriv --reuid=rostra --regid=rostra --clear-groups rostra key list'),
      /Portal/,
    );
    assert.equal(machine.execute('find /var/lib/rostra ! -user rostra').trim(), '');
    assert.match(
      machine.execute(
        'echo {} > /root/x.json; rostra import rostra /root/x.json --organization "Stadt Beispiel" 2>&1 || true',
      ),
      /x\.json cannot be read: the user rostra has no permission/,
    );
    assert.match(
      machine.execute('setpriv --reuid=nobody --clear-groups rostra key list 2>&1 || true'),
      /permission denied.+sudo/,
    );
  });

  test('starts with systemctl, which waits until it serves', () => {
    machine.execute('systemctl enable --now rostra');
    assert.match(machine.execute('curl -s http://127.0.0.1:8080/ready -w "%{http_code}"'), /200$/);
    assert.equal(machine.execute('systemctl show -p StatusText --value rostra').trim(), 'Serving');
  });

  test('reloads settings without a failed request', () => {
    machine.execute('sed -i "s/^#ROSTRA_RATE_LIMIT=.*/ROSTRA_RATE_LIMIT=999999/" /etc/rostra/rostra.conf');
    executeUnderLoad(`
      systemctl reload rostra &&
        until journalctl -u rostra -o cat | grep -q 'rolling restart finished'; do sleep 0.5; done`);
    const output = machine.execute(`
      curl -sD - -o /dev/null -H 'Authorization: Bearer ${key}' http://127.0.0.1:8080/api/v1/me | grep -i x-ratelimit-limit
      systemctl show -p SubState rostra`);
    assert.match(output, /^x-ratelimit-limit: 999999\s+SubState=running$/im);
  });

  test('runs every timer in its sandbox', () => {
    machine.execute(
      'systemctl enable --now rostra-backup.timer rostra-drill.timer rostra-prune.timer rostra-sources.timer',
    );
    assert.match(machine.execute('systemctl list-timers --no-pager'), /rostra-sources\.timer/);
    machine.execute('systemctl start rostra-backup rostra-drill rostra-prune rostra-sources');
    assert.match(machine.execute('ls /var/lib/rostra/backups'), /^rostra-.+\.db$/m);
  });

  test('fails to reload an invalid setting, and does not start again and again with it', () => {
    const reload = machine.execute(`
      echo ROSTRA_PORT=x >> /etc/rostra/rostra.conf
      systemctl reload rostra || echo failed
      systemctl is-active rostra`);
    assert.match(reload, /failed\s+active/);
    machine.execute('systemctl restart rostra || true; sleep 3');
    assert.equal(machine.execute('systemctl show -p NRestarts --value rostra').trim(), '0');
    assert.match(machine.execute('journalctl -u rostra -o cat -n 20'), /ROSTRA_PORT must be a port/);
    machine.execute('sed -i /^ROSTRA_PORT=x/d /etc/rostra/rostra.conf; systemctl restart rostra');
  });

  test('keeps changed settings and data when it is upgraded, and replaces the workers without a failed request', async () => {
    const readMainPid = () => machine.execute('systemctl show -p MainPID --value rostra').trim();
    const supervisor = readMainPid();
    const listWorkers = () =>
      new Set(machine.execute(`cat /proc/${supervisor}/task/${supervisor}/children`).trim().split(' '));
    const before = listWorkers();
    assert.equal(before.size, 2);
    executeUnderLoad('dpkg -i /root/upgrade.deb');
    assert.equal(readMainPid(), supervisor);
    await waitUntil('the end of the old workers', () => listWorkers().isDisjointFrom(before));
    assert.equal(listWorkers().size, 2);
    const settings = machine.execute('cat /etc/rostra/rostra.conf');
    assert.match(settings, /^ROSTRA_RATE_LIMIT=999999$/m);
    assert.doesNotMatch(settings, /LATER_SETTING/);
    assert.match(machine.execute('rostra organization list'), /Stadt Beispiel/);
    assert.match(machine.execute('curl -s http://127.0.0.1:8080/ready -w "%{http_code}"'), /200$/);
  });

  test('keeps settings and data when it is removed, and continues after another installation', () => {
    machine.execute('dpkg -r rostra');
    assert.equal(machine.execute('find /proc -maxdepth 1 -user rostra || true').trim(), '');
    machine.execute('test -s /var/lib/rostra/rostra.db && test -s /etc/rostra/rostra.conf');
    machine.execute('dpkg -i /root/rostra.deb && systemctl start rostra');
    assert.match(machine.execute('rostra organization list'), /Stadt Beispiel/);
  });

  test('keeps only the data when it is purged, and says where', () => {
    assert.match(machine.execute('dpkg -P rostra 2>&1'), /\/var\/lib\/rostra still contains the database/);
    machine.execute('test -s /var/lib/rostra/rostra.db && id rostra');
    assert.equal(machine.execute('find /etc /usr -name "*rostra*"').trim(), '');
  });
});
