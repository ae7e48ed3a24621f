import { randomUUID } from 'node:crypto';
import { chownSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isPostgresUrl } from '../../../domain/installation/is-postgres-url.ts';
import type { Store } from '../../../domain/store.ts';
import { toFlagName } from '../../../domain/values/define-entered-fields.ts';
import { maxNameLength } from '../../../domain/values/name-and-email-validation.ts';
import { addToConfigFile, composeConfigFile } from '../../config/compose-config-file.ts';
import { ConfigurationError, configFileVariable, readConfig } from '../../config/read-config.ts';
import { isLoopbackHost } from '../../config/setting-parsers.ts';
import { type Config, listSettings, settings, toEnvironmentName } from '../../config/settings.ts';
import { exitCodes } from '../../process/exit-codes.ts';
import { ask } from '../ask.ts';
import type { CommandContext } from '../command-context.ts';
import { CommandError } from '../command-error.ts';
import { getStreams } from '../command-streams.ts';
import { database, defineCommand, option, settingOption } from '../define-command.ts';
import { createLineParser, parseAddress } from '../options/option-parsers.ts';
import { printError } from '../output.ts';
import {
  createSecretInvitation,
  getLocalUrl,
  inviteAgain,
  printInvitation,
  printUnchanged,
} from './admin.ts';

type Variables = Record<string, string | undefined>;

/** The settings that the command writes. */
const writtenSettings = ['database', 'publicUrl', 'trustedProxies'] as const;
type WrittenSetting = (typeof writtenSettings)[number];

const defaultFile = 'rostra.conf';

/** Only programs of this machine reach a server that listens on an address of the machine itself. */
const localProxies = ['127.0.0.1', '::1'];

/** The Debian package installs it. */
const systemdUnit = '/usr/lib/systemd/system/rostra.service';

const parseName = createLineParser(maxNameLength);

const getPort = (url: string) => Number(new URL(url).port || 80);

export const addInitCommand = defineCommand({
  name: 'init',
  summary: 'set up a new installation',
  description: `Writes the file of settings, which ${configFileVariable} names (default: ${defaultFile} in the working directory), and creates the database, the first municipality and the account of its operator. Asks on the terminal for values that no option names. Prints a one-time link to set the password on standard output, and nothing else. A second run adds what is missing, and changes nothing that exists.`,
  options: {
    organization: option('name', 'name of the municipality', parseName),
    publicUrl: settingOption('publicUrl'),
    trustedProxies: option(
      settings.trustedProxies.value,
      `${settings.trustedProxies.description.replaceAll('`', '')} (default, if the public URL begins with https and the server listens on this machine only: ${localProxies.join()})`,
    ),
    administrator: option(
      'email',
      'email address of the first administrator, who becomes an operator of all municipalities',
      parseAddress,
    ),
    database,
  },
  run: async (flags, context) => {
    const file = resolve(context.environment[configFileVariable] || defaultFile);
    const variables = context.readVariables(existsSync(file) ? file : '');
    const existing = readConfig({}, variables, writtenSettings);
    const { organization, administrator, publicUrl } = await completeAnswers({
      ...flags,
      publicUrl: flags.publicUrl ?? existing.publicUrl,
    });
    const given = { database: flags.database, publicUrl, trustedProxies: flags.trustedProxies };
    const config = trustLocalProxy(
      readConfig(given, variables, [...listSettings('store', 'invite'), 'trustedProxies']),
    );
    const isNew = writeSettings(file, findMissingSettings(variables, existing, config));
    if (context.ownProcess !== undefined) becomeOwner(config.database, isNew ? file : undefined);
    const store = await context.openStore(config, { create: true });
    try {
      await addFirstOrganization(store, organization);
      const isInvited = await inviteOperator(store, config, administrator);
      printNextSteps(context, config, file, isInvited);
    } finally {
      await store.close();
    }
  },
});

