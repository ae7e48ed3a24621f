/** Characters that XML cannot contain are `_xHHHH_` in Excel files (ECMA-376, part 1, 22.9.2.19). */
export function decodeEscapes(text: string): string {
  const decoded = text.includes('_x')
    ? text.replaceAll(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
  return decoded.includes('\r') ? decoded.replaceAll(/\r\n?/g, '\n') : decoded;
}
