/** The documentation for holders of an API key at /docs. All its files come from this server. */
import type { IncomingMessage } from 'node:http';
import { html } from '@remix-run/html-template';
import { LRUCache } from 'lru-cache';
import { createContentSecurityPolicy } from '../../../platform/http/content-security-policy.ts';
import type { FooterUrls } from '../../../platform/http/footer-urls.ts';
import { readOrigin } from '../../../platform/http/own-origin.ts';
import {
  createStaticFiles,
  pageFrameFiles,
  pageFrameStyles,
  type StaticFile,
} from '../../../platform/http/static-files.ts';
import type { ResponseContent } from '../responses/send-response.ts';
import { articleFiles, docsPath, exampleOrigin, listSampleFiles } from './article-files.ts';
import { renderPage } from './render-page.ts';

const files = createStaticFiles(`${docsPath}/assets/`, {
  'docs.css': [...pageFrameStyles, 'src/web/api/docs-page/docs.css'],
  'code-blocks.js': 'src/web/api/docs-page/code-blocks.js',
  'try-out.js': 'src/web/api/docs-page/try-out.js',
  'unfold-fields.js': 'src/web/api/docs-page/unfold-fields.js',
  'contents.js': 'src/web/api/docs-page/contents.js',
  ...pageFrameFiles,
});

const contentSecurityPolicy = createContentSecurityPolicy({ hasForms: false });

/**
 * Bounds the work for clients that send many different hosts: at most this number of new pages is compressed per
 * `pageLifetimeMs`. Further pages are sent as they are.
 */
const maxPages = 64;

const pageLifetimeMs = 60_000;

export const articlePaths = [...articleFiles.keys()];

interface DocsPagesOptions {
  /** undefined: examples show the host of the request. */
  publicUrl: string | undefined;
  footerUrls: FooterUrls;
  /** undefined: the admin area has no path on this server. */
  adminPath: string | undefined;
}

/** @returns a function that creates the page at one of `articlePaths` */
export function createDocsPages({ publicUrl, footerUrls, adminPath }: DocsPagesOptions) {
  /** Rendering takes about 10 ms, so pages are rendered once for all hosts. The origin belongs between the parts. */
  const partsByPath = new Map<string, string[]>();
  const pages = new LRUCache<string, Buffer>({ max: maxPages, ttl: pageLifetimeMs });

  function createBody(path: string, origin: string): Buffer {
    let parts = partsByPath.get(path);
    if (parts === undefined) {
      const file = articleFiles.get(path) as string;
      parts = renderPage(path, { file, getAssetPath: files.getPath, footerUrls, adminPath }).split(
        exampleOrigin,
      );
      partsByPath.set(path, parts);
    }
    return Buffer.from(parts.join(String(html`${origin}`)));
  }

  return (path: string, request: IncomingMessage): ResponseContent => {
    const origin = publicUrl ?? readOrigin(request);
    const key = `${origin} ${path}`;
    const cached = pages.get(key);
    if (cached === undefined) pages.purgeStale();
    const isCached = cached !== undefined || pages.size < maxPages;
    const body = cached ?? createBody(path, origin);
    if (cached === undefined && isCached) pages.set(key, body);
    return {
      body,
      contentType: 'text/html; charset=utf-8',
      skipsCompression: !isCached,
      headers: ['content-security-policy', contentSecurityPolicy, 'referrer-policy', 'no-referrer'],
    };
  };
}

/** Leads other paths to the page. */
export const docsRedirect: ResponseContent = { body: '', headers: ['location', docsPath] };

export const listDocsFiles = (): StaticFile[] => [...files.list(), ...listSampleFiles()];
