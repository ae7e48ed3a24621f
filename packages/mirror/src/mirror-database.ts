/** The SQLite database of a mirror. A run changes it in one transaction, so readers never see half of a run. */
import { isDeepStrictEqual } from 'node:util';
import Database from 'better-sqlite3';
import { createRows, type Kind, toLocalDate } from '../../../src/contract/dataset/rows.ts';
import {
  type Column,
  localDates,
  organizationTable,
  type Row,
  type Table,
  tables,
  tablesByKind,
} from '../../../src/contract/dataset/tables.ts';
import { flattenOrganization } from '../../../src/contract/resources/organization.ts';
import type { Organization } from '../../client/src/contract-types.ts';
import { MirrorTargetError } from './mirror-error.ts';
import type { MirroredChange } from './staged-changes.ts';

/** Identifies mirrors ("rsmr" in ASCII). See https://sqlite.org/pragma.html#pragma_application_id. */
const applicationId = 0x72736d72;

/** Of the tables. Those of version 1.0 have the same: each version reads and updates the mirrors of the other. */
const schemaVersion = 3;

/** Other programs may read the file while a run commits. */
const readersTimeoutMs = 60_000;

interface MirrorState {
  organizationId: string;
  /** Cursor of the last applied change; null after a walk of the lists. */
  cursor: string | null;
  /** Extension fields that all objects of the mirror have from the installation. */
  fields: readonly string[];
  /** Number of runs that changed the data. */
  revision: number;
}

type StateRow = Omit<MirrorState, 'fields'> & { fields: string };

const parseState = (row: StateRow | undefined): MirrorState | undefined =>
  row && { ...row, fields: row.fields.split(' ').filter(Boolean) };

interface MirrorUpdate {
  url: string;
  organizationId: string;
  /** undefined if the installation does not publish it: the mirror keeps a stored one. */
  organization: Organization | undefined;
  /** Ends with the end of the walk; null after a walk of the lists. */
  cursor: string | null;
  fields: readonly string[];
  changes: Iterable<MirroredChange>;
  /** The changes are everything: other objects no longer exist. */
  isComplete: boolean;
}

export interface MirrorDatabase {
  /** @returns undefined before the first complete run */
  readState(): MirrorState | undefined;
  applyUpdate(update: MirrorUpdate): void;
  countRows(table: Table): number;
  /** In the order of the primary key. */
  listRows(table: Table): Iterable<Row>;
  /** Rows of one object, in the order of the primary key. */
  findRows(table: Table, id: string): Row[];
  close(): void;
}

/** Creates a missing file. @throws MirrorTargetError if the file is not a mirror */
export function openMirrorDatabase(file: string): MirrorDatabase {
  const sql = openFile(file);
  const hasTables = () =>
    sql.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'mirror'").get() !== undefined;
  if (hasTables()) addMissingTables(sql);
  const readState = () =>
    hasTables()
      ? parseState(
          sql.prepare('SELECT organizationId, cursor, fields, revision FROM mirror').get() as
            | StateRow
            | undefined,
        )
      : undefined;
  const order = ({ primaryKey }: Table) => primaryKey.join(', ');

  return {
    readState,
    applyUpdate: (update) => {
      sql
        .transaction(() => {
          if (!hasTables()) createTables(sql);
          writeUpdate(sql, update, readState());
        })
        .immediate();
    },
    countRows: ({ name }) => sql.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number,
    *listRows(table) {
      const rows = sql.prepare(`SELECT * FROM ${table.name} ORDER BY ${order(table)}`).iterate();
      for (const row of rows) yield toApiValues(table, row as Row);
    },
    findRows: (table, id) =>
      sql
        .prepare(`SELECT * FROM ${table.name} WHERE ${table.primaryKey[0]} = ? ORDER BY ${order(table)}`)
        .all(id)
        .map((row) => toApiValues(table, row as Row)),
    close: () => sql.close(),
  };
}

