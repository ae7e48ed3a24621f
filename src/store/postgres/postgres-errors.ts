/** What errors of the driver mean: for the statement, for its connection, and for the store. */
import pg from 'pg';
import { StoreUnavailableError } from '../../domain/store-errors.ts';
import { explainConnectionError } from '../../domain/values/explain-network-error.ts';

/** The prepared statement is unknown, or exists already. */
export function isPreparedStatementError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && (error.code === '26000' || error.code === '42P05');
}

/**
 * The server reports that it ended the statement without an effect: timeout, deadlock or conflict, damaged data or disk
 * block, out of memory. The reason may be one row. A full disk concerns all.
 */
export function isStatementAborted({ cause }: StoreUnavailableError): boolean {
  return cause instanceof pg.DatabaseError && /^(57014|40|58|XX|53200)/.test(cause.code ?? '');
}

/** The statement waited longer than `lock_timeout` for a lock, or the server ended it because of a deadlock, as Citus does between nodes. */
export const isLockConflict = (error: unknown): error is StoreUnavailableError =>
  error instanceof StoreUnavailableError &&
  error.cause instanceof pg.DatabaseError &&
  ['55P03', '40P01'].includes(error.cause.code ?? '');

/** The server did not respond in time. */
export class QueryTimeoutError extends StoreUnavailableError {}

/**
 * SQLSTATE prefixes after which a connection is unusable: protocol violation, shutdown, too many connections, ended login,
 * internal error, or a prepared statement from before a schema change. The severity field is localised.
 */
const endsConnection = /^(08P|57P|53300|28|3D|XX|0A000)/;

/** The source file of Citus from which it reports errors of its nodes, with their code. */
const nodeErrorFile = 'remote_commands.c';

/** The server rejected the statement and accepts the next one. */
export function isConnectionReusable(error: unknown): boolean {
  const cause = error instanceof StoreUnavailableError ? error.cause : error;
  return (
    cause instanceof pg.DatabaseError &&
    (!endsConnection.test(cause.code ?? '') || cause.file === nodeErrorFile)
  );
}

/**
 * SQLSTATE prefixes of temporary failures: lost connection, out of resources (disk, memory, connections), shutdown or
 * timeout, system error, deadlock, login or database currently missing, lock timeout, and a read-only server after a
 * failover.
 */
const unavailableCodes = /^(08|53|57|58|XX|40|28|3D|55P03|25006)/;

/** Errors of the driver without an SQLSTATE are lost connections. */
export function toStoreError(error: unknown): unknown {
  if (error instanceof TypeError || error instanceof RangeError) return error;
  if (error instanceof pg.DatabaseError && !unavailableCodes.test(error.code ?? '')) return error;
  return new StoreUnavailableError(describeDatabaseError(error), { cause: error });
}

function describeDatabaseError(error: unknown): string {
  // A host name with several addresses has one error for each.
  const first = (error instanceof AggregateError ? error.errors[0] : error) as Error;
  return `The database failed: ${explainConnectionError(first.message.replace(/\.$/, ''), first)}.`;
}
