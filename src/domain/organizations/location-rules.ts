/**
 * Which locations of submissions a municipality publishes, and how exactly. They apply before anything is stored, and to everything
 * that is stored (src/store/records/limit-locations.ts).
 */
import { limits } from '../../contract/field-schemas.ts';
import type { Point } from '../../contract/resources/extension-fields.ts';

/** Three move a point by at most 56 metres to the north and, in Germany, by 38 to the east; four by a tenth of it. */
export const locationDecimals = [3, 4] as const;

/** From south to north, rounded. */
export const metresPerStep = (decimals: number): number => 10 ** (5 - decimals);

export interface LocationRules {
  /** Of degrees; null: no location is published. */
  decimals: number | null;
  /** As `normalizeTopic` returns them. */
  topicsWithout: ReadonlySet<string>;
}

/** Characters of all topics. The audit log has them before and after a change. */
const maxTopicsLength = 2_000;

/** @returns the stored form: a topic on each line; undefined for an invalid topic, and without topics */
export function parseTopics(text: string): string | undefined {
  const topics = text
    .normalize('NFC')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const stored = topics.join('\n');
  const isValid = topics.every((topic) => topic.length <= limits.word && !/\p{Cc}/u.test(topic));
  return isValid && stored !== '' && stored.length <= maxTopicsLength ? stored : undefined;
}

/** Topics are compared without case, and with single blanks. */
const normalizeTopic = (topic: string): string =>
  topic.normalize('NFKC').trim().replaceAll(/\s+/g, ' ').toLowerCase();

/** @param topics as `parseTopics` returns them */
export const createLocationRules = (decimals: number | null, topics: string | null): LocationRules => ({
  decimals,
  topicsWithout: new Set(topics?.split('\n').map(normalizeTopic)),
});

/** Some records have several topics: those of the source, and a corrected one. @returns null: it is not published */
export function limitLocation(
  location: Point | null,
  topics: readonly (string | null)[],
  { decimals, topicsWithout }: LocationRules,
): Point | null {
  if (location === null || decimals === null) return null;
  if (topics.some((topic) => topic !== null && topicsWithout.has(normalizeTopic(topic)))) return null;
  const [longitude, latitude] = location.coordinates;
  return {
    type: 'Point',
    coordinates: [roundDegrees(longitude, decimals), roundDegrees(latitude, decimals)],
  };
}

/** Half away from zero. Reads the decimal digits, because 13.4055 is less than that as a binary number. */
function roundDegrees(degrees: number, decimals: number): number {
  const [digits, exponent = '0'] = String(Math.abs(degrees)).split('e');
  const rounded = Math.round(Number(`${digits}e${Number(exponent) + decimals}`));
  // Without -0, which JSON does not have.
  return Math.sign(degrees) * Number(`${rounded}e-${decimals}`) || 0;
}
