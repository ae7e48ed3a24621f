/** What a page answers: HTML, another address, or a file. */
import type { SafeHtml } from '@remix-run/html-template';

export interface Page {
  /** Stands before the name of the service in the browser's title. */
  title: string;
  body: SafeHtml;
  /** 200 where it is left out. */
  status?: number;
  /** What it shows is not shown again: nothing on it leads to the same page in another way. */
  oneTime?: true;
}

/** The browser goes on there with GET, so that a reload repeats nothing. */
export interface Redirect {
  redirectTo: string;
}

export interface Download {
  fileName: string;
  type: string;
  /** In parts, so that none of it has to be in memory as a whole. */
  content: AsyncIterable<string>;
}

export type AdminResponse = Page | Redirect | Download;

/** Ends the request with a page that says what is wrong. */
export class PageError extends Error {
  readonly status: 400 | 403 | 404 | 413 | 429 | 503;

  constructor(status: PageError['status']) {
    super(`page failure ${status}`);
    this.status = status;
  }
}

export const notFound = () => new PageError(404);
