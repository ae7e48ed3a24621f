/**
 * Reads points as sources write them: two numbers, WKT and GeoJSON. Invalid points are left out with a note; nothing is
 * guessed. `check-locations.ts` checks the points of all formats.
 */
import type { Point } from '../../../contract/resources/extension-fields.ts';
import type { LocationProblem } from '../../../domain/reasons/en/rejections.ts';
import {
  type CoordinateOrder,
  findReferenceSystem,
  getUsualOrder,
  type ReferenceSystem,
  wgs84,
} from '../../../domain/sources/reference-systems.ts';
import { isObject } from '../field-validation.ts';
import type { RecordOptions } from '../parse-record.ts';
import { convertToDegrees } from './convert-coordinates.ts';

type PointContext = Pick<RecordOptions, 'readsLocations' | 'observer'>;

export interface PointOptions {
  /** Default: WGS 84. */
  system?: ReferenceSystem | undefined;
  /** Of two numbers. WKT and GeoJSON begin with the longitude. */
  order?: CoordinateOrder | undefined;
}

/** What a text or a value contains. */
type Found = { first: Coordinate; second: Coordinate; order: CoordinateOrder; system: ReferenceSystem };

interface Coordinate {
  value: number;
  /** Named by the letter of a direction. */
  axis?: 'latitude' | 'longitude';
}

class InvalidPointError extends Error {
  readonly problem: LocationProblem;

