/** Builds zip archives, also such that no program writes. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipContent {
  name: string;
  content: string | Buffer;
  /** Default: deflate. */
  method?: 'store' | 'deflate';
  /** What the archive says, instead of the truth. */
  declaredSize?: number;
  isEncrypted?: true;
  /** Compression method that the archive names. */
  declaredMethod?: number;
  checksum?: number;
}

/** @param zip64 writes sizes and counts in the records for large archives */
export function buildZip(contents: readonly ZipContent[], { zip64 = false } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of contents) {
    const bytes = Buffer.from(entry.content);
    const packed = entry.method === 'store' ? bytes : deflateRawSync(bytes);
    const name = Buffer.from(entry.name);
    const size = entry.declaredSize ?? bytes.length;
    const fixed = (signature: number, isCentral: boolean) => {
      const header = Buffer.alloc(isCentral ? 46 : 30);
      const at = isCentral ? 2 : 0;
      header.writeUInt32LE(signature, 0);
      if (isCentral) header.writeUInt16LE(45, 4);
      header.writeUInt16LE(45, 4 + at);
      header.writeUInt16LE(0x800 | (entry.isEncrypted ? 1 : 0), 6 + at);
      header.writeUInt16LE(entry.declaredMethod ?? (entry.method === 'store' ? 0 : 8), 8 + at);
      header.writeUInt32LE(entry.checksum ?? crc32(bytes), 14 + at);
      header.writeUInt32LE(zip64 ? 0xffffffff : packed.length, 18 + at);
      header.writeUInt32LE(zip64 ? 0xffffffff : size, 22 + at);
      header.writeUInt16LE(name.length, 26 + at);
      return header;
    };
    const extra = zip64 ? buildZip64Extra(size, packed.length, offset) : Buffer.alloc(0);
    const local = fixed(0x04034b50, false);
    local.writeUInt16LE(extra.length, 28);
    const central = fixed(0x02014b50, true);
    central.writeUInt16LE(extra.length, 30);
    central.writeUInt32LE(zip64 ? 0xffffffff : offset, 42);
    directory.push(central, name, extra);
    parts.push(local, name, extra, packed);
    offset += local.length + name.length + extra.length + packed.length;
  }
  const central = Buffer.concat(directory);
  return Buffer.concat([...parts, central, ...buildEnd(contents.length, central.length, offset, zip64)]);
}

function buildZip64Extra(size: number, packed: number, offset: number): Buffer {
  const extra = Buffer.alloc(28);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(24, 2);
  extra.writeBigUInt64LE(BigInt(size), 4);
  extra.writeBigUInt64LE(BigInt(packed), 12);
  extra.writeBigUInt64LE(BigInt(offset), 20);
  return extra;
}

function buildEnd(count: number, length: number, offset: number, zip64: boolean): Buffer[] {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(zip64 ? 0xffff : count, 8);
  end.writeUInt16LE(zip64 ? 0xffff : count, 10);
  end.writeUInt32LE(zip64 ? 0xffffffff : length, 12);
  end.writeUInt32LE(zip64 ? 0xffffffff : offset, 16);
  if (!zip64) return [end];
  const record = Buffer.alloc(56);
  record.writeUInt32LE(0x06064b50, 0);
  record.writeBigUInt64LE(44n, 4);
  record.writeUInt16LE(45, 12);
  record.writeUInt16LE(45, 14);
  record.writeBigUInt64LE(BigInt(count), 24);
  record.writeBigUInt64LE(BigInt(count), 32);
  record.writeBigUInt64LE(BigInt(length), 40);
  record.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(offset + length), 8);
  locator.writeUInt32LE(1, 16);
  return [record, locator, end];
}
