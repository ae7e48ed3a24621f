/** Draws the coats of arms of the demo municipalities: a shield as a small PNG with transparent corners. */
import { crc32, deflateSync } from 'node:zlib';

export type Color = readonly [red: number, green: number, blue: number];

/** @param x, y position in the shield from 0 to 1, from its upper left corner */
export type Painting = (x: number, y: number) => Color;

const width = 160;
const height = 192;

/** Samples of each pixel per direction, for smooth edges. */
const samples = 4;

const border: Color = [40, 44, 52];
const borderWidth = 0.025;

export function drawCoatOfArms(paint: Painting): Buffer {
  const rows: Buffer[] = [];
  for (let row = 0; row < height; row += 1) {
    // Each row of a PNG begins with its filter; 0: none.
    const bytes = [0];
    for (let column = 0; column < width; column += 1) bytes.push(...blendPixel(paint, column, row));
    rows.push(Buffer.from(bytes));
  }
  return encodePng(Buffer.concat(rows));
}

/** @returns red, green, blue and opacity */
function blendPixel(paint: Painting, column: number, row: number): number[] {
  const sum = [0, 0, 0];
  let covered = 0;
  for (let sample = 0; sample < samples ** 2; sample += 1) {
    const x = (column + ((sample % samples) + 0.5) / samples) / width;
    const y = (row + (Math.floor(sample / samples) + 0.5) / samples) / height;
    const depth = measureDepth(x, y);
    if (depth < 0) continue;
    covered += 1;
    const color = depth < borderWidth ? border : paint(x, y);
    for (const [index, value] of color.entries()) sum[index] = (sum[index] as number) + value;
  }
  const average = sum.map((value) => Math.round(value / Math.max(1, covered)));
  return [...average, Math.round((255 * covered) / samples ** 2)];
}

/** Below this height, the sides of the shield are arcs that meet in its tip. */
const shoulder = 0.5;

/** Approximate distance from the edge of the shield; negative outside of it. */
function measureDepth(x: number, y: number): number {
  const toSide = 0.5 - Math.abs(x - 0.5);
  if (y < shoulder) return Math.min(toSide, y);
  const arc = 0.5 * Math.sqrt(1 - ((y - shoulder) / (1 - shoulder)) ** 1.6);
  return Math.min(arc - Math.abs(x - 0.5), (1 - y) * 0.9);
}

function encodePng(rows: Buffer): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits per sample; red, green, blue and opacity.
  header.set([8, 6, 0, 0, 0], 8);
  const parts = [
    createChunk('IHDR', header),
    createChunk('IDAT', deflateSync(rows, { level: 9 })),
    createChunk('IEND', Buffer.alloc(0)),
  ];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

function createChunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, checksum]);
}
