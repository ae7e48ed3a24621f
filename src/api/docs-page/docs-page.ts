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
import { articleFiles, docsPath } from './articles.ts';
import { renderPage } from './render-page.ts';
import { listSampleFiles } from './sample-files.ts';

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

/** Pages in memory, for different hosts of requests. */
const maxPages = 64;

export const articlePaths = [...articleFiles.keys()];

/**
 * @param publicUrl undefined: examples show the host of the request
 * @returns a function that creates the page at one of `articlePaths`
 */
export function createDocsPages(publicUrl: string | undefined) {
  const pages = new LRUCache<string, Buffer>({ max: maxPages });
  return (path: string, request: IncomingMessage): ResponseContent => {
    const origin = publicUrl ?? readOrigin(request);
    const key = `${origin} ${path}`;
    let body = pages.get(key);
    if (body === undefined) {
      const file = articleFiles.get(path) as string;
      const page = renderPage(path, {
        file,
        baseUrl: origin + basePath,
        getAssetPath: files.getPath,
      });
      body = Buffer.from(page);
      pages.set(key, body);
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

export const listDocsFiles = (): StaticFile[] => [...files.list(), ...listSampleFiles()];

/** Only this response shows the scheme, so the header of any proxy is good enough. */
function readOrigin({ headers, socket }: IncomingMessage): string {
  const isHttps = headers['x-forwarded-proto'] === 'https';
  return (
    createOrigin(isHttps ? 'https' : 'http', [headers.host ?? '']) ?? `http://localhost:${socket.localPort}`
  );
}
