/** What every command works with, and how it speaks: data on standard output, all else on standard error. */
import { Option } from 'commander';
import { type Config, flagName, type SettingName, settings } from '../config/settings.ts';
import { isValidName } from '../domain/api-key.ts';
import type { Organization, Store } from '../domain/store.ts';
import type { CopyOptions, CopyResult } from '../store/copy/copy-database.ts';
import type { OpenedStore } from '../store/open.ts';
import { didYouMean } from '../text/did-you-mean.ts';
import { streams } from './streams.ts';

export interface OpenStoreOptions {
  /** Create an SQLite file where there is none. */
  create: boolean;
  /** How long one statement may take; where requests wait for it, less than a second. */
  statementTimeoutMs?: number;
  /** How long a write waits for another process; where a browser waits for it, some seconds. */
  lockTimeoutMs?: number;
  /** Where told what an operator should know; standard error otherwise. */
  notice?: (sentence: string) => void;
}

export interface CommandContext {
  /** Of Rostra. */
  version: string;
  environment: Record<string, string | undefined>;
  /** For work that may run beside a server. */
  lowerPriority(): void;
  /** Flags, environment and defaults together. @throws ConfigurationProblem */
  config(flags: Partial<Record<SettingName, string>>, used?: readonly SettingName[]): Config;
  /** @throws StoreRefusal, StoreUnavailable */
  openStore(config: Config, how: OpenStoreOptions): Promise<OpenedStore>;
  /** @throws StoreRefusal, StoreUnavailable */
  copyStore(from: Config, to: Config, options: CopyOptions): Promise<CopyResult>;
}

/** Exit codes, as documented in docs/commands.md. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  someRefused: 3,
  interrupted: 130,
} as const;

/** Ends the command with a sentence on standard error. */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** What a command needs that does not serve: a port that is wrong must not keep anybody from revoking a key. */
export const databaseSettings: readonly SettingName[] = [
  'database',
  'databaseOwner',
  'rateLimit',
  'rateWindow',
];

export type DatabaseFlags = { database?: string };

export function settingOption(name: SettingName): Option {
  const { value, description, default: fallback } = settings[name];
  const text = fallback === '' ? description : `${description} (default: ${fallback})`;
  return new Option(`${flagName(name)} <${value}>`, text.replaceAll('`', ''));
}

export function jsonOption(): Option {
  return new Option('--json', 'print JSON');
}

export function organizationOption(): Option {
  return new Option('--organization <name|id>', 'the municipality, by name or id').makeOptionMandatory();
}

/** Opens the store for the time of `work`. */
export async function withStore<Result>(
  context: CommandContext,
  flags: DatabaseFlags,
  work: (store: OpenedStore, config: Config) => Promise<Result>,
  how: OpenStoreOptions = { create: false },
  used: readonly SettingName[] = databaseSettings,
): Promise<Result> {
  const config = context.config(flags, used);
  const store = await context.openStore(config, how);
  try {
    return await work(store, config);
  } finally {
    await store.close();
  }
}

export async function requireOrganization(store: Store, nameOrId: string): Promise<Organization> {
  const found = await store.findOrganization(nameOrId);
  if (found) return found;
  const near = didYouMean(
    nameOrId,
    (await store.listOrganizationNames()).map(({ name }) => name),
  );
  const hint = near === undefined ? '' : ` Is it "${near}"?`;
  throw new CommandError(
    `There is no organization "${nameOrId}".${hint} "rostra organization list" shows those there are.`,
  );
}

/** What a source says could give orders to the terminal: line breaks and tabs are all that stays of control characters. */
const harmless = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '\ufffd');

export function print(text: string): void {
  streams().stdout.write(`${harmless(text)}\n`);
}

export function printError(text: string): void {
  streams().stderr.write(`${harmless(text)}\n`);
}

export const indentedJson = (data: unknown) => JSON.stringify(data, null, 2);

export function printJson(data: unknown): void {
  print(indentedJson(data));
}

/**
 * Prints a secret, which no later command can print again.
 *
 * @param remedy a sentence for the person who did not get it
 * @throws CommandFailure when the output cannot be written
 */
export async function printSecret(text: string, remedy: string): Promise<void> {
  const error = await new Promise<Error | null | undefined>((written) =>
    streams().stdout.write(`${harmless(text)}\n`, written),
  );
  if (error) throw new CommandError(`The output cannot be written: ${error.message}. ${remedy}`);
}

/** Columns under their headings, two blanks apart; figures stand with their last digits below each other. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) =>
    Math.max(...lines.map((line) => [...(line[column] ?? '')].length)),
  );
  const hasFigures = headings.map((_, column) => rows.every((row) => /^\d*$/.test(row[column] ?? '')));
  for (const line of lines) {
    const cells = line.map((cell, column) => {
      const blanks = ' '.repeat((widths[column] as number) - [...cell].length);
      return hasFigures[column] ? blanks + cell : cell + blanks;
    });
    print(cells.join('  ').trimEnd());
  }
}

/** `2026-03-01T09:15:00.000Z` → `2026-03-01 09:15Z`, for tables. */
export function shortTime(timestamp: string | null): string {
  return timestamp === null ? '–' : `${timestamp.slice(0, 16).replace('T', ' ')}Z`;
}

/** @throws CommandFailure unless the text has 1 to 200 characters, none of them a control character */
export function parseName(text: string, what: string): string {
  if (isValidName(text)) return text;
  throw new CommandError(
    `${what} must have 1 to 200 characters, none of them a control character.`,
    exitCodes.usage,
  );
}
