/** The page that every peer gives: of one organization, the newest first, and by id among those of one time. */
import pg from 'pg';

export const itemsPerPage = 20;

/** What is published of a submission. */
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
  /** `postgres://` address of the tables' owner. */
  owner: string;
  organizationId: string;
  submissions: number;
}

/** The deep page begins here, or where a smaller database has its last full page. */
export function getDeepOffset({ submissions }: Database): number {
  if (submissions < 2 * itemsPerPage) throw new Error(`A comparison needs ${2 * itemsPerPage} submissions.`);
  return Math.min(9000, Math.floor(submissions / itemsPerPage - 1) * itemsPerPage);
}

/**
 * Settings of connections. The tables' owner is not exempt from row-level security, which shows the submissions of
 * the municipality that is set, and else none.
 */
export function createConnectionOptions({ organizationId }: Database): string {
  return `-c rostra.organization_id=${organizationId}`;
}

/** The published JSON of submissions, in the order of the page. */
export async function readDocuments(database: Database, offset: number, limit: number): Promise<string[]> {
  const rows = await query<{ document: string }>(
    database,
    'SELECT document FROM submission WHERE organization_id = $1 ORDER BY created_at DESC, id OFFSET $2 LIMIT $3',
    [database.organizationId, offset, limit],
  );
  return rows.map(({ document }) => document);
}

/** Runs a statement as the tables' owner, or several that have no parameters. */
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
