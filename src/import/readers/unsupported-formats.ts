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
