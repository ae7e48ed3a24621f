/** The content security policy of the pages of each server. */

/**
 * Allows this origin only; `data:` is for the icons of the design system. Tools that check a page request /robots.txt from it.
 *
 * @param options `imageOrigin`: further origin of images
 */
export const createContentSecurityPolicy = ({
  hasForms,
  imageOrigin,
}: {
  hasForms: boolean;
  imageOrigin?: string | undefined;
}): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data:${imageOrigin === undefined ? '' : ` ${imageOrigin}`}`,
    "connect-src 'self'",
    `form-action ${hasForms ? "'self'" : "'none'"}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
