/**
 * The schema of a provisioning file. What Rostra reads, the types of the values and `docs/provisioning.schema.json`, which
 * editors use for completion, are derived from it.
 */
import Type, {
  type StaticDecode,
  type TArray,
  type TNull,
  type TObject,
  type TSchema,
  type TUnion,
} from 'typebox';
import { findPropertyPath } from '../../../contract/resources/organization.ts';
import { grantedPermissions, organizationRoles } from '../../../domain/accounts/account.ts';
import {
  type KeyEntryName,
  type KeyField,
  type KeyFieldDeclaration,
  type KeyValues,
  keyFields,
} from '../../../domain/keys/key-fields.ts';
import {
  type OrganizationField,
  type OrganizationFieldDeclaration,
  organizationFields,
} from '../../../domain/organizations/organization-fields.ts';
import { maxSourceNameLength, redactionKinds } from '../../../domain/sources/import-source.ts';
import {
  describeSourceField,
  type RedactionEntryName,
  type RedactionField,
  redactionFields,
  type SourceEntryName,
  type SourceField,
  type SourceValues,
  sourceFields,
} from '../../../domain/sources/source-fields.ts';
import { maxNameLength } from '../../../domain/values/name-and-email-validation.ts';
import { describeOption } from '../../../ingest/format-options.ts';
import { allOptions, formats } from '../../../ingest/formats/format-registry.ts';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import {
  createLineParser,
  parseAddress,
  parseExpiry,
  parseSourceInterval,
  parseSwitch,
  parseUuid,
} from '../options/option-parsers.ts';
import { createFieldParser } from '../options/organization-field-options.ts';

/** @param parse throws an Error whose message follows "must" */
const value = <Value>(description: string, schema: object, parse: (text: string) => Value) =>
  Type.Decode(Type.Unsafe<string>({ description, ...schema }), parse);

const text = (description: string) => value(description, { type: 'string' }, (given) => given);

const line = (description: string, maxLength: number) =>
  value(description, { type: 'string', minLength: 1, maxLength }, createLineParser(maxLength));

const choice = <const Choice extends string>(description: string, choices: readonly Choice[]) =>
  value(description, { type: 'string', enum: choices }, (given) => {
    const found = choices.find((each) => each === given);
    if (found !== undefined) return found;
    throw new Error(`be one of ${choices.join(', ')}`);
  });

const matching = (description: string, pattern: string, form: string, normalize = (given: string) => given) =>
  value(description, { type: 'string', pattern }, (given) => {
    if (new RegExp(pattern).test(given)) return normalize(given);
    throw new Error(`be ${form}`);
  });

const flag = (description: string) =>
  value(description, { type: 'boolean' }, (given) => {
    if (given === 'true' || given === 'false') return given === 'true';
    throw new Error('be true or false');
  });

const wholeNumber = (description: string, minimum: number, maximum: number) =>
  value(
    description,
    { type: 'integer', minimum, maximum },
    createIntegerParser('a whole number', minimum, maximum),
  );

const toSentence = (words: string) => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;

const optional = Type.Optional;

/** `null` removes the stored value. */
const clearable = <Of extends TSchema>(schema: Of) => Type.Optional(Type.Union([schema, Type.Null()]));

const table = <const Properties extends Record<string, TSchema>>(
  description: string,
  properties: Properties,
) => Type.Object(properties, { description, additionalProperties: false });

const list = <Of extends TSchema>(description: string, entry: Of) => Type.Array(entry, { description });

const scalar = { type: ['string', 'number', 'boolean'] };

/**
 * Texts by any name.
 *
 * @param known descriptions of names that editors suggest
 */
const texts = (description: string, known: Record<string, string> = {}) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    description,
    properties: Object.fromEntries(
      Object.entries(known).map(([name, description]) => [name, { description, ...scalar }]),
    ),
    additionalProperties: scalar,
  });

