/**
 * The settings of a source that people enter, declared once; name, format and options are declared elsewhere. The types, the
 * columns of statements, the options of commands, the properties of provisioning files and the audit log follow from them.
 */
import { defineFields, type EnteredField, type EntryName } from '../values/define-entered-fields.ts';

interface Described extends EnteredField {
  /** In help texts and schemas. */
  about: string;
}

type SourceFieldDeclaration = Described & {
  /** Runs read it: after a change, the next run reads unchanged content again. */
  isRead?: true;
} & (
    | { kind: 'line' /** Characters. */; max: number }
    | { kind: 'url' | 'interval' | 'timeZone' | 'percent' }
    /** Its only value is `on`. */
    | { kind: 'switch' }
  );

/** Each has a column. */
export const sourceFields = defineFields({
  url: {
    kind: 'url',
    isRead: true,
    about: 'HTTPS address that the data is fetched from; for OParl, that of the endpoint',
  },
  intervalMs: { kind: 'interval', entry: 'every', about: 'fetch it at this interval: 30m, 1h, 1d' },
  timeZone: {
    kind: 'timeZone',
    isRead: true,
    about: 'time zone of times without an offset, such as Europe/Berlin (default: that of the municipality)',
  },
  maxDeletedPercent: {
    kind: 'percent',
    entry: 'maxDeleted',
    isRead: true,
    about:
      'delete published records that are missing from the input, unless they are more than this percentage',
  },
  locations: {
    kind: 'switch',
    isRead: true,
    about: 'on publishes locations of submissions, if the municipality publishes any (default: off)',
  },
} as const satisfies Record<string, SourceFieldDeclaration>);

type Declared = typeof sourceFields.declared;
export type SourceField = keyof Declared;
export type SourceEntryName<Field extends SourceField = SourceField> = EntryName<Declared, Field>;

/** Without the literal types of the declared fields. */
export const describeSourceField = (field: SourceField): SourceFieldDeclaration =>
  sourceFields.declared[field];

export const isSourceLine = (field: SourceField): boolean => describeSourceField(field).kind === 'line';

type ValueOfKind<Kind> = Kind extends 'interval' | 'percent' ? number : Kind extends 'switch' ? 'on' : string;

/** Null: no value. */
export type SourceValues = {
  [Field in SourceField]: ValueOfKind<Declared[Field]['kind']> | null;
};

type RedactionFieldDeclaration = Described & { kind: 'kinds' | 'country' | 'patterns' };

/** The redaction of a source has one column. */
export const redactionFields = defineFields({
  kinds: { kind: 'kinds', entry: 'redact', about: 'personal data that imports remove from texts' },
  accepted: { kind: 'kinds', entry: 'accept', about: 'personal data that schedules may publish' },
  country: {
    kind: 'country',
    entry: 'redactCountry',
    about: 'country of telephone numbers without a country code (ISO 3166)',
  },
  patterns: {
    kind: 'patterns',
    entry: 'redactPatterns',
    about: 'additional patterns that imports remove from texts: name and regular expression',
  },
} as const satisfies Record<string, RedactionFieldDeclaration>);

type DeclaredRedaction = typeof redactionFields.declared;
export type RedactionField = keyof DeclaredRedaction;
export type RedactionEntryName<Field extends RedactionField = RedactionField> = EntryName<
  DeclaredRedaction,
  Field
>;
