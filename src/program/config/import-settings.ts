/** Settings of imports, downloads and uploads. */

import { languages, parseCountry, parseLanguage } from '../../domain/organizations/placeholder-words.ts';
import { redactionKinds } from '../../domain/sources/import-source.ts';
import { optionalSetting, setting } from './setting.ts';
import {
  createIntegerParser,
  createMebibytesParser,
  createSecondsParser,
  parseCountryCode,
  parseEncryptionKey,
  parseFolder,
  parseIpRanges,
  parseReadableFile,
  parseRedactionKinds,
} from './setting-parsers.ts';

export const importSettings = {
  language: setting({
    readBy: ['import'],
    value: 'code',
    default: 'de',
    description: `Language of words that imports write into published data, such as \`[E-Mail]\` in the place of an address, and of the data in catalogues, for municipalities without a language of their own: ${languages.map((code) => `\`${code}\``).join(', ')}.`,
    parse: (text) => {
      const language = parseLanguage(text);
      if (language === undefined) throw new Error(`be one of ${languages.join(', ')}`);
      return language;
    },
  }),
  country: setting({
    readBy: ['import'],
    value: 'country',
    default: 'DE',
    description:
      'Country of telephone numbers, number plates and ambiguous dates, as two letters (ISO 3166), for municipalities without a country of their own.',
    parse: (text) => {
      const country = parseCountry(text);
      if (country === undefined) throw new Error('be a country code such as DE, AT or CH');
      return country;
    },
  }),
  redact: optionalSetting({
    readBy: ['import'],
    value: 'kinds',
    description: `Personal data that imports remove from texts: ${redactionKinds.map((kind) => `\`${kind}\``).join(', ')}, separated by commas. \`all\` is all except \`address\`; \`off\` is none. Default: as in earlier imports of the source.`,
    parse: parseRedactionKinds,
  }),
  redactCountry: optionalSetting({
    readBy: ['import'],
    value: 'country',
    description:
      'Country of telephone numbers without a country code, as two letters (ISO 3166). Default: as in earlier imports of the source, initially that of the municipality.',
    parse: parseCountryCode,
  }),
  redactPatterns: setting({
    readBy: ['import'],
    value: 'file',
    default: '',
    description:
      'JSON or YAML file with additional patterns that imports remove from texts: name → regular expression.',
    parse: parseReadableFile,
  }),
  downloadNetworks: setting({
    readBy: ['import'],
    value: 'addresses',
    default: '',
    description:
      'IP addresses or ranges inside your own network that sources with an address may be fetched from, separated by commas. Sources are otherwise fetched from public addresses only, with https.',
    parse: parseIpRanges,
  }),
  encryptionKey: optionalSetting({
    readBy: ['serve', 'import'],
    value: 'key',
    description:
      'Key that encrypts the keys of data portals in the database: 64 hexadecimal digits, as `openssl rand -hex 32` prints them. Keep it apart from backups. Stored keys of portals cannot be read with another one. Empty: sources cannot have a key.',
    secret: true,
    parse: parseEncryptionKey,
  }),
  maxDownload: setting({
    readBy: ['import'],
    value: 'mebibytes',
    default: '1024',
    description: 'Maximum size of a file that is fetched from the address of a source, decompressed.',
    parse: createMebibytesParser(1, 1_048_576),
  }),
  downloadTimeout: setting({
    readBy: ['import'],
    value: 'seconds',
    default: '900',
    description: 'Time limit for fetching a file from the address of a source.',
    parse: createSecondsParser(1, 86_400),
  }),
  uploadFolder: optionalSetting({
    readBy: ['serve', 'import'],
    value: 'folder',
    description:
      'Folder for files that are uploaded in the admin area, until their import ends. Several servers need a shared folder. Default: `<file>-uploads` beside an SQLite database, `./data/uploads` for PostgreSQL.',
    parse: parseFolder,
  }),
  maxUpload: setting({
    readBy: ['serve', 'import'],
    value: 'mebibytes',
    default: '512',
    description: 'Maximum size of an uploaded file. 256 MiB of the disk stay free in any case.',
    parse: createMebibytesParser(1, 1_048_576),
  }),
  importTimeout: setting({
    readBy: ['import'],
    value: 'seconds',
    default: '7200',
    description:
      'Time limit for each step of an import in the admin area, and for each run of a source on its schedule.',
    parse: createSecondsParser(1, 604_800),
  }),
  importMemory: setting({
    readBy: ['import'],
    value: 'mebibytes',
    default: '1024',
    description:
      'Memory that the process of an import may use in all. The process ends when it needs more, and the import has failed.',
    parse: createMebibytesParser(256, 1_048_576),
  }),
  importConcurrency: setting({
    readBy: ['schedule'],
    value: 'sources',
    default: '4',
    description:
      'Maximum number of sources that `rostra source run --due` imports at a time, each in a process of its own.',
    parse: createIntegerParser('a number', 1, 256),
  }),
  importsPerHost: setting({
    readBy: ['schedule'],
    value: 'sources',
    default: '4',
    description:
      'Maximum number of sources with the same host that `rostra source run --due` imports at a time.',
    parse: createIntegerParser('a number', 1, 256),
  }),
};
