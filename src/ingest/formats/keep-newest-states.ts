/** Of entries that an input repeats, such as those of pages that overlap, keeps the state that the source changed last. */

import { createSpool } from '../readers/json-lines-spool.ts';
import { createUuidTable } from '../records/duplicates/uuid-table.ts';
import type { ParsedRecord } from '../records/parsed-record.ts';

export interface DatedEntry {
  parsed: ParsedRecord;
  /** When the source changed the entry last, in ISO 8601; undefined if it does not say so. */
  updatedAt: string | undefined;
}

/** Seconds since 1970, which a table of 32-bit numbers can hold. */
const maxSeconds = 2 ** 32 - 1;

/** A retraction without a time counts whatever the times of the others are; a record without a time is the oldest. */
function toSeconds({ parsed, updatedAt }: DatedEntry): number {
  const seconds = Math.floor(Date.parse(updatedAt ?? '') / 1_000);
  if (seconds >= 0) return Math.min(seconds, maxSeconds);
  return 'retracted' in parsed ? maxSeconds : 0;
}

function getRecordId({ parsed }: DatedEntry): string | undefined {
  // A session may have the same id.
  if ('retracted' in parsed) return parsed.retracted === 'submission' ? parsed.recordId : undefined;
  return 'record' in parsed && parsed.record.kind === 'submission' ? parsed.record.id : undefined;
}

/** @param entries wait in a temporary file until the input ends, or until it cannot be read any further. Only submissions are compared. */
export async function* keepNewestStates(entries: AsyncIterable<DatedEntry>): AsyncGenerator<ParsedRecord> {
  const newest = createUuidTable();
  using spool = createSpool<DatedEntry>();
  let failure: { error: unknown } | undefined;
  try {
    for await (const entry of entries) {
      spool.add(entry);
      const id = getRecordId(entry);
      if (id !== undefined) newest.set(id, Math.max(newest.get(id) ?? 0, toSeconds(entry)));
    }
  } catch (error) {
    failure = { error };
  }
  for await (const entry of spool.values()) {
    const id = getRecordId(entry);
    const { location, id: sourceId } = entry.parsed;
    const isNewest = id === undefined || toSeconds(entry) >= (newest.get(id) ?? 0);
    yield isNewest ? entry.parsed : { location, id: sourceId, skipped: { code: 'record-superseded' } };
  }
  if (failure !== undefined) throw failure.error;
}
