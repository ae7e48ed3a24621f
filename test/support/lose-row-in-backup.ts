/** Preload this file to change each backup after it was written: LOSE_ROW is the statement. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import Database from 'better-sqlite3';

const { renameSync } = fs;

fs.renameSync = (from, to) => {
  renameSync(from, to);
  if (!String(from).includes('.rostra-backup.')) return;
  const backup = new Database(String(to));
  backup.exec(process.env.LOSE_ROW ?? '');
  backup.close();
};
syncBuiltinESMExports();
