/** The content security policy of the pages of each server. */

/** Allows this origin only; `data:` is for the icons of the design system. Tools that check a page request /robots.txt from it. */
export const createContentSecurityPolicy = ({ hasForms }: { hasForms: boolean }): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    `form-action ${hasForms ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
