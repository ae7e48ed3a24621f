/** Licences of published records whose sources have one of their own. */
import type { License } from '../../contract/resources/organization.ts';
import type { RecordKind } from './records.ts';

/** A source whose records have a licence of their own. */
export interface LicensedSource {
  name: string;
  license: License;
}

/** The licences of the published records of a kind. */
export interface RecordLicenses {
  /** By name. */
  sources: readonly LicensedSource[];
  /** Records of other sources are published too. They have the licence of the municipality. */
  hasOthers: boolean;
}

export type LicensesByKind = Readonly<Record<RecordKind, RecordLicenses>>;
