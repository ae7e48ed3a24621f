import type { Command } from 'commander';
import { generateKey, hashForStorage } from '../../domain/api-key.ts';
import type { KeyRecord, NewKey } from '../../domain/key-record.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { requireKey } from '../find-key.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import { formatJson, formatTime, printError, printJson, printSecret, printTable } from '../output.ts';
import {
  createJsonOption,
  createOrganizationFilterOption,
  createOrganizationOption,
  createSettingOption,
  parseDuration,
} from '../shared-options.ts';
import { addEditKeyCommand, printKeyFacts } from './edit-key.ts';
import { createKeyOptions, parseExpiry } from './key-options.ts';

const defaultGraceMs = 24 * 3_600_000;

interface IssueFlags extends DatabaseFlags {
  organization: string;
  name: string;
  expires?: string;
  limit?: number;
  contact?: string;
  purpose?: string;
  json?: true;
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('Manages API keys, each for one municipality');

  const options = createKeyOptions();
  key
    .command('issue')
    .summary('issue a key')
    .description(
      'Issues a key and prints it on standard output, and nothing else. The key cannot be shown again.',
    )
    .addOption(createOrganizationOption())
    .addOption(options.name.makeOptionMandatory())
    .addOption(options.expires)
    .addOption(options.limit)
    .addOption(options.contact)
    .addOption(options.purpose)
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: IssueFlags) =>
      withStore(context, flags, async (store) => {
        const organization = await requireOrganization(store, flags.organization);
        const { secret, key } = generateNewKey({
          organizationId: organization.id,
          name: flags.name,
          requestLimit: flags.limit,
          expiresAt: flags.expires,
          contact: flags.contact,
          purpose: flags.purpose,
        });
        const record = await store.addKey(key);
        await printKey(record, secret, flags.json);
      }),
    );

  key
    .command('generate')
    .summary('generate a key for "rostra apply"')
    .description(
      'Generates a key, and prints it with its hash and prefix for a file of "rostra apply". Stores nothing.',
    )
    .addOption(createJsonOption())
    .action(async (flags: { json?: true }) => {
      const secret = generateKey();
      const { secretHash, prefix } = hashForStorage(secret);
      const hash = secretHash.toString('hex');
      const remedy = 'Run the command again.';
      if (flags.json) return printSecret(formatJson({ key: secret, hash, prefix }), remedy);
      printError(`hash: ${hash}\nprefix: ${prefix}\nThe key works after "rostra apply" has stored its hash.`);
      return printSecret(secret, remedy);
    });

  key
    .command('list')
    .summary('list keys')
    .description('Lists keys, newest first, with their state and usage. Revoked keys stay listed.')
    .addOption(createOrganizationFilterOption())
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: DatabaseFlags & { organization?: string; json?: true }) =>
      withStore(context, flags, async (store, config) => {
        const organization = await findOptionalOrganization(store, flags.organization);
        const keys = await store.listKeys(organization?.id);
        if (flags.json) return printJson(keys);
        const prefixes = new Map(keys.map(({ id, prefix }) => [id, prefix]));
        return printTable(
          [
            'ID',
            'PREFIX',
            'NAME',
            'CONTACT',
            'ORGANIZATION',
            'STATE',
            'REPLACED BY',
            'CREATED',
            'EXPIRES',
            'LAST USED',
            'THIS WINDOW',
          ],
          keys.map((record) => [
            record.id,
            record.prefix,
            record.name,
            record.contact ?? '–',
            record.organizationName,
            record.state,
            prefixes.get(record.successorId ?? '') ?? '–',
            formatTime(record.createdAt),
            formatTime(record.expiresAt),
            formatTime(record.lastUsedAt),
            `${record.usedInWindow}/${record.requestLimit ?? config.rateLimit}`,
          ]),
        );
      }),
    );

  key
    .command('show')
    .summary('show a key')
    .description('Shows all facts about a key, and the keys that it replaced or that replaced it.')
    .argument('<id|prefix>', 'the key, by its id or its first 16 characters')
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((idOrPrefix: string, flags: DatabaseFlags & { json?: true }) =>
      withStore(context, flags, async (store, config) => {
        const record = await requireKey(store, idOrPrefix);
        if (flags.json) return printJson(record);
        return printKeyFacts(record, config.rateLimit);
      }),
    );

  addEditKeyCommand(key, context);

  key
    .command('revoke')
    .summary('revoke a key')
    .description('Revokes a key. All further requests with it are rejected immediately.')
    .argument('<id|prefix>', 'the key, by its id or its first 16 characters')
    .addOption(createSettingOption('database'))
    .action((idOrPrefix: string, flags: DatabaseFlags) =>
      withStore(context, flags, async (store) => {
        const record = await requireKey(store, idOrPrefix);
        if (record.state === 'revoked') {
          printError(
            `The key "${record.name}" (${record.prefix}) was already revoked at ${record.revokedAt}.`,
          );
          return;
        }
        await store.revokeKey(record);
        printError(`Revoked the key "${record.name}" (${record.prefix}) of ${record.organizationName}.`);
      }),
    );

  key
    .command('rotate')
    .summary('replace a key by a successor')
    .description(
      'Issues a successor with the same name, limit, expiry, contact and purpose, and prints it. The old key stays valid for a grace period. A key is rotated once; rotate its successor next time.',
    )
    .argument('<id|prefix>', 'the key, by its id or its first 16 characters')
    .option(
      '--grace <duration>',
      'how long the old key stays valid: 0, 30m, 24h, 7d (default: 24h)',
      parseDuration,
    )
    .option('--expires <date>', 'expiry of the successor, as for "key issue"', parseExpiry)
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((idOrPrefix: string, flags: DatabaseFlags & { grace?: number; expires?: string; json?: true }) =>
      withStore(context, flags, async (store) => {
        const old = await requireKey(store, idOrPrefix);
        // The store names the successor of a key that was rotated before.
        if (old.state !== 'active' && old.successorId === null) {
          throw new CommandError(`The key "${old.name}" (${old.prefix}) is ${old.state}. Issue a new one.`);
        }
        const validUntil = new Date(Date.now() + (flags.grace ?? defaultGraceMs)).toISOString();
        const { secret, key } = generateNewKey({
          organizationId: old.organizationId,
          name: old.name,
          requestLimit: old.requestLimit ?? undefined,
          expiresAt: flags.expires ?? old.expiresAt ?? undefined,
          contact: old.contact ?? undefined,
          purpose: old.purpose ?? undefined,
        });
        const successor = await store.rotateKey(old, key, validUntil);
        printError(`The old key (${old.prefix}) is valid until ${validUntil} at the latest.`);
        await printKey(successor, secret, flags.json);
      }),
    );
}

/** A new secret, and the record to store for it. */
export function generateNewKey(of: Omit<NewKey, 'secretHash' | 'prefix'>): { secret: string; key: NewKey } {
  const secret = generateKey();
  return { secret, key: { ...of, ...hashForStorage(secret) } };
}

async function printKey(record: KeyRecord, secret: string, json: true | undefined): Promise<void> {
  const remedy = `The key is lost. Revoke it with "rostra key revoke ${record.id}" and issue another one.`;
  if (json) {
    await printSecret(formatJson({ ...record, key: secret }), remedy);
    return;
  }
  const until = record.expiresAt === null ? 'does not expire' : `expires at ${record.expiresAt}`;
  printError(
    `Issued "${record.name}" for ${record.organizationName}; it ${until}. Store it now: it cannot be shown again.`,
  );
  await printSecret(secret, remedy);
}
