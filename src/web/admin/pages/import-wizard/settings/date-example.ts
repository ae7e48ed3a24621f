/** Date patterns by example, in the language of the page. */

import { formatDateExample } from '../../../../../domain/reasons/date-example.ts';
import { splitDatePatterns } from '../../../../../domain/sources/join-date-patterns.ts';
import type { PageContext } from '../../../requests/page-context.ts';

/** Patterns that a person can choose for any column. */
export const commonDatePatterns = [
  'DD.MM.YYYY',
  'DD.MM.YYYY HH:mm',
  'YYYY-MM-DD',
  'ISO',
  'DD/MM/YYYY',
  'MM/DD/YYYY',
];

/**
 * @param patterns several are joined, as in `ISO | DD.MM.YYYY`
 * @param files of the table. Workbooks have dates, which programs show as their users know them, and Rostra reads as ISO.
 */
export function dateExample(
  patterns: string,
  files: readonly string[],
  { text, format, language }: PageContext,
): string {
  const { orPattern, withOrWithoutTime } = text.importSettings.mapping;
  const isWorkbook = files.some((name) => /\.(?:xls[xm]|ods)$/i.test(name));
  return [splitDatePatterns(patterns)]
    .flat()
    .map((pattern) => {
      if (pattern.toLowerCase() !== 'iso') return formatDateExample(pattern, language);
      return withOrWithoutTime(isWorkbook ? format.day('2026-03-17') : formatDateExample(pattern, language));
    })
    .join(` ${orPattern} `);
}
