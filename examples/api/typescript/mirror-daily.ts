/**
 * Keeps a copy of all data in a file. The first run fills it, later runs request only the changes:
 *
 *     node mirror-daily.ts copy.ndjson
 *
 * The first line of the copy has the cursor, each other line an object: {"kind", "id", "data"}, and the further fields of
 * /changes beside them, such as "title". A run that fails changes nothing.
 */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { RostraError } from 'rostra-client';
import { client } from './client.ts';

const file = process.argv[2];
if (file === undefined) throw new Error('Usage: node mirror-daily.ts FILE');

let cursor: string | undefined;
/** Lines of the copy by kind and id. */
const lines = new Map<string, string>();

function readCopy(text: string): void {
  const [first = '', ...others] = text.trimEnd().split('\n');
  cursor = JSON.parse(first).cursor;
  if (cursor === undefined) throw new Error(`${file} is not a copy.`);
  for (const line of others) {
    const { kind, id } = JSON.parse(line);
    lines.set(`${kind} ${id}`, line);
  }
}

/** Applies everything that changed after the cursor. Without a cursor, that is all data. */
async function applyChanges(): Promise<void> {
  for await (const page of client.changes({ cursor })) {
    for (const { deleted, ...object } of page.changes) {
      const name = `${object.kind} ${object.id}`;
      if (deleted) lines.delete(name);
      else lines.set(name, JSON.stringify(object));
    }
    cursor = page.cursor;
  }
}

if (existsSync(file)) readCopy(readFileSync(file, 'utf8'));
try {
  await applyChanges();
} catch (error) {
  if (!(error instanceof RostraError && error.code === 'RESYNC_REQUIRED')) throw error;
  // The cursor is not part of the current data, for example after the restore of a backup: make the copy anew.
  cursor = undefined;
  lines.clear();
  await applyChanges();
}

// The new copy replaces the previous one in one step, together with its cursor.
writeFileSync(`${file}.new`, [JSON.stringify({ cursor }), ...lines.values(), ''].join('\n'));
renameSync(`${file}.new`, file);
