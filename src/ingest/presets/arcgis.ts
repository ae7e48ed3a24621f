/** Built from the documentation of the ArcGIS REST API, query of a feature layer. */
import type { Preset } from './preset.ts';

export const arcgis: Preset = {
  title: 'ArcGIS',
  addresses: [
    {
      path: '/:folder+/:kind(FeatureServer|MapServer)/:layer(\\d+){/query}?',
      request: '/:folder/:kind/:layer/query',
      isApi: true,
    },
  ],
  collection: {
    path: '/:folder+/:kind(FeatureServer|MapServer){/}?',
    request: '/:folder/:kind',
    parameters: { f: 'json' },
    lists: ['layers', 'tables'],
    id: 'id',
    name: 'name',
    ofTable: { request: '/:folder/:kind/:table/query' },
  },
  defaults: { where: '1=1' },
  parameters: { f: 'json' },
  // Coordinates are never published.
  ofRecords: { outFields: '*', returnGeometry: 'false' },
  // Pages of `resultOffset` can repeat rows.
  paging: {
    by: 'ids',
    list: { returnIdsOnly: 'true' },
    listed: 'objectIds',
    named: 'objectIdFieldName',
    ids: 'objectIds',
    size: 100,
  },
  ignored: ['objectIds', 'resultOffset', 'resultRecordCount', 'returnCountOnly', 'returnIdsOnly'],
  records: 'features[].attributes',
  total: { parameters: { returnCountOnly: 'true' }, path: 'count' },
  error: 'error.message',
  changes: { parameter: 'where', condition: "{column} >= TIMESTAMP '{date} 00:00:00'" },
  key: { parameter: 'token' },
  denials: { path: 'error.code', codes: [401, 403, 498, 499] },
};
