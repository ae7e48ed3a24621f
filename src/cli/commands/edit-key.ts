import type { KeyChanges, KeyRecord } from '../../domain/key-record.ts';
import { defineStoreCommand, json } from '../define-command.ts';
import { clearOption, collectChanges } from '../edit-options.ts';
import { requireKey } from '../find-key.ts';
import { formatTime, printError, printJson, printTable } from '../output.ts';
import { keyArgument, keyOptions } from './key-options.ts';

/** Where the names of options and fields differ. */
const fieldOf: Record<string, keyof KeyChanges> = { expires: 'expiresAt', limit: 'requestLimit' };

export const editKey = defineStoreCommand({
  name: 'edit',
  summary: 'change name, expiry, limit, contact or purpose',
  description: 'Changes facts about a key, and prints all of them. The key itself stays the same.',
  arguments: { key: keyArgument },
  options: { ...keyOptions, clear: clearOption(['expires', 'limit', 'contact', 'purpose']), json },
  run: async ({ key, name, expires, limit, contact, purpose, clear, json }, store, config) => {
    const values = { name, expires, limit, contact, purpose };
    const changes = Object.entries(collectChanges(values, clear, '--contact "IT office"'));
    const fields = Object.fromEntries(changes.map(([option, value]) => [fieldOf[option] ?? option, value]));
    const edited = await store.editKey(await requireKey(store, key), fields);
    if (json) return printJson(edited);
    printError(`The key "${edited.name}" (${edited.prefix}) of ${edited.organizationName} has these values.`);
    return printKeyFacts(edited, config.rateLimit);
  },
});

export function printKeyFacts(record: KeyRecord, defaultLimit: number): void {
  printTable(
    ['FIELD', 'VALUE'],
    [
      ['id', record.id],
      ['prefix', record.prefix],
      ['name', record.name],
      ['contact', record.contact ?? '–'],
      ['purpose', record.purpose ?? '–'],
      ['organization', record.organizationName],
      ['state', record.state],
      ['limit', record.requestLimit === null ? `${defaultLimit} (default)` : `${record.requestLimit}`],
      ['this window', `${record.usedInWindow}`],
      ['last used', formatTime(record.lastUsedAt)],
      ['created', formatTime(record.createdAt)],
      ['created by', record.createdBy],
      ['expires', formatTime(record.expiresAt)],
      ['revoked', formatTime(record.revokedAt)],
      ['replaced', record.predecessorId ?? '–'],
      ['replaced by', record.successorId ?? '–'],
    ],
  );
}