  constructor(problem: LocationProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** @returns null without a point @param values latitude and longitude, in degrees or as texts */
export const readCoordinates = (
  values: readonly [first: unknown, second: unknown],
  context: PointContext,
  { system = wgs84, order = getUsualOrder(system) }: PointOptions = {},
): Point | null =>
  read(context, () => {
    if (values.every(isEmpty)) return undefined;
    const [first, second] = values.map(parseCoordinate) as [Coordinate, Coordinate];
    return { first, second, order, system };
  });

/** @param value a text such as `52.52, 13.40`, `POINT (13.4 52.52)` or GeoJSON; or an object of GeoJSON */
export const readPoint = (value: unknown, context: PointContext, options: PointOptions = {}): Point | null =>
  read(context, () => (typeof value === 'string' ? parseText(value, options) : parseObject(value, options)));

function read({ readsLocations, observer }: PointContext, find: () => Found | undefined): Point | null {
  if (!readsLocations) return null;
  try {
    const found = find();
    return found === undefined ? null : toPoint(found);
  } catch (error) {
    if (!(error instanceof InvalidPointError)) throw error;
    observer.onLeftOutValue?.({ code: 'location-invalid', problem: error.problem });
    return null;
  }
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

function toPoint({ first, second, order, system }: Found): Point {
  // The letters of directions say more than an order.
  const isLatitudeFirst =
    (first.axis ?? second.axis) === undefined
      ? order === 'latitude-first'
      : first.axis === 'latitude' || second.axis === 'longitude';
  if (first.axis !== undefined && first.axis === second.axis) throw new InvalidPointError('no-coordinates');
  const [north, east] = isLatitudeFirst ? [first.value, second.value] : [second.value, first.value];
  if (north === 0 && east === 0) throw new InvalidPointError('zero');
  const [longitude, latitude] = convertToDegrees(system, east, north);
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) throw new InvalidPointError('out-of-range');
  return { type: 'Point', coordinates: [longitude, latitude] };
}

const direction = '[NSEW]';
const decimal = String.raw`[+-]?\d{1,9}(?:[.,]\d{1,20})?`;
// Texts have one blank at a time, so that optional ones beside each other are matched in few ways.
const minutes = String.raw`\d{1,3} ?° ?\d{1,2} ?['′’] ?(?:\d{1,2}(?:[.,]\d{1,20})? ?(?:["″”]|''))? ?${direction}`;
const coordinate = `(?:${minutes}|(?:${direction} ?)?${decimal}(?: ?°)?(?: ?${direction})?)`;

const degrees = new RegExp(`^(${decimal})(?: ?°)?(?: ?(${direction}))?$`, 'i');
const letterFirst = new RegExp(`^(${direction}) ?(${decimal})(?: ?°)?$`, 'i');
const sexagesimal =
  /^(\d{1,3}) ?° ?(\d{1,2}) ?['′’] ?(?:(\d{1,2}(?:[.,]\d{1,20})?) ?(?:["″”]|''))? ?([NSEW])$/i;

/** Of one coordinate with blanks and letters, and of two. */
const maxCoordinateLength = 80;

const collapse = (text: string) => text.replaceAll(/\s+/g, ' ').trim();

const toNumber = (text = '0') => Number(text.replace(',', '.'));

const axes = { N: 'latitude', S: 'latitude', E: 'longitude', W: 'longitude' } as const;

function parseCoordinate(value: unknown): Coordinate {
  if (typeof value === 'number') return { value };
  const text = typeof value === 'string' ? collapse(value) : '';
  if (text.length > maxCoordinateLength) throw new InvalidPointError('no-coordinates');
  const [, whole, minutes, seconds, side] = sexagesimal.exec(text) ?? [];
  if (whole !== undefined)
    return toCoordinate(Number(whole) + Number(minutes) / 60 + toNumber(seconds) / 3_600, side);
  const [, number, direction] = degrees.exec(text) ?? [];
  if (number !== undefined) return toCoordinate(toNumber(number), direction);
  const [, letter, afterLetter] = letterFirst.exec(text) ?? [];
  if (afterLetter !== undefined) return toCoordinate(toNumber(afterLetter), letter);
  throw new InvalidPointError('no-coordinates');
}

function toCoordinate(value: number, letter: string | undefined): Coordinate {
  if (letter === undefined) return { value };
  const direction = letter.toUpperCase() as keyof typeof axes;
  return { value: direction === 'S' || direction === 'W' ? -value : value, axis: axes[direction] };
}

const wkt = /^(?:SRID=(\d{4,6});)? ?POINT ?(?:Z|M|ZM)? ?\( ?(\S+) (\S+)(?: \S+){0,2} ?\)$/i;
const otherShape = /^(?:SRID=\d{4,6};)?\s*(?:MULTI|LINESTRING|POLYGON|GEOMETRYCOLLECTION|CIRCULARSTRING)/i;

/** A comma alone separates numbers with decimal points only: `52,13` may be one number. */
const pairs = [
  new RegExp(`^(${coordinate}) ?[;|/] ?(${coordinate})$`, 'i'),
  /^(?=[^,]*\.)([^,]+),([^,]+)$/,
  /^([^,]+),(?=[^,]*\.)([^,]+)$/,
  new RegExp(`^(${coordinate}),? (${coordinate})$`, 'i'),
];

const maxTextLength = 1_000;

/** @returns undefined for an empty text, and for another shape than a point */
function parseText(given: string, { system, order }: PointOptions): Found | undefined {
  const text = collapse(given);
  if (text === '' || otherShape.test(text)) return undefined;
  if (text.length > maxTextLength) throw new InvalidPointError('no-coordinates');
  if (text.startsWith('{')) return parseObject(parseJson(text), { system, order });
  const [, srid, x, y] = wkt.exec(text) ?? [];
  if (x !== undefined) {
    const [first, second] = [parseCoordinate(x), parseCoordinate(y)];
    return { first, second, order: 'longitude-first', system: chooseSystem(srid, system) };
  }
  const inside = /^[([](.*)[)\]]$/.exec(text)?.[1]?.trim() ?? text;
  const used = system ?? wgs84;
  for (const pair of inside.length > 2 * maxCoordinateLength ? [] : pairs) {
    const [, one, other] = pair.exec(inside) ?? [];
    if (one === undefined) continue;
    const [first, second] = [parseCoordinate(one), parseCoordinate(other)];
    return { first, second, order: order ?? getUsualOrder(used), system: used };
  }
  throw new InvalidPointError('no-coordinates');
}

/** @param declared code beside the numbers, which must be that of the mapping */
function chooseSystem(declared: string | undefined, mapped: ReferenceSystem | undefined): ReferenceSystem {
  if (declared === undefined) return mapped ?? wgs84;
  const found = findReferenceSystem(declared);
  if (found === undefined || (mapped !== undefined && found !== mapped))
    throw new InvalidPointError('other-system');
  return found;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidPointError('no-coordinates');
  }
}

/** Names of the members for north and east, in lower case. */
export const coordinateMembers = [
  ['latitude', 'longitude'],
  ['lat', 'lon'],
  ['lat', 'lng'],
  ['lat', 'long'],
  ['y', 'x'],
] as const;

/** Codes of Esri and names of GeoJSON for systems of EPSG. */
const otherCodes: Readonly<Record<string, ReferenceSystem>> = {
  '102100': '3857',
  '102113': '3857',
  'urn:ogc:def:crs:OGC:1.3:CRS84': wgs84,
  'urn:ogc:def:crs:OGC::CRS84': wgs84,
};

/** @returns the code of the `spatialReference` of Esri, or of the `crs` that GeoJSON had before RFC 7946 */
function findDeclaredCode({ spatialReference, crs }: Record<string, unknown>): string | undefined {
  const esri = isObject(spatialReference)
    ? (spatialReference.latestWkid ?? spatialReference.wkid)
    : undefined;
  const name = isObject(crs) && isObject(crs.properties) ? crs.properties.name : undefined;
  const code = esri ?? name ?? undefined;
  if (code === undefined) return undefined;
  return otherCodes[String(code)] ?? String(code).replace(/^urn:ogc:def:crs:EPSG:[\d.]{0,10}:/i, '');
}

/** @returns undefined without a value, and for another shape than a point */
function parseObject(value: unknown, options: PointOptions): Found | undefined {
  if (!isObject(value)) return undefined;
  const geometry = value.type === 'Feature' ? value.geometry : value;
  if (!isObject(geometry)) return undefined;
  const system = chooseSystem(findDeclaredCode(geometry), options.system);
  if (geometry.type === 'Point') {
    const { coordinates } = geometry;
    // The third one is the altitude.
    if (!Array.isArray(coordinates) || coordinates.length < 2 || coordinates.length > 3)
      throw new InvalidPointError('no-coordinates');
    const [first, second] = coordinates.map(parseCoordinate) as [Coordinate, Coordinate];
    return { first, second, order: 'longitude-first', system };
  }
  const values = new Map(Object.entries(geometry).map(([name, member]) => [name.toLowerCase(), member]));
  for (const [north, east] of coordinateMembers) {
    if (!values.has(north) || !values.has(east)) continue;
    if (isEmpty(values.get(north)) && isEmpty(values.get(east))) return undefined;
    const [first, second] = [parseCoordinate(values.get(north)), parseCoordinate(values.get(east))];
    return { first, second, order: 'latitude-first', system };
  }
  return undefined;
}
