/**
 * Every setting, once: name, flag, default, check, and what the documentation says. Settings come from flags,
 * then the environment (`ROSTRA_…`), then the default; a secret one also from the file that `ROSTRA_…_FILE`
 * names.
 */
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';

interface Setting<Value> {
  /** Placeholder in help texts. */
  value: string;
  default: string;
  description: string;
  /** May also be read from a file, and is never printed. */
  secret?: true;
  /** @throws Error whose message goes on after "must": `be a port from 0 to 65535` */
  parse(text: string): Value;
}

const setting = <Value>(value: Setting<Value>) => value;

function wholeNumber(what: string, minimum: number, maximum: number) {
  return (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new Error(`be ${what} from ${minimum} to ${maximum}`);
  };
}

function oneOf<const Word extends string>(...words: Word[]) {
  return (text: string): Word => {
    if ((words as string[]).includes(text)) return text as Word;
    throw new Error(`be one of ${words.join(', ')}`);
  };
}

const seconds = (minimum: number, maximum: number) => {
  const parse = wholeNumber('a number of seconds', minimum, maximum);
  return (text: string) => parse(text) * 1000;
};

const port = wholeNumber('a port', 0, 65_535);

const postgresAddress = /^postgres(ql)?:\/\//;

/** Whether a database is an address of PostgreSQL, and not a file. */
export const isPostgres = (database: string) => postgresAddress.test(database);

function database(text: string): string {
  if (text === '') throw new Error('name a file, or a PostgreSQL address');
  if (isPostgres(text)) return address(text);
  if (/^[a-z]+:\/\//i.test(text)) throw new Error('name an SQLite file, or start with postgres://');
  return text;
}

/** A PostgreSQL address. What is wrong with it is not told by quoting it: it holds a password. */
function address(text: string): string {
  if (isPostgres(text) && URL.canParse(text) && new URL(text).pathname.length > 1) return text;
  throw new Error('be an address such as postgres://rostra:password@db.example.org/rostra');
}

const listed = (text: string) => text.split(/[\s,]+/).filter((part) => part !== '');

function origins(text: string): string[] {
  const list = listed(text);
  for (const origin of list) {
    if (origin !== '*' && (!URL.canParse(origin) || new URL(origin).origin !== origin)) {
      throw new Error('be origins such as https://data.example.org, separated by commas, or *');
    }
  }
  return list;
}

function addressRanges(text: string): string[] {
  const list = listed(text);
  for (const range of list) {
    const [ip = '', prefix, ...more] = range.split('/');
    const bits = { 4: 32, 6: 128 }[isIP(ip)] ?? -1;
    const fits = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
    if (bits < 0 || !fits || more.length > 0)
      throw new Error('be addresses such as 10.0.0.1, or ranges such as 10.0.0.0/8, separated by commas');
  }
  return list;
}

/** An https address; plain http is for this machine alone. */
function webAddress(text: string): string | undefined {
  if (text === '') return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const local = url !== undefined && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && local)) return text.replace(/\/+$/, '');
  throw new Error('be an address such as https://api.stadt.example');
}

function printable(text: string): string {
  if (/^[!-~]*$/.test(text)) return text;
  throw new Error('have no blanks, and none but ASCII characters');
}

function timeZone(text: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    throw new Error('be a time zone such as Europe/Berlin');
  }
}

