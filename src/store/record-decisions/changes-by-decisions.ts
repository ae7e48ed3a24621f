/** The changes that decisions make, which do not prevent the undo of an earlier import. */
import type { RecordKind } from '../../domain/records/records.ts';
import type { Queryable } from '../engine.ts';
import { selectIds, toIdRows } from '../queries/statements.ts';
import type { TenantTransaction } from '../tenant-transaction.ts';

/** A decision changed a record, so that its latest change has another number. */
interface OwnChange {
  kind: RecordKind;
  id: string;
  before: number;
  after: number;
}

/** @returns the number of the latest change that no decision made */
export type SkipChangesByDecisions = (kind: RecordKind, id: string, sequence: number) => number;

export async function readChangesByDecisions(
  transaction: Queryable,
  organizationId: string,
): Promise<SkipChangesByDecisions> {
  const rows = await transaction.query<{ changes: string }>(
    'SELECT own_changes AS changes FROM record_decision WHERE organization_id = $1',
    [organizationId],
  );
  const before = new Map(
    rows
      .flatMap(({ changes }) => JSON.parse(changes) as OwnChange[])
      .map((change) => [`${change.kind} ${change.id} ${change.after}`, change.before]),
  );
  return (kind, id, sequence) => {
    let latest = sequence;
    for (let earlier = before.get(`${kind} ${id} ${latest}`); earlier !== undefined; ) {
      latest = earlier;
      earlier = before.get(`${kind} ${id} ${latest}`);
    }
    return latest;
  };
}

/** Runs `work`, which changes some of these records. */
export async function trackChangesByDecisions(
  target: Pick<TenantTransaction, 'transaction' | 'recordset' | 'organizationId'>,
  records: readonly { kind: RecordKind; ids: readonly string[] }[],
  work: () => Promise<void>,
): Promise<OwnChange[]> {
  const read = async () => {
    const found = [];
    for (const { kind, ids } of records) found.push(...(await readSequences(target, kind, ids)));
    return found;
  };
  const earlier = new Map((await read()).map(({ kind, id, sequence }) => [`${kind} ${id}`, sequence]));
  await work();
  return (await read()).flatMap(({ kind, id, sequence: after }) => {
    const before = earlier.get(`${kind} ${id}`) ?? 0;
    return before === after ? [] : [{ kind, id, before, after }];
  });
}

async function readSequences(
  { transaction, recordset, organizationId }: Parameters<typeof trackChangesByDecisions>[0],
  kind: RecordKind,
  ids: readonly string[],
): Promise<{ kind: RecordKind; id: string; sequence: number }[]> {
  const rows = await transaction.query<{ id: string; sequence: number }>(
    `SELECT id, sequence FROM change
    WHERE organization_id = $1 AND kind = $2 AND id IN (${selectIds(recordset, '$3')})`,
    [organizationId, kind, toIdRows(ids)],
  );
  return rows.map(({ id, sequence }) => ({ kind, id, sequence: Number(sequence) }));
}
