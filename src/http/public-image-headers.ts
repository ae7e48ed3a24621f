/** Pages of other servers may show the image. It runs nothing even if a browser opens it as a page. */
export const publicImageHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
} as const;
