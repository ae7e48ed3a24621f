/** Parts of every response below `/open`. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fresh from 'fresh';
import type { LargeDocument } from '../domain/store.ts';
import { negotiateEncoding } from '../http/compression.ts';
import { createContentSecurityPolicy } from '../http/content-security-policy.ts';

export interface OpenDataResponse {
  status: 200 | 206 | 304 | 308 | 400 | 416;
  contentType?: string;
  /** Names and values alternately. */
  headers: string[];
  body: string | Buffer | LargeDocument;
  /** Pages are not compressed yet. */
  isCompressible?: true;
  /** Default: `Accept-Encoding`. */
  vary?: string;
}

/** Of pages: names and values alternately. */
export const pageHeaders = [
  'content-security-policy',
  createContentSecurityPolicy({ hasForms: true }),
  'referrer-policy',
  'no-referrer',
];

/** The document has addresses of this installation, which are unknown. */
export class PublicUrlMissingError extends Error {
  constructor() {
    super(
      'This document has links, and the installation does not know its own address. The operator must set ROSTRA_PUBLIC_URL.',
    );
  }
}

export const acceptsGzip = (acceptEncoding: string | undefined): boolean =>
  negotiateEncoding(acceptEncoding, ['gzip']) === 'gzip';

/** The part of a tag between its quotation marks. */
export const digestTag = (dependencies: string): string => hash('sha256', dependencies).slice(0, 32);

/**
 * A strong tag (RFC 9110, 8.8.3). A compressed response has a tag of its own.
 *
 * @param dependencies everything on which the content depends
 */
export function composeTag(dependencies: string, isCompressed: boolean): string {
  return `"${digestTag(dependencies)}${isCompressed ? '-gzip' : ''}"`;
}

const compress = promisify(gzip);

/** @param dependencies see `composeTag` */
export async function composeTextResponse(
  { headers, dependencies }: { headers: IncomingHttpHeaders; dependencies: string },
  contentType: string,
  write: () => Promise<string>,
): Promise<OpenDataResponse> {
  const isCompressed = acceptsGzip(headers['accept-encoding']);
  const etag = composeTag(dependencies, isCompressed);
  if (fresh(headers, { etag })) return { status: 304, headers: ['etag', etag], body: '' };
  const text = await write();
  if (!isCompressed) return { status: 200, contentType, headers: ['etag', etag], body: text };
  return {
    status: 200,
    contentType,
    headers: ['etag', etag, 'content-encoding', 'gzip'],
    body: await compress(text),
  };
}
