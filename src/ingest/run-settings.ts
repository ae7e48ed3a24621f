/** What imports need of the settings of the installation. The configuration of the program has them all. */

import type { Language } from '../domain/organizations/placeholder-words.ts';
import type { RedactionKind } from '../domain/sources/import-source.ts';

export interface RunSettings {
  /** Of municipalities without a language of their own. */
  readonly language: Language;
  /** Of municipalities without a country of their own: ISO 3166-1 code. */
  readonly country: string;
  /** undefined: as in earlier imports of the source. */
  readonly redact: readonly RedactionKind[] | undefined;
  /** ISO 3166-1 code; undefined: as in earlier imports of the source. */
  readonly redactCountry: string | undefined;
  /** Path of the file with patterns; empty: none. */
  readonly redactPatterns: string;
  /** IP addresses and ranges inside the operator's network that downloads may reach. */
  readonly downloadNetworks: readonly string[];
  /** Bytes. */
  readonly maxDownload: number;
  /** Milliseconds. */
  readonly downloadTimeout: number;
  /** Encrypts the keys of portals; undefined: sources cannot have a key. */
  readonly encryptionKey: Buffer | undefined;
  /** Of a step of an import. Milliseconds. */
  readonly importTimeout: number;
}
