/** Finds the published records that a source no longer has, and deletes them on request. */

import { recordKinds } from '../../contract/resources/changes.ts';
import { ReasonError } from '../../domain/reasons/reason.ts';
import type { ImportRecord, RecordKind } from '../../domain/records/records.ts';
import type { RecordWriter } from '../../domain/store.ts';
import { deriveRecordId } from '../../domain/values/uuid.ts';
import type { SeenRecords } from '../records/duplicates/seen-records.ts';
import type { ImportObserver, MissingRecords } from '../records/import-observer.ts';
import type { PublishableRecord } from '../records/parsed-record.ts';

export interface MissingOptions {
  /** UUID, the namespace of the ids of this source. */
  namespace: string;
  /** Whether an earlier import wrote records of this source; otherwise none can be missing. */
  isKnownSource: boolean;
  /** A run of a stored source fails if its input has no records, and must not have deleted any. */
  readsAllFirst?: boolean | undefined;
  /** Delete the missing records, unless they are more than this percentage of a kind; undefined: only count them. */
  maxDeletedPercent: number | undefined;
  /** The input has all records of these times: only submissions that were created in them can be missing; undefined: of all times. */
  createdWithin?: readonly TimeRange[] | undefined;
  signal: AbortSignal;
  observer: ImportObserver;
}

/** In the published form, both included. */
export interface TimeRange {
  from: string;
  to: string;
}

/** The import would delete a larger share of the records than `--max-deleted` allows. */
export class TooManyMissingError extends ReasonError {}

/** Runs `work` in a new transaction, or in the single transaction of the import. */
export type RunTransaction = <Result>(work: (writer: RecordWriter) => Promise<Result>) => Promise<Result>;

export interface MissingRecordsTracker {
  /** Notes a record of the input. Rejected records count as present. */
  note(parsed: PublishableRecord): void;
  /** Notes a record that was not published before. */
  noteInserted(record: ImportRecord): void;
  /**
   * Counts and deletes missing records after the last batch.
   *
   * @param onPage called after each page of stored ids
   * @throws TooManyMissingError before it deletes anything
   */
  settle(transact: RunTransaction, onPage: (deleted: number) => void): Promise<void>;
}

/** The result of one page of stored ids. */
interface Page {
  /** Number of stored ids that the input has. */
  present: number;
  /** Number of records that the page's query counted or deleted. */
  absent: number;
}

const rejectedKind = 'rejected';

/** @param seen the ids of the records in the input, by kind */
export function createMissingRecordsTracker(
  seen: SeenRecords,
  {
    namespace,
    isKnownSource,
    readsAllFirst,
    maxDeletedPercent,
    createdWithin,
    signal,
    observer,
  }: MissingOptions,
): MissingRecordsTracker {
  /** The number of new records by kind. A kind without records in the input has no missing records. */
  const inserted = new Map<RecordKind, number>();
  /** A table can have a header and no rows: then the records of all kinds are missing. */
  let isEmpty = readsAllFirst !== true;
  let hasRejected = false;
  let isUncertain = false;

  const isInInput = (kind: RecordKind, id: string) =>
    seen.has(kind, id) || (hasRejected && seen.has(rejectedKind, id));

  async function findCreated(writer: RecordWriter, kind: RecordKind, ids: string[]): Promise<string[]> {
    if (kind !== 'submission' || ids.length === 0) return [];
    const times = await writer.readCreationTimes(ids);
    return ids.filter((id) => {
      const at = times.get(id);
      return at !== undefined && createdWithin?.some(({ from, to }) => from <= at && at <= to);
    });
  }

  /** Passes the stored ids that the input lacks to `visit`, one transaction per page. */
  async function* visitAbsent(
    kind: RecordKind,
    transact: RunTransaction,
    visit: (writer: RecordWriter, ids: string[]) => Promise<number>,
  ): AsyncGenerator<Page> {
    for (let after: string | undefined = ''; after !== undefined; ) {
      signal.throwIfAborted();
      const from: string = after;
      const { ids, ...page } = await transact(async (writer) => {
        const ids = await writer.listIds(kind, from);
        const unread = ids.filter((id) => !isInInput(kind, id));
        const lacking = createdWithin === undefined ? unread : await findCreated(writer, kind, unread);
        const absent = lacking.length > 0 ? await visit(writer, lacking) : 0;
        return { ids, present: ids.length - lacking.length, absent };
      });
      yield page;
      after = ids.at(-1);
    }
  }

  async function countMissing(
    kind: RecordKind,
    transact: RunTransaction,
    onPage: (deleted: number) => void,
  ): Promise<number> {
    let missing = 0;
    let present = 0;
    for await (const page of visitAbsent(kind, transact, (writer, ids) => writer.countOwn(kind, ids))) {
      missing += page.absent;
      present += page.present;
      onPage(0);
    }
    const published = missing + present - (inserted.get(kind) ?? 0);
    const isTooMany = maxDeletedPercent !== undefined && 100 * missing > maxDeletedPercent * published;
    if (isTooMany && !isUncertain) throw tooManyMissing(kind, missing, published, maxDeletedPercent);
    return missing;
  }

  return {
    note: (parsed) => {
      if (!('skipped' in parsed)) isEmpty = false;
      if ('record' in parsed) {
        const { kind } = parsed.record;
        if (!inserted.has(kind)) inserted.set(kind, 0);
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
      inserted.set(kind, (inserted.get(kind) ?? 0) + 1);
    },
    settle: async (transact, onPage) => {
      const missing: MissingRecords = { count: 0, deleted: 0, isUncertain };
      const incomplete: RecordKind[] = [];
      for (const kind of isKnownSource ? (isEmpty ? recordKinds : inserted.keys()) : []) {
        const count = await countMissing(kind, transact, onPage);
        missing.count += count;
        if (count > 0) incomplete.push(kind);
      }
      for (const kind of maxDeletedPercent !== undefined && !isUncertain ? incomplete : []) {
        const deletions = visitAbsent(kind, transact, (writer, ids) => writer.deleteOwn(kind, ids));
        for await (const { absent } of deletions) {
          missing.deleted += absent;
          onPage(absent);
        }
      }
      observer.onMissingRecords?.(missing);
    },
  };
}

function tooManyMissing(
  kind: RecordKind,
  missing: number,
  published: number,
  maxPercent: number,
): TooManyMissingError {
  const needed = Math.ceil((100 * missing) / published);
  return new TooManyMissingError({ code: 'too-many-missing', kind, missing, published, maxPercent, needed });
}
