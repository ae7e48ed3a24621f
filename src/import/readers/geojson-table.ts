/**
 * Reads the features of GeoJSON (RFC 7946) as a table: properties are columns. Geometries are never used. A feature has its
 * `id` as a column too, unless it has a property of that name.
 */
import { isObject } from '../field-validation.ts';
import type { ImportObserver } from '../import-observer.ts';
import { InputError } from '../input-error.ts';
import { readJson } from './json.ts';
import type { ParsedJsonValue } from './json-entries.ts';
import type { TextInput } from './open-input.ts';
import { assertColumnCount, maxColumns, type TableRow } from './table-columns.ts';

/** @param text the beginning of a JSON document */
export const isGeojson = (text: string) => /"type"\s*:\s*"Feature(?:Collection)?"/.test(text);

/** Features can have different properties, so the first ones decide on the columns. */
const maxFeaturesForColumns = 1_000;

/**
 * @param checkHeader as for `readTable`
 * @throws InputError if there are no features, or the rest of the content is invalid
 */
export async function* readGeojsonTable(
  { name, content, observer }: TextInput,
  checkHeader: (columns: string[]) => void,
): AsyncGenerator<TableRow> {
  const values = readJson(name, content, ['features']);
  try {
    const first: ParsedJsonValue[] = [];
    const columns = new Set<string>();
    let failure: unknown;
    try {
      while (first.length < maxFeaturesForColumns) {
        const { done, value } = await values.next();
        if (done) break;
        first.push(value);
        for (const column of Object.keys(getCells(value.value) ?? {})) columns.add(column);
        if (columns.size > maxColumns) break;
      }
    } catch (error) {
      // The features before the error are read.
      failure = error;
    }
    assertColumnCount(name, columns.size);
    const names = [...columns];
    if (names.length === 0) throw failure ?? new InputError({ code: 'geojson-without-features', file: name });
    checkHeader(names);
    const reportLeftOut = createLeftOutReport(columns, observer);
    const toReportedRow = (value: ParsedJsonValue) => {
      reportLeftOut(value.value);
      return toRow(value, names);
    };
    for (const value of first) yield toReportedRow(value);
    if (failure !== undefined) throw failure;
    for await (const value of values) yield toReportedRow(value);
  } finally {
    await values.return(undefined);
  }
}

function toRow({ location, value, problem }: ParsedJsonValue, columns: readonly string[]): TableRow {
  if (problem !== undefined) return { location, problem };
  const cells = getCells(value);
  if (cells === undefined) return { location, problem: { code: 'not-geojson-feature' } };
  return { location, cells: Object.fromEntries(columns.map((column) => [column, cells[column] ?? ''])) };
}

/** Reports what no row contains: geometries, properties that are objects, and those that only later features have. */
function createLeftOutReport(columns: ReadonlySet<string>, observer: ImportObserver) {
  const reported = new Set<string>();
  return (feature: unknown): void => {
    if (!isFeature(feature)) return;
    const { type, id, properties, ...others } = feature;
    const members = Object.keys(others).filter((name) => others[name] !== null);
    const names = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, cell]) =>
      isObject(cell) || !columns.has(name.trim()) ? [name.trim()] : [],
    );
    const found = [...members, ...names].filter((name) => !reported.has(name));
    if (found.length === 0 || reported.size > maxColumns) return;
    for (const name of found) reported.add(name);
    observer.onLeftOutColumns?.(found);
  };
}

const isFeature = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && value.type === 'Feature';

/** @returns undefined if the value is not a feature */
function getCells(value: unknown): Record<string, string> | undefined {
  if (!isFeature(value)) return undefined;
  const properties = isObject(value.properties) ? value.properties : {};
  const entries = Object.entries({ ...(value.id !== undefined && { id: value.id }), ...properties });
  return Object.fromEntries(
    entries.flatMap(([column, cell]) => (isObject(cell) ? [] : [[column.trim(), toText(cell)]])),
  );
}

/** Joins the values of a list, such as tags. */
function toText(cell: unknown): string {
  if (Array.isArray(cell)) return cell.filter((each) => typeof each !== 'object').join(', ');
  return cell === null || cell === undefined ? '' : String(cell);
}