export const settings = {
  database: setting({
    value: 'database',
    default: './data/rostra.db',
    description:
      'What holds the data: an SQLite file (the rate windows lie beside it, in `<file>-counters`), or a PostgreSQL address, `postgres://role:password@host/database`.',
    secret: true,
    parse: database,
  }),
  databaseOwner: setting({
    value: 'address',
    default: '',
    description:
      'PostgreSQL address of the role that owns the tables. Where it is given, a start brings them up to date and lets the role of ROSTRA_DATABASE serve.',
    secret: true,
    parse: (text) => (text === '' ? undefined : address(text)),
  }),
  databaseRead: setting({
    value: 'addresses',
    default: '',
    description:
      'PostgreSQL addresses of streaming replicas that published data is read from, separated by commas. Keys and windows stay on ROSTRA_DATABASE.',
    secret: true,
    parse: (text) => listed(text).map(address),
  }),
  databaseReadLag: setting({
    value: 'seconds',
    default: '10',
    description: 'A read replica that is further behind is left out until it has caught up.',
    parse: seconds(1, 86_400),
  }),
  databaseConnections: setting({
    value: 'connections',
    default: '10',
    description: 'Most connections of this process to each PostgreSQL server.',
    parse: wholeNumber('a number', 1, 1_000),
  }),
  host: setting({
    value: 'address',
    default: '127.0.0.1',
    description:
      'Address to listen on. `0.0.0.0` or `::` for every interface, behind a proxy that speaks TLS.',
    parse: (text) => {
      if (text.trim() === '') throw new Error('be an address');
      return text;
    },
  }),
  port: setting({
    value: 'port',
    default: '8080',
    description: 'Port to listen on; 0 takes a free one.',
    parse: port,
  }),
  rateLimit: setting({
    value: 'requests',
    default: '1000',
    description: 'Requests a key may make in one window, unless the key has a limit of its own.',
    parse: wholeNumber('a number', 1, 2_147_483_647),
  }),
  rateWindow: setting({
    value: 'seconds',
    default: '3600',
    description: 'Length of a rate window.',
    parse: seconds(1, 86_400),
  }),
  publicUrl: setting({
    value: 'address',
    default: '',
    description:
      'Address under which clients reach the API, such as `https://api.stadt.example`. Shown in examples and in links to the admin area; single sign-on needs it.',
    parse: webAddress,
  }),
  trustedProxies: setting({
    value: 'addresses',
    default: '',
    description:
      'Addresses or ranges of the proxies in front, separated by commas. The admin area believes what they say of a client (`X-Forwarded-For`, `X-Forwarded-Proto`).',
    parse: addressRanges,
  }),
  admin: setting({
    value: 'on|off',
    default: 'on',
    description: 'Whether the admin area is served, at `/admin`.',
    parse: oneOf('on', 'off'),
  }),
  adminPort: setting({
    value: 'port',
    default: '',
    description: 'A port of its own for the admin area. Empty: that of the API.',
    parse: (text) => (text === '' ? undefined : port(text)),
  }),
  adminIdleTimeout: setting({
    value: 'seconds',
    default: '3600',
    description: 'Time without a request after which an administrator must sign in again.',
    parse: seconds(1, 86_400),
  }),
  adminPasswords: setting({
    value: 'on|off',
    default: 'on',
    description: 'Whether administrators may sign in with a password. `off` needs single sign-on.',
    parse: oneOf('on', 'off'),
  }),
  timeZone: setting({
    value: 'zone',
    default: 'UTC',
    description: 'Time zone of dates in the admin area, such as `Europe/Berlin`. The API always speaks UTC.',
    parse: timeZone,
  }),
  oidcIssuer: setting({
    value: 'address',
    default: '',
    description:
      'Issuer of the OpenID Connect provider that administrators may sign in with, such as `https://login.stadt.example`. Empty: none.',
    parse: webAddress,
  }),
  oidcClientId: setting({
    value: 'id',
    default: '',
    description: 'Client id that the provider knows Rostra by.',
    parse: printable,
  }),
  oidcClientSecret: setting({
    value: 'secret',
    default: '',
    description: 'Client secret that the provider gave to Rostra. Empty: a public client, with PKCE alone.',
    secret: true,
    parse: printable,
  }),
  corsOrigins: setting({
    value: 'origins',
    default: '',
    description:
      'Origins whose pages may read the API in a browser, separated by commas, or `*`. Empty: none. A key in a web page is public.',
    parse: origins,
  }),
  logLevel: setting({
    value: 'level',
    default: 'info',
    description: 'Least severe level that is logged; `info` has one line for each request.',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  }),
  logFormat: setting({
    value: 'format',
    default: 'auto',
    description: '`json`, one object a line; `text`, for people; `auto`: `text` on a terminal, else `json`.',
    parse: oneOf('auto', 'json', 'text'),
  }),
  headersTimeout: setting({
    value: 'seconds',
    default: '10',
    description: 'Time a client has to send the header of a request.',
    parse: seconds(1, 3_600),
  }),
  requestTimeout: setting({
    value: 'seconds',
    default: '12',
    description: 'Time a client has to send a whole request.',
    parse: seconds(1, 3_600),
  }),
  keepAliveTimeout: setting({
    value: 'seconds',
    default: '72',
    description:
      'Time an idle connection stays open. Longer than that of the proxy in front, or it will meet closed connections.',
    parse: seconds(1, 3_600),
  }),
  maxConnections: setting({
    value: 'connections',
    default: '10000',
    description: 'Connections open at the same time; further ones are closed at once.',
    parse: wholeNumber('a number', 1, 1_000_000),
  }),
  stopDelay: setting({
    value: 'seconds',
    default: '0',
    description:
      'Time after SIGTERM or SIGINT in which `/ready` is 503 and requests are still answered. Longer than a load balancer takes to notice.',
    parse: seconds(0, 3_600),
  }),
  stopTimeout: setting({
    value: 'seconds',
    default: '10',
    description: 'Time that requests under way have to finish after SIGTERM or SIGINT.',
    parse: seconds(0, 3_600),
  }),
};

export type SettingName = keyof typeof settings;
export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['parse']> };

/** `rateLimit` → `ROSTRA_RATE_LIMIT` */
export function environmentName(name: SettingName): string {
  return `ROSTRA_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** `rateLimit` → `--rate-limit` */
export function flagName(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}

/** Everything that is wrong with a configuration, a sentence each. */
export class ConfigurationProblem extends Error {
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
    if (given && !isPostgres(main)) {
      problems.push(
        `${environmentName(name)} is for PostgreSQL, but ${environmentName('database')} names a file.`,
      );
    }
  }
  problems.push(...adminProblems(config as Partial<Config>));
  if (problems.length > 0) throw new ConfigurationProblem(problems);
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
export function unknownVariables(environment: Record<string, string | undefined>): string[] {
  const known = new Set<string>();
  for (const name of Object.keys(settings) as SettingName[]) {
    known.add(environmentName(name));
    if ('secret' in settings[name]) known.add(`${environmentName(name)}_FILE`);
  }
  return Object.keys(environment).filter((name) => name.startsWith('ROSTRA_') && !known.has(name));
}
