import type { Static } from 'typebox';
import type {
  Contact,
  License,
  Organization as OrganizationSchema,
} from '../../contract/resources/organization.ts';
import type { PublishedExtent } from '../records/published-extent.ts';
import type { LicensesByKind } from '../records/source-licenses.ts';
import type { NewLogo } from './logo.ts';
import type { SwitchState } from './open-data.ts';
import type { Language } from './placeholder-words.ts';

type PublishedOrganization = Static<typeof OrganizationSchema>;

/** A municipality, as the API publishes it, with its settings. */
export interface Organization extends Omit<PublishedOrganization, 'license' | 'contact' | 'logo'> {
  /** Of words that Rostra writes into published data. null: the default of the installation. */
  language: Language | null;
  /** ISO 3166-1. null: the default of the installation. */
  country: string | null;
  /** See `redaction-terms.ts`. null: none. */
  redactionTerms: string | null;
  /** See `location-rules.ts`. null: none. */
  topicsWithoutLocation: string | null;
  /** Of public pages, such as `#004f9f`. null: that of the design system. */
  accentColor: string | null;
  /** The part of the addresses of open data after `/open/`. */
  slug: string | null;
  openData: SwitchState;
  /** Whether search engines may list pages of single records. */
  openDataIndex: SwitchState;
  /** Whether publications in the admin area need the approval of another person. */
  approval: SwitchState;
  license: License | null;
  contact: Contact | null;
  logo: Logo | null;
  createdAt: string;
}

/** The logo as the API publishes it: its address and its size in pixels, without its bytes. */
export interface Logo extends Pick<NewLogo, 'mediaType' | 'width' | 'height'> {
  /** Path on the API's server. It contains a digest of the content. */
  url: string;
}

/** A municipality that publishes to everyone, as catalogues describe it. */
export interface OpenDataOrganization
  extends Pick<Organization, 'id' | 'name' | 'timeZone' | 'language' | 'contact' | 'attribution'> {
  slug: string;
  /** Open data cannot be on without. */
  license: License;
  licenses: LicensesByKind;
  extent: PublishedExtent;
}

/** Whom people ask who have no key. */
export interface PublicContact extends Pick<Organization, 'name' | 'contact'> {
  /** Of its open data; null: it publishes to holders of a key only. */
  slug: string | null;
  /** Whether the installation has no other municipality. */
  isOnly: boolean;
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
