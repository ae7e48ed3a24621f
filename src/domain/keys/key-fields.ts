/**
 * The fields of a key that people enter, declared once. The types, the columns of statements, the options of commands, the
 * properties of provisioning files and the values of forms follow from them.
 */
import { limits } from '../../contract/field-schemas.ts';
import {
  defineFields,
  type EnteredField,
  type EntryName,
  type RequiredField,
} from '../values/define-entered-fields.ts';
import { maxNameLength } from '../values/name-and-email-validation.ts';

export type KeyFieldDeclaration = EnteredField & {
  /** In help texts and schemas. */
  about: string;
} & (
    | { kind: 'line' /** Characters. */; max: number }
    | { kind: 'count' /** The smallest number is 1. */; max: number /** What it counts. */; unit: string }
    /** A time in the future, in a form a day. */
    | { kind: 'expiry' }
  );

export type KeyFieldKind = KeyFieldDeclaration['kind'];

export const keyFields = defineFields({
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
} as const satisfies Record<string, KeyFieldDeclaration>);

type Declared = typeof keyFields.declared;
export type KeyField = keyof Declared;
export type KeyEntryName<Field extends KeyField = KeyField> = EntryName<Declared, Field>;

export const isKeyLine = (field: KeyField): boolean => keyFields.declared[field].kind === 'line';

/** Null: no value, such as the default limit of the installation, or no expiry. */
export type KeyValues = {
  [Field in KeyField]:
    | (Declared[Field]['kind'] extends 'count' ? number : string)
    | (Field extends RequiredField<Declared> ? never : null);
};

/** Of a new key. */
export type NewKeyValues = Pick<KeyValues, RequiredField<Declared>> & {
  [Field in Exclude<KeyField, RequiredField<Declared>>]?: KeyValues[Field] | undefined;
};

/** The values that people entered, such as those that a successor gets. */
export const pickKeyValues = (key: KeyValues): KeyValues => keyFields.map((field) => key[field]) as KeyValues;

/** @param values by the names in options and provisioning files; undefined: not given */
export const toKeyChanges = keyFields.toChanges as (
  values: {
    readonly [Name in KeyEntryName]?: unknown;
  },
) => Partial<KeyValues>;
