/** Logos of municipalities, for web pages: without an API key, at URLs that change with the content. */
import { parseLogoFileName } from '../../domain/organizations/logo.ts';
import type { Store } from '../../domain/store.ts';
import { publicImageHeaders } from '../../platform/http/static-files.ts';
import { notFound } from './responses/errors.ts';
import type { ResponseContent } from './responses/send-response.ts';

export const logoPath = '/logos/';

const headers = Object.entries(publicImageHeaders).flat();

/** @returns the image and its headers; `body` rejects with 404 for any file that is not the present logo of a municipality */
export function readLogo(
  store: Store,
  fileName: string,
): { body: Promise<Buffer>; content: Omit<ResponseContent, 'body'> } {
  const name = parseLogoFileName(fileName);
  if (name === undefined) return { body: Promise.reject(notFound), content: {} };
  const body = store.findLogo(name.digest, name.mediaType).then((found) => {
    if (found === undefined) throw notFound;
    return found;
  });
  return { body, content: { contentType: name.mediaType, isImmutable: true, headers } };
}
