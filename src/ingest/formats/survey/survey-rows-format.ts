import Type from 'typebox';
import { disclosureOptions, surveyOptions } from '../../format-options.ts';
import type { SampleTable } from '../../readers/input-sample.ts';
import { type Format, tableExtensions } from '../format-definition.ts';
import { recognizeResponses, type SampledColumn } from '../survey-responses/recognize-responses.ts';

/** Describes the import of single responses to a survey, which `survey-rows-reader.ts` counts. No response is stored. */
export const surveyRows: Format = {
  name: 'survey-rows',
  description:
    'Surveys as responses, which are counted and not stored: LimeSurvey, or CSV with a column for each question',
  fileExtensions: tableExtensions,
  options: {
    ...surveyOptions,
    structure: {
      schema: Type.String(),
      value: 'file',
      isFile: true,
      description: 'LimeSurvey’s survey structure, .lss or tab-separated .txt',
    },
    questions: {
      schema: Type.Array(Type.String()),
      value: 'columns',
      description: 'columns, or codes of the structure, to import as questions, separated by commas',
    },
    incomplete: { schema: Type.Boolean(), description: 'also count unfinished responses' },
    threshold: disclosureOptions.threshold,
    publishUnanimous: disclosureOptions.publishUnanimous,
  },
  isPartialInput: true,
  usesFileNames: true,
  detect: ({ table }) => table && recognizeResponses(sampleColumns(table)),
  load: () => import('./survey-rows-reader.ts'),
};

const sampleColumns = ({ header, rows }: SampleTable): SampledColumn[] =>
  header.map((heading, index) => {
    const values = rows.map((row) => row[index]?.trim() ?? '').filter((cell) => cell !== '');
    return { heading, values, isFull: values.length === rows.length };
  });
