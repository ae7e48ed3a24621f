/** The page that every peer must return: submissions of one organization, newest first, then by id. */
import pg from 'pg';

export const itemsPerPage = 20;

/** Published fields of a submission. */
export const fields = [
  'id',
  'referenceNumber',
  'description',
  'status',
  'topicCategoryName',
  'priorityLevel',
  'supportCount',
  'hasAttachments',
  'protocolUrl',
  'createdAt',
  'statusChangedAt',
];

export interface Database {
  /** `postgres://` URL of the owner of the tables. */
  owner: string;
  organizationId: string;
  submissions: number;
}

/** Offset of the deep page: 9000, or the last full page of a smaller database. */
export function getDeepOffset({ submissions }: Database): number {
  if (submissions < 2 * itemsPerPage) throw new Error(`A comparison needs ${2 * itemsPerPage} submissions.`);
  return Math.min(9000, Math.floor(submissions / itemsPerPage - 1) * itemsPerPage);
}

/** Options of a connection. Row-level security also applies to the owner: it hides all other municipalities. */
export function createConnectionOptions({ organizationId }: Database): string {
  return `-c rostra.organization_id=${organizationId}`;
}

/** Reads the published JSON of submissions in the order of the page. */
export async function readDocuments(database: Database, offset: number, limit: number): Promise<string[]> {
  const rows = await query<{ document: string }>(
    database,
    'SELECT document FROM submission WHERE organization_id = $1 ORDER BY created_at DESC, id OFFSET $2 LIMIT $3',
    [database.organizationId, offset, limit],
  );
  return rows.map(({ document }) => document);
}

/**
 * The index of a team that writes such a query. Rostra's own is partial, with a condition that only its queries have.
 *
 * @param owner URL of the owner of the tables
 */
export const createPlainIndex = (owner: string) =>
  query(
    { owner, organizationId: '', submissions: 0 },
    `CREATE INDEX submission_plain_list ON submission (organization_id, created_at DESC, id);
    ANALYZE submission`,
  );

/** Runs a statement, or several without parameters, as the owner of the tables. */
export async function query<Row>(database: Database, text: string, parameters?: unknown[]): Promise<Row[]> {
  const client = new pg.Client({
    connectionString: database.owner,
    options: createConnectionOptions(database),
  });
  await client.connect();
  try {
    return (await client.query(text, parameters)).rows as Row[];
  } finally {
    await client.end();
  }
}
