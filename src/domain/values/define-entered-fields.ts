/** Fields that people enter. Types, columns, options, files, forms and labels follow from their declaration. */

export interface EnteredField {
  /** Its name in options, provisioning files and forms, if that is another one. */
  entry?: string;
  /** The value cannot be removed. */
  isRequired?: true;
}

/** Each value is an `EnteredField` with more members. */
type Declarations = Readonly<Record<string, object>>;

type NameOf<Declared> = keyof Declared & string;

/** The name of a field in options, provisioning files and forms. */
export type EntryName<Declared, Field extends keyof Declared = keyof Declared> = Field extends keyof Declared
  ? Declared[Field] extends { entry: infer Entry extends string }
    ? Entry
    : Field & string
  : never;

/** The required fields. */
export type RequiredField<Declared> = {
  [Field in NameOf<Declared>]: Declared[Field] extends { isRequired: true } ? Field : never;
}[NameOf<Declared>];

export interface EnteredFields<Declared extends Declarations> {
  readonly declared: Declared;
  /** In the order of options. */
  readonly names: readonly NameOf<Declared>[];
  isRequired(field: NameOf<Declared>): boolean;
  getEntryName<Field extends NameOf<Declared>>(field: Field): EntryName<Declared, Field>;
  /** @returns a value of each field */
  map<Value>(map: (field: NameOf<Declared>) => Value): Record<NameOf<Declared>, Value>;
  /**
   * @param fields default: all
   * @returns a value of each field, in their order, by the names in options, provisioning files and forms
   */
  mapEntries<Value>(
    map: (field: NameOf<Declared>) => Value,
    fields?: readonly NameOf<Declared>[],
  ): Record<EntryName<Declared>, Value>;
  /**
   * @param values by the names in options and provisioning files; undefined: not given
   * @returns the given ones by field
   */
  toChanges(values: { readonly [Name in EntryName<Declared>]?: unknown }): {
    [Field in NameOf<Declared>]?: unknown;
  };
}

/** @param declared in the order of options */
export function defineFields<const Declared extends Declarations>(
  declared: Declared,
): EnteredFields<Declared> {
  const names = Object.keys(declared) as NameOf<Declared>[];
  const get = (field: NameOf<Declared>): EnteredField => declared[field] as EnteredField;
  const getEntryName = (field: NameOf<Declared>) => get(field).entry ?? field;
  return {
    declared,
    names,
    isRequired: (field) => get(field).isRequired === true,
    getEntryName: getEntryName as EnteredFields<Declared>['getEntryName'],
    map: (map) => toRecord(names.map((field) => [field, map(field)])),
    mapEntries: (map, fields = names) => toRecord(fields.map((field) => [getEntryName(field), map(field)])),
    toChanges: (values) =>
      toRecord(
        names
          .map((field) => [field, (values as Record<string, unknown>)[getEntryName(field)]] as const)
          .filter(([, value]) => value !== undefined),
      ),
  };
}

const toRecord = <Name extends string, Value>(entries: (readonly [string, Value])[]): Record<Name, Value> =>
  Object.fromEntries(entries) as Record<Name, Value>;

/** The option of an entry: `rateLimit` → `--rate-limit` */
export function toFlagName(name: string): string {
  return `--${name.replace(/[A-Z]/g, '-$&').toLowerCase()}`;
}
