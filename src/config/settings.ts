/** Every setting, once: name, flag, default, check, and what the documentation says. */
import { patternFile, phoneCountry, redactedKinds } from './redaction-parsers.ts';
import { address, addressRanges, database, listed, oneOf, origins, port, printable, seconds, timeZone, webAddress, wholeNumber } from './setting-parsers.ts';

export interface Setting<Value> {
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
    description: 'Most connections of each process to each PostgreSQL server.',
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
  workers: setting({
    value: 'processes',
    default: '1',
    description:
      'Processes that answer on the one port, such as one for each core. With 2 or more, SIGHUP replaces them one after the other without a failed request.',
    parse: wholeNumber('a number', 1, 64),
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
    parse: (text) => webAddress(text)?.replace(/\/+$/, ''),
  }),
  trustedProxies: setting({
    value: 'addresses',
    default: '',
    description:
      'Addresses or ranges of the proxies in front, separated by commas. The admin area believes what they say of a client (`X-Forwarded-For`, `X-Forwarded-Proto`, `X-Forwarded-Host`).',
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
  redact: setting({
    value: 'kinds',
    default: '',
    description:
      'What an import takes out of descriptions: `email`, `phone`, `iban`, `plate`, separated by commas, or `all`, or `off`. Empty: the same as earlier imports of the source.',
    parse: redactedKinds,
  }),
  redactCountry: setting({
    value: 'country',
    default: '',
    description:
      'Country whose telephone numbers are written without its code, as two letters of ISO 3166. Empty: the same as earlier imports of the source, at first `DE`.',
    parse: phoneCountry,
  }),
  redactPatterns: setting({
    value: 'file',
    default: '',
    description:
      'JSON or YAML file with patterns of your own that an import takes out of descriptions: name → regular expression.',
    parse: patternFile,
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
    description: 'Connections that each process has open at the same time; further ones are closed at once.',
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

/** Settings of commands that import; a server has no use for them. */
export const redactionSettings = [
  'redact',
  'redactCountry',
  'redactPatterns',
] as const satisfies SettingName[];

export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['parse']> };

/** `rateLimit` → `ROSTRA_RATE_LIMIT` */
export function environmentName(name: SettingName): string {
  return `ROSTRA_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** `rateLimit` → `--rate-limit` */
export function flagName(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}
