/**
 * The port to the sources of imports: who wrote a record last, and what an import redacts. Part of the port in store.ts;
 * rejections are as there.
 */

/** A municipality may have several sources. Records that were not imported have none. */
export interface ImportSource {
  /** Name of the format; that of a synchronisation is no format that files have. */
  format: string;
  /** Given by `--source`, empty without it; for a synchronisation its address. */
  name: string;
}

/** Personal data that an import can detect and redact in descriptions. */
export const redactionKinds = ['email', 'phone', 'iban', 'plate'] as const;
export type RedactionKind = (typeof redactionKinds)[number];

/** What an import redacts, so that a later one can be compared with it. */
export interface RedactionPolicy {
  kinds: readonly RedactionKind[];
  country: string;
  /** SHA-256 of each pattern, in hexadecimal, by its name. */
  patterns: Readonly<Record<string, string>>;
}

/** The source of the records that a transaction writes. It remembers the choice of the last import that was kept. */
export interface WritingSource extends ImportSource {
  redaction: RedactionPolicy;
  /** The choice that `redaction` was compared with: another import may have changed it since. */
  follows: RedactionPolicy | undefined;
}

export interface ImportSourceStore {
  /** What the last import of this source redacted; undefined: nothing was imported from it. */
  findRedaction(organizationId: string, source: ImportSource): Promise<RedactionPolicy | undefined>;
}
