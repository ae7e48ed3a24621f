import type { Contact, License } from '../contract/organization.ts';
import type { LogoMediaType } from './logo.ts';
import type { Language } from './published-words.ts';

/** A municipality. Fields have the names of the API, and its types. */
export interface Organization {
  id: string;
  name: string;
  /** IANA name. Imports read times without an offset in this time zone. */
  timeZone: string;
  /** Of words that Rostra writes into published data. null: the default of the installation. */
  language: Language | null;
  /** ISO 3166-1. null: the default of the installation. */
  country: string | null;
  /** See `redaction-terms.ts`. null: none. */
  redactionTerms: string | null;
  /** At least one of the members is not null. */
  license: License | null;
  /** At least one of the members is not null. */
  contact: Contact | null;
  attribution: string | null;
  logo: Logo | null;
  createdAt: string;
}

export interface Logo {
  /** Path on the API's server. It contains a digest of the content. */
  url: string;
  mediaType: LogoMediaType;
  /** Pixels, as browsers display the image. */
  width: number;
  height: number;
}

export type OrganizationName = Pick<Organization, 'id' | 'name'>;

/** Counts of the records and keys of a municipality. */
export interface OrganizationSummary extends Organization {
  /** These three are null if the node of Citus that has the published data is unavailable. */
  submissions: number | null;
  sessions: number | null;
  surveys: number | null;
  activeKeys: number;
}
