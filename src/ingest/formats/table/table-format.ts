import Type from 'typebox';
import type { TableMapping } from '../../../domain/sources/table-mapping.ts';
import { headerRow, records, sheet } from '../../format-options.ts';
import { liveSourceOptions } from '../../presets/presets.ts';
import { type Format, jsonExtensions, tableExtensions } from '../format-definition.ts';

/** Describes the import of any table, whose columns a mapping file maps to fields of records. */
export const table: Format = {
  name: 'table',
  description: 'Any table: submissions and sessions from tables of any system, through a mapping file',
  fileExtensions: [...tableExtensions, '.geojson'],
  extensionsIfAlone: jsonExtensions,
  options: {
    mapping: {
      schema: Type.String(),
      value: 'file',
      isFile: true,
      description: 'YAML file that maps columns to fields; --suggest drafts one',
    },
    sheet,
    headerRow,
    records,
  },
  endpointOptions: liveSourceOptions,
  hasMapping: true,
  mayRetractBySettings: ({ mapping }) => (mapping as TableMapping | undefined)?.skip !== undefined,
  dependsOnDate: ({ mapping }) =>
    Object.values((mapping as TableMapping | undefined)?.skip ?? {}).some(
      (value) => value === 'future' || value === 'past',
    ),
  isFallback: true,
  hasLocations: true,
  detect: ({ table: rows, objects }) => {
    if (objects !== undefined) return { code: 'json-objects', records: objects.records };
    return rows === undefined ? undefined : { code: 'any-table' };
  },
  load: () => import('./table-reader.ts'),
};
