/** Recognises formats that no import reads, and names a remedy for each. */
import { InputError } from '../input-error.ts';

/** Local file header, an archive without files, and an archive in parts. */
export const isZip = (head: Buffer): boolean =>
  ['504b0304', '504b0506', '504b0708'].includes(head.toString('hex', 0, 4));

/** First bytes (hexadecimal), and the end of a message on such files. */
const binaryFormats: readonly [start: string, description: string][] = [
  ['377abcaf271c', 'a 7z archive: unpack it and import its files'],
  ['526172211a07', 'a rar archive: unpack it and import its files'],
  ['fd377a585a00', 'compressed with xz: decompress it, or use gzip'],
  ['28b52ffd', 'compressed with Zstandard: decompress it, or use gzip'],
  ['425a68', 'compressed with bzip2: decompress it, or use gzip'],
  ['255044462d', 'a PDF document: ask for its data as CSV or JSON'],
  ['53514c69746520666f726d6174203300', 'an SQLite database: export its tables as CSV'],
];

/** @throws InputError */
export function rejectBinaryFormat(name: string, head: Buffer): void {
  const start = head.toString('hex', 0, 16);
  const description = binaryFormats.find(([bytes]) => start.startsWith(bytes))?.[1];
  if (description !== undefined) throw new InputError(`${name} is ${description}.`);
}

/** A comment ends at the first -->, so that hostile input cannot make the search take exponential time. */
const htmlStart =
  /^\s*(?:<\?xml[^>]*>\s*)?(?:<!--(?:(?!-->).)*-->\s*)*<(?:!doctype\s+html|html|head|body|meta|table)[\s>]/is;
const spreadsheetXml = /<\?mso-application\s+progid="Excel\.Sheet"|<office:document\s/;

/** @param text the first characters */
export const isWebPage = (text: string): boolean => htmlStart.test(text);

/** Programs export tables as web pages or XML with the extension of a spreadsheet. @throws InputError */
export function rejectMarkupFormat(name: string, text: string): void {
  if (isWebPage(text))
    throw new InputError(
      `${name} is a web page (HTML). If a spreadsheet program opens it as a table, save it as .xlsx. Otherwise fetch it again, because it may be a sign-in or error page.`,
    );
  if (spreadsheetXml.test(text))
    throw new InputError(
      `${name} is a spreadsheet in XML: open it in a spreadsheet program and save it as .xlsx.`,
    );
}
