/** Compresses response bodies in the thread pool of Node.js, so that the event loop stays free. */
import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  brotliCompress,
  constants,
  createBrotliCompress,
  createGzip,
  createZstdCompress,
  gzip,
  zstdCompress,
} from 'node:zlib';

/** Compression of a smaller body saves no packet. */
const minBytes = 1_024;

/** Half of the thread pool: password hashes and name look-ups need it, too. */
const maxThreads = 2;

/** Bounds the time that a body waits for a thread to about a tenth of a second. */
const maxPendingBytes = 8 * 1024 * 1024;

/** `high` for content that is compressed once for all clients. */
type CompressionEffort = 'normal' | 'high';

interface Codec {
  compress(body: Buffer, effort: CompressionEffort): Promise<Buffer>;
  createStream(): Transform;
}

const compressZstd = promisify(zstdCompress);
const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** docs/decisions/0051 has the measurements. */
const levels: Record<ContentEncoding, Record<CompressionEffort, number>> = {
  zstd: { normal: 3, high: 19 },
  br: { normal: 3, high: 9 },
  gzip: { normal: 3, high: 9 },
};

const createZstdOptions = (effort: CompressionEffort) => ({
  params: { [constants.ZSTD_c_compressionLevel]: levels.zstd[effort] },
});
const createBrotliOptions = (effort: CompressionEffort) => ({
  params: { [constants.BROTLI_PARAM_QUALITY]: levels.br[effort] },
});

const codecs: Record<ContentEncoding, Codec> = {
  zstd: {
    // With the size, zstd allocates smaller tables.
    compress: (body, effort) =>
      compressZstd(body, { ...createZstdOptions(effort), pledgedSrcSize: body.length }),
    createStream: () => createZstdCompress(createZstdOptions('normal')),
  },
  br: {
    compress: (body, effort) => compressBrotli(body, createBrotliOptions(effort)),
    createStream: () => createBrotliCompress(createBrotliOptions('normal')),
  },
  gzip: {
    compress: (body, effort) => compressGzip(body, { level: levels.gzip[effort] }),
    createStream: () => createGzip({ level: levels.gzip.normal }),
  },
};

/** Fonts are compressed files. */
export const isCompressible = (contentType: string, bytes: number): boolean =>
  bytes >= minBytes && !/^(font|image\/(png|jpeg|webp)$)/.test(contentType);

/** @returns a stream that compresses; each of its chunks waits for a thread on its own */
export const createCompressionStream = (encoding: ContentEncoding): Transform =>
  codecs[encoding].createStream();

export interface BodyCompressor {
  /**
   * The result is cached as long as the body is in memory, unless the compression failed. Do not change the body.
   *
   * @returns undefined if too many bodies are waiting or the memory is exhausted: send this one as it is
   */
  compress(body: Buffer, encoding: ContentEncoding, effort: CompressionEffort): Promise<Buffer | undefined>;
}

export function createBodyCompressor(): BodyCompressor {
  const cache = new WeakMap<Buffer, Map<ContentEncoding, Promise<Buffer | undefined>>>();
  const waiting: (() => void)[] = [];
  let running = 0;
  let pendingBytes = 0;

  const run: BodyCompressor['compress'] = async (body, encoding, effort) => {
    pendingBytes += body.length;
    if (running === maxThreads) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      const result = await codecs[encoding].compress(body, effort);
      // node:zlib returns a part of a buffer of 16 kB. A copy does not keep the rest in memory.
      return Buffer.from(new Uint8Array(result).buffer);
    } catch {
      return undefined;
    } finally {
      pendingBytes -= body.length;
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };

  return {
    compress: async (body, encoding, effort) => {
      let results = cache.get(body);
      const cached = results?.get(encoding);
      if (cached !== undefined) return cached;
      if (pendingBytes > 0 && pendingBytes + body.length > maxPendingBytes) return undefined;
      if (results === undefined) {
        results = new Map();
        cache.set(body, results);
      }
      const pending = run(body, encoding, effort);
      results.set(encoding, pending);
      const result = await pending;
      if (result === undefined) results.delete(encoding);
      return result;
    },
  };
}

/** Content codings in the order of preference among equal weights. docs/decisions/0051 has the measurements. */
const contentEncodings = ['zstd', 'br', 'gzip'] as const;

export type ContentEncoding = (typeof contentEncodings)[number];

/** A coding with an optional weight (RFC 9110, 12.4.2). */
const codingPattern = /^[ \t]*([^ \t;]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

/**
 * Chooses the coding of a response (RFC 9110, 12.5.3).
 *
 * @param acceptEncoding value of `Accept-Encoding`
 * @param offered in the order of preference among equal weights
 * @returns undefined for a response without a coding, which clients that accept no offered coding get, too
 */
export function negotiateEncoding(
  acceptEncoding: string | undefined,
  offered: readonly ContentEncoding[] = contentEncodings,
): ContentEncoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',')) {
    const [, coding, weight = '1'] = codingPattern.exec(part) ?? [];
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight));
  }
  const weightOfOthers = weights.get('*') ?? 0;
  let best: ContentEncoding | undefined;
  let bestWeight = weights.get('identity') ?? 0;
  const isBetter = (weight: number) =>
    weight > bestWeight || (best === undefined && weight > 0 && weight === bestWeight);
  let lastOther: ContentEncoding | undefined;
  for (const encoding of offered) {
    const weight = weights.get(encoding);
    if (weight === undefined) lastOther = encoding;
    else if (isBetter(weight)) {
      best = encoding;
      bestWeight = weight;
    }
  }
  // Clients that accept any coding without a name often read nothing newer than gzip.
  return lastOther !== undefined && isBetter(weightOfOthers) ? lastOther : best;
}
