import { createStatusesOption, pageUrl, sheet } from '../../format-options.ts';
import { liveSourceOptions } from '../../presets/presets.ts';
import { type Format, jsonExtensions, tableExtensions } from '../format-definition.ts';

/** Some services write the root element with a hyphen. */
export const roots = ['service_requests', 'service-requests'];
export const idName = 'service_request_id';

/** Describes the import of requests from citizens, such as reports of potholes, and of the answers to them. */
export const open311: Format = {
  name: 'open311',
  description: 'Open311 GeoReport v2: service requests as JSON, XML or CSV',
  fileExtensions: [...jsonExtensions, ...tableExtensions, '.xml'],
  options: { statuses: createStatusesOption(), pageUrl, sheet },
  endpointOptions: liveSourceOptions,
  hasLocations: true,
  detect: ({ text, xmlRoot, table }) => {
    if (xmlRoot !== undefined && roots.includes(xmlRoot)) return { code: 'has-root-element', name: xmlRoot };
    if (table?.header.includes(idName)) return { code: 'has-column', name: idName };
    // A search of the text also works for a list that is longer than the sample.
    const isJson = /^\s*[[{]/.test(text) && !text.includes('"FeatureCollection"');
    return isJson && text.includes(`"${idName}"`) ? { code: 'has-property', name: idName } : undefined;
  },
  load: () => import('./open311-reader.ts'),
};
