/** Preload this file to run the program with the version in VERSION_FILE, as after an upgrade of a running installation. */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { readFileSync } = fs;

fs.readFileSync = ((path: string, ...options: []) => {
  if (!String(path).endsWith('/package.json')) return readFileSync(path, ...options);
  const version = readFileSync(process.env.VERSION_FILE as string, 'utf8');
  return Buffer.from(JSON.stringify({ ...JSON.parse(String(readFileSync(path))), version }));
}) as typeof readFileSync;
syncBuiltinESMExports();
