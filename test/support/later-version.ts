/**
 * Preload this file to run the program with the version in VERSION_FILE, as after an upgrade of a running installation. From version 99
 * on, workers send a metric that this version does not know.
 */
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { readFileSync } = fs;

fs.readFileSync = ((path: string, ...options: []) => {
  if (!String(path).endsWith('/package.json')) return readFileSync(path, ...options);
  const version = readFileSync(process.env.VERSION_FILE as string, 'utf8');
  return Buffer.from(JSON.stringify({ ...JSON.parse(String(readFileSync(path))), version }));
}) as typeof readFileSync;
syncBuiltinESMExports();

const send = process.send?.bind(process);
if (send !== undefined && readFileSync(process.env.VERSION_FILE as string, 'utf8').startsWith('99.'))
  process.send = (message: { metrics?: object }) =>
    send(
      message.metrics === undefined
        ? message
        : { metrics: { ...message.metrics, rostra_later_total: [{ labels: [], value: 1 }] } },
    );
