/** Settings of the database. */
import { optionalSetting, setting } from './setting.ts';
import {
  createIntegerParser,
  createSecondsParser,
  parseDatabase,
  parsePostgresUrl,
  splitList,
} from './setting-parsers.ts';

export const databaseSettings = {
  database: setting({
    readBy: ['serve', 'store', 'import'],
    value: 'database',
    default: './data/rostra.db',
    description:
      'Database: an SQLite file, or a PostgreSQL URL such as `postgres://role:password@host/database`. With SQLite, the request counters are in a second file, `<file>-counters`.',
    secret: true,
    parse: parseDatabase,
  }),
  databaseOwner: optionalSetting({
    readBy: ['serve', 'store'],
    value: 'url',
    description:
      'PostgreSQL URL of the role that owns the tables. If set, the server updates the schema at start and grants the role of ROSTRA_DATABASE the privileges it needs.',
    secret: true,
    parse: parsePostgresUrl,
  }),
  databaseReplicas: setting({
    readBy: ['serve'],
    value: 'urls',
    default: '',
    description:
      'PostgreSQL URLs of streaming replicas, separated by commas. Published data is read from them; API keys and rate limits stay on ROSTRA_DATABASE.',
    secret: true,
    parse: (text) => splitList(text).map(parsePostgresUrl),
  }),
  databaseMaxReplicaLag: setting({
    readBy: ['serve'],
    value: 'seconds',
    default: '10',
    description: 'A replica that lags further behind is not used until it has caught up.',
    parse: createSecondsParser(1, 86_400),
  }),
  databasePoolSize: setting({
    readBy: ['serve'],
    value: 'connections',
    default: '10',
    description: 'Maximum number of connections from each process to each PostgreSQL server.',
    parse: createIntegerParser('a number', 1, 1_000),
  }),
};
