/** The documentation for holders of an API key: the pages at /docs, the same as Markdown, and /llms.txt. All files come from this server. */
import type { IncomingMessage } from 'node:http';
import { html } from '@remix-run/html-template';
import { LRUCache } from 'lru-cache';
import { prefersHtml, prefersMarkdown } from '../../../platform/http/accepted-types.ts';
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
import { articleFiles, docsPath, exampleOrigin, listSampleFiles, toMarkdownPath } from './article-files.ts';
import { type KeyContacts, keyContactsMark, renderKeyContacts, writeKeyContacts } from './key-contacts.ts';
import { writeLlmsText, writeMarkdownPage } from './markdown-pages.ts';
import { type PageFrame, renderNotFoundPage, renderPage } from './render-page.ts';

const files = createStaticFiles(`${docsPath}/assets/`, {
  'docs.css': [...pageFrameStyles, 'src/web/api/docs-page/docs.css'],
  'code-blocks.js': 'src/web/api/docs-page/code-blocks.js',
  'try-out.js': 'src/web/api/docs-page/try-out.js',
  'unfold-fields.js': 'src/web/api/docs-page/unfold-fields.js',
  'contents.js': 'src/web/api/docs-page/contents.js',
  ...pageFrameFiles,
});

const contentSecurityPolicy = createContentSecurityPolicy({ hasForms: false });

const htmlHeaders = ['content-security-policy', contentSecurityPolicy, 'referrer-policy', 'no-referrer'];

/**
 * Bounds the work for clients that send many different hosts: at most this number of new texts is compressed per
 * `pageLifetimeMs`. Further ones are sent as they are.
 */
const maxPages = 64;

const pageLifetimeMs = 60_000;

interface DocsText {
  contentType: string;
  /** With `exampleOrigin` and `keyContactsMark`. */
  write: (frame: PageFrame, hasPublicUrl: boolean) => string;
  writeContacts: (contacts: KeyContacts, origin: string) => string;
  /** At the same path for clients that prefer it: a path of `texts`. */
  markdown?: string;
}

const asMarkdown = (contentType: string, write: DocsText['write']): DocsText => ({
  contentType,
  write,
  writeContacts: writeKeyContacts,
});

/** By the path of the URL. */
const texts = new Map<string, DocsText>([
  ...[...articleFiles.keys()].flatMap((path): [string, DocsText][] => [
    [
      path,
      {
        contentType: 'text/html; charset=utf-8',
        write: (frame) => renderPage(path, frame),
        writeContacts: (contacts) => String(renderKeyContacts(contacts)),
        markdown: toMarkdownPath(path),
      },
    ],
    [toMarkdownPath(path), asMarkdown('text/markdown; charset=utf-8', () => writeMarkdownPage(path))],
  ]),
  [
    '/llms.txt',
    asMarkdown('text/plain; charset=utf-8', (_frame, hasPublicUrl) => writeLlmsText(hasPublicUrl)),
  ],
]);

export const docsPaths: readonly string[] = [...texts.keys()];

interface DocsPagesOptions {
  /** undefined: examples show the host of the request. */
  publicUrl: string | undefined;
  footerUrls: FooterUrls;
  /** undefined: the admin area has no path on this server. */
  adminPath: string | undefined;
  readKeyContacts: () => Promise<KeyContacts>;
}

export interface DocsPages {
  /** @param path one of `docsPaths` */
  create(path: string, request: IncomingMessage): Promise<ResponseContent>;
  /** @returns what a browser shows at an unknown path below /docs; undefined for programs */
  createNotFound(request: IncomingMessage): ResponseContent | undefined;
}

export function createDocsPages({
  publicUrl,
  footerUrls,
  adminPath,
  readKeyContacts,
}: DocsPagesOptions): DocsPages {
  const frame: PageFrame = { getAssetPath: files.getPath, footerUrls, adminPath };
  /** Rendering takes about 10 ms, so texts are written once for all hosts. The origin belongs between the parts. */
  const partsByPath = new Map<string, string[]>();
  const pages = new LRUCache<string, Buffer>({ max: maxPages, ttl: pageLifetimeMs });
  let notFoundPage: Buffer | undefined;

  async function createBody(path: string, origin: string): Promise<Buffer> {
    const { write, writeContacts, contentType } = texts.get(path) as DocsText;
    const parts = partsByPath.getOrInsertComputed(path, () =>
      write(frame, publicUrl !== undefined).split(exampleOrigin),
    );
    const isHtml = contentType.startsWith('text/html');
    const text = parts.join(isHtml ? String(html`${origin}`) : origin);
    if (!text.includes(keyContactsMark)) return Buffer.from(text);
    const contacts = writeContacts(await readKeyContacts(), origin);
    return Buffer.from(text.replace(keyContactsMark, () => contacts));
  }

  return {
    create: async (wanted, request) => {
      const { markdown } = texts.get(wanted) as DocsText;
      const path = markdown !== undefined && prefersMarkdown(request.headers.accept) ? markdown : wanted;
      const { contentType } = texts.get(path) as DocsText;
      const origin = publicUrl ?? readOrigin(request);
      const key = `${origin} ${path}`;
      const cached = pages.get(key);
      if (cached === undefined) pages.purgeStale();
      const body = cached ?? (await createBody(path, origin));
      const isCached = cached !== undefined || pages.size < maxPages;
      if (cached === undefined && isCached) pages.set(key, body);
      return {
        body,
        contentType,
        skipsCompression: !isCached,
        ...(markdown !== undefined && { variesByAccept: true }),
        headers: contentType.startsWith('text/html') ? htmlHeaders : [],
      };
    },
    createNotFound: ({ headers: { accept } }) => {
      if (!prefersHtml(accept)) return undefined;
      notFoundPage ??= Buffer.from(renderNotFoundPage(frame));
      return {
        body: notFoundPage,
        contentType: 'text/html; charset=utf-8',
        variesByAccept: true,
        headers: htmlHeaders,
      };
    },
  };
}

export const listDocsFiles = (): StaticFile[] => [...files.list(), ...listSampleFiles()];
