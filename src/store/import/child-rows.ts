/** Rows that belong to one of the rows that an import writes, and are replaced with it: agendas, questions, options. */
import type { Engine, Statements } from '../engine.ts';
import type { Columns, sessionSubmission, surveyOption, surveyQuestion } from '../schema.ts';

/** A transaction of one municipality. */
export interface Target {
  inside: Statements;
  recordset: Engine['recordset'];
  organizationId: string;
  /** Of the source that writes; null: it is none. */
  sourceId: number | null;
}

/**
 * Rows that belong to a session or a survey and are replaced as a whole. What they belong to stands first in
 * their key.
 */
type Belongings = typeof sessionSubmission | typeof surveyQuestion | typeof surveyOption;

type BelongingRow = Record<string, string | number>;

const ownerOf = ({ key }: Belongings) => Object.keys(key)[0] as string;
export const columnsOf = ({ key, columns }: Belongings): Columns => ({ ...key, ...columns });
const namesOf = (table: Belongings) => Object.keys(columnsOf(table)).join(', ');

/** The owners whose rows are not exactly those wanted. */
export async function differing(
  { inside, recordset, organizationId }: Target,
  table: Belongings,
  owners: readonly string[],
  wanted: readonly BelongingRow[],
): Promise<string[]> {
  const owner = ownerOf(table);
  const incoming = `SELECT ${namesOf(table)} FROM ${recordset('incoming', '$2', columnsOf(table))}`;
  const present = `SELECT ${namesOf(table)} FROM ${table.name} WHERE organization_id = $1
    AND ${owner} IN (SELECT id FROM ${recordset('owners', '$3', { id: 'text' })})`;
  const rows = await inside.rows<{ owner: string }>(
    `SELECT ${owner} AS owner FROM (${incoming} EXCEPT ${present}) AS missing
    UNION SELECT ${owner} FROM (${present} EXCEPT ${incoming}) AS surplus`,
    [organizationId, JSON.stringify(wanted), JSON.stringify(owners.map((id) => ({ id })))],
  );
  return rows.map((row) => row.owner);
}

export async function insert(
  { inside, recordset, organizationId }: Target,
  table: Belongings,
  rows: readonly BelongingRow[],
): Promise<void> {
  await inside.change(
    `INSERT INTO ${table.name} (organization_id, ${namesOf(table)})
    SELECT $1, ${namesOf(table)} FROM ${recordset('incoming', '$2', columnsOf(table))}`,
    [organizationId, JSON.stringify(rows)],
  );
}

export async function empty(
  { inside, recordset, organizationId }: Target,
  table: Belongings,
  owners: readonly string[],
): Promise<void> {
  await inside.change(
    `DELETE FROM ${table.name} WHERE organization_id = $1
      AND ${ownerOf(table)} IN (SELECT id FROM ${recordset('owners', '$2', { id: 'text' })})`,
    [organizationId, JSON.stringify(owners.map((id) => ({ id })))],
  );
}
