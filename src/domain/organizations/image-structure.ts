/** The structure of image files, from their first to their last byte. */
import { crc32 } from 'node:zlib';

export type ImageFormat = 'png' | 'jpeg' | 'webp';

const pngSignature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function detectImageFormat(content: Buffer): ImageFormat | undefined {
  if (content.subarray(0, 8).equals(pngSignature)) return 'png';
  if (content.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'jpeg';
  const isWebp = readName(content, 0) === 'RIFF' && readName(content, 8) === 'WEBP';
  return isWebp ? 'webp' : undefined;
}

/** Whether the file is one image, neither truncated nor with data of another kind after its end. */
export function isCompleteImage(format: ImageFormat, content: Buffer): boolean {
  if (format === 'jpeg') return isCompleteJpeg(content);
  const types = format === 'png' ? listPngChunks(content) : listWebpChunks(content);
  if (types === undefined) return false;
  if (format === 'png') return types[0] === 'IHDR' && types.includes('IDAT') && types.at(-1) === 'IEND';
  return ['VP8 ', 'VP8L', 'ANMF'].some((type) => types.includes(type));
}

/** @param content a complete image */
export function isAnimated(format: ImageFormat, content: Buffer): boolean {
  if (format === 'jpeg') return false;
  const types = format === 'png' ? listPngChunks(content) : listWebpChunks(content);
  return types?.some((type) => ['acTL', 'ANIM', 'ANMF'].includes(type)) === true;
}

const readName = (content: Buffer, start: number) => content.toString('latin1', start, start + 4);

/**
 * PNG, section 5.3.
 *
 * @returns the types of the chunks; undefined if one is truncated, has a wrong checksum, or follows IEND
 */
function listPngChunks(content: Buffer): string[] | undefined {
  const types: string[] = [];
  for (let start = pngSignature.length; start < content.length; ) {
    if (start + 12 > content.length || types.at(-1) === 'IEND') return undefined;
    const end = start + 12 + content.readUInt32BE(start);
    if (end > content.length) return undefined;
    if (crc32(content.subarray(start + 4, end - 4)) !== content.readUInt32BE(end - 4)) return undefined;
    types.push(readName(content, start + 4));
    start = end;
  }
  return types;
}

/** RFC 9649, section 2. @returns the types of the chunks; undefined if one is truncated, or if data follows the last one */
function listWebpChunks(content: Buffer): string[] | undefined {
  if (content.length < 12 || content.readUInt32LE(4) + 8 !== content.length) return undefined;
  const types: string[] = [];
  for (let start = 12; start < content.length; ) {
    if (start + 8 > content.length) return undefined;
    const bytes = content.readUInt32LE(start + 4);
    const end = start + 8 + bytes + (bytes % 2);
    if (end > content.length) return undefined;
    types.push(readName(content, start));
    start = end;
  }
  return types;
}

const startOfScan = 0xda;
const endOfImage = 0xd9;

/** Frames of every coding process: C0 to CF without the tables C4, C8 and CC. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);

/** ITU-T T.81, annex B: segments with a length; each scan is followed by its entropy-coded data. */
function isCompleteJpeg(content: Buffer): boolean {
  let hasFrame = false;
  let hasScan = false;
  for (let at = 2; at + 2 <= content.length; ) {
    if (content[at] !== 0xff) return false;
    const marker = content[at + 1] as number;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === endOfImage) return hasFrame && hasScan && at + 2 === content.length;
    if (at + 4 > content.length) return false;
    const segmentEnd = at + 2 + content.readUInt16BE(at + 2);
    hasFrame ||= isFrame(marker);
    hasScan ||= marker === startOfScan;
    at = marker === startOfScan ? findScanEnd(content, segmentEnd) : segmentEnd;
  }
  return false;
}

/** Position of the first marker that is neither a stuffed byte (FF 00) nor a restart marker (D0 to D7). */
function findScanEnd(content: Buffer, start: number): number {
  let at = content.indexOf(0xff, start);
  while (at !== -1) {
    const marker = content[at + 1] ?? 0;
    const isInsideScan = marker === 0 || (marker >= 0xd0 && marker <= 0xd7);
    if (!isInsideScan) return at;
    at = content.indexOf(0xff, at + 2);
  }
  return content.length;
}
