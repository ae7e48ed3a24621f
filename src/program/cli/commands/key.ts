import { generateKey, hashForStorage } from '../../../domain/keys/api-key.ts';
import {
  isKeyLine,
  type KeyEntryName,
  type KeyField,
  type KeyFieldDeclaration,
  type KeyValues,
  keyFields,
  pickKeyValues,
  toKeyChanges,
} from '../../../domain/keys/key-fields.ts';
import type { NewKey, StoredKey } from '../../../domain/keys/stored-key.ts';
import type { Store } from '../../../domain/store.ts';
import { parseDuration } from '../../../domain/values/durations.ts';
import type { CommandOption } from '../../../platform/command-options.ts';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { CommandError } from '../command-error.ts';
import {
  argument,
  defineCommand,
  defineGroup,
  defineStoreCommand,
  json,
  option,
  organization,
  organizationFilter,
  required,
} from '../define-command.ts';
import { findOptionalOrganization, requireOrganization } from '../find-organization.ts';
import { clearOption, collectChanges } from '../options/edit-options.ts';
import { createLineParser, parseExpiry } from '../options/option-parsers.ts';
import { formatJson, formatTime, printError, printJson, printSecret, printTable } from '../output.ts';

function parseFutureExpiry(text: string): string {
  const at = parseExpiry(text);
  if (Date.parse(at) <= Date.now()) throw new Error('not be in the past');
  return at;
}

const keyArgument = argument('<id|prefix>', 'the key, by its id or its first 16 characters');

/** @returns the name of the value in the help, and a parser whose error follows "must" */
function describeOption(field: KeyFieldDeclaration): [string, (text: string) => unknown] {
  switch (field.kind) {
    case 'line':
      return ['text', createLineParser(field.max)];
    case 'count':
      return [field.unit, createIntegerParser('a whole number', 1, field.max)];
    case 'expiry':
      return ['date', parseFutureExpiry];
  }
}

type KeyOptions = {
  [Field in KeyField as KeyEntryName<Field>]: CommandOption<NonNullable<KeyValues[Field]> | undefined>;
};

const keyOptions = keyFields.mapEntries((field) => {
  const [value, parse] = describeOption(keyFields.declared[field]);
  return option(value, keyFields.declared[field].about, parse);
}) as KeyOptions;

const clearableEntries = keyFields.names
  .filter((field) => !keyFields.isRequired(field))
  .map(keyFields.getEntryName);

const editKey = defineStoreCommand({
  name: 'edit',
  summary: 'change name, expiry, limit, contact or purpose',
  description: 'Changes facts about a key, and prints all of them. The key itself stays the same.',
  arguments: { key: keyArgument },
  options: { ...keyOptions, clear: clearOption(clearableEntries), json },
  run: async ({ key, clear, json, ...flags }, store, config) => {
    const values = keyFields.mapEntries((field) => flags[keyFields.getEntryName(field)]);
    const changes = collectChanges(values, clear, '--contact "IT office"');
    const edited = await store.editKey(await requireKey(store, key), toKeyChanges(changes));
    if (json) return printJson(edited);
    printError(`The key "${edited.name}" (${edited.prefix}) of ${edited.organizationName} has these values.`);
    return printKeyFacts(edited, config.rateLimit);
  },
});

