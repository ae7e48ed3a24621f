/** Built from the documentation of the DataStore extension, CKAN 2.10. */
import type { Preset } from './preset.ts';

const uuid = '[0-9A-Fa-f\\-]{36}';
const search = '/api/3/action/datastore_search';

export const ckan: Preset = {
  title: 'CKAN',
  addresses: [
    {
      path: `/:folder*/dataset/:dataset/resource/:id(${uuid}){/*}?`,
      request: `/:folder${search}`,
      parameters: { resource_id: ':id' },
    },
    {
      path: `/:folder*/datastore/dump/:id(${uuid})`,
      request: `/:folder${search}`,
      parameters: { resource_id: ':id' },
    },
    { path: `/:folder*${search}`, request: `/:folder${search}`, isApi: true },
  ],
  collection: {
    path: '/:folder*/dataset/:dataset{/}?',
    request: '/:folder/api/3/action/package_show',
    parameters: { id: ':dataset' },
    lists: ['result.resources'],
    id: 'id',
    name: 'name',
    ofTable: { request: `/:folder${search}`, parameters: { resource_id: ':table' } },
    file: { unless: 'datastore_active', url: 'url' },
  },
  ofRecords: { sort: '_id' },
  // Servers clamp the limit without a word, most of them to 32,000.
  paging: { by: 'offset', offset: 'offset', limit: 'limit', size: 1_000, id: '_id' },
  ignored: ['fields', 'limit', 'offset', 'sort'],
  records: 'result.records',
  total: { parameters: { limit: '0' }, path: 'result.total' },
  error: 'error.message',
  key: { header: 'Authorization' },
};
