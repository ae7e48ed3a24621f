/** Serves the static files of the pages. Their URLs contain a digest of the content. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { notFound } from './response-types.ts';

const ownFolder = fileURLToPath(new URL('./assets/', import.meta.url));

/** The published package contains copies of the required files; a checkout reads them from the design system's package. */
const packagedFolder = join(ownFolder, 'kern');
const designSystem = existsSync(packagedFolder)
  ? packagedFolder
  : join(dirname(createRequire(import.meta.url).resolve('@kern-ux/native/package.json')), 'dist');

const font = 'font/woff2';
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': font,
};

/** Paths by the name in the URL. */
const files: Record<string, string> = {
  'admin.css': join(ownFolder, 'admin.css'),
  'admin.js': join(ownFolder, 'admin.js'),
  'icon.svg': join(ownFolder, 'icon.svg'),
  'kern.min.css': join(designSystem, 'kern.min.css'),
  'FiraSans-Regular.woff2': join(designSystem, 'fonts/fira-sans/FiraSans-Regular.woff2'),
  'FiraSans-Medium.woff2': join(designSystem, 'fonts/fira-sans/FiraSans-Medium.woff2'),
  'FiraSans-SemiBold.woff2': join(designSystem, 'fonts/fira-sans/FiraSans-SemiBold.woff2'),
};

interface Asset {
  type: string;
  content: Buffer;
  digest: string;
  /** Brotli, from the first request that accepts it. */
  compressed: Promise<Buffer> | undefined;
}

const assets = new Map<string, Asset>();

function loadAsset(name: string): Asset {
  let asset = assets.get(name);
  if (asset === undefined) {
    const file = readFileSync(files[name] as string);
    const content = name === 'admin.css' ? Buffer.from(resolveFontUrls(file.toString())) : file;
    const digest = createHash('sha256').update(content).digest('hex').slice(0, 16);
    asset = { type: types[extname(name)] as string, content, digest, compressed: undefined };
    assets.set(name, asset);
  }
  return asset;
}

/** Replaces the font file names in the style sheet by their URLs. */
function resolveFontUrls(style: string): string {
  return style.replace(/url\("([\w.-]+\.woff2)"\)/g, (_, name: string) => `url("${assetPath(name)}")`);
}

const assetBase = '/admin/assets/';

/** Each content has its own URL, so browsers may cache it forever. */
export function assetPath(name: string): string {
  return `${assetBase}${loadAsset(name).digest}/${name}`;
}

const compress = promisify(brotliCompress);

export function registerAssets(app: FastifyInstance): void {
  app.get(`${assetBase}:digest/:name`, async (request, reply) => {
    const { digest, name } = request.params as { digest: string; name: string };
    const asset = Object.hasOwn(files, name) ? loadAsset(name) : undefined;
    if (asset?.digest !== digest) throw notFound();
    reply
      .type(asset.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding');
    // Fonts are already compressed.
    if (asset.type === font || !/\bbr\b/.test(request.headers['accept-encoding'] ?? ''))
      return reply.send(asset.content);
    asset.compressed ??= compress(asset.content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    return reply.header('content-encoding', 'br').send(await asset.compressed);
  });
}
