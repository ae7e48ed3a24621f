/** Built from the documentation of the Explore API 2.1. */
import type { Preset } from './preset.ts';

const request = '/api/explore/v2.1/catalog/datasets/:id/exports/json';

export const opendatasoft: Preset = {
  title: 'OpenDataSoft',
  addresses: [
    { path: '/explore/dataset/:id{/*}?', request },
    { path: '/explore/assets/:id{/*}?', request },
    { path: '/api/explore/v2.1/catalog/datasets/:id/:kind(records|exports){/*}?', request, isApi: true },
  ],
  // Pages end at the 10,000th record.
  paging: { by: 'none' },
  ignored: ['limit', 'offset', 'order_by', 'select'],
  records: '[]',
  total: { at: '../records', parameters: { limit: '0' }, path: 'total_count' },
  error: 'message',
  changes: { parameter: 'where', condition: "{column} >= date'{date}'" },
  key: { parameter: 'apikey' },
};
