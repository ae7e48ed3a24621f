import { type Command, InvalidArgumentError } from 'commander';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { limits } from '../../contract/field-schemas.ts';
import { generateKey, hashForStorage } from '../../domain/api-key.ts';
import type { KeyRecord, NewKey } from '../../domain/key-record.ts';
import type { Store } from '../../domain/store.ts';
import { parseTimestamp } from '../../domain/timestamps.ts';
import { type CommandContext, type DatabaseFlags, withStore } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import { formatJson, formatTime, printError, printJson, printSecret, printTable } from '../output.ts';
import {
  createJsonOption,
  createOrganizationFilterOption,
  createOrganizationOption,
  createSettingOption,
  parseDuration,
  parseName,
  toOptionParser,
} from '../shared-options.ts';

const defaultGraceMs = 24 * 3_600_000;

interface IssueFlags extends DatabaseFlags {
  organization: string;
  name: string;
  expires?: string;
  limit?: number;
  json?: true;
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('Manages API keys, each for one municipality');

  key
    .command('issue')
    .summary('issue a key')
    .description(
      'Issues a key and prints it on standard output, and nothing else. The key cannot be shown again.',
    )
    .addOption(createOrganizationOption())
    .requiredOption('--name <text>', 'the client or person that uses the key')
    .option(
      '--expires <date>',
      'last day of validity (YYYY-MM-DD, UTC), or an exact time (ISO 8601)',
      parseExpiry,
    )
    .option(
      '--limit <requests>',
      'requests per rate limit window, instead of the default limit',
      toOptionParser(createIntegerParser('a whole number', 1, limits.count)),
    )
    .addOption(createSettingOption('database'))
    .addOption(createJsonOption())
    .action((flags: IssueFlags) =>
      withStore(context, flags, async (store) => {
        const organization = await requireOrganization(store, flags.organization);
        const { secret, key } = generateNewKey({
          organizationId: organization.id,
          name: parseName(flags.name, 'The name of a key'),
          requestLimit: flags.limit,
          expiresAt: flags.expires,
        });
        const record = await store.addKey(key);
        await printKey(record, secret, flags.json);
      }),
    );

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
        return printTable(
          ['ID', 'PREFIX', 'NAME', 'ORGANIZATION', 'STATE', 'CREATED', 'EXPIRES', 'LAST USED', 'THIS WINDOW'],
          keys.map((record) => [
            record.id,
            record.prefix,
            record.name,
            record.organizationName,
            record.state,
            formatTime(record.createdAt),
            formatTime(record.expiresAt),
            formatTime(record.lastUsedAt),
            `${record.usedInWindow}/${record.requestLimit ?? config.rateLimit}`,
          ]),
        );
      }),
    );

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
      'Issues a successor with the same name, limit and expiry, and prints it. The old key stays valid for a grace period.',
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
        if (old.state !== 'active') {
          throw new CommandError(`The key "${old.name}" (${old.prefix}) is ${old.state}. Issue a new one.`);
        }
        const validUntil = new Date(Date.now() + (flags.grace ?? defaultGraceMs)).toISOString();
        const { secret, key } = generateNewKey({
          organizationId: old.organizationId,
          name: old.name,
          requestLimit: old.requestLimit ?? undefined,
          expiresAt: flags.expires ?? old.expiresAt ?? undefined,
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

async function requireKey(store: Store, idOrPrefix: string): Promise<KeyRecord> {
  const [found, another] = await store.findKeys(idOrPrefix);
  if (found === undefined) {
    throw new CommandError(
      `Unknown key "${idOrPrefix.slice(0, 40)}". Use an id or a prefix that "rostra key list" shows.`,
    );
  }
  if (another !== undefined)
    throw new CommandError(`Several keys start with ${idOrPrefix}. Use the id instead.`);
  return found;
}

function parseExpiry(text: string): string {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  let at: string;
  try {
    at = parseTimestamp('It', isDate ? `${text}T23:59:59.999Z` : text, undefined);
  } catch {
    throw new InvalidArgumentError(
      'It must be a date such as 2027-06-30, or a time such as 2027-06-30T12:00:00Z.',
    );
  }
  if (Date.parse(at) <= Date.now()) throw new InvalidArgumentError('It is in the past.');
  return at;
}
