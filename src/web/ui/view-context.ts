/** What the pages of the admin area and of open data show their parts with. */
import type { Organization } from '../../domain/organizations/organization.ts';
import type { Messages } from '../messages/en.ts';
import type { Language } from '../messages/languages.ts';
import type { Formatter } from './formatter.ts';

export interface ViewContext {
  language: Language;
  /** ISO 639-1 code of the published texts; undefined: unknown. */
  dataLanguage?: string | undefined;
  text: Messages;
  format: Formatter;
  /** IANA name: of the municipality on its pages, otherwise of the installation. */
  timeZone: string;
  /** Path of the request, without the query. */
  path: string;
  query: URLSearchParams;
  /** The store's clock, Unix milliseconds. */
  nowMs: number;
}

/** The context of a page that shows published data of a municipality. */
export interface RecordsContext extends ViewContext {
  organization: Pick<Organization, 'id'>;
  /** Whether the installation has an index of words. */
  hasWordSearch: boolean;
  /** @param path of a list, or of a record in it, such as `submissions/{id}` */
  recordsAddress(path: string): string;
}
