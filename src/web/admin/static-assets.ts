/** Serves the static files of the pages. */
import type { FastifyInstance } from 'fastify';
import { type BodyCompressor, isCompressible, negotiateEncoding } from '../../platform/http/compression.ts';
import {
  createStaticFiles,
  immutableCacheControl,
  pageFrameFiles,
  pageFrameStyles,
} from '../../platform/http/static-files.ts';
import { notFound } from './requests/response-types.ts';

const findOwnFile = (name: string) => `src/web/admin/assets/${name}`;

const basePath = '/admin/assets/';

const assets = createStaticFiles(basePath, {
  'admin.css': [
    ...pageFrameStyles,
    'src/web/ui/assets/page-parts.css',
    ...['admin', 'navigation', 'combobox', 'overview', 'published-data', 'imports'].map((name) =>
      findOwnFile(`${name}.css`),
    ),
  ],
  'admin.js': findOwnFile('admin.js'),
  'imports.js': findOwnFile('imports.js'),
  'combobox.js': findOwnFile('combobox.js'),
  'combobox-nav.js': 'node_modules/@github/combobox-nav/dist/index.js',
  'icon.svg': findOwnFile('icon.svg'),
  'chart.js': 'src/web/ui/assets/chart.js',
  ...pageFrameFiles,
});

/** Each content has its own URL, so browsers may cache it forever. */
export const assetPath = assets.getPath;

export function registerAssets(app: FastifyInstance, compressor: BodyCompressor | undefined): void {
  app.get(`${basePath}:digest/:name`, async (request, reply) => {
    const { digest, name } = request.params as { digest: string; name: string };
    const file = assets.find(digest, name);
    if (file === undefined) throw notFound();
    const { contentType, content } = file;
    reply.type(contentType).header('cache-control', immutableCacheControl);
    if (compressor === undefined || !isCompressible(contentType, content.length)) return reply.send(content);
    reply.header('vary', 'Accept-Encoding');
    const encoding = negotiateEncoding(request.headers['accept-encoding']);
    const compressed = encoding && (await compressor.compress(content, encoding, 'high'));
    if (compressed !== undefined) reply.header('content-encoding', encoding);
    return reply.send(compressed ?? content);
  });
}
