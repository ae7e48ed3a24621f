/** The submissions with a location as GeoJSON (RFC 7946). */
import type { Row } from './tables.ts';

export const geoJsonName = 'submissions.geojson';

export const geoJsonType = 'application/geo+json';

/**
 * The text of a FeatureCollection, in pieces. Properties are the columns of the table, so that programs for maps, which read flat
 * values only, show all of them.
 *
 * @param rows of the table `submissions`
 */
export async function* composeFeatures(rows: Iterable<Row> | AsyncIterable<Row>): AsyncGenerator<string> {
  yield '{"type":"FeatureCollection","features":[';
  let separator = '\n';
  for await (const row of rows) {
    const { id, longitude, latitude, ...properties } = row;
    if (longitude === null || latitude === null) continue;
    const geometry = { type: 'Point', coordinates: [longitude, latitude] };
    yield `${separator}${JSON.stringify({ type: 'Feature', id, geometry, properties })}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}
