/**
 * Files on the disk, each built once for a version of the data of its municipality: `<municipality>.open-data/<version>/<name>`,
 * and beside it the same compressed. Several processes may share the folder: each builds under a name of its own. What else is in
 * the folder stays there.
 */

import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { uuidPattern } from '../../domain/values/uuid.ts';

export interface CachedFile {
  path: string;
  bytes: number;
  /** undefined: a large file. */
  content: Buffer | undefined;
}

export interface FileVersion {
  organizationId: string;
  version: string;
  name: string;
}

export interface FileCache {
  /** @returns undefined if it has not been built */
  find(file: FileVersion, isCompressed: boolean): Promise<CachedFile | undefined>;
  /** Of the files that have been built, by name. */
  listSizes(files: Omit<FileVersion, 'name'>): Promise<Map<string, number>>;
  /**
   * Writes a file and its compressed form, and removes those of other versions. Writes nothing if its own version is removed
   * meanwhile. Rejects with the error of `content`.
   */
  build(file: FileVersion, content: Readable): Promise<void>;
  /** Removes the files of a municipality except those of a version. @param version undefined: all */
  keepVersion(organizationId: string, version: string | undefined): Promise<void>;
  /** Removes the files of municipalities without a present version. @param findVersion undefined: publishes nothing */
  sweep(findVersion: (organizationId: string) => Promise<string | undefined>): Promise<void>;
}

const organizationSuffix = '.open-data';
const compressedSuffix = '.gz';
const partialSuffix = '.partial';

/** Partial files of processes that died are removed at this age. */
const maxPartialAgeMs = 3_600_000;

/** Larger files are sent piece by piece. */
const maxBytesOfSmall = 131_072;

/** Small files that are asked for often stay in memory for this time, so that they cost no more than other responses. */
const keptMs = 1_000;

const maxKeptBytes = 16 * 1024 * 1024;

/** The disk has the time of the last use with this precision. The bound removes what was used longest ago. */
const usedPrecisionMs = 60_000;

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT';

const ifPresent = <Result>(result: Promise<Result>): Promise<Result | undefined> =>
  result.catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });

const list = async (folder: string): Promise<string[]> => (await ifPresent(readdir(folder))) ?? [];

async function findFile(path: string): Promise<{ bytes: number; usedMs: number } | undefined> {
  const found = await ifPresent(stat(path));
  return found && { bytes: found.size, usedMs: found.mtimeMs };
}

/** @param maxSmallBytes of a file that is read at once */
async function openFile(path: string, maxSmallBytes: number): Promise<CachedFile | undefined> {
  const found = await findFile(path);
  if (found === undefined) return undefined;
  const { bytes, usedMs } = found;
  if (Date.now() - usedMs > usedPrecisionMs)
    await utimes(path, new Date(), new Date()).catch(() => undefined);
  if (bytes > maxSmallBytes) return { path, bytes, content: undefined };
  const content = await ifPresent(readFile(path));
  return content && { path, bytes: content.length, content };
}

/**
 * @param maxBytes of all files. Those that were used longest ago are removed first
 * @param maxSmallBytes of a file that is read at once
 */
