/** Checks of this machine: free space, permissions of files, clock. */
import { execFile } from 'node:child_process';
import { stat, statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { isPostgresUrl } from '../../../domain/installation/is-postgres-url.ts';
import { listFolders } from '../../config/locate-folders.ts';
import { ConfigurationError, configFileVariable } from '../../config/read-config.ts';
import { type SettingName, settings, toEnvironmentName } from '../../config/settings.ts';
import { findExistingFolder } from '../../process/metrics/disk-metrics.ts';
import type { Installation } from './read-installation-on-demand.ts';
import { type Checks, critical, type Outcome, ok, unknown, warning } from './run-checks.ts';

const mebibyte = 1_048_576;
const othersMask = 0o007;
const maxSkewMs = 5_000;
const criticalSkewMs = 60_000;

export const machineChecks: Checks = {
  disk: async (installation) => {
    const devices = new Map<number, { uses: string[]; path: string }>();
    for (const [use, folder] of await listUsedFolders(installation)) {
      const path = await findExistingFolder(resolve(folder));
      const { dev } = await stat(path);
      devices.getOrInsert(dev, { uses: [], path }).uses.push(use);
    }
    return Promise.all(
      [...devices.values()].map(({ uses, path }) => checkDisk(path, uses, installation.minFreeBytes)),
    );
  },

  permissions: async (installation) => {
    const findings: Outcome[] = [];
    for (const [content, path] of listSecretFiles(installation)) {
      const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return undefined;
        throw error;
      });
      if (found !== undefined && (found.mode & othersMask) !== 0)
        findings.push(
          critical(
            `Every user of this machine can open ${path} (${content}).`,
            `Run "chmod o-rwx ${path}". If people could read it, replace the secrets in it.`,
          ),
        );
    }
    return findings.length > 0 ? findings : ok('Only their owner and group can open the files with secrets.');
  },

  clock: async ({ findInspection }) => {
    const inspection = await findInspection();
    const skewMs = inspection?.engine === 'PostgreSQL' ? inspection.clockSkewMs : 0;
    if (Math.abs(skewMs) > maxSkewMs) {
      const create = Math.abs(skewMs) > criticalSkewMs ? critical : warning;
      return create(
        `The clock of the database is ${Math.abs(skewMs) / 1_000} seconds ${skewMs > 0 ? 'ahead of' : 'behind'} this machine.`,
        'Synchronise both clocks with a time server.',
      );
    }
    const isSynchronized = await isClockSynchronized();
    if (isSynchronized === undefined)
      return ok('It is unknown whether the clock of this machine follows a time server.');
    if (isSynchronized) return ok('The clock follows a time server.');
    return warning(
      'The clock of this machine does not follow a time server.',
      'Switch on NTP, such as with "timedatectl set-ntp true".',
    );
  },
};

/** @returns folders by their use; a missing folder stands for the folder that will contain it */
async function listUsedFolders({ readSettings, findStore }: Installation): Promise<[string, string][]> {
  const config = readSettings(['database', 'uploadFolder', 'openDataFolder', 'auditExportFolder']);
  const runs = await (await findStore())?.listMaintenanceRuns();
  const folders = {
    ...listFolders(config, runs?.find(({ kind }) => kind === 'backup')?.detail.file),
    ...(config.auditExportFolder !== '' && { exported_audit_log: config.auditExportFolder }),
  };
  return Object.entries(folders).map(([content, folder]) => [content.replaceAll('_', ' '), folder]);
}

async function checkDisk(path: string, uses: readonly string[], minFreeBytes: number): Promise<Outcome> {
  const { bavail, bsize, blocks, ffree, files } = await statfs(path);
  const what = `${path} (${uses.join(', ')})`;
  if (blocks === 0) return unknown(`The free space of ${what} is unknown.`, 'Choose a folder on a disk.');
  const freeBytes = bavail * bsize;
  const free = `${Math.floor(freeBytes / mebibyte)} MiB`;
  const remedy =
    'Free space, or move the folder to a larger disk. docs/retention.md lists what grows, and how to bound it.';
  if (freeBytes < minFreeBytes / 4) return critical(`Only ${free} are free in ${what}.`, remedy);
  if (freeBytes < minFreeBytes) return warning(`Only ${free} are free in ${what}.`, remedy);
  // Some file systems have no limit.
  if (files > 0 && ffree / files < 0.01)
    return warning(`${what} has hardly any inodes left.`, 'Remove small files that are not needed.');
  return ok(`${free} are free in ${what}.`);
}

/** Container engines mount secrets here, readable by all users of the container. They alone see them. */
const containerSecrets = '/run/secrets/';

/** @returns contents and paths of files that may be missing */
function listSecretFiles({
  variables,
  readDatabaseSettings,
}: Installation): [content: string, path: string][] {
  const files: [string, string | undefined][] = [[`configuration`, variables[configFileVariable]]];
  for (const name of Object.keys(settings) as SettingName[]) {
    const variable = `${toEnvironmentName(name)}_FILE`;
    files.push([variable, variables[variable]]);
  }
  try {
    const { database } = readDatabaseSettings();
    if (!isPostgresUrl(database))
      files.push(
        ['hashes of keys and passwords', database],
        ['write-ahead log', `${database}-wal`],
        ['request counters', `${database}-counters`],
        ['uploaded files', `${database}-uploads`],
      );
  } catch (error) {
    // The other files can be checked.
    if (!(error instanceof ConfigurationError)) throw error;
  }
  return files.filter(
    (file): file is [string, string] => Boolean(file[1]) && !file[1]?.startsWith(containerSecrets),
  );
}

const timedatectlTimeoutMs = 2_000;

/** @returns whether systemd says that the clock follows a time server; undefined if it does not know */
async function isClockSynchronized(): Promise<boolean | undefined> {
  const args = ['show', '--property=NTPSynchronized', '--value'];
  try {
    const { stdout } = await promisify(execFile)('timedatectl', args, { timeout: timedatectlTimeoutMs });
    return { yes: true, no: false }[stdout.trim()];
  } catch {
    return undefined;
  }
}
