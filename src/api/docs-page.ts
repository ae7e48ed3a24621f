/** The interactive API reference at /docs. All its files come from this server. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ResponseContent } from './send-response.ts';

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

const contentTypes = new Map([
  ['/docs', 'text/html; charset=utf-8'],
  ['/docs/reference.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'text/css; charset=utf-8'],
]);

export const docsPaths = [...contentTypes.keys()];

const cache = new Map<string, ResponseContent>();

/** @param path one of `docsPaths` */
export function readDocsFile(path: string): ResponseContent {
  let content = cache.get(path);
  if (content === undefined) {
    content = {
      body: readFileSync(findFile(path.slice('/docs/'.length) || 'index.html')),
      contentType: contentTypes.get(path),
      headers: ['content-security-policy', contentSecurityPolicy, 'referrer-policy', 'no-referrer'],
    };
    cache.set(path, content);
  }
  return content;
}

/** The npm package contains the files of the library; a checkout has them in node_modules. */
function findFile(name: string): string {
  const ownFile = fileURLToPath(new URL(`./docs-page/${name}`, import.meta.url));
  return existsSync(ownFile) ? ownFile : createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);
}
