/** Loads the native module inside the executable. Linux loads native modules from files only. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { getRawAsset } from 'node:sea';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { ConfigurationError } from '../../src/program/config/read-config.ts';

/**
 * @param name name of the asset
 * @throws ConfigurationError if no folder allows to load it
 */
export function loadAddon(name: string): unknown {
  // A second copy of SQLite in one process would release the locks of the first. For a path that is loaded already,
  // dlopen returns the same copy, even after the file was deleted.
  const loadedPath = getEnvironmentData(name);
  if (typeof loadedPath === 'string') return openAddon(loadedPath);
  const content = Buffer.from(getRawAsset(name));
  const [path, exports] = openInstalledFile(name, content) ?? openTemporaryFile(name, content);
  setEnvironmentData(name, path);
  return exports;
}

function openAddon(path: string): unknown {
  const module = { exports: {} };
  process.dlopen(module, path);
  return module.exports;
}

type OpenedAddon = [path: string, exports: unknown];

const writableByOthers = 0o022;

/** Packages install the native module beside the executable, so they need no folder to write to. */
function openInstalledFile(name: string, content: Buffer): OpenedAddon | undefined {
  const folder = dirname(process.execPath);
  const path = join(folder, name);
  try {
    // In a shared folder such as /tmp, another user could replace the file after it was compared.
    if ((statSync(folder).mode & writableByOthers) !== 0) return undefined;
    return readFileSync(path).equals(content) ? [path, openAddon(path)] : undefined;
  } catch {
    return undefined;
  }
}

/** The file is deleted as soon as it is loaded. */
function openTemporaryFile(name: string, content: Buffer): OpenedAddon {
  const failures: string[] = [];
  for (const parent of new Set([tmpdir(), '/dev/shm', '/var/tmp', dirname(process.execPath)])) {
    let folder: string | undefined;
    try {
      // Only its owner can read and change the folder.
      folder = mkdtempSync(join(parent, 'rostra-'));
      const path = join(folder, name);
      writeFileSync(path, content, { mode: 0o600, flag: 'wx' });
      return [path, openAddon(path)];
    } catch (error) {
      failures.push(`  ${parent}: ${(error as Error).message}`);
    } finally {
      if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    }
  }
  throw new ConfigurationError([
    'Rostra loads SQLite from a temporary file, and no folder allows this:',
    ...failures,
    'Set TMPDIR to a folder that Rostra can write to and that is not mounted with the option noexec',
  ]);
}
