/** Preload this file to kill the process inside the transaction that completes a backup. */
import Database from 'better-sqlite3';

const { transaction } = Database.prototype;

Database.prototype.transaction = function (this: Database.Database, work: () => void) {
  if (!this.name.endsWith('.partial')) return transaction.call(this, work);
  return () => {
    this.exec('BEGIN');
    work();
    process.kill(process.pid, 'SIGKILL');
  };
} as typeof transaction;
