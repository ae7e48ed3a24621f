/** Programs that a test needs from the operating system, because no npm package has them. */
import { spawnSync } from 'node:child_process';

/** Each program with the package of Debian that has it. */
const systemPrograms = {
  buildah: 'buildah',
  caddy: 'caddy',
  curl: 'curl',
  debootstrap: 'debootstrap',
  'dpkg-deb': 'dpkg',
  fish: 'fish',
  jq: 'jq',
  lintian: 'lintian',
  mandoc: 'mandoc',
  nginx: 'nginx-light',
  pg_basebackup: 'postgresql',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  python3: 'python3',
  'qemu-aarch64-static': 'qemu-user-static',
  Rscript: 'r-cran-httr2',
  'systemd-analyze': 'systemd',
  'systemd-nspawn': 'systemd-container',
  tmux: 'tmux',
  unshare: 'util-linux',
  zsh: 'zsh',
} as const;

export type SystemProgram = keyof typeof systemPrograms;

/** Debian installs the programs of PostgreSQL outside of the PATH. */
export const postgresPrograms = process.env.ROSTRA_TEST_POSTGRES ?? '/usr/lib/postgresql/15/bin';

const isInstalled = (program: SystemProgram) =>
  spawnSync('which', [program], {
    env: {
      PATH: `${process.env.PATH}:/usr/sbin:/sbin${program === 'pg_basebackup' ? `:${postgresPrograms}` : ''}`,
    },
  }).status === 0;

/** For the option `skip` of a test. @returns the reason to skip it, false if all programs are installed */
export function skipWithout(...programs: SystemProgram[]): string | false {
  const missing = programs.filter((program) => !isInstalled(program));
  return missing.length === 0 ? false : `${missing.join(' and ')} is not installed`;
}

/** @returns a sentence for each missing program */
export const describeMissingPrograms = (): string[] =>
  Object.entries(systemPrograms)
    .filter(([program]) => !isInstalled(program as SystemProgram))
    .map(
      ([program, name]) => `${program} is missing, so its tests are skipped. Debian: apt-get install ${name}`,
    );
