/** The table of settings: name, default, parser and help text of each. */
import { redactionKinds } from '../domain/import-source.ts';
import { parseMailSender, parseSmtpUrl } from './parse-mail-settings.ts';
import {
  createChoiceParser,
  createIntegerParser,
  createSecondsParser,
  parseCountryCode,
  parseDatabase,
  parseFolder,
  parseHttpsUrl,
  parseIpRanges,
  parseOrigins,
  parsePageUrl,
  parsePort,
  parsePostgresUrl,
  parseReadableFile,
  parseRedactionKinds,
  parseTimeZone,
  parseVisibleAscii,
  splitList,
} from './setting-parsers.ts';

export interface Setting<Value> {
  /** Placeholder in help texts. */
  value: string;
  default: string;
  description: string;
  /** Never printed. `ROSTRA_…_FILE` may name a file that contains it. */
  secret?: true;
  /** @throws Error whose message follows "must": `be a port from 0 to 65535` */
  parse(text: string): Value;
}

/** Infers the type of the value. */
const setting = <Value>(value: Setting<Value>) => value;

export const settings = {
  database: setting({
    value: 'database',
    default: './data/rostra.db',
    description:
      'Database: an SQLite file, or a PostgreSQL URL such as `postgres://role:password@host/database`. With SQLite, the request counters are in a second file, `<file>-counters`.',
    secret: true,
    parse: parseDatabase,
  }),
  databaseOwner: setting({
    value: 'url',
    default: '',
    description:
      'PostgreSQL URL of the role that owns the tables. If set, the server updates the schema at start and grants the role of ROSTRA_DATABASE the privileges it needs.',
    secret: true,
    parse: (text) => (text === '' ? undefined : parsePostgresUrl(text)),
  }),
  databaseReplicas: setting({
    value: 'urls',
    default: '',
    description:
      'PostgreSQL URLs of streaming replicas, separated by commas. Published data is read from them; API keys and rate limits stay on ROSTRA_DATABASE.',
    secret: true,
    parse: (text) => splitList(text).map(parsePostgresUrl),
  }),
  databaseMaxReplicaLag: setting({
    value: 'seconds',
    default: '10',
    description: 'A replica that lags further behind is not used until it has caught up.',
    parse: createSecondsParser(1, 86_400),
  }),
  databasePoolSize: setting({
    value: 'connections',
    default: '10',
    description: 'Maximum number of connections from each process to each PostgreSQL server.',
    parse: createIntegerParser('a number', 1, 1_000),
  }),
  host: setting({
    value: 'address',
    default: '127.0.0.1',
    description:
      'Address to listen on. Behind a proxy that terminates TLS, `0.0.0.0` or `::` listens on every interface.',
    parse: (text) => {
      if (text.trim() === '') throw new Error('be an address');
      return text;
    },
  }),
  port: setting({
    value: 'port',
    default: '8080',
    description: 'Port to listen on. With 0, the operating system chooses a free port.',
    parse: parsePort,
  }),
  workers: setting({
    value: 'processes',
    default: '1',
    description:
      'Number of server processes that share the port, for example one per CPU core. With 2 or more, SIGHUP restarts them one by one without failing a request.',
    parse: createIntegerParser('a number', 1, 64),
  }),
  rateLimit: setting({
    value: 'requests',
    default: '1000',
    description: 'Maximum number of requests per key and window. A key can have its own limit.',
    parse: createIntegerParser('a number', 1, 2_147_483_647),
  }),
  rateLimitWindow: setting({
    value: 'seconds',
    default: '3600',
    description: 'Length of the rate limit window.',
    parse: createSecondsParser(1, 86_400),
  }),
  publicUrl: setting({
    value: 'url',
    default: '',
    description:
      'Public URL of the API, such as `https://api.stadt.example`. Used in the OpenAPI document, in examples and in links to the admin area. Required for single sign-on and for emails.',
    parse: (text) => parseHttpsUrl(text)?.replace(/\/+$/, ''),
  }),
  trustedProxies: setting({
    value: 'addresses',
    default: '',
    description:
      'IP addresses or ranges of reverse proxies, separated by commas. The admin area trusts their `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` headers.',
    parse: parseIpRanges,
  }),
  admin: setting({
    value: 'on|off',
    default: 'on',
    description: 'Serves the admin area at `/admin`.',
    parse: createChoiceParser('on', 'off'),
  }),
  adminPort: setting({
    value: 'port',
    default: '',
    description: 'Separate port for the admin area. Default: the port of the API.',
    parse: (text) => (text === '' ? undefined : parsePort(text)),
  }),
  adminIdleTimeout: setting({
    value: 'seconds',
    default: '3600',
    description: 'People are signed out after this time without a request.',
    parse: createSecondsParser(1, 86_400),
  }),
  adminPasswords: setting({
    value: 'on|off',
    default: 'on',
    description: 'Lets people sign in with a password. `off` requires single sign-on.',
    parse: createChoiceParser('on', 'off'),
  }),
  secondFactor: setting({
    value: 'optional|required',
    default: 'optional',
    description:
      'With `required`, accounts with a password must set up a second factor before they can use the admin area. Single sign-on is not affected.',
    parse: createChoiceParser('optional', 'required'),
  }),
  imprintUrl: setting({
    value: 'url',
    default: '',
    description: 'Imprint of the operator. The footer of the admin area and of `/docs` links to it.',
    parse: parsePageUrl,
  }),
  privacyUrl: setting({
    value: 'url',
    default: '',
    description: 'Privacy statement of the operator, linked in the same footer.',
    parse: parsePageUrl,
  }),
  accessibilityUrl: setting({
    value: 'url',
    default: '',
    description: 'Accessibility statement of the operator, linked in the same footer.',
    parse: parsePageUrl,
  }),
  timeZone: setting({
    value: 'zone',
    default: 'UTC',
    description:
      'Time zone of the admin area’s pages about the whole installation, such as `Europe/Berlin`. The pages of a municipality use its own time zone, and the API always uses UTC.',
    parse: parseTimeZone,
  }),
  oidcIssuer: setting({
    value: 'url',
    default: '',
    description:
      'Issuer URL of the OpenID Connect provider for single sign-on, such as `https://login.stadt.example`. Empty: no single sign-on.',
    parse: parseHttpsUrl,
  }),
  oidcClientId: setting({
    value: 'id',
    default: '',
    description: 'Client ID that the provider assigned to Rostra.',
    parse: parseVisibleAscii,
  }),
  oidcClientSecret: setting({
    value: 'secret',
    default: '',
    description: 'Client secret that the provider assigned to Rostra. Empty: a public client with PKCE.',
    secret: true,
    parse: parseVisibleAscii,
  }),
  smtpUrl: setting({
    value: 'url',
    default: '',
    description:
      'URL of the SMTP server for emails of the admin area, such as `smtps://user:password@mail.stadt.example` or `smtp://user:password@mail.stadt.example:587`. Connections are encrypted, except to this machine. Empty: no emails.',
    secret: true,
    parse: parseSmtpUrl,
  }),
  mailFrom: setting({
    value: 'address',
    default: '',
    description: 'Sender of emails, such as `Rostra <rostra@stadt.example>`. Required for ROSTRA_SMTP_URL.',
    parse: parseMailSender,
  }),
  redact: setting({
    value: 'kinds',
    default: '',
    description: `Personal data that imports remove from texts: ${redactionKinds.map((kind) => `\`${kind}\``).join(', ')}, separated by commas. \`all\` is all except \`address\`; \`off\` is none. Default: as in earlier imports of the source.`,
    parse: parseRedactionKinds,
  }),
  redactCountry: setting({
    value: 'country',
    default: '',
    description:
      'Country of telephone numbers without a country code, as two letters (ISO 3166). Default: as in earlier imports of the source, initially `DE`.',
    parse: parseCountryCode,
  }),
  redactPatterns: setting({
    value: 'file',
    default: '',
    description:
      'JSON or YAML file with additional patterns that imports remove from texts: name → regular expression.',
    parse: parseReadableFile,
  }),
  downloadNetworks: setting({
    value: 'addresses',
    default: '',
    description:
      'IP addresses or ranges inside your own network that sources with an address may be fetched from, separated by commas. Sources are otherwise fetched from public addresses only, with https.',
    parse: parseIpRanges,
  }),
  maxDownload: setting({
    value: 'mebibytes',
    default: '1024',
    description: 'Maximum size of a file that is fetched from the address of a source, decompressed.',
    parse: (text) => createIntegerParser('a number', 1, 1_048_576)(text) * 1_048_576,
  }),
  downloadTimeout: setting({
    value: 'seconds',
    default: '900',
    description: 'Time limit for fetching a file from the address of a source.',
    parse: createSecondsParser(1, 86_400),
  }),
  uploadFolder: setting({
    value: 'folder',
    default: '',
    description:
      'Folder for files that are uploaded in the admin area, until their import ends. Several servers need a shared folder. Default: `<file>-uploads` beside an SQLite database, `./data/uploads` for PostgreSQL.',
    parse: (text) => (text === '' ? undefined : parseFolder(text)),
  }),
  maxUpload: setting({
    value: 'mebibytes',
    default: '512',
    description: 'Maximum size of an uploaded file. 256 MiB of the disk stay free in any case.',
    parse: (text) => createIntegerParser('a number', 1, 1_048_576)(text) * 1_048_576,
  }),
  importTimeout: setting({
    value: 'seconds',
    default: '7200',
    description: 'Time limit for each step of an import in the admin area.',
    parse: createSecondsParser(1, 604_800),
  }),
  compression: setting({
    value: 'on|off',
    default: 'on',
    description:
      'Compresses responses of one kilobyte or more for clients that accept zstd, Brotli or gzip. Switch it off if the proxy in front compresses.',
    parse: createChoiceParser('on', 'off'),
  }),
  corsOrigins: setting({
    value: 'origins',
    default: '',
    description:
      'Web origins that may call the API from a browser, separated by commas, or `*`. Empty: none. Note that a key in a web page is public.',
    parse: parseOrigins,
  }),
  logLevel: setting({
    value: 'level',
    default: 'info',
    description: 'Minimum level of log entries. `info` logs every request.',
    parse: createChoiceParser('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  }),
  logFormat: setting({
    value: 'format',
    default: 'auto',
    description:
      '`json`: one object per line; `text`: for people; `auto`: `text` on a terminal, otherwise `json`.',
    parse: createChoiceParser('auto', 'json', 'text'),
  }),
  headersTimeout: setting({
    value: 'seconds',
    default: '10',
    description: 'Time limit for a client to send the request headers.',
    parse: createSecondsParser(1, 3_600),
  }),
  requestTimeout: setting({
    value: 'seconds',
    default: '12',
    description: 'Time limit for a client to send the whole request.',
    parse: createSecondsParser(1, 3_600),
  }),
  keepAliveTimeout: setting({
    value: 'seconds',
    default: '72',
    description:
      'Time until an idle connection is closed. Set it longer than the keep-alive timeout of the proxy in front, which otherwise sends requests on closed connections.',
    parse: createSecondsParser(1, 3_600),
  }),
  maxConnections: setting({
    value: 'connections',
    default: '10000',
    description:
      'Maximum number of open connections per process. Further connections are closed immediately.',
    parse: createIntegerParser('a number', 1, 1_000_000),
  }),
  stopDelay: setting({
    value: 'seconds',
    default: '0',
    description:
      'Time after SIGTERM or SIGINT during which `/ready` returns 503 and requests are still answered. Set it longer than the health check interval of the load balancer.',
    parse: createSecondsParser(0, 3_600),
  }),
  stopTimeout: setting({
    value: 'seconds',
    default: '10',
    description: 'Time limit for open requests to finish after SIGTERM or SIGINT.',
    parse: createSecondsParser(0, 3_600),
  }),
};

export type SettingName = keyof typeof settings;

/** Settings of downloads of sources. */
export const downloadSettings = [
  'downloadNetworks',
  'maxDownload',
  'downloadTimeout',
] as const satisfies SettingName[];

/** Settings of `import` and `sync` only. */
export const redactionSettings = [
  'redact',
  'redactCountry',
  'redactPatterns',
] as const satisfies SettingName[];

export type Config = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name]['parse']> };

/** `rateLimit` → `ROSTRA_RATE_LIMIT` */
export function toEnvironmentName(name: SettingName): string {
  return `ROSTRA_${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** `rateLimit` → `--rate-limit` */
export function toFlagName(name: SettingName): string {
  return `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}
