/** Errors of SQLite as errors of the store: who can mend them, and how. */
import { StoreDamagedError, StoreUnavailableError } from '../../domain/store-errors.ts';
import { findInaccessibleFile } from './find-inaccessible-file.ts';

const damageCodes = /^SQLITE_(CORRUPT|NOTADB)/;

const unavailableCodes = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|PERM|AUTH|NOMEM)/;

export const countersSuffix = '-counters';

const getCode = (error: unknown): string => (error as { code?: string }).code ?? '';

export const isDamage = (error: unknown): boolean => damageCodes.test(getCode(error));

/**
 * @param file the database, or its counters
 * @param reason of SQLite
 */
export function createDamagedError(file: string, reason: string, cause?: unknown): StoreDamagedError {
  const remedy = file.endsWith(countersSuffix)
    ? 'Stop the service, move this file away together with its "-wal" and "-shm", and start the service. See docs/damaged-database.md.'
    : 'Stop the service, keep all files of the database, and restore a backup. See docs/damaged-database.md.';
  return new StoreDamagedError(`The database file ${file} is damaged: ${reason}.`, remedy, { cause });
}

/**
 * @param file the file that SQLite could not open or read
 * @returns an error of the store, or the given error if it is a defect of Rostra
 */
export function toStoreError(error: unknown, file: string): unknown {
  const { message } = error as Error;
  if (isDamage(error)) return createDamagedError(file, message, error);
  if (!unavailableCodes.test(getCode(error))) return error;
  return new StoreUnavailableError(`The database failed: ${findInaccessibleFile(file) ?? message}.`, {
    cause: error,
  });
}

/** As `toStoreError`, for each error of a connection that is being opened. */
export function toOpenError(error: unknown, file: string): Error {
  const { message } = error as Error;
  if (isDamage(error)) return createDamagedError(file, message, error);
  return new StoreUnavailableError(
    `The database ${file} cannot be opened: ${findInaccessibleFile(file) ?? message}.`,
    { cause: error },
  );
}

/** The damage that a process has found in the files of its database. */
export interface DamageRecord {
  /**
   * As `toStoreError`, and remembers the first damage.
   *
   * @param sql the statement that failed
   */
  convert(error: unknown, sql: string): unknown;
  /** The first damage. */
  first: StoreDamagedError | undefined;
  /** Resolves with the first damage. */
  found: Promise<StoreDamagedError>;
}

/** @param isOfCounters whether the damage that a statement has met is in the counters */
export function createDamageRecord(file: string, isOfCounters: (sql: string) => boolean): DamageRecord {
  const { promise: found, resolve } = Promise.withResolvers<StoreDamagedError>();
  const record: DamageRecord = {
    convert: (error, sql) => {
      const damagedFile = isDamage(error) && isOfCounters(sql) ? file + countersSuffix : file;
      const converted = toStoreError(error, damagedFile);
      if (converted instanceof StoreDamagedError && record.first === undefined) {
        record.first = converted;
        resolve(converted);
      }
      return converted;
    },
    first: undefined,
    found,
  };
  return record;
}
