import { splitWordList } from '../../../domain/values/split-word-list.ts';
import { createStatusesOption, pageUrl, sheet } from '../../format-options.ts';
import { type Format, jsonExtensions, tableExtensions } from '../format-definition.ts';

/**
 * The names of each value: in CONSUL's CSV and JSON, in open data, and in German and Spanish admin areas. In the form of
 * `normalizeName`. The first name with a value counts.
 */
export const names = {
  id: ['id'],
  code: ['code', 'codigo'],
  title: ['title', 'titel', 'titulo'],
  summary: ['summary', 'zusammenfassung', 'resumen'],
  description: ['description', 'beschreibung', 'descripcion'],
  supports: [
    ...['numsupports', 'cachedvotesup', 'totalvotes', 'supports', 'votes'],
    ...['unterstutzungen', 'stimmen', 'apoyos', 'votos'],
  ],
  createdAt: splitWordList(`
    date | publiccreatedat | publishedat | createdat | datum | veroffentlichtam | erstelltam | erstellungsdatum | fecha |
    fechadepublicacion | fechadecreacion | creadoel | creada`),
  retiredAt: ['retiredat'],
  hiddenAt: [
    ...[
      'hiddenat',
      'confirmedhideat',
      'ausgeblendetam',
      'verborgenam',
      'versteckt',
      'ausgeblendet',
      'ocultadoel',
      'oculto',
    ],
  ],
  status: ['status', 'estado'],
  geozone: ['geozone', 'bezirk', 'distrito', 'ambitodeactuacion'],
  latitude: ['latitude', 'maplocationlatitude', 'breitengrad', 'latitud'],
  longitude: ['longitude', 'maplocationlongitude', 'langengrad', 'longitud'],
  tags: ['tags', 'taglist', 'themen', 'temas', 'etiquetas'],
} as const;

export type Name = keyof typeof names;

/** Describes the import of proposals of CONSUL Democracy, from its exports and its GraphQL API. */
export const consul: Format = {
  name: 'consul',
  description: 'CONSUL Democracy: proposals as CSV or JSON, from its open data, admin area or GraphQL API',
  fileExtensions: [...jsonExtensions, ...tableExtensions],
  options: { statuses: createStatusesOption(), pageUrl, sheet },
  hasLocations: true,
  detect: ({ json, table, text }) => {
    if (/^\s*\{\s*"data"\s*:\s*\{\s*"proposals?"\s*:/.test(text)) return { code: 'consul-response' };
    const header = table?.header ?? Object.keys((json ?? {}) as object);
    const columns = new Set(header.map(normalizeName));
    const has = (name: Name) => names[name].some((each) => columns.has(each));
    const specificNames = ['cachedvotesup', 'numsupports', 'publiccreatedat', 'retiredat', 'hotscore'];
    const isSpecific = has('summary') || specificNames.some((name) => columns.has(name));
    return has('id') && has('title') && isSpecific && !header.includes('kind')
      ? { code: 'consul-columns' }
      : undefined;
  },
  load: () => import('./consul-reader.ts'),
};

/** `Created at`, `created_at` and `createdAt` are the same name. Accents are ignored. */
export function normalizeName(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
