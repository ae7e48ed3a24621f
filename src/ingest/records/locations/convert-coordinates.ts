/** Converts coordinates to WGS 84. */
import proj4 from 'proj4';
import { type ReferenceSystem, wgs84 } from '../../../domain/sources/reference-systems.ts';

const grs80 = '+ellps=GRS80 +towgs84=0,0,0,0,0,0,0 +units=m';
/** EPSG 1777: exact to about three metres. Without a shift of the datum, points would be 150 metres off. */
const dhdn = '+ellps=bessel +towgs84=598.1,73.7,418.2,0.202,0.045,-2.455,6.7 +units=m';
const gaussKrueger = (zone: number) =>
  `+proj=tmerc +lat_0=0 +lon_0=${3 * zone} +k=1 +x_0=${zone}500000 +y_0=0 ${dhdn}`;
const utm = (zone: number) => `+proj=utm +zone=${zone} ${grs80}`;
const swiss = (x: number, y: number) =>
  `+proj=somerc +lat_0=46.95240555555556 +lon_0=7.439583333333333 +k_0=1 +x_0=${x} +y_0=${y} +ellps=bessel +towgs84=674.374,15.056,405.346 +units=m`;

/** As in the registry of EPSG. */
const definitions: Readonly<Record<Exclude<ReferenceSystem, typeof wgs84>, string>> = {
  '3857':
    '+proj=merc +a=6378137 +b=6378137 +lat_ts=0 +lon_0=0 +x_0=0 +y_0=0 +k=1 +units=m +nadgrids=@null +no_defs',
  '25830': utm(30),
  '25831': utm(31),
  '25832': utm(32),
  '25833': utm(33),
  '31466': gaussKrueger(2),
  '31467': gaussKrueger(3),
  '31468': gaussKrueger(4),
  '31469': gaussKrueger(5),
  '2056': swiss(2_600_000, 1_200_000),
  '21781': swiss(600_000, 200_000),
  '2154': `+proj=lcc +lat_0=46.5 +lon_0=3 +lat_1=49 +lat_2=44 +x_0=700000 +y_0=6600000 ${grs80}`,
  '28992':
    '+proj=sterea +lat_0=52.1561605555556 +lon_0=5.38763888888889 +k=0.9999079 +x_0=155000 +y_0=463000 +ellps=bessel +towgs84=565.4171,50.3319,465.5524,-0.398957388243134,0.343987817378283,-1.87740163998045,4.0725 +units=m',
  '31370':
    '+proj=lcc +lat_0=90 +lon_0=4.36748666666667 +lat_1=51.1666672333333 +lat_2=49.8333339 +x_0=150000.013 +y_0=5400088.438 +ellps=intl +towgs84=-106.8686,52.2978,-103.7239,0.3366,-0.457,1.8422,-1.2747 +units=m',
  '2180': `+proj=tmerc +lat_0=0 +lon_0=19 +k=0.9993 +x_0=500000 +y_0=-5300000 ${grs80}`,
  '2263':
    '+proj=lcc +lat_0=40.1666666666667 +lon_0=-74 +lat_1=41.0333333333333 +lat_2=40.6666666666667 +x_0=300000 +y_0=0 +datum=NAD83 +units=us-ft',
};

/** Degrees: west, south, east, north. */
type Area = readonly [number, number, number, number];

const germany: Area = [5.87, 47.27, 15.04, 55.09];
const switzerland: Area = [5.96, 45.82, 10.49, 47.81];
/** Countries keep one zone beyond its borders, as Norway does with zone 33. */
const aroundZone = (zone: number): Area => [6 * zone - 201, 27, 6 * zone - 165, 85];

/**
 * Areas of use, as in the registry of EPSG. Beyond them, numbers are swapped or belong to another system, and the formulas still
 * give a place. Web Mercator has the whole world.
 */
const areas: Readonly<Record<Exclude<ReferenceSystem, typeof wgs84 | '3857'>, Area>> = {
  '25830': aroundZone(30),
  '25831': aroundZone(31),
  '25832': aroundZone(32),
  '25833': aroundZone(33),
  '31466': germany,
  '31467': germany,
  '31468': germany,
  '31469': germany,
  '2056': switzerland,
  '21781': switzerland,
  '2154': [-9.86, 41.15, 10.38, 51.56],
  '28992': [3.2, 50.75, 7.22, 53.7],
  '31370': [2.5, 49.5, 6.4, 51.51],
  '2180': [14.14, 49, 24.15, 55.93],
  '2263': [-74.26, 40.47, -71.8, 41.3],
};

/** Places at a border and inaccurate numbers stay. */
const tolerance = 0.5;

function isWithin([west, south, east, north]: Area, longitude: number, latitude: number): boolean {
  return (
    longitude >= west - tolerance &&
    longitude <= east + tolerance &&
    latitude >= south - tolerance &&
    latitude <= north + tolerance
  );
}

const createConverter = (definition: string) => proj4(definition);

const converters = new Map<ReferenceSystem, ReturnType<typeof createConverter>>();

/**
 * @param east in the unit of the system, or the longitude
 * @param north in the unit of the system, or the latitude
 * @returns longitude and latitude, which are not finite for numbers beyond the area of the system
 */
export function convertToDegrees(
  system: ReferenceSystem,
  east: number,
  north: number,
): [longitude: number, latitude: number] {
  if (system === wgs84) return [east, north];
  const converter = converters.getOrInsertComputed(system, () => createConverter(definitions[system]));
  try {
    const [longitude = Number.NaN, latitude = Number.NaN] = converter.inverse([east, north]);
    if (system === '3857' || isWithin(areas[system], longitude, latitude)) return [longitude, latitude];
  } catch {
    // It throws for some numbers, such as infinite ones.
  }
  return [Number.NaN, Number.NaN];
}
