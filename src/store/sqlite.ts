/**
 * SQLite: the embedded engine. One file holds the data, a second one beside it (`…-counters`) the rate
 * windows, so that a long import's write lock never stands in a request's way.
 *
 * Calls into SQLite are synchronous; the promises are there for the port. Several processes may open the
 * same files: a server and any number of commands.
 */

import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import { admission } from './admission.ts';
import type { Engine, PageRow, Row, Statements, Value } from './engine.ts';
import { documentSeparator, remembered, upsertQuery, writtenColumns } from './queries.ts';
import { type AdmissionOptions, takeFrom } from './sqlite-admission.ts';
import { backup, connect, createFile } from './sqlite-file.ts';
import { type ImportOutcome, StoreRefusal, StoreUnavailable } from './store.ts';
import type { Columns } from './tables.ts';

export interface SqliteOptions extends AdmissionOptions {
  file: string;
  /** Create the file, and its folder, where there is none. */
  create: boolean;
  /** How long one statement waits for a lock. Few are met: WAL lets readers pass. */
  statementTimeoutMs: number;
  /** How long a transaction waits for another process's lock. */
  lockTimeoutMs: number;
}

/** SQLite's own waiting would hold up the whole process, so a lock is asked for again after this time. */
const retryMs = 2;

/**
 * @throws StoreRefusal when there is no such file and `create` is false, or it is not a database of Rostra's
 * @throws StoreUnavailable when it cannot be opened
 */
export async function openSqlite(options: SqliteOptions): Promise<Engine> {
  if (options.create) createFile(options.file);
  else if (!existsSync(options.file)) {
    throw new StoreRefusal(
      `There is no database at ${options.file}. Create it with "rostra organization add NAME", or name another with --database.`,
    );
  }
  const reader = connect(options, { counters: true });
  let writer: Database.Database | undefined;
  let lastTransaction: Promise<unknown> = Promise.resolve();
  const readerStatements = statementsOf(reader, options);
  const take = takeFrom(reader, options);

  async function inTransaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result> {
    writer ??= connectWriter(options);
    const inside = statementsOf(writer, options);
    await patiently(() => writer?.exec('BEGIN IMMEDIATE'), options.lockTimeoutMs);
    try {
      const result = await work(inside);
      await inside.script('COMMIT');
      return result;
    } catch (error) {
      // A full disk may already have rolled back.
      if (writer.inTransaction) await inside.script('ROLLBACK');
      throw error;
    }
  }

  const engine: Engine = {
    dialect: 'sqlite',
    ...readerStatements,
    // No other wall than the predicate stands around a municipality here.
    rowsOf: readerStatements.rows,
    document: async (sql, organizationId, id) => {
      const [row] = await readerStatements.rows<{ document: string }>(sql, [organizationId, id]);
      return row?.document;
    },
    page: async (parts, parameters, limit) => {
      const [row] = await readerStatements.rows<PageRow>(pageOf(parts, parameters.length), [
        ...parameters,
        limit,
      ]);
      return row as PageRow;
    },
    // One writer for the whole file: whose rows it writes makes no difference.
    transaction: (_organizationId, work) => {
      const result = lastTransaction.then(() => inTransaction(work));
      lastTransaction = result.catch(() => undefined);
      return result;
    },
    recordset,
    hasTable: async (name) =>
      (await readerStatements.rows('SELECT 1 FROM sqlite_schema WHERE name = $1', [name])).length > 0,
    admit: admission(
      (secretHash, requests) => patiently(() => take(secretHash, requests), options.statementTimeoutMs),
      options.rateWindowMs,
    ),
    backup: async (file) => backup(reader, file),
    close: async () => {
      await lastTransaction;
      writer?.close();
      reader.close();
    },
  };
  return engine;
}

/** Kilobytes of pages that a transaction changes before they are written, and may be changed again. */
const writerCache = 32_768;

/** Pages of the log that are gathered before they are written into the file, each once: 64 MB. */
const pagesOfLog = 8_192;

function connectWriter(options: SqliteOptions): Database.Database {
  const writer = connect(options, { counters: false });
  writer.pragma(`cache_size = -${writerCache}`);
  writer.pragma(`wal_autocheckpoint = ${pagesOfLog}`);
  return writer;
}

