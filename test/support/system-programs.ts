/** Programs that a test needs from the operating system, because no npm package has them. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Each program with the packages of Debian that its tests need. */
const systemPrograms = {
  bash: 'bash',
  buildah: 'buildah',
  caddy: 'caddy',
  curl: 'curl',
  dash: 'dash',
  debootstrap: 'debootstrap',
  'dpkg-deb': 'dpkg',
  fish: 'fish',
  gpg: 'gnupg',
  jq: 'jq',
  lintian: 'lintian',
  man: 'man-db',
  mandoc: 'mandoc',
  mypy: 'mypy',
  nginx: 'nginx-light',
  pg_basebackup: 'postgresql',
  prometheus: 'prometheus',
  promtool: 'prometheus',
  'pyproject-build': 'python3-build python3-setuptools python3-wheel',
  python3: 'python3',
  'qemu-aarch64-static': 'qemu-user-static',
  Rscript: 'r-cran-httr2 r-cran-jsonlite',
  script: 'bsdutils',
  'systemd-analyze': 'systemd',
  'systemd-nspawn': 'systemd-container',
  unshare: 'util-linux',
  zsh: 'zsh',
} as const;

export type SystemProgram = keyof typeof systemPrograms;

/** Debian installs the programs of PostgreSQL outside of the PATH. */
const debianPostgres = '/usr/lib/postgresql/15/bin';
const { ROSTRA_TEST_POSTGRES: chosenPostgres = debianPostgres } = process.env;

/** Folder of a complete installation of PostgreSQL. The npm package has only the programs of a server. */
export const postgresPrograms = existsSync(join(chosenPostgres, 'pg_basebackup'))
  ? chosenPostgres
  : debianPostgres;

export const isInstalled = (program: SystemProgram) =>
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
