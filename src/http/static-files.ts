/** Static files whose URLs contain a digest of the content, so that browsers can cache them forever. */
import { hash } from 'node:crypto';
import { extname } from 'node:path';
import { readAsset } from '../assets/assets.ts';

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

/**
 * @param basePath path of the URLs, with a slash at the end
 * @param sources names of assets, by the name in the URL
 */
export function createStaticFiles(basePath: string, sources: Record<string, string>): StaticFiles {
  const files = new Map<string, StaticFile>();

  function load(name: string): StaticFile {
    let file = files.get(name);
    if (file === undefined) {
      const source = readAsset(sources[name] as string);
      const extension = extname(name);
      const content = ['.css', '.js'].includes(extension)
        ? Buffer.from(resolveUrls(source.toString()))
        : source;
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

  /** Replaces the names of files by their URLs: `url("…")` in a style sheet, `from './…'` in a module. */
  const resolveUrls = (source: string) =>
    source.replace(/(url\("|from '\.\/)([\w.-]+)(?="\)|')/g, (reference, before: string, name: string) =>
      Object.hasOwn(sources, name) ? before.replace('./', '') + load(name).path : reference,
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

/** KERN, the design system of the German administration. */
const designSystem = 'node_modules/@kern-ux/native/dist';

const fontNames = ['FiraSans-Regular.woff2', 'FiraSans-Medium.woff2', 'FiraSans-SemiBold.woff2'];

/** The frame of all pages: names of assets by the name in the URL. */
export const pageFrameFiles: Record<string, string> = {
  'kern.min.css': `${designSystem}/kern.min.css`,
  'page-frame.css': 'src/http/assets/page-frame.css',
  'page-frame.js': 'src/http/assets/page-frame.js',
  ...Object.fromEntries(fontNames.map((name) => [name, `${designSystem}/fonts/fira-sans/${name}`])),
};

/** Pages of other servers may show the image. It runs nothing even if a browser opens it as a page. */
export const publicImageHeaders = {
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
} as const;
