/** The content security policy of the pages of each server. */

interface PolicyOptions {
  /** Scripts send requests to this server. */
  hasRequests: boolean;
  hasForms: boolean;
}

/** Allows this origin only; `data:` is for the icons of the design system. */
export const createContentSecurityPolicy = ({ hasRequests, hasForms }: PolicyOptions): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    `connect-src ${hasRequests ? "'self'" : "'none'"}`,
    `form-action ${hasForms ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
