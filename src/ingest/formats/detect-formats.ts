/** Detects the format of a file by its beginning. */
import type { Reason } from '../../domain/reasons/reason.ts';
import type { InputSample } from '../readers/input-sample.ts';
import type { Format } from './format-definition.ts';
import { formats } from './format-registry.ts';

interface DetectedFormat {
  format: Format;
  reason: Reason;
}

/** @returns the formats that fit; those that match every table come last, and not for a file that is nearly another one */
export function detectFormats(sample: InputSample): DetectedFormat[] {
  const isNear = describeNearFormat(sample) !== undefined;
  const fits = formats.flatMap((format) => {
    if (format.isFallback && isNear) return [];
    const reason = format.detect(sample);
    return reason === undefined ? [] : [{ format, reason }];
  });
  return fits.toSorted((a, b) => Number(a.format.isFallback ?? 0) - Number(b.format.isFallback ?? 0));
}

/** @returns a sentence on a file that no format can read, but that one recognises */
export function describeNearFormat(sample: InputSample): string | undefined {
  for (const { name, describeDefect } of formats) {
    const defect = describeDefect?.(sample);
    if (defect !== undefined) return `It looks like ${name}, but ${defect}.`;
  }
  return undefined;
}
