import { isRequired, listNames } from '../../../contract/field.ts';
import { recordKinds } from '../../../contract/resources/changes.ts';
import { fieldsByKind } from '../../../domain/records/records.ts';
import { disclosureOptions, sheet, surveyOptions } from '../../format-options.ts';
import { type Format, jsonExtensions, tableExtensions } from '../format-definition.ts';

/** Records of surveys are nested, so no table has them. */
const requiredColumns = [fieldsByKind.submission, fieldsByKind.session].map((fields) =>
  listNames(fields, isRequired),
);

const { continues, newSurvey } = surveyOptions;

/** Describes the import of records in the API's own form: NDJSON or JSON of all kinds, or CSV of one kind without nesting. */
export const rostra: Format = {
  name: 'rostra',
  description: 'Rostra’s own: records like in the API, as NDJSON, JSON array or CSV',
  fileExtensions: [...jsonExtensions, ...tableExtensions],
  options: { ...disclosureOptions, sheet, continues, newSurvey },
  hasLocations: true,
  detect: ({ json, table }) => {
    const { kind } = (json ?? {}) as { kind?: unknown };
    if (recordKinds.some((known) => known === kind)) return { code: 'records-have-kind' };
    const columns = new Set(table?.header);
    return requiredColumns.some((names) => names.every((name) => columns.has(name)))
      ? { code: 'api-columns' }
      : undefined;
  },
  load: () => import('./rostra-reader.ts'),
};
