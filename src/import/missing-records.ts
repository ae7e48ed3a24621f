/** Finds the published records that a source no longer has, and deletes them on request. */
import type { ImportRecord, RecordKind } from '../domain/records.ts';
import type { RecordWriter } from '../domain/store.ts';
import type { ImportObserver, MissingRecords } from './import-observer.ts';
import type { PublishableRecord } from './parsed-record.ts';
import { deriveRecordId } from './record-ids.ts';
import type { SeenRecords } from './seen-records.ts';

export interface MissingOptions {
  /** UUID, the namespace of the ids of this source. */
  namespace: string;
  /** Whether an earlier import wrote records of this source; otherwise none can be missing. */
  isKnownSource: boolean;
  /** Delete the missing records, unless they are more than this percentage of a kind; undefined: only count them. */
  maxDeletedPercent: number | undefined;
  signal: AbortSignal;
  observer: ImportObserver;
}

/** The import would delete a larger share of the records than `--max-deleted` allows. */
export class TooManyMissingError extends Error {}

/** Runs `work` in a new transaction, or in the single transaction of the import. */
export type RunTransaction = <Result>(work: (writer: RecordWriter) => Promise<Result>) => Promise<Result>;

export interface MissingRecordsTracker {
  /** Notes a record of the input. Rejected records count as present. */
  note(parsed: PublishableRecord): void;
  /** Notes a record that was not published before. */
  noteInserted(record: ImportRecord): void;
  /** Counts and deletes missing records after the last batch. @throws TooManyMissingError before it deletes anything */
  settle(transact: RunTransaction, onDeleted: (count: number) => void): Promise<void>;
}

/** A page of stored ids, read in one transaction. */
interface Page {
  last: string | undefined;
  present: number;
  visited: number;
}

const rejectedKind = 'rejected';

/** @param seen the ids of the records in the input, by kind */
export function createMissingRecordsTracker(
  seen: SeenRecords,
  { namespace, isKnownSource, maxDeletedPercent, signal, observer }: MissingOptions,
): MissingRecordsTracker {
  /** The number of new records by kind. A kind without records in the input has no missing records. */
  const inserted = new Map<RecordKind, number>();
  let hasRejected = false;
  let isUncertain = false;

  const isInInput = (kind: RecordKind, id: string) =>
    seen.has(kind, id) || (hasRejected && seen.has(rejectedKind, id));

  /**
   * Visits the stored ids that the input lacks, one transaction per page.
   *
   * @param onVisited receives the result of each page after its transaction
   * @returns the number of stored ids that the input has
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
    note: (parsed) => {
      if ('record' in parsed) {
        const { kind } = parsed.record;
        if (kind !== 'removal' && !inserted.has(kind)) inserted.set(kind, 0);
      } else if ('rejectionReason' in parsed) {
        hasRejected = true;
        if (parsed.id === undefined) isUncertain = true;
        // Some formats trim ids. No format publishes an id with a lone surrogate.
        else if (parsed.id.isWellFormed())
          for (const id of [parsed.id, parsed.id.trim()])
            seen.addId(rejectedKind, deriveRecordId(namespace, id));
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
      observer.onMissingRecords?.(missing);
    },
  };
}

function tooMany(kind: RecordKind, missing: number, published: number, most: number): TooManyMissingError {
  const needed = Math.ceil((100 * missing) / published);
  return new TooManyMissingError(
    `The input lacks ${missing} of the ${published} published ${kind}s of this source, more than ${most} %. No record was deleted. If the input is complete, import it again with --max-deleted ${needed}.`,
  );
}
