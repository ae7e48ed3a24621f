/** Names the program behind OLE compound files ([MS-CFB]), which old and encrypted Office documents are. */
import { InputError } from '../input-error.ts';

/** Enough for the directory of most files. */
export const maxOleHeadBytes = 16 * 1024 * 1024;

export const isOleFile = (head: Buffer): boolean => head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1';

/** Names of streams that tell such files apart. */
const streams = [
  ['EncryptedPackage', 'file-is-encrypted'],
  ['Workbook', 'file-is-old-excel'],
  ['Book', 'file-is-old-excel'],
  ['WordDocument', 'file-is-word'],
] as const;

/** @param head the file up to `maxOleHeadBytes` */
export function describeOleFile(name: string, head: Buffer): InputError {
  const names = listDirectoryNames(head);
  const code = streams.find(([stream]) => names.includes(stream))?.[1] ?? 'file-is-old-office';
  return new InputError({ code, file: name });
}

const entryBytes = 128;

/** Reads one sector of the directory at a time: Office writes the streams above into the first one or two. */
function listDirectoryNames(head: Buffer): string[] {
  if (head.length < 512) return [];
  const sectorBytes = 2 ** head.readUInt16LE(30);
  const start = (head.readUInt32LE(48) + 1) * sectorBytes;
  const names: string[] = [];
  for (let at = start; at < start + 2 * sectorBytes && at + entryBytes <= head.length; at += entryBytes) {
    // The length includes the zero at the end.
    const nameBytes = head.readUInt16LE(at + 64);
    if (nameBytes >= 2 && nameBytes <= 64) names.push(head.toString('utf16le', at, at + nameBytes - 2));
  }
  return names;
}
