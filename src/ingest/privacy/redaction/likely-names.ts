/**
 * Finds where a text probably names a person. Too many are missed for a replacement: it only decides which texts a person reads first.
 */
import { findMatches, type TextRange } from './replace-ranges.ts';

interface LikelyName extends TextRange {
  /** How sure it is. */
  weight: number;
}

/** One or two words that begin with a capital letter, of which the second may be behind an initial or a "von". */
const name = String.raw`\p{Lu}[\p{L}'’-]{1,30}(?: (?:\p{Lu}\. |von |van |de |zu )?\p{Lu}[\p{L}'’-]{1,30})?`;
const fullName = String.raw`\p{Lu}[\p{L}'’-]{1,30} (?:\p{Lu}\. |von |van |de |zu )?\p{Lu}[\p{L}'’-]{1,30}`;
const start = String.raw`(?<![\p{L}\p{N}])`;

const patterns: readonly { weight: number; pattern: RegExp }[] = [
  // A greeting at the end, in German, English, French and Dutch.
  {
    weight: 3,
    pattern: new RegExp(
      `(?=\\p{Lu})(?<=${start}(?:(?:[Ff]reundliche[nr]?|[Vv]iele|[Ll]iebe|[Bb]este|[Hh]erzliche) Grü(?:ß|ss)en?|MfG|[Kk]ind [Rr]egards|[Bb]est [Rr]egards|[Yy]ours (?:sincerely|faithfully)|[Cc]ordialement|[Mm]et vriendelijke groet),?\\s{1,4})${name}`,
      'gu',
    ),
  },
  {
    weight: 3,
    pattern: new RegExp(
      `(?=\\p{Lu})(?<=${start}(?:[Mm]ein Name ist|[Ii]ch hei(?:ß|ss)e|[Mm]y name is|[Jj]e m['’]appelle|[Mm]e llamo|[Mm]ijn naam is) )${name}`,
      'gu',
    ),
  },
  {
    weight: 2,
    pattern: new RegExp(
      `${start}(?:Herrn?|Frau|Familie|Fam\\.|Hr\\.|Fr\\.|Dr\\.|Prof\\.|Mrs?\\.?|Ms\\.?|Madame|Monsieur|Mme|Señora?|Mevrouw|Meneer) ${name}`,
      'gu',
    ),
  },
  {
    weight: 1,
    pattern: new RegExp(
      `${start}(?:Nachbar(?:in|n)?|Anwohner(?:in)?|Hausmeister(?:in)?|Eigentümer(?:in)?|[Nn]eighbou?r|[Ll]andlord|[Oo]wner) ${fullName}`,
      'gu',
    ),
  },
];

/** @returns in order, without overlap */
export function findLikelyNames(text: string): LikelyName[] {
  const found = patterns.flatMap(({ weight, pattern }) =>
    findMatches(text, pattern).map((range) => ({ ...range, weight })),
  );
  const sorted = found.sort((one, other) => one.start - other.start);
  let end = 0;
  return sorted.filter((range) => {
    if (range.start < end) return false;
    end = range.end;
    return true;
  });
}
