/** Any table through a mapping file. */
import type { TableMapping } from '../../../domain/table-mapping.ts';
import type { Format, FormatMapping, FormatOptions } from '../../format-definition.ts';
import { InputError } from '../../input-error.ts';
import { geojsonExtensions, tableExtensions } from '../../readers/input-files.ts';
import { sheetOption } from '../../sheet-option.ts';
import { createRecordRules, describeSource } from './mapping-rules.ts';
import { parseMapping } from './parse-mapping.ts';
import { readMappedTables } from './read-mapped-tables.ts';
import { suggestMapping } from './suggest-mapping.ts';

export const tableFormat: Format = {
  name: 'table',
  fileExtensions: [...tableExtensions, ...geojsonExtensions],
  isFallback: true,
  description: 'Any table: submissions and sessions from tables of any system, through a mapping file',
  mappings: [],
  getMappings: (own) => listMappings(getMapping(own)),
  omitted: { code: 'omitted-table' },
  options: [
    {
      flags: '--mapping <file>',
      description: 'YAML file that maps columns to fields; --suggest drafts one',
      isFile: true,
      parse: parseMapping,
    },
    sheetOption,
  ],
  detect: ({ table, features }) => {
    if (features !== undefined) return { code: 'geojson-properties' };
    return table === undefined ? undefined : { code: 'any-table' };
  },
  suggestMapping,
  readRecords: (sources, options) => readMappedTables(sources, getMapping(options.formatOptions), options),
};

function getMapping({ mapping }: FormatOptions): TableMapping {
  if (mapping !== undefined) return mapping as TableMapping;
  throw new InputError({ code: 'mapping-missing' });
}

function listMappings(mapping: TableMapping): FormatMapping[] {
  const { agenda } = mapping;
  const agendaSources = agenda
    ? [
        {
          field: 'submissions',
          from: `submissions ${describeSource({ columns: [agenda.submission].flat() })} of session ${describeSource({ columns: [agenda.session].flat() })}`,
        },
      ]
    : [];
  return (['submission', 'session'] as const)
    .filter((kind) => mapping[kind] !== undefined)
    .map((kind) => ({
      kind,
      fieldSources: [...createRecordRules(mapping, kind), ...(kind === 'session' ? agendaSources : [])],
    }));
}
