/**
 * Settings come from flags, then `ROSTRA_…` variables (secrets also from `ROSTRA_…_FILE`), then defaults. Variables come
 * from the environment, then from the file of `ROSTRA_CONFIG`.
 */

import { readFileSync } from 'node:fs';
import { isPostgresUrl } from '../../domain/installation/is-postgres-url.ts';
import { toFlagName } from '../../domain/values/define-entered-fields.ts';
import { describeReadError } from '../../domain/values/describe-read-error.ts';
import type { Setting } from './setting.ts';
import { type Config, type SettingName, settings, toEnvironmentName } from './settings.ts';

/** Values from the command line. */
export type SettingFlags = { readonly [Name in SettingName]?: string | undefined };

/** All problems of a configuration, one sentence each. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * @param used the settings that the command uses; the environment is not read for the others
 * @throws ConfigurationError with all problems
 */
export function readConfig(
  flags: SettingFlags,
  environment: Record<string, string | undefined>,
  used: readonly SettingName[] = Object.keys(settings) as SettingName[],
): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const { parse, secret }: Setting<unknown> = settings[name];
    try {
      const { text, source } = findValue(name, flags, used.includes(name) ? environment : {});
      try {
        config[name] = parse(text);
      } catch (error) {
        const actual = secret || mayContainPassword(text) ? '' : `, not ${JSON.stringify(text)}`;
        problems.push(`${source} must ${(error as Error).message}${actual}.`);
      }
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  problems.push(...findConflicts(config));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze(config) as Config;
}

/** As in `https://user:password@host`. */
const mayContainPassword = (text: string) => /:[^:@]*@/.test(text);

/** Settings that require another one, and why. */
const requirements: readonly [setting: SettingName, required: SettingName, reason?: string][] = [
  ['adminPort', 'publicUrl', 'the pages show the URL of the API'],
  ['oidcIssuer', 'oidcClientId'],
  ['oidcIssuer', 'publicUrl'],
  ['smtpUrl', 'mailFrom'],
  ['smtpUrl', 'publicUrl', 'the emails contain links to the admin area'],
  ['mapTiles', 'mapAttribution', 'the licences of maps demand it'],
  ['mapAttribution', 'mapTiles'],
  ['retainAuditLog', 'auditExportFolder', 'entries are exported before they are removed'],
  ['securityContacts', 'securityExpires', 'RFC 9116 demands a date'],
  ['securityExpires', 'securityContacts'],
];

/** Checks settings that depend on each other. Invalid settings are undefined and already reported. */
function findConflicts(config: Partial<Config>): string[] {
  const { database = '', databaseOwner, databaseReplicas = [], adminPasswords, oidcIssuer } = config;
  const name = toEnvironmentName;
  const needsPostgres = isPostgresUrl(database)
    ? []
    : [
        ...(databaseOwner === undefined ? [] : [name('databaseOwner')]),
        ...(databaseReplicas.length === 0 ? [] : [name('databaseReplicas')]),
      ];
  const unmet = requirements.filter(
    ([setting, required]) => config[setting] !== undefined && !config[required],
  );
  return [
    ...needsPostgres.map((variable) => `${variable} requires PostgreSQL, but ${name('database')} is a file.`),
    ...unmet.map(
      ([setting, required, reason]) =>
        `${name(setting)} requires ${name(required)}${reason === undefined ? '' : `: ${reason}`}.`,
    ),
    ...findSharedPorts(config),
    ...(oidcIssuer === undefined && adminPasswords === 'off'
      ? [`${name('adminPasswords')} must not be off without ${name('oidcIssuer')}: nobody could sign in.`]
      : []),
  ];
}

const isAnyAddress = (host: string | undefined) => host === '0.0.0.0' || host === '::';

/** Two servers cannot listen on one port. With 0, the operating system chooses a free one. */
function findSharedPorts({ host, metricsHost, ...config }: Partial<Config>): string[] {
  const listeners = [
    ['port', host],
    ['adminPort', host],
    ['metricsPort', metricsHost],
  ] as const;
  return listeners.flatMap(([name, address], index) =>
    listeners
      .slice(index + 1)
      .filter(
        ([other, otherAddress]) =>
          config[name] &&
          config[name] === config[other] &&
          (address === otherAddress || isAnyAddress(address) || isAnyAddress(otherAddress)),
      )
      .map(([other]) => `${toEnvironmentName(other)} must not be that of ${toEnvironmentName(name)}.`),
  );
}

/** Empty variables count as unset, because container platforms often pass them on. */
function findValue(
  name: SettingName,
  flags: SettingFlags,
  environment: Record<string, string | undefined>,
): { text: string; source: string } {
  const flag = flags[name];
  if (flag !== undefined) return { text: flag, source: toFlagName(name) };
  const variable = toEnvironmentName(name);
  const text = environment[variable] || undefined;
  const file = ('secret' in settings[name] && environment[`${variable}_FILE`]) || undefined;
  if (text !== undefined && file !== undefined) {
    throw new Error(`${variable} and ${variable}_FILE must not both be set.`);
  }
  if (file !== undefined) {
    try {
      return { text: readFileSync(file, 'utf8').trim(), source: `The content of ${variable}_FILE` };
    } catch (error) {
      throw new Error(`${file}, the file of ${variable}_FILE, cannot be read: ${describeReadError(error)}.`);
    }
  }
  return { text: text ?? settings[name].default, source: variable };
}

/** Names a file of settings. */
export const configFileVariable = 'ROSTRA_CONFIG';

/** `ROSTRA_…` variables that are not settings, such as misspelled ones. */
export function findUnknownVariables(environment: Record<string, string | undefined>): string[] {
  const known = new Set<string>([configFileVariable]);
  for (const name of Object.keys(settings) as SettingName[]) {
    known.add(toEnvironmentName(name));
    if ('secret' in settings[name]) known.add(`${toEnvironmentName(name)}_FILE`);
  }
  return Object.keys(environment).filter((name) => name.startsWith('ROSTRA_') && !known.has(name));
}