function openFile(file: string): Database.Database {
  let sql: Database.Database | undefined;
  try {
    sql = new Database(file, { timeout: readersTimeoutMs });
    // A walk of the lists is not a snapshot: an agenda can name a submission that was deleted meanwhile.
    sql.pragma('foreign_keys = OFF');
    // Others may copy the file: free space in it must not have the texts of removed objects.
    sql.pragma('secure_delete = ON');
    const isEmpty = sql.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
    // A full cache would be written before the commit, which locks readers out for the rest of the update.
    if (!isEmpty) sql.pragma('cache_spill = OFF');
    const id = sql.pragma('application_id', { simple: true });
    if (id !== applicationId && !(isEmpty && id === 0))
      throw new MirrorTargetError(`${file} is a database of another application. Choose another target.`);
    if (isEmpty) {
      sql.pragma(`application_id = ${applicationId}`);
      sql.pragma(`user_version = ${schemaVersion}`);
    } else if (sql.pragma('user_version', { simple: true }) !== schemaVersion) {
      throw new MirrorTargetError(
        `${file} was made by another version of Rostra. Choose another target, or delete the file.`,
      );
    }
    return sql;
  } catch (error) {
    sql?.close();
    if ((error as { code?: string }).code !== 'SQLITE_NOTADB') throw error;
    throw new MirrorTargetError(`${file} is not a database. Choose another target.`);
  }
}

const columnTypes: Record<string, string> = { integer: 'INTEGER', boolean: 'INTEGER', number: 'REAL' };

const getSqlType = ({ type }: Pick<Column, 'type'>) => columnTypes[type] ?? 'TEXT';

/** Extension fields that all objects have from the installation. Version 1.0 does not write them, so everything is fetched after it. */
const fieldsColumn = "fields TEXT NOT NULL DEFAULT ''";

/** A mirror that an earlier version made lacks the tables that this one adds, and the columns, which are nullable or have a default. */
function addMissingTables(sql: Database.Database): void {
  const listColumns = (name: string) =>
    sql.prepare('SELECT name FROM pragma_table_info(?)').pluck().all(name);
  const missing = tables.flatMap((table) => {
    const present = listColumns(table.name);
    if (present.length === 0) return [composeTable(table)];
    return table.columns
      .filter((column) => !present.includes(column.name))
      .map((column) => `ALTER TABLE ${table.name} ADD COLUMN ${column.name} ${getSqlType(column)};`);
  });
  if (!listColumns('mirror').includes('fields'))
    missing.push(`ALTER TABLE mirror ADD COLUMN ${fieldsColumn};`);
  if (missing.length > 0) sql.transaction(() => sql.exec(missing.join('\n'))).immediate();
}

/** The descriptions become comments, which `.schema` of the SQLite shell and Datasette show. */
function composeTable({ name, description, columns, primaryKey, foreignKeys }: Table): string {
  const lines = [
    ...columns.map(
      (column) =>
        `-- ${column.description}\n  ${column.name} ${getSqlType(column)}${column.isNullable ? '' : ' NOT NULL'}`,
    ),
    `PRIMARY KEY (${primaryKey.join(', ')})`,
    ...foreignKeys.map(
      (key) =>
        `FOREIGN KEY (${key.columns.join(', ')}) REFERENCES ${key.table} (${key.references.join(', ')})`,
    ),
  ];
  return `CREATE TABLE ${name} (\n  -- ${description}\n  ${lines.join(',\n  ')}\n);`;
}

function createTables(sql: Database.Database): void {
  sql.exec(tables.map(composeTable).join('\n'));
  sql.exec(`
    CREATE INDEX agenda_items_by_submission ON agenda_items (submissionId);
    CREATE TABLE mirror (
      -- State of this mirror.
      url TEXT NOT NULL,
      organizationId TEXT NOT NULL,
      -- Position in the changes of the installation.
      cursor TEXT,
      -- Extension fields that all objects have from the installation.
      ${fieldsColumn},
      -- Number of runs that changed the data.
      revision INTEGER NOT NULL,
      -- Time of the last complete run, in UTC.
      updatedAt TEXT NOT NULL
    )`);
}

