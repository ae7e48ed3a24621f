/**
 * The fields of a key that people enter, declared once. The types, the columns of statements, the options of commands, the
 * properties of provisioning files and the values of forms follow from them.
 */
import { limits } from '../../contract/field-schemas.ts';
import { maxNameLength } from '../values/name-validation.ts';

interface CommonDeclaration {
  /** Its name in options, provisioning files and forms, if that is another one. */
  entry?: string;
  /** The value cannot be removed. */
  isRequired?: true;
  /** In help texts and schemas. */
  about: string;
}

export type KeyFieldDeclaration = CommonDeclaration &
  (
    | { kind: 'line' /** Characters. */; max: number }
    | { kind: 'count' /** The smallest number is 1. */; max: number /** What it counts. */; unit: string }
    /** A time in the future, in a form a day. */
    | { kind: 'expiry' }
  );

export type KeyFieldKind = KeyFieldDeclaration['kind'];

/** In the order of options. */
export const keyFields = {
  name: {
    kind: 'line',
    max: maxNameLength,
    isRequired: true,
    about: 'the client or person that uses the key',
  },
  expiresAt: {
    kind: 'expiry',
    entry: 'expires',
    about: 'last day of validity (YYYY-MM-DD, UTC), or an exact time (ISO 8601)',
  },
  requestLimit: {
    kind: 'count',
    max: limits.count,
    unit: 'requests',
    entry: 'limit',
    about: 'requests per rate limit window, instead of the default limit',
  },
  contact: { kind: 'line', max: 200, about: 'person or office to ask about the key' },
  purpose: { kind: 'line', max: 500, about: 'what the client uses the data for' },
} as const satisfies Record<string, KeyFieldDeclaration>;

type Declarations = typeof keyFields;
export type KeyField = keyof Declarations;

export const keyFieldNames = Object.keys(keyFields) as KeyField[];

export const isKeyLine = (field: KeyField): boolean => keyFields[field].kind === 'line';

/** Null: no value, such as the default limit of the installation, or no expiry. */
export type KeyValues = {
  [Field in KeyField]:
    | (Declarations[Field]['kind'] extends 'count' ? number : string)
    | (Declarations[Field] extends { isRequired: true } ? never : null);
};

type RequiredKeyField = {
  [Field in KeyField]: Declarations[Field] extends { isRequired: true } ? Field : never;
}[KeyField];

/** Of a new key. */
export type NewKeyValues = Pick<KeyValues, RequiredKeyField> & {
  [Field in Exclude<KeyField, RequiredKeyField>]?: KeyValues[Field] | undefined;
};

/** The name of a field in options, provisioning files and forms. */
export type KeyEntryName<Field extends KeyField = KeyField> = Field extends KeyField
  ? Declarations[Field] extends { entry: infer Entry extends string }
    ? Entry
    : Field
  : never;

export const getKeyEntryName = <Field extends KeyField>(field: Field): KeyEntryName<Field> => {
  const { entry = field }: KeyFieldDeclaration = keyFields[field];
  return entry as KeyEntryName<Field>;
};

/** @returns a value of each field */
export const mapKeyFields = <Value>(map: (field: KeyField) => Value): Record<KeyField, Value> =>
  Object.fromEntries(keyFieldNames.map((field) => [field, map(field)])) as Record<KeyField, Value>;

/**
 * @param fields all, in the order of the result
 * @returns a value of each field, by the names in options, provisioning files and forms
 */
export const mapKeyEntries = <Value>(
  map: (field: KeyField) => Value,
  fields: readonly KeyField[] = keyFieldNames,
): Record<KeyEntryName, Value> =>
  Object.fromEntries(fields.map((field) => [getKeyEntryName(field), map(field)])) as Record<
    KeyEntryName,
    Value
  >;

/** The values that people entered, such as those that a successor gets. */
export const pickKeyValues = (key: KeyValues): KeyValues => mapKeyFields((field) => key[field]) as KeyValues;

/** @param values by the names in options and provisioning files; undefined: not given */
export const toKeyChanges = (values: { readonly [Name in KeyEntryName]?: unknown }): Partial<KeyValues> =>
  Object.fromEntries(
    keyFieldNames
      .map((field) => [field, values[getKeyEntryName(field)]] as const)
      .filter(([, value]) => value !== undefined),
  );

export const isRequiredKeyField = (field: KeyField): boolean => 'isRequired' in keyFields[field];