const keyPropertyOfKind = {
  line,
  count: (about: string, max: number) => wholeNumber(about, 1, max),
  // `planKeys` judges an expiry in the past: a file may have keys that have expired.
  expiry: (about: string) => value(about, { type: 'string' }, parseExpiry),
};

type KeyProperty<Field extends KeyField> = ReturnType<
  (typeof keyPropertyOfKind)[(typeof keyFields.declared)[Field]['kind']]
>;

type KeyProperties = {
  [Field in KeyField as KeyEntryName<Field>]: null extends KeyValues[Field]
    ? ReturnType<typeof clearable<KeyProperty<Field>>>
    : KeyProperty<Field>;
};

const keyProperties = keyFields.mapEntries((field) => {
  const declared: KeyFieldDeclaration = keyFields.declared[field];
  const about = toSentence(declared.about);
  const property =
    declared.kind === 'expiry'
      ? keyPropertyOfKind.expiry(about)
      : keyPropertyOfKind[declared.kind](about, declared.max);
  return keyFields.isRequired(field) ? property : clearable(property);
}) as KeyProperties;

const key = table(
  'An API key, identified by its hash. "rostra key generate" creates keys with their hashes.',
  {
    hash: matching(
      'SHA-256 of the key in hexadecimal.',
      '^[0-9A-Fa-f]{64}$',
      'the SHA-256 of the key: 64 hexadecimal digits',
      (hash) => hash.toLowerCase(),
    ),
    prefix: matching(
      'The first 16 characters of the key, by which people recognise it.',
      '^sk_[0-9A-Za-z_]{13}$',
      'the first 16 characters of the key, such as sk_rostra_Ab3dE6',
    ),
    ...keyProperties,
    revoked: optional(flag('true revokes the key. A revoked key stays revoked.')),
  },
);

function createSourceProperty(field: SourceField): TSchema {
  const declared = describeSourceField(field);
  const about = toSentence(declared.about);
  switch (declared.kind) {
    case 'line':
      return line(about, declared.max);
    case 'url':
      return text(about);
    case 'interval':
      return value(about, { type: 'string', pattern: '^[0-9]{1,6}[mhd]$' }, parseSourceInterval);
    case 'timeZone':
      return value(about, { type: 'string', examples: ['Europe/Berlin'] }, createFieldParser('timeZone'));
    case 'percent':
      return wholeNumber(about, 0, 100);
    case 'switch':
      return value(about, { type: 'string', enum: ['on', 'off'] }, parseSwitch);
  }
}

type Text = ReturnType<typeof value<string>>;

type Clearable<Value> = ReturnType<typeof clearable<ReturnType<typeof value<NonNullable<Value>>>>>;

const sourceProperties = sourceFields.mapEntries((field) => clearable(createSourceProperty(field))) as {
  [Field in SourceField as SourceEntryName<Field>]: Clearable<SourceValues[Field]>;
};

const redactionKind = choice('A kind of personal data.', redactionKinds);

const redactionPropertyOfKind = {
  kinds: (about: string) => list(about, redactionKind),
  country: (about: string) => matching(about, '^[A-Z]{2}$', 'a country code such as DE, AT or CH'),
  patterns: (about: string) => texts(about),
};

type RedactionProperty<Field extends RedactionField> = ReturnType<
  (typeof redactionPropertyOfKind)[(typeof redactionFields.declared)[Field]['kind']]
>;

const redactionProperties = redactionFields.mapEntries((field) => {
  const { kind, about } = redactionFields.declared[field];
  return clearable(redactionPropertyOfKind[kind](toSentence(about)) as TSchema);
}) as unknown as {
  [Field in RedactionField as RedactionEntryName<Field>]: ReturnType<
    typeof clearable<RedactionProperty<Field>>
  >;
};

