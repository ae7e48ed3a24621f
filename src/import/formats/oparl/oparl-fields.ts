/**
 * How OParl's words become ours. Pure functions on the reduced objects that the reader keeps.
 */

import { InvalidTimestampError, parseLocalTime, parseTimestamp } from '../../../domain/timestamps.ts';
import { fieldValidators, percentEncodeUrl } from '../../field-validation.ts';
import { convertMarkupLine } from '../../markup-to-text.ts';

/** Result texts that contain the left side, whatever the case, mean the right side; the first match counts. */
export type ResultTable = readonly (readonly [contains: string, status: string])[];

const rows = (status: string, words: string): ResultTable =>
  words.split(', ').map((word): [string, string] => [word, status]);

/** Negations come before the words that they contain, and words that say only by what majority come last. */
export const defaultResults: ResultTable = [
  ...rows('withdrawn', 'zurückgezogen'),
  ...rows(
    'rejected',
    'abgelehnt, ablehnung, nicht zugestimmt, nicht beschlossen, nicht angenommen, nicht genehmigt',
  ),
  ...rows('rejected', 'nicht befürwortet, nicht stattgegeben, keine zustimmung, zustimmung verweigert'),
  ...rows('rejected', 'zustimmung versagt, keine mehrheit, nicht mehrheitlich, stimmengleichheit'),
  ...rows('rejected', 'einstimmig nicht , mehrheitlich nicht '),
  ...rows(
    'in_review',
    'vertagung, verweisung, überweisung, zurückstellung, absetzung, nicht erledigt, unerledigt',
  ),
  ...rows(
    'accepted',
    'zugestimmt, beschlossen, angenommen, genehmigt, befürwortet, stattgegeben, antragsgemäß',
  ),
  ...rows('accepted', 'lt. beschlussvorschlag, laut beschlussvorschlag, gemäß beschlussvorschlag'),
  ...rows('accepted', 'gem. beschlussvorschlag, gemäß dem beschlussvorschlag'),
  ...rows('completed', 'kenntnisnahme, zur kenntnis, nimmt kenntnis, erledigt'),
  ...rows(
    'in_review',
    'verwiesen, überwiesen, vertagt, vorberaten, zurückgestellt, abgesetzt, empfohlen, empfehlung',
  ),
  ...rows('in_review', 'weiterbehandlung, wiedervorlage, weitere beratung'),
  ...rows('accepted', 'zustimmung, einstimmig, mehrheitlich, mit mehrheit'),
];

/** Types of papers that ask for something; compared like results. */
export const defaultPaperTypes: readonly string[] = ['antrag', 'anfrage'];

export function containsAny(text: string, words: readonly string[]): boolean {
  const lower = comparable(text);
  return words.some((word) => lower.includes(comparable(word)));
}

const comparable = (text: string) => text.normalize('NFC').toLowerCase();

/** undefined: the table has no rule for this text. */
export function statusOfResult(result: string, table: ResultTable): string | undefined {
  return table.find(([contains]) => containsAny(result, [contains]))?.[1];
}

/** A text or number of the source. An object has none, as a `toString` of its own would be called. */
export function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

interface OparlFile {
  name?: unknown;
  fileName?: unknown;
  accessUrl?: unknown;
}

/** The minutes of a meeting: of its results, else verbatim, else a file that is named as minutes. */
export function protocolUrl(meeting: Record<string, unknown>): string | null {
  const named = files(meeting.auxiliaryFile).filter((file) =>
    containsAny(`${toText(file.name)} ${toText(file.fileName)}`, ['protokoll', 'niederschrift']),
  );
  const candidates = [...files(meeting.resultsProtocol), ...files(meeting.verbatimProtocol), ...named];
  for (const { accessUrl } of candidates) {
    const address = typeof accessUrl === 'string' ? percentEncodeUrl(accessUrl) : undefined;
    if (address !== undefined && fieldValidators.submission.protocolUrl?.Check(address)) return address;
  }
  return null;
}

/** A file stands in OParl as an object; one that is only referred to has no address we could give. */
export function files(value: unknown): OparlFile[] {
  const list = Array.isArray(value) ? value : [value];
  return list.filter((entry): entry is OparlFile => typeof entry === 'object' && entry !== null);
}

export function hasFiles(paper: Record<string, unknown>): boolean {
  const { mainFile, auxiliaryFile } = paper;
  return Boolean(mainFile) || (Array.isArray(auxiliaryFile) && auxiliaryFile.length > 0);
}

/** The first keyword, else the paper's type; what no filter could ask for is no topic. */
export function topic(paper: Record<string, unknown>): string | null {
  const keywords = Array.isArray(paper.keyword) ? paper.keyword : [];
  for (const candidate of [keywords[0], paper.paperType]) {
    if (typeof candidate !== 'string') continue;
    const text = convertMarkupLine(candidate);
    if (text.isWellFormed() && fieldValidators.submission.topicCategoryName?.Check(text)) return text;
  }
  return null;
}

/**
 * Local date and time slot of a meeting. The end is given only where it is later on, within a day: half of
 * real meetings have midnight of the same day for an unknown end, and some end on another day by mistake.
 *
 * @throws InvalidTimestampError for a start that is missing or no time
 */
export function dateAndTimeSlot(
  start: unknown,
  end: unknown,
  timeZone: string,
): { date: string; timeSlot: string } {
  if (typeof start !== 'string') throw new InvalidTimestampError('start is missing');
  const from = parseTimestamp('start', start, timeZone);
  const { date, time } = parseLocalTime(from, timeZone);
  const to = knownTime(end, timeZone);
  if (to === undefined) return { date, timeSlot: time };
  const lastsMs = Date.parse(to) - Date.parse(from);
  const known = lastsMs > 0 && lastsMs < 86_400_000;
  return { date, timeSlot: known ? `${time}-${parseLocalTime(to, timeZone).time}` : time };
}

/** A time that a record can do without: what is no time is none. */
export function knownTime(value: unknown, timeZone: string): string | undefined {
  if (typeof value !== 'string') return undefined;
  try {
    return parseTimestamp('', value, timeZone);
  } catch (error) {
    if (error instanceof InvalidTimestampError) return undefined;
    throw error;
  }
}

/** A meeting's name without the note on who may attend: `Gemeinderat (öffentlich/nicht öffentlich)`. */
export function nameWithoutNote(name: string): string {
  return name.replace(/\s*\((nicht\s*)?öffentlich[^)]*\)?\s*$/i, '').trim();
}
