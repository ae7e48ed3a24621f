/** The context of a request for a page of open data. */
import type { Organization } from '../../domain/organizations/organization.ts';
import type { PublishedContent } from '../../domain/records/published-extent.ts';
import type { OpenPageStore, Store } from '../../domain/store.ts';
import type { FooterUrls } from '../../platform/http/footer-urls.ts';
import type { PageLink } from '../ui/breadcrumbs.ts';
import type { RecordsContext } from '../ui/view-context.ts';
import type { OpenClient } from './client-limits.ts';

/** What pages read beside `openDataPages`. */
export type PageStore = Pick<Store, 'readStatistics' | 'listUsedSources'> & { openDataPages: OpenPageStore };

/** Of the maps of an installation. */
export interface MapBackground {
  /** Template of the addresses of its tiles, with `{z}`, `{x}` and `{y}`. */
  tiles: string;
  attribution: string;
}

export interface OpenContext extends RecordsContext, Pick<OpenClient, 'searchInTurn'> {
  organization: Organization;
  store: PageStore;
  /** See `OpenDataset`. */
  dataVersion: string;
  mapBackground: MapBackground | undefined;
  /** The page of the municipality. */
  home: PageLink;
  /** `home` in the language of this page. */
  homeAddress: string;
  /** End of the last import; undefined: unknown. */
  asOf: string | undefined;
  content: PublishedContent;
  /** Of the files that have been built, by name. */
  fileSizes: ReadonlyMap<string, number>;
  /** Origin at which clients reach this installation, without a trailing slash; empty if unknown. */
  publicUrl: string;
  footerUrls: FooterUrls;
}
