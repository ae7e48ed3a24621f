/**
 * Stores uploaded files in a folder, one subfolder for each run, with the lists of its dry run. Several servers share the folder.
 */
import { createWriteStream, existsSync, type StatsFs, statfsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { type DryRunEntries, type DryRunList, dryRunLists } from '../../domain/runs/dry-run-lists.ts';
import type { ImportRunReference } from '../../domain/runs/run-history.ts';
import type { ArrivingUpload } from '../../domain/runs/run-queue.ts';
import { UploadError, type UploadStorage } from '../../domain/runs/upload-storage.ts';
import { isRunningProcess } from '../../platform/partial-files.ts';
import { readJsonLines } from '../readers/json-lines-spool.ts';
import { writeDryRunLists } from './write-dry-run-lists.ts';

/** Disk space that uploads leave free, so that the database can grow. */
const reservedBytes = 268_435_456;

/** Bytes between two checks of the disk while a file arrives. */
const checkIntervalBytes = 16_777_216;

/** Partial files of other machines are removed at this age. Their server removes them sooner. */
const maxPartialAgeMs = 86_400_000;

/** A file is stored shortly before its run. */
const minOrphanAgeMs = 3_600_000;

const maxNameBytes = 150;

const ownerOnlyFolder = 0o700;
const ownerOnlyFile = 0o600;

export function createUploadStorage(folder: string, maxFileBytes: number): UploadStorage {
  const root = resolve(folder);
  /** Folders of files that are arriving at this process. */
  const arriving = new Set<string>();
  const locate = ({ organizationId, id }: ImportRunReference) => join(root, `${organizationId}_${id}`);
  const locateList = (run: ImportRunReference, list: DryRunList) => join(locate(run), `.${list}.ndjson`);

  return {
    maxFileBytes,

    save: async (run, fileName, content, expectedBytes, others) => {
      const partial = join(
        root,
        `${partialPrefix}${encodeURIComponent(hostname())}_${process.pid}_${run.id}`,
      );
      const name = sanitizeFileName(fileName);
      arriving.add(partial);
      try {
        await mkdir(partial, { recursive: true, mode: ownerOnlyFolder });
        const neededBytes = Math.min(expectedBytes ?? 0, maxFileBytes);
        await assertSpace(root, neededBytes + (await countMissingBytes(root, others)));
        const bytes = await writeFile(join(partial, name), content, root, maxFileBytes);
        await rename(partial, locate(run));
        return { path: join(locate(run), name), fileName: name, bytes };
      } catch (error) {
        // The first error has the reason. `removeAbandoned` tries again.
        await rm(partial, { recursive: true, force: true }).catch(() => undefined);
        throw toUploadError(error);
      } finally {
        arriving.delete(partial);
      }
    },

    find: async (run) => {
      // The name of an upload does not begin with a full stop.
      const fileName = (await listFolder(locate(run))).find((name) => !name.startsWith('.'));
      if (fileName === undefined) return undefined;
      const path = join(locate(run), fileName);
      return { path, fileName, bytes: (await stat(path)).size };
    },

    openLists: async (run, onProblem) => {
      const paths = dryRunLists.map((list) => locateList(run, list));
      await Promise.all(paths.map((path) => rm(path, { force: true })));
      return writeDryRunLists(
        (list) => locateList(run, list),
        () => hasSpace(statfsSync(root), 0),
        onProblem,
      );
    },

    readList: async function* <List extends DryRunList>(
      run: ImportRunReference,
      list: List,
      skipped: number,
    ) {
      const path = locateList(run, list);
      if (existsSync(path)) yield* readJsonLines<DryRunEntries[List]>(path, skipped);
    },

    remove: (run) => rm(locate(run), { recursive: true, force: true }),

    removeAbandoned: async (hasFile) => {
      for (const name of await listFolder(root)) {
        const path = join(root, name);
        const ageMs = Date.now() - ((await stat(path).catch(() => undefined))?.mtimeMs ?? Date.now());
        const isAbandoned = name.startsWith(partialPrefix)
          ? ageMs > maxPartialAgeMs || (isOfEndedProcess(name) && !arriving.has(path))
          : ageMs > minOrphanAgeMs && (await isOrphan(name, hasFile));
        if (isAbandoned) await rm(path, { recursive: true, force: true });
      }
    },
  };
}

const partialPrefix = 'partial_';

/** @returns an empty list for a missing folder */
async function listFolder(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** Other files of the folder are not ours. */
async function isOrphan(
  name: string,
  hasFile: (run: ImportRunReference) => Promise<boolean>,
): Promise<boolean> {
  const [, organizationId, id] = /^([\da-f-]{36})_([\da-f-]{36})$/.exec(name) ?? [];
  return organizationId !== undefined && id !== undefined && !(await hasFile({ organizationId, id }));
}

/** Whether a process of this machine began the file and has ended since. */
function isOfEndedProcess(name: string): boolean {
  const [, host, pid] = /^partial_([^_]*)_(\d+)_/.exec(name) ?? [];
  return host === encodeURIComponent(hostname()) && !isRunningProcess(Number(pid));
}

/** @returns bytes */
async function writeFile(
  path: string,
  content: AsyncIterable<Buffer>,
  root: string,
  maxFileBytes: number,
): Promise<number> {
  let bytes = 0;
  let checkedBytes = 0;
  const check = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxFileBytes) throw new UploadError('too_large');
      if (bytes - checkedBytes > checkIntervalBytes) {
        await assertSpace(root, 0);
        checkedBytes = bytes;
      }
      yield chunk;
    }
    if (bytes === 0) throw new UploadError('empty');
  };
  await pipeline(content, check, createWriteStream(path, { mode: ownerOnlyFile, flush: true }));
  return bytes;
}

