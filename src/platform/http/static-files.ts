/** Static files whose URLs contain a digest of the content, so that browsers can cache them forever. */
import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { readAsset, readTextAsset } from '../assets.ts';

const contentTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.py': 'text/plain; charset=utf-8',
  '.R': 'text/plain; charset=utf-8',
  '.sh': 'text/plain; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.woff2': 'font/woff2',
};

export const immutableCacheControl = 'public, max-age=31536000, immutable';

export interface StaticFile {
  /** Path of the URL. */
  path: string;
  contentType: string;
  content: Buffer;
}

interface StaticFiles {
  /** Path of the URL of a file. */
  getPath(name: string): string;
  list(): StaticFile[];
  /** @returns undefined for an unknown name, and for the digest of another content */
  find(digest: string, name: string): StaticFile | undefined;
}

/** Names of assets by the name in the URL. Several are joined in their order. */
type Sources = Record<string, string | readonly string[]>;

/** @param basePath path of the URLs, with a slash at the end */
export function createStaticFiles(basePath: string, sources: Sources): StaticFiles {
  const files = new Map<string, StaticFile>();

  function load(name: string): StaticFile {
    let file = files.get(name);
    if (file === undefined) {
      const parts = [sources[name] as string | string[]].flat().map(readAsset);
      const extension = extname(name);
      const content = ['.css', '.js'].includes(extension)
        ? // Leaflet ends with a comment without a line break.
          Buffer.from(resolveUrls(parts.join('\n')))
        : Buffer.concat(parts);
      const digest = hash('sha256', content).slice(0, 16);
      file = {
        path: `${basePath}${digest}/${name}`,
        contentType: contentTypes[extension] as string,
        content,
      };
      files.set(name, file);
    }
    return file;
  }

  /** Replaces the names of files by their URLs: `url(./files/…)` in a style sheet, `from './…'` in a module. */
  const resolveUrls = (source: string) =>
    source
      .replace(olderFonts, '')
      .replace(/(url\(|from ')\.\/(?:files\/)?([\w.-]+)/g, (reference, before: string, name: string) =>
        Object.hasOwn(sources, name) ? before + load(name).path : reference,
      );

  return {
    getPath: (name) => load(name).path,
    list: () => Object.keys(sources).map(load),
    find: (digest, name) => {
      const file = Object.hasOwn(sources, name) ? load(name) : undefined;
      return file?.path === `${basePath}${digest}/${name}` ? file : undefined;
    },
  };
}

/** Drops WOFF files: every supported browser reads WOFF 2. */
const olderFonts = /, url\(\.\/files\/[\w-]+\.woff\) format\('woff'\)/g;

const fontFolder = 'node_modules/@fontsource/fira-sans';

const fontSheets = [400, 500, 600].map((weight) => `${fontFolder}/${weight}.css`);

/** A file for each weight and script. Browsers load those that a page needs. */
const fontNames = fontSheets.flatMap((sheet) => readTextAsset(sheet).match(/(?<![\w-])[\w-]+\.woff2/g) ?? []);

/** Most text has this font, so pages preload it. */
export const mainFont = 'fira-sans-latin-400-normal.woff2';

/** The styles of all pages, with KERN, the design system of the German administration: names of assets. */
export const pageFrameStyles: readonly string[] = [
  'node_modules/@kern-ux/native/dist/kern.min.css',
  ...fontSheets,
  'src/platform/http/assets/page-frame.css',
];

/** Leaflet: names of assets. */
export const mapLibrary = {
  script: 'node_modules/leaflet/dist/leaflet.js',
  styles: 'node_modules/leaflet/dist/leaflet.css',
} as const;

/** Further files of all pages. */
export const pageFrameFiles: Record<string, string> = {
  'page-frame.js': 'src/platform/http/assets/page-frame.js',
  ...Object.fromEntries(fontNames.map((name) => [name, `${fontFolder}/files/${name}`])),
};

/** Pages of other servers may show the image. It runs nothing even if a browser opens it as a page. */
export const publicImageHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
} as const;