/** The values to ask for, with the question and the parser of the answer. */
const questions = {
  organization: { text: 'Name of the municipality', value: 'NAME', parse: parseName },
  publicUrl: {
    text: 'Public address, such as https://api.stadt.example (empty: only on this machine)',
    value: 'URL',
    parse: (text: string) => {
      settings.publicUrl.parse(text);
      return text;
    },
  },
  administrator: { text: 'Email address of the first administrator', value: 'EMAIL', parse: parseAddress },
} as const;

type Answer = keyof typeof questions;

/** @throws CommandError without a terminal, and after Ctrl-C and Ctrl-D */
async function completeAnswers(
  given: Readonly<Record<Answer, string | undefined>>,
): Promise<Record<Answer, string>> {
  const missing = (Object.keys(questions) as Answer[]).filter((name) => given[name] === undefined);
  if (missing.length > 0 && !getStreams().stdin.isTTY) {
    const flags = missing.map((name) => `${toFlagName(name)} ${questions[name].value}`).join(', ');
    throw new CommandError(`Without a terminal, init also needs ${flags}.`, exitCodes.usage);
  }
  const answers = { ...given };
  for (const name of missing) answers[name] = await askUntilValid(name);
  return answers as Record<Answer, string>;
}

async function askUntilValid(name: Answer): Promise<string> {
  const { text, parse } = questions[name];
  for (;;) {
    const answer = await ask(`${text}: `);
    if (answer === undefined) throw new CommandError('\nNothing was changed.', exitCodes.interrupted);
    try {
      return parse(answer.trim());
    } catch (error) {
      printError(`It must ${(error as Error).message}.`);
    }
  }
}

/** Rostra serves plain HTTP, so an https URL implies a proxy. */
const hasProxy = ({ publicUrl }: Config) => publicUrl?.startsWith('https:') === true;

const trustLocalProxy = (config: Config): Config =>
  hasProxy(config) && config.trustedProxies.length === 0 && isLoopbackHost(config.host)
    ? { ...config, trustedProxies: localProxies }
    : config;

/** @returns the texts of the settings that neither the environment nor the file has. @throws ConfigurationError */
function findMissingSettings(
  variables: Variables,
  existing: Config,
  config: Config,
): Map<WrittenSetting, string> {
  const missing = new Map<WrittenSetting, string>();
  const problems: string[] = [];
  for (const name of writtenSettings) {
    const variable = toEnvironmentName(name);
    const value = formatValue(config, name);
    // The database is a secret, which another file may contain.
    if (!variables[variable] && !variables[`${variable}_FILE`]) missing.set(name, value);
    else if (formatValue(existing, name) !== value)
      problems.push(
        `${variable} is already set to ${name === 'database' ? 'another value' : formatValue(existing, name)}, and init changes no setting. Leave out ${toFlagName(name)}, or edit the setting.`,
      );
  }
  if (problems.length > 0) throw new ConfigurationError(problems);
  return missing;
}

function formatValue({ database, publicUrl = '', trustedProxies }: Config, name: WrittenSetting): string {
  if (name === 'publicUrl') return publicUrl;
  if (name === 'trustedProxies') return trustedProxies.join();
  // Commands run in any folder.
  return isPostgresUrl(database) ? database : resolve(database);
}

/** @returns whether the file is new. @throws CommandError */
function writeSettings(file: string, missing: ReadonlyMap<WrittenSetting, string>): boolean {
  const isNew = !existsSync(file);
  if (!isNew && missing.size === 0) return false;
  let text = isNew ? composeConfigFile({}) : readFileSync(file, 'utf8');
  const names: string[] = [];
  try {
    for (const [name, value] of missing) {
      if (value === '') continue;
      text = addToConfigFile(text, name, value);
      names.push(toEnvironmentName(name));
    }
    // Only the owner may read it, because URLs of servers contain passwords.
    if (isNew) writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    else writeFileSync(file, text);
  } catch (error) {
    throw new CommandError(`${file} cannot be written: ${(error as Error).message}. Nothing was changed.`);
  }
  if (names.length > 0) printError(`Wrote ${names.join(' and ')} to ${file}.`);
  return isNew;
}

