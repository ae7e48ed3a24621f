/** Recognises formats that no import reads, and names a remedy for each. */
import { InputError } from '../input-error.ts';

/** First bytes (hexadecimal) of such files. */
const binaryFormats = [
  ['377abcaf271c', 'file-is-7z'],
  ['526172211a07', 'file-is-rar'],
  ['fd377a585a00', 'file-is-xz'],
  ['28b52ffd', 'file-is-zstd'],
  ['425a68', 'file-is-bzip2'],
  ['255044462d', 'file-is-pdf'],
  ['53514c69746520666f726d6174203300', 'file-is-sqlite'],
] as const;

/** @throws InputError */
export function rejectBinaryFormat(name: string, head: Buffer): void {
  const start = head.toString('hex', 0, 16);
  const code = binaryFormats.find(([bytes]) => start.startsWith(bytes))?.[1];
  if (code !== undefined) throw new InputError({ code, file: name });
}

/** A comment ends at the first -->, so that hostile input cannot make the search take exponential time. */
const htmlStart =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body|meta|table)[\s>]/is;
const spreadsheetXml = /<\?mso-application\s+progid="Excel\.Sheet"|<office:document\s/;

/** @param text the first characters */
export const isWebPage = (text: string): boolean => htmlStart.test(text);

/** Programs export tables as web pages or XML with the extension of a spreadsheet. @throws InputError */
export function rejectMarkupFormat(name: string, text: string): void {
  if (isWebPage(text)) throw new InputError({ code: 'file-is-web-page', file: name });
  if (spreadsheetXml.test(text)) throw new InputError({ code: 'file-is-xml-spreadsheet', file: name });
}

/** Enough for the directory of most OLE files. */
export const maxOleHeadBytes = 16 * 1024 * 1024;

export const isOleFile = (head: Buffer): boolean => head.toString('hex', 0, 8) === 'd0cf11e0a1b11ae1';

/** Names of streams that tell such files apart. */
const oleStreams = [
  ['EncryptedPackage', 'file-is-encrypted'],
  ['Workbook', 'file-is-old-excel'],
  ['Book', 'file-is-old-excel'],
  ['WordDocument', 'file-is-word'],
] as const;

/**
 * Names the program behind an OLE compound file ([MS-CFB]), which old and encrypted Office documents are.
 *
 * @param head the file up to `maxOleHeadBytes`
 */
export function describeOleFile(name: string, head: Buffer): InputError {
  const names = listOleNames(head);
  const code = oleStreams.find(([stream]) => names.includes(stream))?.[1] ?? 'file-is-old-office';
  return new InputError({ code, file: name });
}

const oleEntryBytes = 128;

/** Reads one sector of the directory at a time: Office writes the streams above into the first one or two. */
function listOleNames(head: Buffer): string[] {
  if (head.length < 512) return [];
  const sectorBytes = 2 ** head.readUInt16LE(30);
  const start = (head.readUInt32LE(48) + 1) * sectorBytes;
  const names: string[] = [];
  for (
    let at = start;
    at < start + 2 * sectorBytes && at + oleEntryBytes <= head.length;
    at += oleEntryBytes
  ) {
    // The length includes the zero at the end.
    const nameBytes = head.readUInt16LE(at + 64);
    if (nameBytes >= 2 && nameBytes <= 64) names.push(head.toString('utf16le', at, at + nameBytes - 2));
  }
  return names;
}
