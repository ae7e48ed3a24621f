/** The properties of a provisioning file. Its validation and the JSON Schema for editors are derived from them. */
import { limits } from '../../contract/field-schemas.ts';
import { organizationRoles } from '../../domain/account.ts';
import { redactionKinds } from '../../domain/import-source.ts';
import { maxContactLength, maxPurposeLength } from '../../domain/key-record.ts';
import { maxNameLength, parseAccountEmail } from '../../domain/name-validation.ts';
import { organizationFields } from '../../domain/organization-fields.ts';
import { languages } from '../../domain/published-words.ts';
import { describeInvalidLine } from '../../domain/redaction-terms.ts';
import { parseTimestamp } from '../../domain/timestamps.ts';
import { isUuid } from '../../domain/uuid.ts';
import { parseSourceInterval } from '../option-parsers.ts';
import { clearable, flag, line, parsed, required, type TableShape, value, wholeNumber } from './shape.ts';

const text = { type: 'string' };

const url = (description: string) =>
  parsed(
    { type: 'string', format: 'uri' },
    description,
    organizationFields.contactUrl.parse,
    'be a URL that begins with https:// or http://',
  );

const timeZone = (description: string) =>
  parsed(
    { type: 'string', examples: ['Europe/Berlin'] },
    description,
    organizationFields.timeZone.parse,
    'be an IANA time zone such as Europe/Berlin',
  );

function parseExpiry(word: string): string | undefined {
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(word);
  try {
    return parseTimestamp('It', isDate ? `${word}T23:59:59.999Z` : word, undefined);
  } catch {
    return undefined;
  }
}

function parseInterval(word: string): number | undefined {
  try {
    return parseSourceInterval(word);
  } catch {
    return undefined;
  }
}

const keyShape: TableShape = {
  kind: 'table',
  description: 'An API key, identified by its hash. "rostra key generate" creates keys with their hashes.',
  properties: {
    hash: required(
      parsed(
        { type: 'string', pattern: '^[0-9A-Fa-f]{64}$' },
        'SHA-256 of the key in hexadecimal.',
        (word) => (/^[0-9a-f]{64}$/i.test(word) ? word.toLowerCase() : undefined),
        'be the SHA-256 of the key: 64 hexadecimal digits',
      ),
    ),
    prefix: required(
      parsed(
        { type: 'string', pattern: '^sk_[0-9A-Za-z_]{13}$' },
        'The first 16 characters of the key, by which people recognise it.',
        (word) => (/^sk_[0-9A-Za-z_]{13}$/.test(word) ? word : undefined),
        'be the first 16 characters of the key, such as sk_rostra_Ab3dE6',
      ),
    ),
    name: required(line('The client or person that uses the key.', maxNameLength)),
    expires: clearable(
      parsed(
        text,
        'Last day of validity (YYYY-MM-DD, UTC), or an exact time (ISO 8601).',
        parseExpiry,
        'be a date such as 2027-06-30, or a time such as 2027-06-30T12:00:00Z',
      ),
    ),
    limit: clearable(
      wholeNumber('Requests per rate limit window, instead of the default limit.', 1, limits.count),
    ),
    contact: clearable(line('Person or office to ask about the key.', maxContactLength)),
    purpose: clearable(line('What the client uses the data for.', maxPurposeLength)),
    revoked: flag('true revokes the key. A revoked key stays revoked.'),
  },
};

const redactionKind = parsed(
  { type: 'string', enum: redactionKinds },
  'A kind of personal data.',
  (word) => redactionKinds.find((kind) => kind === word),
  `be one of ${redactionKinds.join(', ')}`,
);

const sourceShape: TableShape = {
  kind: 'table',
  description: 'A stored source, as "rostra source add" adds it.',
  properties: {
    name: required(line('Unique name in the municipality.', 100)),
    format: required(value(text, 'Format, as "rostra import --help" lists it.', (word) => word)),
    url: clearable(value(text, 'https address that the data is fetched from.', (word) => word)),
    every: clearable(
      parsed(
        { type: 'string', pattern: '^[0-9]{1,6}[mhd]$' },
        'Fetch it at this interval: 30m, 1h, 1d.',
        parseInterval,
        'be a duration from 1m to 31d',
      ),
    ),
    timeZone: clearable(timeZone('Time zone of times without an offset. Default: that of the municipality.')),
    maxDeleted: clearable(
      wholeNumber(
        'Delete published records that are missing from the input, unless they are more than this percentage.',
        0,
        100,
      ),
    ),
    redact: clearable({
      kind: 'list',
      description: 'Personal data that imports remove from texts.',
      entries: redactionKind,
    }),
    accept: clearable({
      kind: 'list',
      description: 'Personal data that schedules may publish.',
      entries: redactionKind,
    }),
    redactCountry: clearable(
      parsed(
        { type: 'string', pattern: '^[A-Z]{2}$' },
        'Country of telephone numbers without a country code (ISO 3166).',
        (word) => (/^[A-Z]{2}$/.test(word) ? word : undefined),
        'be a country such as DE',
      ),
    ),
    redactPatterns: clearable({
      kind: 'table',
      description: 'Additional patterns that imports remove from texts: name and regular expression.',
      properties: undefined,
    }),
    options: {
      kind: 'table',
      description:
        'Options of the format by name, in camel case. Names of files are relative to this file, and the content of the files is stored.',
      properties: undefined,
    },
  },
};