function printKeyFacts(record: StoredKey, defaultLimit: number): void {
  printTable(
    ['FIELD', 'VALUE'],
    [
      ['id', record.id],
      ['prefix', record.prefix],
      ...keyFields.names.filter(isKeyLine).map((field) => [field, String(record[field] ?? '–')]),
      ['organization', record.organizationName],
      ['state', record.state],
      ['limit', record.requestLimit === null ? `${defaultLimit} (default)` : `${record.requestLimit}`],
      ['this window', `${record.usedInWindow}`],
      ['window ends', formatTime(record.windowEndsAt)],
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

const defaultGraceMs = 24 * 3_600_000;

export const addKeyCommands = defineGroup('key', 'manage API keys, each for one municipality', [
  defineStoreCommand({
    name: 'issue',
    summary: 'issue a key',
    description:
      'Issues a key and prints it on standard output, and nothing else. The key cannot be shown again.',
    options: { organization, ...keyOptions, name: required(keyOptions.name), json },
    run: async (flags, store) => {
      const organization = await requireOrganization(store, flags.organization);
      const { secret, key } = generateNewKey({
        organizationId: organization.id,
        ...toKeyChanges(flags),
        name: flags.name,
      });
      const record = await store.addKey(key);
      await printKey(record, secret, flags.json);
    },
  }),

  defineCommand({
    name: 'generate',
    summary: 'generate a key for "rostra apply"',
    description:
      'Generates a key, and prints it with its hash and prefix for a file of "rostra apply". Stores nothing.',
    options: { json },
    run: async (flags) => {
      const secret = generateKey();
      const { secretHash, prefix } = hashForStorage(secret);
      const hash = secretHash.toString('hex');
      const remedy = 'Run the command again.';
      if (flags.json) return printSecret(formatJson({ key: secret, hash, prefix }), remedy);
      printError(`hash: ${hash}\nprefix: ${prefix}\nThe key works after "rostra apply" has stored its hash.`);
      return printSecret(secret, remedy);
    },
  }),

  defineStoreCommand({
    name: 'list',
    summary: 'list keys',
    description: 'Lists keys, newest first, with their state and usage. Revoked keys stay listed.',
    options: { organization: organizationFilter, json },
    run: async (flags, store, config) => {
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
    },
  }),

  defineStoreCommand({
    name: 'show',
    summary: 'show a key',
    description: 'Shows all facts about a key, and the keys that it replaced or that replaced it.',
    arguments: { idOrPrefix: keyArgument },
    options: { json },
    run: async ({ idOrPrefix, ...flags }, store, config) => {
      const record = await requireKey(store, idOrPrefix);
      if (flags.json) return printJson(record);
      return printKeyFacts(record, config.rateLimit);
    },
  }),

  editKey,

  defineStoreCommand({
    name: 'revoke',
    summary: 'revoke a key',
    description: 'Revokes a key. All further requests with it are rejected immediately.',
    arguments: { idOrPrefix: keyArgument },
    run: async ({ idOrPrefix }, store) => {
      const record = await requireKey(store, idOrPrefix);
      if (record.state === 'revoked') {
        printError(`The key "${record.name}" (${record.prefix}) was already revoked at ${record.revokedAt}.`);
        return;
      }
      await store.revokeKey(record);
      printError(`Revoked the key "${record.name}" (${record.prefix}) of ${record.organizationName}.`);
    },
  }),

  defineStoreCommand({
    name: 'rotate',
    summary: 'replace a key by a successor',
    description:
      'Issues a successor with the same name, limit, expiry, contact and purpose, and prints it. The old key stays valid for a grace period. A key is rotated once; rotate its successor next time.',
    arguments: { idOrPrefix: keyArgument },
    options: {
      grace: option(
        'duration',
        'how long the old key stays valid: 0, 30m, 24h, 7d (default: 24h)',
        parseDuration,
      ),
      expires: option('date', 'expiry of the successor, as for "key issue"', parseFutureExpiry),
      json,
    },
    run: async ({ idOrPrefix, ...flags }, store) => {
      const old = await requireKey(store, idOrPrefix);
      // The store names the successor of a key that was rotated before.
      if (old.state !== 'active' && old.successorId === null) {
        throw new CommandError(`The key "${old.name}" (${old.prefix}) is ${old.state}. Issue a new one.`);
      }
      const validUntil = new Date(Date.now() + (flags.grace ?? defaultGraceMs)).toISOString();
      const { secret, key } = generateNewKey({
        organizationId: old.organizationId,
        ...pickKeyValues(old),
        expiresAt: flags.expires ?? old.expiresAt,
      });
      const successor = await store.rotateKey(old, key, validUntil);
      printError(`The old key (${old.prefix}) is valid until ${validUntil} at the latest.`);
      await printKey(successor, secret, flags.json);
    },
  }),
]);

/** A new secret, and the record to store for it. */
export function generateNewKey(of: Omit<NewKey, 'secretHash' | 'prefix'>): { secret: string; key: NewKey } {
  const secret = generateKey();
  return { secret, key: { ...of, ...hashForStorage(secret) } };
}

async function printKey(record: StoredKey, secret: string, json: true | undefined): Promise<void> {
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

/**
 * @param idOrPrefix the id of a key or its first 16 characters
 * @throws CommandError if no key or several keys match
 */
async function requireKey(store: Store, idOrPrefix: string): Promise<StoredKey> {
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
