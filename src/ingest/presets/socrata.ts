/** Built from the documentation of SODA 2.1. */
import type { Preset } from './preset.ts';

export const socrata: Preset = {
  title: 'Socrata',
  addresses: [
    {
      path: '/resource/:id([a-z0-9]{4}-[a-z0-9]{4}){.:type(json|csv|geojson)}?',
      request: '/resource/:id.json',
      isApi: true,
    },
    { path: '/:page+/:id([a-z0-9]{4}-[a-z0-9]{4}){/*}?', request: '/resource/:id.json' },
  ],
  // The names of system fields begin with a colon. Counts must not have an order.
  ofRecords: { $select: ':*, *', $order: ':id' },
  paging: { by: 'offset', offset: '$offset', limit: '$limit', size: 1_000, id: ':id' },
  ignored: ['$offset', '$limit', '$order', '$select'],
  records: '[]',
  total: { parameters: { $select: 'count(*) as total' }, path: '0.total' },
  error: 'message',
  changes: { column: ':updated_at', parameter: '$where', condition: "{column} >= '{date}'" },
  key: { header: 'X-App-Token', inAddress: '$$app_token' },
};