const organizationShape: TableShape = {
  kind: 'table',
  description: 'A municipality. With an id, another name renames it; without an id, the name identifies it.',
  properties: {
    id: parsed(
      { type: 'string', format: 'uuid' },
      'Id of the municipality.',
      (word) => (isUuid(word) ? word.toLowerCase() : undefined),
      'be a UUID of RFC 9562, version 1 to 8',
    ),
    name: required(line('Unique name.', maxNameLength)),
    timeZone: timeZone('Time zone of the municipality. Default: Europe/Berlin.'),
    language: clearable(
      parsed(
        { type: 'string', enum: languages },
        'Language of words that Rostra writes into published data. Default: ROSTRA_LANGUAGE.',
        organizationFields.language.parse,
        `be one of ${languages.join(', ')}`,
      ),
    ),
    country: clearable(
      parsed(
        { type: 'string', examples: ['DE'] },
        'Country of telephone numbers, number plates and ambiguous dates (ISO 3166). Default: ROSTRA_COUNTRY.',
        organizationFields.country.parse,
        'be a country code such as DE, AT or CH',
      ),
    ),
    redactionTerms: clearable(
      value(text, 'Words, names and patterns that imports replace, one on each line.', (terms) => {
        const stored = organizationFields.redactionTerms.parse(terms);
        if (stored !== undefined) return stored;
        throw new Error(
          `have words of at least two characters, or patterns such as Customer number = /K-[0-9]{6}/, one on each line${describeInvalidLine(terms)}`,
        );
      }),
    ),
    license: clearable({
      kind: 'table',
      description: 'Licence of the data.',
      properties: {
        name: clearable(line('SPDX identifier such as CC-BY-4.0, or a name.', limits.word)),
        url: clearable(url('Text of the licence.')),
      },
    }),
    contact: clearable({
      kind: 'table',
      description: 'Person or office for questions about the data.',
      properties: {
        name: clearable(line('Name.', limits.word)),
        email: clearable(
          parsed(
            { type: 'string', format: 'email' },
            'Email address.',
            organizationFields.contactEmail.parse,
            'be an email address such as name@stadt.example',
          ),
        ),
        url: clearable(url('Web page.')),
      },
    }),
    attribution: clearable(line('How users of the data name its origin.', limits.name)),
    keys: { kind: 'list', description: 'API keys of the municipality.', entries: keyShape },
    sources: { kind: 'list', description: 'Stored sources of the municipality.', entries: sourceShape },
  },
};

const roleShape: TableShape = {
  kind: 'table',
  description: 'A role in one municipality.',
  properties: {
    organization: required(line('Name or id of the municipality.', maxNameLength)),
    role: required(
      parsed(
        { type: 'string', enum: organizationRoles },
        'Readers can view the pages of the municipality, administrators can also change it.',
        (word) => organizationRoles.find((role) => role === word),
        `be ${organizationRoles.join(' or ')}`,
      ),
    ),
  },
};

const accountShape: TableShape = {
  kind: 'table',
  description: 'An account of the admin area, identified by its email address.',
  properties: {
    email: required(
      parsed(
        { type: 'string', format: 'email' },
        'Email address to sign in with.',
        parseAccountEmail,
        'be an email address such as name@stadt.example',
      ),
    ),
    operator: flag('true: an operator of all municipalities.'),
    roles: { kind: 'list', description: 'Roles in municipalities.', entries: roleShape },
  },
};

export const fileShape: TableShape = {
  kind: 'table',
  description: 'Municipalities, keys, sources and accounts of an installation of Rostra.',
  properties: {
    organizations: { kind: 'list', description: 'Municipalities.', entries: organizationShape },
    accounts: { kind: 'list', description: 'Accounts of the admin area.', entries: accountShape },
  },
};
