/** Preload this file to change each backup after its data was copied: LOSE_ROW is the statement. */
import Database from 'better-sqlite3';

const { exec } = Database.prototype;

Database.prototype.exec = function (this: Database.Database, sql: string) {
  const isLastOfCopy = sql === 'DROP TABLE attempt' && this.name.includes('.rostra-backup.');
  return exec.call(this, isLastOfCopy ? `${sql}; ${process.env.LOSE_ROW}` : sql);
};
