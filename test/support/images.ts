/** Small images of 24 × 16 pixels, and PNGs of any size. */
import { crc32, deflateSync } from 'node:zlib';

export const jpegImage = Buffer.from(
  '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDACgcHiMeGSgjISMtKygwPGRBPDc3PHtYXUlkkYCZlo+AjIqgtObDoKrarYqMyP/L2u71' +
    '////m8H////6/+b9//j/2wBDASstLTw1PHZBQXb4pYyl+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4+Pj4' +
    '+Pj4+Pj4+Pj/wAARCAAQABgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAT/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QA' +
    'FgEBAQEAAAAAAAAAAAAAAAAAAAME/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AkAaUQAH/2Q==',
  'base64',
);

export const webpImage = Buffer.from(
  'UklGRjwAAABXRUJQVlA4IDAAAACwAgCdASoYABAAPzmGuVOvKSWisAgB4CcJQAAPZAAA/uX6P/I7CG61//SXS4xSgAA=',
  'base64',
);

export function createPngChunk(type: string, data: Buffer = Buffer.alloc(0)): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}

/**
 * A grey image.
 *
 * @param more chunks before the pixels
 */
export function createPng(width = 24, height = 16, grey = 128, more: readonly Buffer[] = []): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.alloc(width, grey)]);
  const pixels = deflateSync(Buffer.concat(Array(Math.min(height, 4_000)).fill(row)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    createPngChunk('IHDR', header),
    ...more,
    createPngChunk('IDAT', pixels),
    createPngChunk('IEND'),
  ]);
}

/** The extended form of a WebP, with the flag of an animation. */
export function createAnimatedWebp(): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const head = Buffer.alloc(8);
    head.write(type, 'latin1');
    head.writeUInt32LE(data.length, 4);
    return Buffer.concat([head, data]);
  };
  const extended = Buffer.from([2, 0, 0, 0, 23, 0, 0, 15, 0, 0]);
  const frame = Buffer.concat([Buffer.alloc(16), webpImage.subarray(12)]);
  const chunks = Buffer.concat([
    chunk('VP8X', extended),
    chunk('ANIM', Buffer.alloc(6)),
    chunk('ANMF', frame),
  ]);
  const head = Buffer.alloc(12);
  head.write('RIFF', 'latin1');
  head.writeUInt32LE(chunks.length + 4, 4);
  head.write('WEBP', 8, 'latin1');
  return Buffer.concat([head, chunks]);
}
