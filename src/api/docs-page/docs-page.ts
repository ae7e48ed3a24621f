/** The documentation for holders of an API key at /docs. All its files come from this server. */
import type { IncomingMessage } from 'node:http';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { basePath } from '../../contract/operations.ts';
import { findDesignSystemFile } from '../../http/design-system.ts';
import { findPageFrameFile } from '../../http/page-frame.ts';
import { createOrigin } from '../../http/request-origin.ts';
import { createStaticFiles, type StaticFile } from '../../http/static-files.ts';
import type { ResponseContent } from '../send-response.ts';
import { renderPage } from './render-page.ts';

export const docsPath = '/docs';

const findOwnFile = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const files = createStaticFiles(`${docsPath}/assets/`, {
  'kern.min.css': findDesignSystemFile('kern.min.css'),
  'page-frame.css': findPageFrameFile('page-frame.css'),
  'page-frame.js': findPageFrameFile('page-frame.js'),
  'docs.css': findOwnFile('docs.css'),
  'docs.js': findOwnFile('docs.js'),
});

/** `data:` is for the icons of the design system. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Pages for different hosts of requests. */
const maxPages = 16;

/** @param publicUrl undefined: examples show the host of the request */
export function createDocsPage(publicUrl: string | undefined): (request: IncomingMessage) => ResponseContent {
  const pages = new LRUCache<string, Buffer>({ max: maxPages });
  return (request) => {
    const origin = publicUrl ?? readOrigin(request);
    let body = pages.get(origin);
    if (body === undefined) {
      body = Buffer.from(renderPage(origin + basePath, files.getPath));
      pages.set(origin, body);
    }
    return {
      body,
      contentType: 'text/html; charset=utf-8',
      headers: ['content-security-policy', contentSecurityPolicy, 'referrer-policy', 'no-referrer'],
    };
  };
}

/** Leads other paths to the page. */
export const docsRedirect: ResponseContent = { body: '', headers: ['location', docsPath] };

export const listDocsFiles = (): StaticFile[] => files.list();

/** Only this response shows the scheme, so the header of any proxy is good enough. */
function readOrigin({ headers, socket }: IncomingMessage): string {
  const isHttps = headers['x-forwarded-proto'] === 'https';
  return (
    createOrigin(isHttps ? 'https' : 'http', [headers.host ?? '']) ?? `http://localhost:${socket.localPort}`
  );
}
