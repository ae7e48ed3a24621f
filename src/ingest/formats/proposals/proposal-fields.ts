/** Field parsers for the exports of Decidim and CONSUL, which are both written in Ruby on Rails. */
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { writesMonthFirst } from '../../records/day-month-order.ts';
import { parseWholeNumber } from '../../records/field-validation.ts';
import { convertMarkup, convertMarkupLine } from '../../records/html-to-text.ts';
import { parseSourceTime } from '../../records/plausible-dates.ts';
import type { FormatReadOptions } from '../format-definition.ts';

/** @returns title, blank line and text, without markup @throws InvalidFieldError without a title */
export function joinTitleAndText(title: string | undefined, text: string | undefined): string {
  const heading = convertMarkupLine(title ?? '');
  if (heading === '') throw new InvalidFieldError({ code: 'field-missing', field: 'title' });
  const body = convertMarkup(text ?? '');
  return body === '' ? heading : `${heading}\n\n${body}`;
}

/**
 * Parses ISO 8601 and the formats of Ruby: `2023-05-04 10:11:12 UTC`, `2023-05-04 10:11:12 +0200`, `2023-05-04 10`, or
 * `04/05/2023 10:11:12`. The country of the municipality decides whether 04/05 is in April.
 *
 * @param name of the column, for error messages
 * @throws InvalidFieldError
 */
export function parseProposalTime(
  name: string,
  text: string,
  { timeZone, country = '' }: Pick<FormatReadOptions, 'timeZone' | 'country'>,
): string {
  const isMonthFirst = writesMonthFirst(country);
  const slashDate = /^(\d{2})\/(\d{2})\/(\d{4})(?!\d)/;
  const isoTime = text
    .trim()
    .replace(slashDate, isMonthFirst ? '$3-$1-$2' : '$3-$2-$1')
    .replace(/^(\d{2})\.(\d{2})\.(\d{4})(?!\d)/, '$3-$2-$1')
    .replace(/ ?UTC$/, 'Z')
    .replace(/ ([+-]\d{2}:?\d{2})$/, '$1')
    .replace(/^(\d{4}-\d{2}-\d{2} \d{2})$/, '$1:00');
  try {
    return parseSourceTime(name, isoTime, timeZone);
  } catch (error) {
    if (!(error instanceof InvalidFieldError) || !slashDate.test(text.trim())) throw error;
    throw new InvalidFieldError({ code: 'slash-date-invalid', field: name, isMonthFirst });
  }
}

/** @returns undefined for an empty text, because platforms can hide the number @throws InvalidFieldError */
export function parseSupportCount(name: string, text: string): number | undefined {
  const digits = text.trim();
  return digits === '' ? undefined : parseWholeNumber(name, digits);
}
