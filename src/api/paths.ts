/** The addresses that the server answers. */
import type { IncomingMessage } from 'node:http';
import { basePath, type Operation, openapiPath, operations } from '../contract/operations.ts';
import { docsPaths } from './docs-page.ts';
import { type HttpError, methodNotAllowed, notFound } from './errors.ts';

export const readyPath = '/ready';
export function routePath({ path }: Operation): string {
  return basePath + path.replace('{id}', ':id');
}

const knownPaths = [
  ...operations.map(({ path }) => basePath + path),
  basePath + openapiPath,
  readyPath,
  ...docsPaths,
].map((path) => new RegExp(`^${path.replaceAll('.', '\\.').replace('{id}', '[^/]+')}$`));

/** A path we know asked with a method we do not answer, or a path we do not know. */
export function unknownRoute({ method, url = '' }: IncomingMessage): HttpError {
  // RFC 9112, 3.2.2: a target may name the server too, as those to a proxy do.
  const path = decodeURI(url.replace(/^https?:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''));
  if (method !== 'GET' && method !== 'HEAD' && knownPaths.some((known) => known.test(path))) {
    return methodNotAllowed;
  }
  return notFound;
}