/** Writes only rows that differ: programs with the database open read few pages again, and need few locks. */
function writeUpdate(
  sql: Database.Database,
  { url, organizationId, organization, cursor, fields, changes, isComplete }: MirrorUpdate,
  state: MirrorState | undefined,
): void {
  const kinds = Object.entries(tablesByKind) as [Kind, readonly Table[]][];
  const writers = new Map(
    kinds.map(([kind, ofKind]) => [kind, ofKind.map((table) => createRowWriter(sql, table))]),
  );
  const previousTimeZone = sql.prepare('SELECT timeZone FROM organization').pluck().get() as
    | string
    | undefined;
  const timeZone = organization?.timeZone ?? previousTimeZone;
  let hasChanged = state === undefined;
  const replaceObject = (kind: Kind, id: string, rows: readonly Row[][]) => {
    writers.get(kind)?.forEach((replaceRows, index) => {
      if (replaceRows(id, rows[index] ?? [])) hasChanged = true;
    });
  };
  const mayHaveOthers = isComplete && state !== undefined;
  const fetched = new Set<string>();
  for (const { kind, id, data } of changes) {
    if (mayHaveOthers && data !== null) fetched.add(`${kind} ${id}`);
    replaceObject(kind, id, data === null ? [] : createRows(kind, data, timeZone));
  }
  if (mayHaveOthers)
    for (const [kind, [{ name }]] of kinds as [Kind, readonly [Table]][])
      for (const id of sql.prepare(`SELECT id FROM ${name}`).pluck().all() as string[])
        if (!fetched.has(`${kind} ${id}`)) replaceObject(kind, id, []);
  if (timeZone !== previousTimeZone) updateLocalDates(sql, timeZone);
  if (organization) {
    const row = flattenOrganization(organization);
    if (createRowWriter(sql, organizationTable)(organizationId, [row])) hasChanged = true;
  }
  const revision = (state?.revision ?? 0) + Number(hasChanged);
  sql.exec('DELETE FROM mirror');
  sql
    .prepare(
      'INSERT INTO mirror (url, organizationId, cursor, fields, revision, updatedAt) VALUES (?, ?, ?, ?, ?, ?)',
    )
    .run(url, organizationId, cursor, fields.join(' '), revision, new Date().toISOString());
}

function updateLocalDates(sql: Database.Database, timeZone: string | undefined): void {
  sql.function('local_date', (timestamp) => toLocalDate(timestamp, timeZone));
  for (const { name, columns } of tables)
    for (const [column, timestamp] of Object.entries(localDates))
      if (columns.some((each) => each.name === column))
        sql.exec(`UPDATE ${name} SET ${column} = local_date(${timestamp})`);
}

/** @returns a function that replaces the rows of an object, and returns whether they differed */
function createRowWriter(
  sql: Database.Database,
  { name, columns, primaryKey }: Table,
): (id: string, rows: readonly Row[]) => boolean {
  const names = columns.map((column) => column.name);
  const ofObject = `FROM ${name} WHERE ${primaryKey[0]} = ?`;
  const select = sql
    .prepare(`SELECT ${names.join(', ')} ${ofObject} ORDER BY ${primaryKey.join(', ')}`)
    .raw();
  const remove = sql.prepare(`DELETE ${ofObject}`);
  const insert = sql.prepare(
    `INSERT INTO ${name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
  );
  // SQLite has no booleans.
  const toValue = (value: unknown) => (typeof value === 'boolean' ? Number(value) : (value ?? null));
  return (id, rows) => {
    const values = rows.map((row) => names.map((column) => toValue(row[column])));
    if (isDeepStrictEqual(select.all(id), values)) return false;
    remove.run(id);
    for (const each of values) insert.run(each);
    return true;
  };
}

function toApiValues({ columns }: Table, row: Row): Row {
  for (const { name, type } of columns) if (type === 'boolean') row[name] = row[name] === 1;
  return row;
}
