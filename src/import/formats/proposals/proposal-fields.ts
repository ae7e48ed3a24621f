/** What exports of the participation platforms written in Ruby on Rails, Decidim and CONSUL, have in common. */

import { parseTimestamp } from '../../../domain/timestamps.ts';
import { InvalidFieldError } from '../../field-validation.ts';
import { convertMarkup, convertMarkupLine } from '../../html-to-text.ts';

/**
 * Title, blank line, text, as plain text.
 *
 * @throws InvalidFieldError without a title
 */
export function joinTitleAndText(title: string | undefined, text: string | undefined): string {
  const heading = convertMarkupLine(title ?? '');
  if (heading === '') throw new InvalidFieldError('title is missing');
  const body = convertMarkup(text ?? '');
  return body === '' ? heading : `${heading}\n\n${body}`;
}

/**
 * A time as Ruby writes it, `2023-05-04 10:11:12 UTC` or `… +0200`, as ISO 8601, to the hour alone, or with the
 * day first as in `04/05/2023 10:11:12`, in the published form.
 *
 * @param name of the column, for the message of a refusal
 * @throws InvalidTimestampError
 */
export function parseProposalTime(name: string, text: string, timeZone: string | undefined): string {
  const spelt = text
    .trim()
    .replace(/^(\d{2})[/.](\d{2})[/.](\d{4})(?!\d)/, '$3-$2-$1')
    .replace(/ ?UTC$/, 'Z')
    .replace(/ ([+-]\d{2}:?\d{2})$/, '$1')
    .replace(/^(\d{4}-\d{2}-\d{2} \d{2})$/, '$1:00');
  return parseTimestamp(name, spelt, timeZone);
}

/**
 * undefined: it is empty, as where the number is hidden.
 *
 * @throws InvalidFieldError for what is no whole number
 */
export function parseSupportCount(name: string, text: string): number | undefined {
  const digits = text.trim();
  if (digits === '') return undefined;
  if (/^\d{1,10}$/.test(digits)) return Number(digits);
  throw new InvalidFieldError(`${name} must be a whole number`);
}
