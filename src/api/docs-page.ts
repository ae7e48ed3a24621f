/** The interactive API reference at /docs. All its files come from this server. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ResponseContent } from './responder.ts';

const ownFolder = fileURLToPath(new URL('./docs-page/', import.meta.url));

/** The npm package contains two files of the library; a checkout has the library in node_modules. */
function findLibraryFolder(): string {
  return existsSync(join(ownFolder, 'swagger-ui.css'))
    ? ownFolder
    : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

/** The library needs inline styles, and `data:` URLs for its icons. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

type PageFile = [path: string, folder: 'own' | 'library', file: string, contentType: string];

const pageFiles: PageFile[] = [
  ['/docs', 'own', 'index.html', 'text/html; charset=utf-8'],
  ['/docs/reference.js', 'own', 'reference.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'library', 'swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'library', 'swagger-ui.css', 'text/css; charset=utf-8'],
];

export const docsPaths = pageFiles.map(([path]) => path);

const cache = new Map<string, ResponseContent>();

/** @param path one of `docsPaths` */
export function readDocsFile(path: string): ResponseContent {
  let page = cache.get(path);
  if (page === undefined) {
    page = read(path);
    cache.set(path, page);
  }
  return page;
}

function read(path: string): ResponseContent {
  const [, folder, file, contentType] = pageFiles.find(([known]) => known === path) as PageFile;
  return {
    body: readFileSync(join(folder === 'own' ? ownFolder : findLibraryFolder(), file)),
    contentType,
    headers: ['content-security-policy', contentSecurityPolicy, 'referrer-policy', 'no-referrer'],
  };
}
