/** Finds the published records that a source no longer has, and deletes them where the person asked for it. */
import type { ImportRecord, RecordKind } from '../domain/records.ts';
import type { RecordWriter } from '../domain/store.ts';
import type { PublishableRecord } from './parsed-record.ts';
import { deriveRecordId } from './record-ids.ts';
import type { SeenRecords } from './seen-records.ts';

export interface MissingOptions {
  /** UUID that ids of the source are named under. */
  namespace: string;
  /** Whether an earlier import wrote records of this source; otherwise none can be missing. */
  isKnownSource: boolean;
  /** Delete the missing records, unless they are more than this percentage of a kind; undefined: only count them. */
  maxDeletedPercent: number | undefined;
  signal: AbortSignal;
  /** Told the result before the last transaction of the import ends. */
  onSettled: (missing: MissingRecords) => void;
}

export interface MissingRecords {
  count: number;
  deleted: number;
  /** A refused record has no readable id and may be one of the missing ones, so none was deleted. */
  isUncertain: boolean;
}

/** More records are missing than the import may delete. */
export class TooManyMissingError extends Error {}

/** Runs `work` in a transaction of its own, or in that of the whole import. */
export type RunTransaction = <Result>(work: (writer: RecordWriter) => Promise<Result>) => Promise<Result>;

export interface MissingRecordsTracker {
  /** Notes what the input has. Refused records count as present. */
  note(reading: PublishableRecord): void;
  /** Notes a record that was not published before. */
  noteInserted(record: ImportRecord): void;
  /** For the end of the input, when all of it is written. @throws TooManyMissingError before anything is deleted */
  settle(transact: RunTransaction, onDeleted: (count: number) => void): Promise<void>;
}

/** Ids of one transaction. */
interface Page {
  last: string | undefined;
  present: number;
  visited: number;
}

const refusedKind = 'refused';

/** @param met the ids of the records in the input, by kind */
export function createMissingRecordsTracker(
  met: SeenRecords,
  { namespace, isKnownSource, maxDeletedPercent, signal, onSettled }: MissingOptions,
): MissingRecordsTracker {
  /** How many records of each kind are new. An input without any session says nothing about sessions. */
  const inserted = new Map<RecordKind, number>();
  let hasRefused = false;
  let isUncertain = false;

  const isInInput = (kind: RecordKind, id: string) =>
    met.has(kind, id) || (hasRefused && met.has(refusedKind, id));

  /**
   * Visits the stored ids that the input lacks, a transaction for each page.
   *
   * @param onVisited told the sum of each page once its transaction is done
   * @returns how many of the stored ids the input has
   */
  async function visitAbsent(
    kind: RecordKind,
    transact: RunTransaction,
    visit: (writer: RecordWriter, ids: string[]) => Promise<number>,
    onVisited: (count: number) => void,
  ): Promise<number> {
    let present = 0;
    for (let after: string | undefined = ''; after !== undefined; ) {
      signal.throwIfAborted();
      const from: string = after;
      const page: Page = await transact(async (writer) => {
        const ids = await writer.listIds(kind, from);
        const absent = ids.filter((id) => !isInInput(kind, id));
        const visited = absent.length > 0 ? await visit(writer, absent) : 0;
        return { last: ids.at(-1), present: ids.length - absent.length, visited };
      });
      present += page.present;
      onVisited(page.visited);
      after = page.last;
    }
    return present;
  }

  async function count(kind: RecordKind, transact: RunTransaction): Promise<number> {
    let missing = 0;
    const present = await visitAbsent(
      kind,
      transact,
      (writer, ids) => writer.countOwn(kind, ids),
      (found) => {
        missing += found;
      },
    );
    const published = missing + present - (inserted.get(kind) ?? 0);
    const isTooMany = maxDeletedPercent !== undefined && 100 * missing > maxDeletedPercent * published;
    if (isTooMany && !isUncertain) throw tooMany(kind, missing, published, maxDeletedPercent);
    return missing;
  }

  return {
    note: (reading) => {
      if ('record' in reading) {
        const { kind } = reading.record;
        if (kind !== 'removal' && !inserted.has(kind)) inserted.set(kind, 0);
      } else if ('rejectionReason' in reading) {
        hasRefused = true;
        if (reading.id === undefined) isUncertain = true;
        // Formats differ in whether they trim ids; none publishes a record with half a character in its id.
        else if (reading.id.isWellFormed())
          for (const id of [reading.id, reading.id.trim()])
            met.addId(refusedKind, deriveRecordId(namespace, id));
      }
    },
    noteInserted: ({ kind }) => {
      if (kind !== 'removal') inserted.set(kind, (inserted.get(kind) ?? 0) + 1);
    },
    settle: async (transact, onDeleted) => {
      const missing: MissingRecords = { count: 0, deleted: 0, isUncertain };
      const found: RecordKind[] = [];
      for (const kind of isKnownSource ? inserted.keys() : []) {
        const ofKind = await count(kind, transact);
        missing.count += ofKind;
        if (ofKind > 0) found.push(kind);
      }
      if (maxDeletedPercent !== undefined && !isUncertain)
        for (const kind of found)
          await visitAbsent(
            kind,
            transact,
            (writer, ids) => writer.deleteOwn(kind, ids),
            (deleted) => {
              missing.deleted += deleted;
              onDeleted(deleted);
            },
          );
      onSettled(missing);
    },
  };
}

function tooMany(kind: RecordKind, missing: number, published: number, most: number): TooManyMissingError {
  const needed = Math.ceil((100 * missing) / published);
  return new TooManyMissingError(
    `The input lacks ${missing} of the ${published} published ${kind}s of this source, more than ${most} %. No record was deleted. If the input is complete, import it again with --max-deleted ${needed}.`,
  );
}
