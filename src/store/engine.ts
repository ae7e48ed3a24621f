/** What the store needs of an SQL engine. One file implements it for each. */
import type { Admission } from './store.ts';

export type Value = string | number | Buffer | null;

/**
 * Runs SQL with `$1`, `$2`, … for parameters, which both SQLite and PostgreSQL read. Rejects with
 * `StoreUnavailable` or with the engine's own error.
 */
export interface Statements {
  rows<Row>(sql: string, parameters?: readonly Value[]): Promise<Row[]>;
  /** How many rows were written. */
  change(sql: string, parameters?: readonly Value[]): Promise<number>;
  /** Several statements without parameters. */
  script(sql: string): Promise<void>;
}

export interface Engine extends Statements {
  /** Where the numbered migrations of this engine lie, below `migrations/`. */
  dialect: 'sqlite';
  /**
   * Takes the write lock, then runs `work`; what it wrote is kept unless it rejects. `work` uses only the
   * statements it is given. Transactions of one engine run one after the other; reads go on beside them.
   */
  transaction<Result>(work: (inside: Statements) => Promise<Result>): Promise<Result>;
  /** The store's clock, Unix milliseconds. */
  now(): Promise<number>;
  /** See `Access.admit`: the one statement of the hot path that differs between engines. */
  admit(secretHash: Buffer): Promise<Admission | undefined>;
  backup(file: string): Promise<void>;
  close(): Promise<void>;
}
