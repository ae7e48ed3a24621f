/** Any table through a mapping file. */
import type { TableMapping } from '../../../domain/sources/table-mapping.ts';
import type { FormatOptions } from '../../format-options.ts';
import { InputError } from '../../input-error.ts';
import type { FormatMapping, FormatReader } from '../format-definition.ts';
import { createRecordRules, describeSource } from './mapping-rules.ts';
import { parseMapping } from './parse-mapping.ts';
import { readMappedTables } from './read-mapped-tables.ts';
import { suggestMapping } from './suggestion/suggest-mapping.ts';

export const reader: FormatReader = {
  listMappings: (own) => listMappings(getMapping(own)),
  fileParsers: { mapping: parseMapping },
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
