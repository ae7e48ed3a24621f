/** Settings of the server and of the API. */
import { optionalSetting, setting } from './setting.ts';
import {
  createChoiceParser,
  createIntegerParser,
  createMebibytesParser,
  createSecondsParser,
  parseContact,
  parseFolder,
  parseHttpsUrl,
  parseIpRanges,
  parseListenAddress,
  parseMapAttribution,
  parseMapTiles,
  parseOrigins,
  parsePort,
  parseSecurityContacts,
  parseSecurityExpiry,
} from './setting-parsers.ts';

export const serverSettings = {
  host: setting({
    readBy: ['serve', 'health', 'invite'],
    value: 'address',
    default: '127.0.0.1',
    description:
      'Address to listen on. Behind a proxy that terminates TLS, `0.0.0.0` or `::` listens on every interface.',
    parse: parseListenAddress,
  }),
  port: setting({
    readBy: ['serve', 'health', 'invite'],
    value: 'port',
    default: '8080',
    description: 'Port to listen on. With 0, the operating system chooses a free port.',
    parse: parsePort,
  }),
  workers: setting({
    readBy: ['serve'],
    value: 'processes',
    default: '1',
    description:
      'Number of server processes that share the port, for example one per CPU core. With 2 or more, SIGHUP restarts them one by one without failing a request.',
    parse: createIntegerParser('a number', 1, 64),
  }),
  openDataFolder: optionalSetting({
    readBy: ['serve'],
    value: 'folder',
    description:
      'Folder for the files of open data, which are built when somebody downloads them. Servers may share it. Default: `<file>-open-data` beside an SQLite database, `./data/open-data` for PostgreSQL.',
    parse: parseFolder,
  }),
  maxOpenData: setting({
    readBy: ['serve'],
    value: 'mebibytes',
    default: '4096',
    description:
      'Maximum size of all files of open data. The files that were downloaded longest ago are removed first.',
    parse: createMebibytesParser(1, 1_048_576),
  }),
  openDataRateLimit: setting({
    readBy: ['serve'],
    value: 'requests',
    default: '3000',
    description:
      'Maximum number of requests per minute from one address to open data, in each process. For IPv6, an address is a network of 64 bits. Behind a proxy, set ROSTRA_TRUSTED_PROXIES: otherwise all clients have one address.',
    parse: createIntegerParser('a number', 1, 2_147_483_647),
  }),
  mapTiles: optionalSetting({
    readBy: ['serve'],
    value: 'url',
    description:
      'Background of the maps of open data: the URL of its tiles, with `{z}`, `{x}` and `{y}`, such as `https://tiles.stadt.example/{z}/{x}/{y}.png`. Browsers of visitors load it from there. Empty: maps have a plain background, and load nothing from other servers.',
    parse: parseMapTiles,
  }),
  mapAttribution: optionalSetting({
    readBy: ['serve'],
    value: 'text',
    description:
      'Attribution of the map background, as its licence demands, such as `© basemap.de / BKG`. Required for ROSTRA_MAP_TILES.',
    parse: parseMapAttribution,
  }),
  metricsPort: optionalSetting({
    readBy: ['serve'],
    value: 'port',
    description: 'Port for metrics of Prometheus at `/metrics`, without a login. Default: no metrics.',
    parse: parsePort,
  }),
  metricsHost: setting({
    readBy: ['serve'],
    value: 'address',
    default: '127.0.0.1',
    description:
      'Address for metrics. The metrics name municipalities and sources, so choose one that only Prometheus reaches.',
    parse: parseListenAddress,
  }),
  publicUrl: optionalSetting({
    readBy: ['serve', 'invite', 'mail'],
    value: 'url',
    description:
      'Public URL of the API, such as `https://api.stadt.example`. Used in the OpenAPI document, in examples and in links to the admin area. Required for single sign-on, for emails and for the catalogues of open data.',
    parse: (text) => parseHttpsUrl(text).replace(/(?<!\/)\/+$/, ''),
  }),
  trustedProxies: setting({
    readBy: ['serve'],
    value: 'addresses',
    default: '',
    description:
      'IP addresses or ranges of reverse proxies, separated by commas. Rostra trusts their `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` headers, and traces continue those of their `traceparent` header.',
    parse: parseIpRanges,
  }),
  rateLimit: setting({
    readBy: ['serve', 'store', 'import'],
    value: 'requests',
    default: '1000',
    description: 'Maximum number of requests per key and window. A key can have its own limit.',
    parse: createIntegerParser('a number', 1, 2_147_483_647),
  }),
  rateLimitWindow: setting({
    readBy: ['serve', 'store', 'import'],
    value: 'seconds',
    default: '3600',
    description: 'Length of the rate limit window.',
    parse: createSecondsParser(1, 86_400),
  }),
  keyContact: optionalSetting({
    readBy: ['serve'],
    value: 'address',
    description:
      'Whom people ask for an API key: an email address, or a URL that begins with `https:` or `tel:`. The page at `/docs` shows it. Empty: the contact of the municipality, or of those with open data if there are several.',
    parse: parseContact,
  }),
  securityContacts: setting({
    readBy: ['serve'],
    value: 'addresses',
    default: '',
    description:
      'Where people report vulnerabilities of this installation: email addresses, or URLs that begin with `https:` or `tel:`, separated by commas, the preferred one first. Served at `/.well-known/security.txt` (RFC 9116). Empty: no such file.',
    parse: parseSecurityContacts,
  }),
  securityExpires: optionalSetting({
    readBy: ['serve'],
    value: 'date',
    description:
      'Last day on which these contacts may be used, such as `2027-06-30`. Choose one less than a year ahead, and a new one before it has passed. Required for ROSTRA_SECURITY_CONTACTS.',
    parse: parseSecurityExpiry,
  }),
  wordSearch: setting({
    readBy: ['serve', 'store', 'import'],
    value: 'on|off',
    default: 'on',
    description:
      'Keeps an index of words, with which clients and people search. It makes the database up to a quarter larger, and imports slower. All processes of an installation need the same value. Without it, the parameter `words` is an error, and pages have no search by words.',
    parse: createChoiceParser('on', 'off'),
  }),
  compression: setting({
    readBy: ['serve'],
    value: 'on|off',
    default: 'on',
    description:
      'Compresses responses of one kilobyte or more for clients that accept zstd, Brotli or gzip. Switch it off if the proxy in front compresses.',
    parse: createChoiceParser('on', 'off'),
  }),
  corsOrigins: setting({
    readBy: ['serve'],
    value: 'origins',
    default: '',
    description:
      'Web origins that may call the API from a browser, separated by commas, or `*`. Empty: none. Note that a key in a web page is public.',
    parse: parseOrigins,
  }),
  mcp: setting({
    readBy: ['serve'],
    value: 'on|off',
    default: 'on',
    description:
      'Lets AI assistants use the API with a key at `/mcp`, by the Model Context Protocol. Without it, the address does not exist.',
    parse: createChoiceParser('on', 'off'),
  }),
  requestTimeout: setting({
    readBy: ['serve'],
    value: 'seconds',
    default: '12',
    description:
      'Time limit for a client to send the whole request. The headers have at most ten seconds of it.',
    parse: createSecondsParser(1, 3_600),
  }),
  keepAliveTimeout: setting({
    readBy: ['serve'],
    value: 'seconds',
    default: '72',
    description:
      'Time until an idle connection is closed. Set it longer than the keep-alive timeout of the proxy in front, which otherwise sends requests on closed connections.',
    parse: createSecondsParser(1, 3_600),
  }),
  maxConnections: setting({
    readBy: ['serve'],
    value: 'connections',
    default: '10000',
    description:
      'Maximum number of open connections per process. Further connections are closed immediately.',
    parse: createIntegerParser('a number', 1, 1_000_000),
  }),
  stopDelay: setting({
    readBy: ['serve'],
    value: 'seconds',
    default: '0',
    description:
      'Time after SIGTERM or SIGINT during which `/ready` returns 503 and requests are still answered. Set it longer than the health check interval of the load balancer.',
    parse: createSecondsParser(0, 3_600),
  }),
  stopTimeout: setting({
    readBy: ['serve'],
    value: 'seconds',
    default: '10',
    description: 'Time limit for open requests to finish after SIGTERM or SIGINT.',
    parse: createSecondsParser(0, 3_600),
  }),
};

export const logSettings = {
  logLevel: setting({
    readBy: ['serve'],
    value: 'level',
    default: 'info',
    description: 'Minimum level of log entries. `info` logs every request.',
    parse: createChoiceParser('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
  }),
  auditLog: setting({
    readBy: ['serve', 'store', 'import'],
    value: 'copy',
    default: 'on',
    description:
      'Copies the events of the audit log: `on`: those of the server to its log, and those of commands to the system log, with the program `logger`; `stderr`: those of commands to their standard error, for containers; `off`: no copies.',
    parse: createChoiceParser('on', 'stderr', 'off'),
  }),
  logFormat: setting({
    readBy: ['serve'],
    value: 'format',
    default: 'auto',
    description:
      '`json`: one object per line; `text`: for people; `auto`: `text` on a terminal, otherwise `json`.',
    parse: createChoiceParser('auto', 'json', 'text'),
  }),
};
