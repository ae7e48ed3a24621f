/** Asks before the settings of an import delete many published records: one wrong word must not empty a municipality. */
import { recordKinds } from '../../contract/resources/changes.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import { createSpool, type Spool } from '../readers/json-lines-spool.ts';
import type { SeenRecords } from '../records/duplicates/seen-records.ts';
import type { PublishableRecord } from '../records/parsed-record.ts';
import type { RunTransaction } from './missing-records.ts';

/** Of the published records of a kind that the source wrote last. */
export const maxRetractedPercent = 10;

/** Ids of one query. */
const maxIds = 5_000;

export interface RetractionLimit extends Disposable {
  /** Notes a retraction by the settings. */
  note(parsed: PublishableRecord): void;
  /** Call it after the last record, before the first write. @returns undefined if the import deletes few records */
  findQuestion(transact: RunTransaction): Promise<Reason | undefined>;
}

interface NotedRetractions {
  because: Reason;
  ids: Spool<string>;
}

/** @param seen of the input, which also remembers the retracted ids */
export function createRetractionLimit(seen: SeenRecords): RetractionLimit {
  const noted = new Map<RecordKind, NotedRetractions>();

  async function countPublished(kind: RecordKind, transact: RunTransaction): Promise<number> {
    let count = 0;
    let ids: string[] = [];
    const addPage = async () => {
      const page = ids;
      count += await transact((writer) => writer.countPublished(kind, page));
      ids = [];
    };
    for await (const id of noted.get(kind)?.ids.values() ?? []) if (ids.push(id) === maxIds) await addPage();
    if (ids.length > 0) await addPage();
    return count;
  }

  return {
    note: (parsed) => {
      if (!('retracted' in parsed) || !parsed.isBySettings) return;
      const { retracted: kind, recordId, because } = parsed;
      if (seen.has(`retracted ${kind}`, recordId)) return;
      seen.addId(`retracted ${kind}`, recordId);
      const { ids } = noted.getOrInsertComputed(kind, () => ({ because, ids: createSpool() }));
      ids.add(recordId);
    },
    findQuestion: async (transact) => {
      for (const kind of recordKinds) {
        const { because } = noted.get(kind) ?? {};
        const count = because === undefined ? 0 : await countPublished(kind, transact);
        if (because === undefined || count === 0) continue;
        const published = await transact((writer) => writer.countPublished(kind));
        if (100 * count > maxRetractedPercent * published)
          return { code: 'removes-many', kind, count, published, maxPercent: maxRetractedPercent, because };
      }
      return undefined;
    },
    [Symbol.dispose]: () => {
      for (const { ids } of noted.values()) ids.remove();
    },
  };
}
