/** Checks of this machine: free space, permissions of files, clock. */
import { execFile } from 'node:child_process';
import { stat, statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { type Check, critical, ok, unknown, warning } from './finding.ts';

const mebibyte = 1_048_576;

/**
 * @param folders by their use; a missing folder stands for the folder that will contain it
 * @param minFreeBytes below a quarter of it, the finding is critical
 */
export function createDiskCheck(
  folders: () => Promise<Readonly<Record<string, string>>>,
  minFreeBytes: number,
): Check {
  return {
    name: 'disk',
    run: async () => {
      const devices = new Map<number, { uses: string[]; path: string }>();
      for (const [use, folder] of Object.entries(await folders())) {
        const path = await findExistingFolder(resolve(folder));
        const { dev } = await stat(path);
        const device = devices.get(dev) ?? { uses: [], path };
        device.uses.push(use);
        devices.set(dev, device);
      }
      return Promise.all(
        [...devices.values()].map(async ({ uses, path }) => {
          const { bavail, bsize, blocks, ffree, files } = await statfs(path);
          const what = `${path} (${uses.join(', ')})`;
          if (blocks === 0)
            return unknown(`The free space of ${what} is unknown.`, 'Choose a folder on a disk.');
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
        }),
      );
    },
  };
}

async function findExistingFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) return path;
  const parent = dirname(path);
  return parent === path ? path : findExistingFolder(parent);
}

const othersMask = 0o007;

/** @param files paths by their content; missing files are ignored */
export function createPermissionCheck(files: Readonly<Record<string, string>>): Check {
  return {
    name: 'permissions',
    run: async () => {
      const findings = [];
      for (const [content, path] of Object.entries(files)) {
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
      return findings.length > 0
        ? findings
        : [ok('Only their owner and group can open the files with secrets.')];
    },
  };
}

const timedatectlTimeoutMs = 2_000;

/** @returns whether systemd says that the clock follows a time server; undefined if it does not know */
export async function isClockSynchronized(): Promise<boolean | undefined> {
  const args = ['show', '--property=NTPSynchronized', '--value'];
  try {
    const { stdout } = await promisify(execFile)('timedatectl', args, { timeout: timedatectlTimeoutMs });
    return { yes: true, no: false }[stdout.trim()];
  } catch {
    return undefined;
  }
}
