/** Finds the columns of a location. The mapping alone publishes nothing: municipality and source must allow locations. */
import type { Evidence } from '../../../../domain/sources/suggested-mapping.ts';
import { readCoordinates, readPoint } from '../../../records/locations/read-point.ts';
import { rankColumnName } from '../../../records/vocabulary/vocabulary.ts';
import type { RankedCandidate } from './rank-candidates.ts';
import type { ScannedColumn } from './scan-column.ts';

const context = { readsLocations: true, observer: {} };

/** Of the cells that are examined. */
const minPointShare = 0.5;

const isMostly = (count: number, values: readonly string[]) =>
  values.length > 0 && count > values.length * minPointShare;

/** Two columns with the names of latitude and longitude come before one with points. */
export function findLocations(columns: readonly ScannedColumn[]): RankedCandidate[] {
  const [latitude, longitude] = (['latitude', 'longitude'] as const).map((field) =>
    findNamed(columns, field),
  );
  const pairs = latitude && longitude && latitude !== longitude ? toPair(latitude, longitude) : [];
  return [...pairs, ...columns.flatMap(toSingle)];
}

const findNamed = (columns: readonly ScannedColumn[], field: 'latitude' | 'longitude') =>
  columns
    .flatMap((column) => {
      const known = rankColumnName(field, column.summary.name);
      return known === undefined ? [] : [{ column, known }];
    })
    .toSorted((one, other) => one.known.rank - other.known.rank)[0];

type Named = NonNullable<ReturnType<typeof findNamed>>;

function toPair(latitude: Named, longitude: Named): RankedCandidate[] {
  const [north, east] = [latitude.column.values, longitude.column.values];
  const points = north.filter((value, index) => readCoordinates([value, east[index]], context) !== null);
  if (!isMostly(points.length, north)) return [];
  const columns = [latitude.column.summary.name, longitude.column.summary.name];
  const evidence: Evidence[] = [latitude, longitude].map(({ column, known }) => ({
    kind: 'name',
    word: known.spelling,
    column: column.summary.name,
  }));
  return [{ columns, mapping: { columns }, evidence, isLikely: true }];
}

function toSingle({ summary: { name, filled }, values }: ScannedColumn): RankedCandidate[] {
  const points = values.filter((value) => readPoint(value, context) !== null);
  if (!isMostly(points.length, values)) return [];
  const evidence: Evidence[] = [
    { kind: 'numbers', matched: points.length, filled: Math.min(filled, values.length) },
  ];
  return [{ columns: [name], mapping: name, evidence, isLikely: true }];
}
