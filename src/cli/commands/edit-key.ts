import type { Command } from 'commander';
import type { KeyChanges, KeyRecord } from '../../domain/key-record.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { requireKey } from '../find-key.ts';
import { formatTime, printError, printJson, printTable } from '../output.ts';
import { createClearParser, createJsonOption, createSettingOption } from '../shared-options.ts';
import { createKeyOptions } from './key-options.ts';

type Flags = DatabaseFlags & {
  name?: string;
  expires?: string;
  limit?: number;
  contact?: string;
  purpose?: string;
  clear?: (keyof KeyChanges)[];
  json?: true;
};

/** Values that can be removed, by the name of their option. */
const removable = new Map<string, keyof KeyChanges>([
  ['expires', 'expiresAt'],
  ['limit', 'requestLimit'],
  ['contact', 'contact'],
  ['purpose', 'purpose'],
]);

export function addEditKeyCommand(key: Command, context: CommandContext): void {
  const { name, expires, limit, contact, purpose } = createKeyOptions();
  key
    .command('edit')
    .summary('change name, expiry, limit, contact or purpose')
    .description('Changes facts about a key, and prints all of them. The key itself stays the same.')
    .argument('<id|prefix>', 'the key, by its id or its first 16 characters')
    .addOption(name)
    .addOption(expires)
    .addOption(limit)
    .addOption(contact)
    .addOption(purpose)
    .option(
      '--clear <options>',
      `remove values, separated by commas: ${[...removable.keys()].join(', ')}`,
      createClearParser(removable),
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((idOrPrefix: string, flags: Flags) => {
      const changes = readChanges(flags);
      return withStore(context, flags, async (store, config) => {
        const edited = await store.editKey(await requireKey(store, idOrPrefix), changes);
        if (flags.json) return printJson(edited);
        printError(
          `The key "${edited.name}" (${edited.prefix}) of ${edited.organizationName} has these values.`,
        );
        return printKeyFacts(edited, config.rateLimit);
      });
    });
}

/** @throws CommandError without a change, and if a value is both set and removed */
function readChanges({ clear = [], name, expires, limit, contact, purpose }: Flags): KeyChanges {
  const values = { name, expiresAt: expires, requestLimit: limit, contact, purpose };
  const changes: KeyChanges = Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  );
  for (const [option, field] of removable) {
    if (!clear.includes(field)) continue;
    if (changes[field] !== undefined)
      throw new CommandError(
        `--${option} and --clear ${option} contradict each other. Use one of them.`,
        exitCodes.usage,
      );
    Object.assign(changes, { [field]: null });
  }
  if (Object.keys(changes).length === 0)
    throw new CommandError('Specify at least one change, such as --contact "IT office".', exitCodes.usage);
  return changes;
}

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
