import type { Preset } from './preset.ts';

export const arcgis: Preset = {
  title: 'ArcGIS',
  format: 'table',
  addresses: [
    {
      path: '/:folder+/:kind(FeatureServer|MapServer)/:layer(\\d+){/query}?',
      request: '/:folder/:kind/:layer/query',
    },
  ],
  // Coordinates are never published.
  parameters: { f: 'json', outFields: '*', returnGeometry: 'false' },
  // Pages of `resultOffset` can repeat rows.
  paging: {
    by: 'ids',
    list: { where: '1=1', returnIdsOnly: 'true' },
    listed: 'objectIds',
    named: 'objectIdFieldName',
    ids: 'objectIds',
    size: 100,
  },
  records: 'features[].attributes',
  total: { parameters: { where: '1=1', returnCountOnly: 'true' }, path: 'count' },
  error: 'error.message',
  builtFrom: 'the documentation of the ArcGIS REST API, query of a feature layer',
};
