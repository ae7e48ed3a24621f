/** Reads the words in a web address, such as those of a file name. */

/** Bytes of UTF-8, or of an older server in Windows-1252. */
const utf8 = new TextDecoder('utf-8', { fatal: true });
const windows1252 = new TextDecoder('windows-1252');

const encodedBytes = /(?:%[\da-fA-F]{2})+/g;

/** Servers encode an address inside another one twice. */
const maxDecodings = 3;

/** @returns the address without percent-encoding, with blanks for underscores */
export function decodeUrlWords(url: string): string {
  let text = url.replaceAll('_', ' ');
  if (!text.includes('%')) return text;
  for (let count = 0; count < maxDecodings && text.includes('%'); count += 1)
    text = text.replaceAll(encodedBytes, decodeBytes);
  return text.replaceAll('_', ' ').normalize('NFC');
}

function decodeBytes(encoded: string): string {
  const bytes = Buffer.from(encoded.replaceAll('%', ''), 'hex');
  try {
    return utf8.decode(bytes).replaceAll('\0', ' ');
  } catch {
    return windows1252.decode(bytes).replaceAll('\0', ' ');
  }
}
