/** Writes the values of cells as text: numbers as they are meant, dates in ISO 8601. */

/** Derived from the number format of a cell. */
export type NumberKind = 'number' | 'date' | 'dateTime' | 'time' | 'timeWithSeconds' | { digits: number };

/** Built-in formats of ECMA-376, part 1, 18.8.30, with those of East Asian languages. */
export function classifyBuiltInFormat(id: number): NumberKind {
  if ((id >= 14 && id <= 17) || (id >= 27 && id <= 31) || id === 36 || (id >= 50 && id <= 58)) return 'date';
  if (id === 22) return 'dateTime';
  if (id === 18 || id === 20 || id === 32 || id === 34) return 'time';
  if (id === 19 || id === 21 || id === 33 || id === 35 || (id >= 45 && id <= 47)) return 'timeWithSeconds';
  return 'number';
}

/** Characters of a number format in Excel. */
export const maxFormatLength = 255;

/** @param code a number format such as `DD.MM.YYYY HH:MM`, `[h]:mm` or `00000`, of at most `maxFormatLength` characters */
export function classifyNumberFormat(code: string): NumberKind {
  const [positive = ''] = code.split(';', 1);
  const letters = positive
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .replaceAll(/\[(?![hms]+\])[^[\]]*\]/gi, '')
    .replace(/general/i, '')
    .replaceAll(/am\/pm|a\/p/gi, '')
    .toLowerCase();
  const hasTime = /[hs]/.test(letters);
  if (/[dy]/.test(letters) || (letters.includes('m') && !hasTime)) return hasTime ? 'dateTime' : 'date';
  if (hasTime) return letters.includes('s') ? 'timeWithSeconds' : 'time';
  const [zeros = ''] = /^0{2,}$/.exec(letters) ?? [];
  return zeros === '' ? 'number' : { digits: zeros.length };
}

/** Significant digits that spreadsheet programs show and keep. */
const precision = 15;

/**
 * Keeps whole numbers as they are in the file. Rounds others to 15 digits, which removes artefacts such as
 * 0.30000000000000004, and writes them without exponent.
 *
 * @returns undefined if the text is not a number
 */
export function formatNumber(text: string): string | undefined {
  if (/^-?\d+$/.test(text)) return text;
  const value = Number(text);
  if (text === '' || !Number.isFinite(value)) return undefined;
  return expandExponent(String(Number(value.toPrecision(precision))));
}

function expandExponent(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (exponent === undefined) return text;
  const digits = whole + fraction;
  const point = whole.length + Number(exponent);
  if (point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  if (point >= digits.length) return `${sign}${digits.padEnd(point, '0')}`;
  return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}

const dayMs = 86_400_000;

/** 31 December 9999 in the 1900 system. */
const maxSerial = 2_958_466;

/** Days. A longer time is a date with a time, of which only the time is shown. */
const maxDuration = 10_000;

/**
 * @param serial days since the start of the date system
 * @param is1904 whether days count from 1904-01-01, as in old files of Excel for Mac
 * @returns undefined if the number is no date
 */
export function formatSerial(
  serial: number,
  kind: Exclude<NumberKind, 'number' | { digits: number }>,
  is1904: boolean,
): string | undefined {
  if (!(serial >= 0 && serial < maxSerial)) return undefined;
  // Fractions of a second are rounding errors of the fraction of a day.
  const timeMs = Math.round(serial * 86_400) * 1000;
  if (kind === 'time' || kind === 'timeWithSeconds')
    return formatDuration((serial > maxDuration ? timeMs % dayMs : timeMs) / 1000, kind);
  // The 1900 system counts 29 February 1900, which did not exist.
  const epoch = is1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30);
  const iso = new Date(epoch + timeMs).toISOString().slice(0, 19);
  return kind === 'date' && timeMs % dayMs === 0 ? iso.slice(0, 10) : iso;
}

/** @returns `HH:mm` or `HH:mm:ss`; durations may have more than 24 hours */
export function formatDuration(seconds: number, kind: 'time' | 'timeWithSeconds'): string {
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60)];
  const short = `${twoDigits(hours)}:${twoDigits(minutes)}`;
  return kind === 'time' ? short : `${short}:${twoDigits(Math.floor(seconds % 60))}`;
}
