/** Sources of imports and their redaction policy: entities and store interface. Errors: see store.ts. */

/** A municipality may have several sources. Only imported records have one. */
export interface ImportSource {
  /** Name of the format. Synchronisations have a format name that no file has. */
  format: string;
  /** Value of `--source`, or empty; the URL of a synchronisation. */
  name: string;
}

/** Personal data that an import can detect and redact in published texts. */
export const redactionKinds = ['email', 'phone', 'iban', 'plate', 'address'] as const;
export type RedactionKind = (typeof redactionKinds)[number];

/** The kinds that `all` selects. Many submissions are about a place, so addresses are redacted only if they are named. */
export const defaultRedactionKinds: readonly RedactionKind[] = ['email', 'phone', 'iban', 'plate'];

/** Redaction of an import, so that a later import can be compared with it. */
export interface RedactionPolicy {
  kinds: readonly RedactionKind[];
  country: string;
  /** SHA-256 of each pattern, in hexadecimal, by its name. */
  patterns: Readonly<Record<string, string>>;
}

/** Source of the records in a transaction. The store keeps the redaction policy of the last committed import. */
export interface WritingSource extends ImportSource {
  redaction: RedactionPolicy;
  /** The stored policy that `redaction` was compared with. The store rejects the write if it has changed since. */
  follows: RedactionPolicy | undefined;
}

export interface ImportSourceStore {
  /** Policy of the last import from this source; undefined: no import yet. */
  findRedaction(organizationId: string, source: ImportSource): Promise<RedactionPolicy | undefined>;
}
