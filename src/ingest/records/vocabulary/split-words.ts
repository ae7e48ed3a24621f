/** Compares words of any language without case, accents and punctuation. */

/** @returns the words of a text in lower case, without accents. `caseTitle` equals `CASE_TITLE`, and `SRStatus` is `SR_Status`. */
export function splitWords(text: string): string[] {
  return (
    text
      // Soft hyphens and zero-width characters.
      .replace(/\p{Cf}/gu, '')
      .replace(/ß/g, 'ss')
      // Not public, in German: no "No".
      .replace(/(?<!\p{L})n(?:ö|o\u0308)(?!\p{L})/giu, 'noe')
      // The only letters of these languages that Unicode does not decompose.
      .replace(/[łŁ]/g, 'l')
      .replace(/(?<=l)·(?=l)/gi, '')
      .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
      // The plural of an acronym, such as `URLs`, is one word.
      .replace(/(\p{Lu})(?!\p{Lu}s(?!\p{L}))(\p{Lu}\p{Ll})/gu, '$1 $2')
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== '')
  );
}

/** @returns the text as `splitWords` returns it, also with ae for ä and so on, if it has umlauts */
export function spellVariants(text: string): string[] {
  const umlauts: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue' };
  const transcribed = text.replace(/[äöü]/g, (letter) => umlauts[letter] as string);
  return [...new Set([text, transcribed].map((spelling) => splitWords(spelling).join(' ')))];
}
