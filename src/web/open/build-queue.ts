/** Builds one file at a time, so that requests with keys keep most of the database. Requests for the same file share a build. */
import { createFairQueue } from './fair-queue.ts';
import type { FileVersion } from './file-cache.ts';
import { OpenDataBusyError } from './responses.ts';

/** Builds that wait while another one runs. */
const maxWaitingBuilds = 20;

/** A connection without traffic is closed after 30 seconds. */
const maxWaitMs = 20_000;

interface PendingBuild {
  built: Promise<void>;
  start(): void;
  giveWay(): void;
}

export interface BuildQueue {
  /**
   * Waits for the build of a file. Addresses take turns.
   *
   * @param build called at its turn, unless another request has asked for the file
   * @throws OpenDataBusyError if too many wait, also later: the address with the most gives way. After `maxWaitMs`, too, while the
   * build goes on
   */
  run(address: string, file: FileVersion, build: () => Promise<void>): Promise<void>;
}

export function createBuildQueue(): BuildQueue {
  const pending = new Map<string, PendingBuild>();
  const waiting = createFairQueue<PendingBuild>();
  let isBuilding = false;

  function startNext(): void {
    if (isBuilding) return;
    const next = waiting.shift();
    isBuilding = next !== undefined;
    next?.start();
  }

  function makeRoom(address: string): void {
    if (waiting.size < maxWaitingBuilds) return;
    const other = waiting.takeFromLargest(address);
    if (other === undefined) throw createBusyError();
    other.giveWay();
  }

  function add(address: string, key: string, build: () => Promise<void>): PendingBuild {
    makeRoom(address);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const added: PendingBuild = {
      built: promise.finally(() => pending.delete(key)),
      start: () =>
        build()
          .then(resolve, reject)
          .finally(() => {
            isBuilding = false;
            startNext();
          }),
      giveWay: () => reject(createBusyError()),
    };
    pending.set(key, added);
    waiting.push(address, added);
    startNext();
    return added;
  }

  return {
    run: async (address, file, build) => {
      const key = [file.organizationId, file.version, file.name].join('/');
      const present = pending.get(key);
      if (present !== undefined) waiting.adopt(address, present);
      const { built } = present ?? add(address, key, build);
      const { promise: waited, reject } = Promise.withResolvers<never>();
      const timer = setTimeout(
        () => reject(new OpenDataBusyError('The file is being built.', 10)),
        maxWaitMs,
      );
      await Promise.race([built, waited]).finally(() => clearTimeout(timer));
    },
  };
}

const createBusyError = () => new OpenDataBusyError('Too many files are being built.', 30);
