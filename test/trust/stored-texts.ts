/** What the database has of a municipality, as texts. */
import { isUtf8 } from 'node:buffer';
import { inflateRawSync } from 'node:zlib';
import {
  isolatedTables,
  keyUsageTable,
  rejectedRequestTable,
  sharedTables,
  tenantTables,
  wordTables,
} from '../../src/store/table-descriptors.ts';

/** The index of words is derived from other tables; on SQLite, counts of requests are in a file of their own. */
const without: readonly string[] = [...wordTables, keyUsageTable.name, rejectedRequestTable.name];

const tables = [...tenantTables, ...isolatedTables, ...Object.keys(sharedTables)].filter(
  (name) => !without.includes(name),
);

export interface StoredText {
  table: string;
  text: string;
}

type Query = (statement: string, values: string[]) => Row[] | Promise<Row[]>;
type Row = Record<string, unknown>;

/** @returns a text for each row */
export async function readStoredTexts(query: Query, organizationId: string): Promise<StoredText[]> {
  const texts: StoredText[] = [];
  for (const table of tables)
    for (const row of await query(`SELECT * FROM ${table} WHERE organization_id = $1`, [organizationId]))
      texts.push({ table, text: Object.values(row).map(readText).join('\n') });
  return texts;
}

/** Notes for an undo are compressed. Ids and digests have no text, but could look like any. */
function readText(value: unknown): string {
  if (!(value instanceof Uint8Array)) return String(value);
  try {
    return inflateRawSync(value).toString();
  } catch {
    return isUtf8(value) ? Buffer.from(value).toString() : '';
  }
}
