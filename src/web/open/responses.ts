/** Parts of every response below `/open`. */
import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import fresh from 'fresh';
import { LRUCache } from 'lru-cache';
import type { LargeDocument } from '../../domain/store.ts';
import { negotiateEncoding } from '../../platform/http/compression.ts';
import { createContentSecurityPolicy } from '../../platform/http/content-security-policy.ts';

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

/** Of pages: names and values alternately. @param imageOrigin see `createContentSecurityPolicy` */
export const createPageHeaders = (imageOrigin?: string) => [
  'content-security-policy',
  createContentSecurityPolicy({ hasForms: true, imageOrigin }),
  'referrer-policy',
  'no-referrer',
];

export const pageHeaders = createPageHeaders();

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

/** Too many downloads at once, or the file is still being built. */
export class OpenDataBusyError extends Error {
  readonly retryAfterSeconds: number;

  constructor(message: string, retryAfterSeconds: number) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

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

/** Bodies by tag. Requests for a body that is being written wait for it. */
type BodyCache = LRUCache<string, Buffer, () => Promise<Buffer>>;

export const createBodyCache = (maxBytes: number): BodyCache =>
  new LRUCache({
    maxSize: maxBytes,
    sizeCalculation: ({ length }) => length,
    fetchMethod: (_tag, _stale, { context: write }) => write(),
    // The body is sent even if it does not stay.
    ignoreFetchAbort: true,
  });

/** @param dependencies see `composeTag` @param write a text that is not empty */
export async function composeTextResponse(
  { headers, dependencies }: { headers: IncomingHttpHeaders; dependencies: string },
  contentType: string,
  cache: BodyCache,
  write: () => Promise<string>,
): Promise<OpenDataResponse> {
  const isCompressed = acceptsGzip(headers['accept-encoding']);
  const etag = composeTag(dependencies, isCompressed);
  if (fresh(headers, { etag })) return { status: 304, contentType, headers: ['etag', etag], body: '' };
  const body = await cache.forceFetch(etag, {
    context: async () => {
      const text = await write();
      return isCompressed ? compress(text) : Buffer.from(text);
    },
  });
  const coding = isCompressed ? ['content-encoding', 'gzip'] : [];
  return { status: 200, contentType, headers: ['etag', etag, ...coding], body };
}
