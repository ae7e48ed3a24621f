/** Responses of the pages: HTML, a redirect, or a file. */

import type { Permission } from '../../../domain/accounts/account.ts';
import type { PageLink } from '../../ui/breadcrumbs.ts';
import type { SafeHtml } from '../../ui/html.ts';

export interface Page {
  /** Heading of the page, and first part of the browser's title. */
  title: string;
  body: SafeHtml;
  /**
   * Pages between the entry of the navigation and this page, from the top, for the breadcrumbs. Only pages that are two
   * levels below an entry have some: `…/keys/{id}/rotate` has the key's page. The breadcrumbs above are derived from the
   * navigation (`ui/navigation.ts`).
   */
  parents?: readonly PageLink[];
  /** Default: 200. */
  status?: number;
  /** Browsers without scripts load the page again after this time. */
  refreshSeconds?: number;
  /** The content is displayed once, so the page has no link to itself in another language. */
  oneTime?: true;
}

/** A page with the title of its route. */
export type UntitledPage = Omit<Page, 'title'> & { title?: undefined };

/** 303: the browser continues with GET, so a reload does not repeat the action. */
export interface Redirect {
  redirectTo: string;
}

export interface Download {
  fileName: string;
  type: string;
  /** In chunks, so that the file is never in memory as a whole. */
  content: AsyncIterable<string>;
}

/** For scripts of the pages. */
export interface JsonResponse {
  json: unknown;
}

export type AdminResponse = Page | Redirect | Download | JsonResponse;

/** Ends the request with an error page. */
export class PageError extends Error {
  readonly status: 400 | 403 | 404 | 413 | 429 | 503;

  constructor(status: PageError['status']) {
    super(`page failure ${status}`);
    this.status = status;
  }
}

/** Ends the request with 403 and a page that names the missing permissions and the people who grant them. */
export class MissingPermissionError extends PageError {
  /** Each element is enough: the permissions of which all are needed. */
  readonly needed: readonly (readonly Permission[])[];

  constructor(needed: MissingPermissionError['needed']) {
    super(403);
    this.needed = needed;
  }
}

/** Messages by the name of their field. */
export type FormErrors = Readonly<Record<string, string>>;

/** What a page shows in its form. */
export interface FormState {
  /** Those of the URL, or those that `post` rejected with a `FormError`. */
  values: URLSearchParams;
  errors: FormErrors;
}

/** Rejects the values of a form: its page is shown again with them and with these messages. */
export class FormError extends Error {
  readonly errors: FormErrors;
  readonly status: 422 | 429;

  constructor(errors: FormErrors, status: FormError['status'] = 422) {
    super('a form was rejected');
    this.errors = errors;
    this.status = status;
  }
}

export const notFound = () => new PageError(404);
