/** Derives the name of a committee from the name of one of its meetings. */

/** Characters. Longer names are rejected later. */
const maxLength = 1_000;

const attendanceStart = String.raw`(?:nicht\W*)?t?öffentlich`;
const attendance = String.raw`${attendanceStart}\w*`;
const occasion = String.raw`(?:(?:ordentliche|außerordentliche|konstituierende|konst\.|gemeinsame)\s+)?(?:sonder)?sitzung`;
const day = String.raw`(?:\w{2,10},?\s+)?(?:den\s+)?\d{1,2}\.\s*(?:\d{1,2}\.\s*|(?:jan|feb|mär|apr|mai|jun|jul|aug|sep|okt|nov|dez)\w*\.?\s+)\d{2,4}`;
const numbered = String.raw`(?:nr\.\s*)?\d{1,4}\.?(?:\s*\([^()]*\))?\s*(?:${attendance}\s+)?${occasion}(?:\s+(?:in\s+)?(?:\d{4}(?:\s*[-/]\s*\d{2,4})?))?`;
const replacement = String.raw`ersatz(?:termin|sitzung)?\s+für\s+(?:die|den)\s+(?:abgesagte|ausgefallene|entfallene|verschobene)n?\s+(?:sitzung|termin)`;
const note = `(?:${replacement}|${numbered}|${attendance}(?:\\s*\\/\\s*${attendance})?|${occasion}|(?:sitzung\\s+)?(?:am|vom)\\s+${day}|${day})`;

/** `(öffentlich/nicht öffentlich)`, at any place. In all of these, white space is a single blank. */
const attendanceNote = new RegExp(String.raw` ?\( ?${attendanceStart}[^()]*\)+`, 'giu');
const bracketedNote = new RegExp(String.raw` ?[([] ?(?:${note}) ?[)\]]`, 'giu');
const trailingNote = new RegExp(`(?: ?[-–—,:/|] ?| )(?:${note}) ?$`, 'iu');
const leadingNote = new RegExp(String.raw`^(?:${note})\s*[-–—,:/|]\s*`, 'iu');
const leadingOccasion = new RegExp(
  String.raw`^(?:${numbered}|(?:${attendance}\s+)?${occasion})(?:\s+(?<article>des|der|vom))?\s+`,
  'iu',
);

const onlyReplacement = new RegExp(`^${replacement}$`, 'iu');

/** After "Sitzung des", the first word is in the genitive. Words with other endings are ambiguous. */
const genitives: readonly (readonly [ending: RegExp, nominative: string])[] = [
  [/ausschusses$/i, 'ausschuss'],
  [/rate?s$/i, 'rat'],
  [/tage?s$/i, 'tag'],
  [/kreises$/i, 'kreis'],
  [/gremiums$/i, 'gremium'],
];

/**
 * Removes numbers, dates, attendance and kinds of meetings: `Bauausschuss (29. Sitzung)`, `29. Sitzung des Bauausschusses`
 * and `Bauausschuss - Sondersitzung (öffentlich)` become `Bauausschuss`. A name that has nothing else is unchanged, and so
 * are joint meetings of several committees.
 */
export function deriveCommitteeName(meetingName: string): string {
  const [firstLine = ''] = meetingName.trim().split(/[\r\n]/, 1);
  if (firstLine.length > maxLength) return firstLine;
  let name = firstLine.replace(/\s+/g, ' ').replace(attendanceNote, '').trim();
  for (let before = ''; before !== name; ) {
    before = name;
    const shorter = removeNotes(name);
    if (/\p{L}{2}/u.test(shorter)) name = shorter;
  }
  return name;
}

function removeNotes(name: string): string {
  // Otherwise its last word would be removed.
  if (onlyReplacement.test(name)) return name;
  const withoutNotes = name
    .replace(bracketedNote, '')
    .replace(trailingNote, '')
    .replace(leadingNote, '')
    .trim();
  const occasion = leadingOccasion.exec(withoutNotes);
  if (occasion === null || /^gemeinsame/i.test(withoutNotes)) return withoutNotes;
  const rest = withoutNotes.slice(occasion[0].length);
  if (!/^(?:des|vom)$/i.test(occasion.groups?.article ?? '')) return rest;
  return toNominative(rest) ?? withoutNotes;
}

/** @returns undefined if the first word has an unknown ending */
function toNominative(genitive: string): string | undefined {
  const [word = ''] = genitive.split(/[\s,]/, 1);
  const found = genitives.find(([ending]) => ending.test(word));
  if (found === undefined) return undefined;
  const [ending, nominative] = found;
  const stem = word.replace(ending, '');
  const capital = `${nominative.charAt(0).toUpperCase()}${nominative.slice(1)}`;
  return `${stem === '' ? capital : stem + nominative}${genitive.slice(word.length)}`;
}