export function createFileCache(
  folder: string,
  maxBytes: number,
  maxSmallBytes = maxBytesOfSmall,
): FileCache {
  const locate = (organizationId: string, ...path: string[]) =>
    join(folder, `${organizationId}${organizationSuffix}`, ...path);
  const remove = (organizationId: string, ...path: string[]) =>
    rm(locate(organizationId, ...path), { recursive: true, force: true });

  async function listOrganizations(): Promise<string[]> {
    const names = (await list(folder)).filter((name) => name.endsWith(organizationSuffix));
    return names
      .map((name) => name.slice(0, -organizationSuffix.length))
      .filter((id) => uuidPattern.test(id));
  }

  async function keepVersion(organizationId: string, version: string | undefined): Promise<void> {
    if (version === undefined) return remove(organizationId);
    for (const other of await list(locate(organizationId)))
      if (other !== version) await remove(organizationId, other);
  }

  async function listVersions(): Promise<{ path: [string, string]; bytes: number; usedMs: number }[]> {
    const versions = [];
    for (const organizationId of await listOrganizations())
      for (const version of await list(locate(organizationId))) {
        const names = await list(locate(organizationId, version));
        const files = await Promise.all(names.map((name) => findFile(locate(organizationId, version, name))));
        versions.push({
          path: [organizationId, version] as [string, string],
          bytes: files.reduce((sum, file) => sum + (file?.bytes ?? 0), 0),
          usedMs: Math.max(0, ...files.map((file) => file?.usedMs ?? 0)),
        });
      }
    return versions;
  }

  /** @param present of the municipality whose files stay; default: of that which was used last */
  async function keepWithinBound(present?: FileVersion): Promise<void> {
    const versions = (await listVersions()).toSorted((one, other) => one.usedMs - other.usedMs);
    const kept = present?.organizationId ?? versions.at(-1)?.path[0];
    let bytes = versions.reduce((sum, version) => sum + version.bytes, 0);
    for (const { path, bytes: freed } of versions) {
      if (bytes <= maxBytes) return;
      if (path[0] === kept) continue;
      await remove(...path);
      bytes -= freed;
    }
  }

  /**
   * By path. Requests during a look-up share it. Whether a version is still published is asked before. `file` is undefined if
   * there is no file: a look-up without a value would fail if it took longer than `keptMs`.
   */
  const lookups = new LRUCache<string, { file: CachedFile | undefined }>({
    ttl: keptMs,
    ttlAutopurge: true,
    maxSize: maxKeptBytes,
    // Only small files stay: others are larger than an entry may be. Zero is no size.
    maxEntrySize: maxSmallBytes + 1,
    sizeCalculation: ({ file }) => (file?.content?.length ?? maxSmallBytes + 1) + 1,
    fetchMethod: async (path) => ({ file: await openFile(path, maxSmallBytes) }),
    ignoreFetchAbort: true,
  });

  return {
    find: async ({ organizationId, version, name }, isCompressed) => {
      const path = locate(organizationId, version, name) + (isCompressed ? compressedSuffix : '');
      return (await lookups.fetch(path))?.file;
    },

    listSizes: async ({ organizationId, version }) => {
      const path = locate(organizationId, version);
      const sizes = new Map<string, number>();
      for (const name of (await list(path)).toSorted()) {
        const found = await findFile(join(path, name));
        const isWhole = !name.endsWith(compressedSuffix) && !name.endsWith(partialSuffix);
        if (isWhole && found !== undefined) sizes.set(name, found.bytes);
      }
      return sizes;
    },

    build: async (file, content) => {
      const path = locate(file.organizationId, file.version, file.name);
      const partial = `${path}.${randomUUID()}${partialSuffix}`;
      const compressed = partial + compressedSuffix;
      await mkdir(locate(file.organizationId, file.version), { recursive: true, mode: 0o700 });
      try {
        await pipeline(content, createWriteStream(partial, { mode: 0o600 }));
        await pipeline(
          createReadStream(partial),
          createGzip(),
          createWriteStream(compressed, { mode: 0o600 }),
        );
        await rename(compressed, path + compressedSuffix);
        await rename(partial, path);
      } catch (error) {
        // The data has changed, and another build or `sweep` has removed the version.
        if (!isMissing(error)) throw error;
      } finally {
        await Promise.all([partial, compressed].map((name) => rm(name, { force: true })));
      }
      // The file is good. `sweep` repeats the removal, and reports its errors.
      await keepVersion(file.organizationId, file.version)
        .then(() => keepWithinBound(file))
        .catch(() => undefined);
    },

    keepVersion,

    sweep: async (findVersion) => {
      for (const organizationId of await listOrganizations())
        await keepVersion(organizationId, await findVersion(organizationId));
      await keepWithinBound();
      const oldestMs = Date.now() - maxPartialAgeMs;
      for (const { path } of await listVersions())
        for (const name of await list(locate(...path))) {
          const found = name.includes(partialSuffix) && (await findFile(locate(...path, name)));
          if (found && found.usedMs < oldestMs) await remove(...path, name);
        }
    },
  };
}
