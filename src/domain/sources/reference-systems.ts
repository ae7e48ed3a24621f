/** Coordinate reference systems that a mapping can name, by their EPSG code. They are never guessed. */
export const referenceSystems = {
  '4326': 'WGS 84, in degrees',
  '3857': 'Web Mercator',
  '25830': 'ETRS89, UTM zone 30',
  '25831': 'ETRS89, UTM zone 31',
  '25832': 'ETRS89, UTM zone 32',
  '25833': 'ETRS89, UTM zone 33',
  '31466': 'Gauß-Krüger zone 2',
  '31467': 'Gauß-Krüger zone 3',
  '31468': 'Gauß-Krüger zone 4',
  '31469': 'Gauß-Krüger zone 5',
  '2056': 'Switzerland, LV95',
  '21781': 'Switzerland, LV03',
  '2154': 'France, Lambert 93',
  '28992': 'Netherlands, RD New',
  '31370': 'Belgium, Lambert 72',
  '2180': 'Poland, PL-1992',
  '2263': 'New York, Long Island, in US feet',
} as const;

export type ReferenceSystem = keyof typeof referenceSystems;

/** @param code such as `25832` or `EPSG:25832` */
export function findReferenceSystem(code: string): ReferenceSystem | undefined {
  const number = code.trim().replace(/^EPSG:/i, '');
  return Object.hasOwn(referenceSystems, number) ? (number as ReferenceSystem) : undefined;
}

export const wgs84 = '4326' satisfies ReferenceSystem;

/** Which number comes first. Latitude is north, longitude east, also in metres. */
export const coordinateOrders = ['latitude-first', 'longitude-first'] as const;
export type CoordinateOrder = (typeof coordinateOrders)[number];

/** As the systems are used: degrees begin with the latitude, metres with the east. */
export const getUsualOrder = (system: ReferenceSystem): CoordinateOrder =>
  system === wgs84 ? 'latitude-first' : 'longitude-first';
