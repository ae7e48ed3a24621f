/** The interactive reference at /docs: one page, served whole from this installation. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';

const ownFolder = fileURLToPath(new URL('./reference/', import.meta.url));

/** The published package carries the library's two files; a checkout has the library itself. */
function libraryFolder(): string {
  return existsSync(join(ownFolder, 'swagger-ui.css'))
    ? ownFolder
    : dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
}

/** Scripts and requests stay with this origin. The library writes style attributes, and draws icons as data. */
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

const pageFiles: [path: string, folder: 'own' | 'library', file: string, type: string][] = [
  ['/docs', 'own', 'index.html', 'text/html; charset=utf-8'],
  ['/docs/reference.js', 'own', 'reference.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui-bundle.js', 'library', 'swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
  ['/docs/swagger-ui.css', 'library', 'swagger-ui.css', 'text/css; charset=utf-8'],
];

export const referencePaths = pageFiles.map(([path]) => path);

export function registerReference(app: FastifyInstance): void {
  const folders = { own: ownFolder, library: libraryFolder() };
  for (const [path, folder, file, type] of pageFiles) {
    let content: Buffer | undefined;
    app.get(path, { config: { operation: 'docs' } }, (_request, reply) => {
      content ??= readFileSync(join(folders[folder], file));
      return reply
        .header('content-type', type)
        .header('content-security-policy', contentSecurityPolicy)
        .header('referrer-policy', 'no-referrer')
        .send(content);
    });
  }
}
