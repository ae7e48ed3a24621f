/** Content codings in the order of preference among equal weights. docs/decisions/0051 has the measurements. */
export const contentEncodings = ['zstd', 'br', 'gzip'] as const;

export type ContentEncoding = (typeof contentEncodings)[number];

/** A coding with an optional weight (RFC 9110, 12.4.2). */
const codingPattern = /^[ \t]*([^ \t;]+)[ \t]*(?:;[ \t]*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)[ \t]*)?$/i;

/**
 * Chooses the coding of a response (RFC 9110, 12.5.3).
 *
 * @param acceptEncoding value of `Accept-Encoding`
 * @returns undefined for a response without a coding, which clients that accept no offered coding get, too
 */
export function negotiateEncoding(acceptEncoding: string | undefined): ContentEncoding | undefined {
  if (acceptEncoding === undefined) return undefined;
  const weights = new Map<string, number>();
  for (const part of acceptEncoding.split(',')) {
    const [, coding, weight = '1'] = codingPattern.exec(part) ?? [];
    if (coding !== undefined) weights.set(coding.toLowerCase(), Number(weight));
  }
  const weightOfOthers = weights.get('*') ?? 0;
  let best: ContentEncoding | undefined;
  let bestWeight = weights.get('identity') ?? 0;
  for (const encoding of contentEncodings) {
    const weight = weights.get(encoding) ?? weightOfOthers;
    if (weight > bestWeight || (best === undefined && weight > 0 && weight === bestWeight)) {
      best = encoding;
      bestWeight = weight;
    }
  }
  return best;
}
