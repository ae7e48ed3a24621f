import Type from 'typebox';
import { type Format, tableExtensions } from '../format-definition.ts';
import { sheet } from '../format-options.ts';

export const table: Format = {
  name: 'table',
  description: 'Any table: submissions and sessions from tables of any system, through a mapping file',
  fileExtensions: [...tableExtensions, '.geojson'],
  options: {
    mapping: {
      schema: Type.String(),
      value: 'file',
      isFile: true,
      description: 'YAML file that maps columns to fields; --suggest drafts one',
    },
    sheet,
  },
  hasMapping: true,
  isFallback: true,
  detect: ({ table: rows, features }) => {
    if (features !== undefined) return { code: 'geojson-properties' };
    return rows === undefined ? undefined : { code: 'any-table' };
  },
  load: () => import('./table-reader.ts'),
};
