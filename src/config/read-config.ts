/**
 * Settings come from flags, then the environment (`ROSTRA_…`), then the default; a secret one also from the file
 * that `ROSTRA_…_FILE` names.
 */
import { readFileSync } from 'node:fs';
import { isPostgresUrl } from '../domain/postgres-url.ts';
import {
  type Config,
  environmentName,
  flagName,
  type Setting,
  type SettingName,
  settings,
} from './settings.ts';

/** Everything that is wrong with a configuration, a sentence each. */
export class ConfigurationError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/**
 * @param flags what the command line gave, by setting
 * @param used the settings the command needs; the others keep their defaults, however the environment is
 * @throws ConfigurationProblem with all problems at once
 */
export function readConfig(
  flags: Partial<Record<SettingName, string>>,
  environment: Record<string, string | undefined>,
  used: readonly SettingName[] = Object.keys(settings) as SettingName[],
): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const name of Object.keys(settings) as SettingName[]) {
    const { parse, secret }: Setting<unknown> = settings[name];
    try {
      const { text, source } = sourceOf(name, flags, used.includes(name) ? environment : {});
      try {
        config[name] = parse(text);
      } catch (error) {
        const shown = secret ? '' : `, not ${JSON.stringify(text)}`;
        problems.push(`${source} must ${(error as Error).message}${shown}.`);
      }
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  const { headersTimeout, requestTimeout } = config as Partial<Config>;
  if (headersTimeout !== undefined && requestTimeout !== undefined && headersTimeout > requestTimeout) {
    problems.push(
      `${environmentName('headersTimeout')} must not be longer than ${environmentName('requestTimeout')}.`,
    );
  }
  const { database: main = '', databaseOwner, databaseRead } = config as Partial<Config>;
  for (const [name, given] of [
    ['databaseOwner', databaseOwner !== undefined],
    ['databaseRead', (databaseRead ?? []).length > 0],
  ] as const) {
    if (given && !isPostgresUrl(main)) {
      problems.push(
        `${environmentName(name)} is for PostgreSQL, but ${environmentName('database')} names a file.`,
      );
    }
  }
  problems.push(...adminProblems(config as Partial<Config>));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return Object.freeze(config) as Config;
}

function adminProblems({
  oidcIssuer,
  oidcClientId,
  publicUrl,
  adminPasswords,
  adminPort,
}: Partial<Config>): string[] {
  const problems: string[] = [];
  if (adminPort !== undefined && publicUrl === undefined)
    problems.push(
      `${environmentName('adminPort')} needs ${environmentName('publicUrl')} too: pages name the address of the API.`,
    );
  if (oidcIssuer !== undefined) {
    const needed = { oidcClientId, publicUrl };
    for (const name of ['oidcClientId', 'publicUrl'] as const)
      if (!needed[name])
        problems.push(`${environmentName('oidcIssuer')} needs ${environmentName(name)} too.`);
  } else if (adminPasswords === 'off') {
    problems.push(
      `${environmentName('adminPasswords')} must not be off without ${environmentName('oidcIssuer')}: nobody could sign in.`,
    );
  }
  return problems;
}

/** An empty variable counts as absent, as container set-ups often pass one on. */
function sourceOf(
  name: SettingName,
  flags: Partial<Record<SettingName, string>>,
  environment: Record<string, string | undefined>,
): { text: string; source: string } {
  const flag = flags[name];
  if (flag !== undefined) return { text: flag, source: flagName(name) };
  const variable = environmentName(name);
  const text = environment[variable] || undefined;
  const file = ('secret' in settings[name] && environment[`${variable}_FILE`]) || undefined;
  if (text !== undefined && file !== undefined) {
    throw new Error(`${variable} and ${variable}_FILE must not both be set.`);
  }
  if (file !== undefined) {
    try {
      return { text: readFileSync(file, 'utf8').trim(), source: `The content of ${variable}_FILE` };
    } catch (error) {
      throw new Error(`${variable}_FILE cannot be read: ${(error as Error).message}.`);
    }
  }
  return { text: text ?? settings[name].default, source: variable };
}

/** Names that start like ours and are no setting: probably misspelt. */
export function findUnknownVariables(environment: Record<string, string | undefined>): string[] {
  const known = new Set<string>();
  for (const name of Object.keys(settings) as SettingName[]) {
    known.add(environmentName(name));
    if ('secret' in settings[name]) known.add(`${environmentName(name)}_FILE`);
  }
  return Object.keys(environment).filter((name) => name.startsWith('ROSTRA_') && !known.has(name));
}