/**
 * SQLite merges the parts in their order without sorting them, and puts the documents together as bytes: to make
 * text of them, and bytes again for the socket, would cost as much as reading them. The limit stands behind the
 * other parameters.
 */
export const pageOf = remembered(
  (parts: readonly string[], parameterCount: number) => `
  SELECT CAST(coalesce(group_concat(document, '${documentSeparator}'), '') AS BLOB) AS documents,
    coalesce(group_concat(at || id, ''), '') AS keys, count(*) AS count
  FROM (${parts.join(' UNION ALL ')} ORDER BY at DESC, id LIMIT $${parameterCount + 1})`,
);

function statementsOf(
  connection: Database.Database,
  { statementTimeoutMs, clock }: SqliteOptions,
): Statements {
  const prepared = new Map<string, Prepared>();
  const prepare = (sql: string) => {
    let statement = prepared.get(sql);
    if (statement === undefined) {
      statement = prepareNumbered(connection, sql);
      prepared.set(sql, statement);
    }
    return statement;
  };
  return {
    rows: async <Row>(sql: string, parameters: readonly Value[] = []) =>
      patiently(() => {
        const { statement, order } = prepare(sql);
        return statement.all(...order.map((place) => parameters[place])) as Row[];
      }, statementTimeoutMs),
    change: async (sql, parameters = []) =>
      patiently(() => {
        const { statement, order } = prepare(sql);
        return statement.run(...order.map((place) => parameters[place])).changes;
      }, statementTimeoutMs),
    upsert: async (table, organizationId, rows) => {
      const columns = writtenColumns(table);
      const places = columns.map((_, index) => `$${index + 2}`).join(', ');
      const present = prepare(`SELECT 1 FROM ${table.name} WHERE organization_id = $1 AND id = $2`);
      const write = prepare(upsertQuery(table, `VALUES ($1, ${places})`));
      const put = (row: Row): ImportOutcome => {
        const isPresent = present.statement.get(organizationId, row.id) !== undefined;
        const { changes } = write.statement.run(organizationId, ...columns.map((name) => row[name]));
        return changes === 0 ? 'unchanged' : isPresent ? 'changed' : 'inserted';
      };
      // A transaction has the lock already, so there is nothing to wait for.
      return orUnavailable(() => rows.map(put));
    },
    script: async (sql) => {
      await patiently(() => connection.exec(sql), statementTimeoutMs);
    },
    now: async () => clock(),
  };
}

interface Prepared {
  statement: Database.Statement;
  /** Which parameter stands in each place. */
  order: number[];
}

/** SQLite takes `$1` for a parameter that is named "1", and finding names costs more than giving a value twice. */
function prepareNumbered(connection: Database.Database, sql: string): Prepared {
  const order: number[] = [];
  const inPlaces = sql.replaceAll(/\$(\d+)/g, (_, number: string) => {
    order.push(Number(number) - 1);
    return '+?';
  });
  return { statement: connection.prepare(inPlaces), order };
}

function recordset(alias: string, parameter: string, columns: Columns): string {
  const fields = Object.entries(columns).map(([name, type]) => {
    const field = `value ->> '${name}'`;
    return `${type === 'bytes' ? `unhex(${field})` : field} AS ${name}`;
  });
  return `(SELECT ${fields.join(', ')} FROM json_each(${parameter})) AS ${alias}`;
}

const unavailable = /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB)/;

/**
 * Runs one call into SQLite, again and again while a lock stands in its way.
 *
 * @throws StoreUnavailable when the time is up, or the database cannot do its work
 */
async function patiently<Result>(call: () => Result, timeoutMs: number): Promise<Result> {
  let until: number | undefined;
  for (;;) {
    try {
      return call();
    } catch (error) {
      until ??= performance.now() + timeoutMs;
      const { code = '' } = error as Error & { code?: string };
      if (!code.startsWith('SQLITE_BUSY') || performance.now() > until) throw failureOf(error);
    }
    await setTimeout(retryMs);
  }
}

/** @throws StoreUnavailable when the database cannot do its work */
function orUnavailable<Result>(call: () => Result): Result {
  try {
    return call();
  } catch (error) {
    throw failureOf(error);
  }
}

function failureOf(error: unknown): unknown {
  const { code = '', message } = error as Error & { code?: string };
  return unavailable.test(code)
    ? new StoreUnavailable(`The database failed: ${message}.`, { cause: error })
    : error;
}
