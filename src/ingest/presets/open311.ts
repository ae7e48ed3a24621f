/** Built from the specification of GeoReport v2, and from limits of the servers of several cities. */
import type { Preset } from './preset.ts';

const request = '/:folder/requests.json';

export const open311: Preset = {
  title: 'Open311',
  format: 'open311',
  addresses: [
    { path: '/:folder*/:list(requests|services){.:type(json|xml)}?{/:id}?', request, isApi: true },
    { path: '/:folder*/:version(v\\d+){/}?', request: '/:folder/:version/requests.json', isApi: true },
  ],
  paging: {
    by: 'windows',
    from: 'start_date',
    to: 'end_date',
    days: 90,
    time: 'requested_datetime',
    id: 'service_request_id',
  },
  // `page` is an extension. `service_request_id` overrides all other parameters.
  ignored: ['page', 'service_request_id'],
  records: '[]',
  // Mark-a-Spot has no empty lists. By the specification, an unknown jurisdiction_id has the same status, also here.
  otherList: 'services.json',
  error: '0.description',
  errorMark: '0.code',
};
