/** Serves the static files of the pages. Their URLs contain a digest of the content. */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { notFound } from './response.ts';

const ownFolder = fileURLToPath(new URL('./assets/', import.meta.url));

/** The published package contains copies of the required files; a checkout reads them from the design system's package. */
const packagedFolder = join(ownFolder, 'kern');
const designSystem = existsSync(packagedFolder)
  ? packagedFolder
  : join(dirname(createRequire(import.meta.url).resolve('@kern-ux/native/package.json')), 'dist');

const css = 'text/css; charset=utf-8';
const font = 'font/woff2';

const files: Record<string, { file: string; type: string }> = {
  'admin.css': { file: join(ownFolder, 'admin.css'), type: css },
  'admin.js': { file: join(ownFolder, 'admin.js'), type: 'text/javascript; charset=utf-8' },
  'icon.svg': { file: join(ownFolder, 'icon.svg'), type: 'image/svg+xml' },
  'kern.min.css': { file: join(designSystem, 'kern.min.css'), type: css },
  'FiraSans-Regular.woff2': {
    file: join(designSystem, 'fonts/fira-sans/FiraSans-Regular.woff2'),
    type: font,
  },
  'FiraSans-Medium.woff2': { file: join(designSystem, 'fonts/fira-sans/FiraSans-Medium.woff2'), type: font },
  'FiraSans-SemiBold.woff2': {
    file: join(designSystem, 'fonts/fira-sans/FiraSans-SemiBold.woff2'),
    type: font,
  },
};

interface Asset {
  type: string;
  content: Buffer;
  /** Brotli; undefined for files that are already compressed. */
  compressed: Buffer | undefined;
}

const contents = new Map<string, Buffer>();

function readAsset(name: string): Buffer {
  let content = contents.get(name);
  if (content === undefined) {
    content = readFileSync((files[name] as { file: string }).file);
    if (name === 'admin.css') content = Buffer.from(resolveFontUrls(content.toString()));
    contents.set(name, content);
  }
  return content;
}

/** Replaces the font file names in the style sheet by their URLs. */
function resolveFontUrls(style: string): string {
  return style.replace(/url\("([\w.-]+\.woff2)"\)/g, (_, name: string) => `url("${assetPath(name)}")`);
}

const assetBase = '/admin/assets/';

/** Each content has its own URL, so browsers may cache it forever. */
export function assetPath(name: string): string {
  return `${assetBase}${assetDigest(name)}/${name}`;
}

const digests = new Map<string, string>();

function assetDigest(name: string): string {
  let digest = digests.get(name);
  if (digest === undefined) {
    digest = createHash('sha256').update(readAsset(name)).digest('hex').slice(0, 16);
    digests.set(name, digest);
  }
  return digest;
}

const compress = promisify(brotliCompress);
const compressed = new Map<string, Promise<Buffer>>();

/** @returns undefined for an unknown name or digest */
async function findAsset(digest: string, name: string): Promise<Asset | undefined> {
  if (!Object.hasOwn(files, name) || digest !== assetDigest(name)) return undefined;
  const { type } = files[name] as { type: string };
  const content = readAsset(name);
  if (type === font) return { type, content, compressed: undefined };
  let smaller = compressed.get(name);
  if (smaller === undefined) {
    smaller = compress(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } });
    compressed.set(name, smaller);
  }
  return { type, content, compressed: await smaller };
}

export function registerAssets(app: FastifyInstance): void {
  app.get(`${assetBase}:digest/:name`, async (request, reply) => {
    const { digest, name } = request.params as { digest: string; name: string };
    const found = await findAsset(digest, name);
    if (found === undefined) throw notFound();
    const wantsBrotli = /\bbr\b/.test(request.headers['accept-encoding'] ?? '');
    if (found.compressed !== undefined && wantsBrotli) reply.header('content-encoding', 'br');
    return reply
      .type(found.type)
      .header('cache-control', 'public, max-age=31536000, immutable')
      .header('vary', 'accept-encoding')
      .send(found.compressed !== undefined && wantsBrotli ? found.compressed : found.content);
  });
}
