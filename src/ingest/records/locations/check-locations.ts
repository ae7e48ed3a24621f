/** Checks the locations of all formats, before and after they are rounded. */
import type { Point } from '../../../contract/resources/extension-fields.ts';
import type { LocationProblem } from '../../../domain/reasons/en/rejections.ts';
import type { Reason } from '../../../domain/reasons/reason.ts';

type Box = readonly [west: number, south: number, east: number, north: number];

/** The European part of each country, and the states of the USA. Nowhere does a box overlap with itself if latitude and longitude are swapped. */
const boxes: Readonly<Record<string, Box>> = {
  AT: [9.5, 46.3, 17.2, 49.1],
  BE: [2.5, 49.4, 6.5, 51.6],
  CH: [5.9, 45.8, 10.6, 47.9],
  CZ: [12, 48.5, 18.9, 51.1],
  DE: [5.8, 47.2, 15.1, 55.1],
  DK: [8, 54.5, 15.2, 57.8],
  ES: [-9.4, 35.9, 4.4, 43.9],
  FR: [-5.2, 41.3, 9.7, 51.2],
  GB: [-8.7, 49.8, 1.8, 60.9],
  IT: [6.6, 36.6, 18.6, 47.1],
  LI: [9.4, 47, 9.7, 47.3],
  LU: [5.7, 49.4, 6.6, 50.2],
  NL: [3.3, 50.7, 7.3, 53.6],
  PL: [14.1, 49, 24.2, 54.9],
  PT: [-9.6, 36.9, -6.1, 42.2],
  US: [-180, 18.9, -66.9, 71.5],
};

const contains = ([west, south, east, north]: Box, longitude: number, latitude: number): boolean =>
  longitude >= west && longitude <= east && latitude >= south && latitude <= north;

/**
 * Swapped coordinates can be told only if the point is outside of the country, and the swapped one inside. A point outside alone is
 * published: the country may be that of the installation.
 *
 * @param country ISO 3166 code of the municipality
 */
export function findLocationProblem(
  { coordinates: [longitude, latitude] }: Point,
  country: string | undefined,
): LocationProblem | undefined {
  if (longitude === 0 && latitude === 0) return 'zero';
  const box = country === undefined ? undefined : boxes[country];
  const isSwapped =
    box !== undefined && !contains(box, longitude, latitude) && contains(box, latitude, longitude);
  return isSwapped ? 'swapped' : undefined;
}

/** Many records at one point have that of the town hall, or of a missing one. */
const minRepeated = 100;
const minRepeatedShare = 0.1;
/** Different points that are counted. */
const maxPoints = 100_000;

/** Counts the published points. */
export function createPointCounter() {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    add: ({ coordinates }: Point): void => {
      total += 1;
      const key = coordinates.join();
      const known = counts.get(key);
      if (known !== undefined || counts.size < maxPoints) counts.set(key, (known ?? 0) + 1);
    },
    notes: (): Reason[] => {
      const most = counts.values().reduce((most, count) => Math.max(most, count), 0);
      const isMany = most >= minRepeated && most >= minRepeatedShare * total;
      return isMany ? [{ code: 'locations-repeated', count: most, total }] : [];
    },
  };
}