const source = table('A stored source, as "rostra source add" adds it.', {
  name: line('Unique name in the municipality.', maxSourceNameLength),
  format: value(
    'Format, as "rostra import --help" lists it.',
    { type: 'string', enum: formats.map(({ name }) => name) },
    (given) => given,
  ),
  ...sourceProperties,
  ...redactionProperties,
  options: optional(
    texts(
      'Options of the format by name, in camel case. Names of files are relative to this file, and the content of the files is stored.',
      Object.fromEntries(Object.entries(allOptions).map(([name, option]) => [name, describeOption(option)])),
    ),
  ),
});

function createFact(field: OrganizationField): TSchema {
  const { about, schema }: OrganizationFieldDeclaration = organizationFields.declared[field];
  return value(toSentence(about), { type: 'string', ...schema }, createFieldParser(field));
}

const groups: Readonly<Record<string, string>> = {
  license: 'Licence of the data.',
  contact: 'Person or office for questions about the data.',
};

/** `licenseUrl` is the property `url` of `license`. */
function createFacts(): Record<string, TSchema> {
  const facts: Record<string, TSchema> = {};
  const members: Record<string, Record<string, TSchema>> = {};
  for (const field of organizationFields.names) {
    const [name, member] = findPropertyPath(field);
    const wrap = organizationFields.isRequired(field) ? optional : clearable;
    if (member === undefined) facts[name] = field === 'name' ? createFact(field) : wrap(createFact(field));
    else {
      members[name] ??= {};
      members[name][member] = wrap(createFact(field));
      facts[name] = clearable(table(groups[name] ?? '', members[name]));
    }
  }
  return facts;
}

const organization = table(
  'A municipality. With an id, another name renames it; without an id, the name identifies it.',
  {
    id: optional(value('Id of the municipality.', { type: 'string', format: 'uuid' }, parseUuid)),
    ...(createFacts() as Record<'name', Text> & Record<'slug' | 'openData', Clearable<string>>),
    keys: optional(list('API keys of the municipality.', key)),
    sources: optional(list('Stored sources of the municipality.', source)),
  },
);

const account = table('An account of the admin area, identified by its email address.', {
  email: value('Email address to sign in with.', { type: 'string', format: 'email' }, parseAddress),
  operator: optional(flag('true: an operator of all municipalities.')),
  roles: optional(
    list(
      'Roles in municipalities.',
      table('A role in one municipality.', {
        organization: line('Name or id of the municipality.', maxNameLength),
        role: optional(
          choice(
            'Readers can view the pages of the municipality, administrators have all tasks.',
            organizationRoles,
          ),
        ),
        permissions: optional(
          list('Tasks beside viewing pages, in place of a role.', choice('A task.', grantedPermissions)),
        ),
      }),
    ),
  ),
});

export const fileSchema = table('Municipalities, keys, sources and accounts of an installation of Rostra.', {
  organizations: optional(list('Municipalities.', organization)),
  accounts: optional(list('Accounts of the admin area.', account)),
});

/** A table of the file, with those of its values that are valid. null removes a stored value. */
export interface Entry<Values> {
  /** Offset of its beginning. */
  offset: number;
  values: { readonly [Name in keyof Values]?: Values[Name] };
  /** Offset of each value. */
  offsets: { readonly [Name in keyof Values]?: number };
}

/** The properties of a schema that the reader uses. */
export type Read<Schema> =
  Schema extends TObject<infer Properties>
    ? Entry<{ [Name in keyof Properties]: Read<Properties[Name]> }>
    : Schema extends TArray<infer Item>
      ? Read<Item>[]
      : Schema extends TUnion<[infer Of extends TSchema, TNull]>
        ? Read<Of> | null
        : Schema extends TSchema
          ? StaticDecode<Schema>
          : never;

export type OrganizationEntry = Read<typeof organization>;
export type KeyEntry = Read<typeof key>;
export type SourceEntry = Read<typeof source>;
export type AccountEntry = Read<typeof account>;
