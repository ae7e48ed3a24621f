/** Splits records into the batches that are written in one transaction each. */
import type { ParsedRecord, PublishableRecord } from '../records/parsed-record.ts';

/** Larger batches write each index page less often; other writers wait for about a second per batch. */
const maxRecords = 5_000;

/** Characters. Bounds the memory for batches of long records. */
const maxLength = 8 * 1024 * 1024;

/** A slow source, such as a pipe, is published at this interval, seconds. */
const maxDelaySeconds = 10;

/** If the entries end with an error, the batch before it is complete and comes first. */
export async function* splitIntoBatches<Entry extends ParsedRecord | PublishableRecord>(
  entries: AsyncIterable<Entry>,
): AsyncGenerator<Entry[]> {
  let batch: Entry[] = [];
  let length = 0;
  let startedAt = process.uptime();
  try {
    for await (const entry of entries) {
      batch.push(entry);
      length += estimateLength(entry);
      const isDue = process.uptime() - startedAt > maxDelaySeconds;
      if (batch.length < maxRecords && length < maxLength && !isDue) continue;
      yield batch;
      batch = [];
      length = 0;
      startedAt = process.uptime();
    }
  } catch (error) {
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}

/** The approximate length in characters; 0 for records that are always short. */
function estimateLength(parsed: ParsedRecord | PublishableRecord): number {
  if (!('record' in parsed)) return 0;
  const { record } = parsed;
  if (record.kind === 'submission') return record.description.length;
  if (record.kind === 'session') return 40 * (record.submissions?.length ?? 0);
  return record.kind === 'survey' ? JSON.stringify(record).length : 0;
}
