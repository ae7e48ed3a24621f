import Type from 'typebox';
import { disclosureOptions, surveyOptions } from '../../format-options.ts';
import type { SampleTable } from '../../readers/input-sample.ts';
import { type Format, tableExtensions } from '../format-definition.ts';
import { correctTable } from './survey-metadata-entries.ts';

/** A year alone, or a year and a label such as `2019: Parks`. */
export const startsWithYear = /^(?<year>(?:19|20)\d\d)(?:\s*[:;,]\s*(?<label>\S.*))?$/;

/** Describes the tables beside it. */
export const metadataFileName = 'metadata.json';

/** Describes the import of surveys that are counted already: one table for each survey. */
export const surveyTable: Format = {
  name: 'survey-table',
  description:
    'Aggregated surveys: a table for each as CSV or TSV, a row for each question, a column for each option',
  fileExtensions: [...tableExtensions, metadataFileName],
  options: {
    ...surveyOptions,
    totalFromRows: {
      schema: Type.Boolean(),
      description: 'everyone answered each row, so the largest row is the number of responses',
    },
    metadata: {
      schema: Type.String(),
      value: 'file',
      isFile: true,
      description: `JSON with id, title and question of each table; it takes precedence over ${metadataFileName} beside the tables`,
    },
    ...disclosureOptions,
  },
  isPartialInput: true,
  usesFileNames: true,
  detect: ({ table }) =>
    table !== undefined && looksAggregated(table) ? { code: 'cells-are-counts' } : undefined,
  correctTable,
  load: () => import('./survey-table-reader.ts'),
};

/** Whether the rows have different labels, and counts otherwise. */
function looksAggregated({ header, rows }: SampleTable): boolean {
  if (header.length < 2 || rows.length === 0) return false;
  const rowsWithCounts = rows.filter(([, ...cells]) => cells.some((cell) => cell.trim() !== ''));
  const labels = rowsWithCounts.map(([label]) => label?.trim() ?? '');
  return (
    rowsWithCounts.length > 0 &&
    header.slice(1).every((name) => !/^\d*$/.test(name) || name === '') &&
    new Set(labels).size === labels.length &&
    labels.every((label) => startsWithYear.test(label) || !/^-?[\d.,]*$/.test(label)) &&
    rowsWithCounts.every(([, ...cells]) => cells.every((cell) => /^\d*$/.test(cell.trim())))
  );
}