/**
 * Gives up the rights of root for those of the owner of the folder of the database, such as the user of the service, which
 * otherwise could open neither the database nor a new file of settings. Files that exist keep their owner.
 */
function becomeOwner(path: string, newFile: string | undefined): void {
  if (process.getuid?.() !== 0 || isPostgresUrl(path)) return;
  const folder = statSync(dirname(resolve(path)), { throwIfNoEntry: false });
  if (folder === undefined || folder.uid === 0) return;
  const { uid, gid } = folder;
  if (newFile !== undefined) chownSync(newFile, uid, gid);
  process.setgroups?.([gid]);
  process.setgid?.(gid);
  process.setuid?.(uid);
}

/** @throws CommandError if the database has others */
async function addFirstOrganization(store: Store, name: string): Promise<void> {
  const existing = (await store.listOrganizationNames()).map((each) => each.name);
  if (existing.includes(name)) return printError(`${name} exists already.`);
  if (existing.length > 0)
    throw new CommandError(
      `The database has other municipalities already, such as ${existing[0]}. Add another one with "rostra organization add".`,
    );
  const added = await store.addOrganization(name, randomUUID());
  printError(`Added ${added.name} in the time zone ${added.timeZone}.`);
}

/**
 * A person who has not set a password yet gets another link, because an earlier run may have been interrupted.
 *
 * @returns whether it printed a link
 */
async function inviteOperator(store: Store, config: Config, email: string): Promise<boolean> {
  const existing = await store.findAccount(email);
  if (existing?.hasPassword) {
    printUnchanged(existing, undefined);
    return false;
  }
  if (existing !== undefined) await inviteAgain(store, config, existing, undefined);
  else {
    const { secret, invitation } = createSecretInvitation();
    const added = await store.addAccount({ email, organizationId: null }, invitation);
    await printInvitation(config, added, secret, undefined);
  }
  return true;
}

function describeTrust({ trustedProxies }: Config, file: string): string {
  const variable = toEnvironmentName('trustedProxies');
  return trustedProxies.length > 0
    ? `The server takes the addresses of clients from a proxy at ${trustedProxies.join(' or ')}. If yours is elsewhere, correct ${variable} in ${file}.`
    : `Set ${variable} in ${file} to the address of this proxy. Otherwise all people share it, and strangers can use up the sign-in attempts of all.`;
}

function printNextSteps(
  { environment }: CommandContext,
  config: Config,
  file: string,
  isInvited: boolean,
): void {
  const { publicUrl, port } = config;
  const server = getLocalUrl(config, port);
  const named = environment[configFileVariable];
  const isService = named === '/etc/rostra/rostra.conf' && existsSync(systemdUnit);
  const start = isService
    ? ['sudo systemctl enable --now rostra']
    : [...(named ? [] : [`export ${configFileVariable}='${file}'`]), 'rostra serve'];
  printError(`\nStart the server:\n${start.map((line) => `  ${line}`).join('\n')}`);
  if (!named) printError(`Set ${configFileVariable} in every new shell, for example in ~/.profile.`);
  if (hasProxy(config)) {
    printError(`Let your proxy pass requests for ${publicUrl} to ${server}.`);
    printError(describeTrust(config, file));
  } else if (publicUrl !== undefined && getPort(publicUrl) !== port)
    printError(
      `The server listens on port ${port}. Set ${toEnvironmentName('port')} in ${file}, or let a proxy pass requests for ${publicUrl} to ${server}.`,
    );
  printError(
    `${isInvited ? 'Then open the link; later, sign' : 'Sign'} in at ${publicUrl ?? server}/admin.\nImport data there, or with a command that "rostra import --help" lists.`,
  );
}