/** Bytes that these files have not written yet. */
async function countMissingBytes(root: string, uploads: readonly ArrivingUpload[]): Promise<number> {
  if (uploads.length === 0) return 0;
  const partials = (await listFolder(root)).filter((name) => name.startsWith(partialPrefix));
  let missingBytes = 0;
  for (const { id, bytes } of uploads) {
    const partial = partials.find((name) => name.endsWith(`_${id}`));
    const written = partial === undefined ? 0 : await measureFolder(join(root, partial));
    missingBytes += Math.max(0, bytes - written);
  }
  return missingBytes;
}

/** @returns bytes; 0 if the folder was removed meanwhile */
async function measureFolder(path: string): Promise<number> {
  const names = await listFolder(path);
  const sizes = names.map(async (name) => (await stat(join(path, name)).catch(() => undefined))?.size ?? 0);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

/** @throws UploadError */
async function assertSpace(root: string, neededBytes: number): Promise<void> {
  if (!hasSpace(await statfs(root), neededBytes)) throw new UploadError('disk_full');
}

const hasSpace = ({ bavail, bsize }: StatsFs, neededBytes: number): boolean =>
  bavail * bsize >= neededBytes + reservedBytes;

/** Errors of the connection mean that the client closed it. */
function toUploadError(error: unknown): unknown {
  if (error instanceof UploadError) return error;
  const { code = '' } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') return new UploadError('disk_full');
  if (['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST'].includes(code))
    return new UploadError('unwritable', { cause: error });
  const isConnectionError = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR'].includes(code);
  return isConnectionError ? new UploadError('incomplete') : error;
}

/** Formats are detected by the content, but archives and messages show the name. */
function sanitizeFileName(fileName: string): string {
  const base = fileName.toWellFormed().replace(/^.*[/\\]/s, '');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are replaced
  const plain = base.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, '\ufffd').replace(/^\.+/, '');
  // The end contains the extension.
  let name = plain;
  while (Buffer.byteLength(name) > maxNameBytes) name = [...name].slice(1).join('');
  return name === '' ? 'upload' : name;
}
