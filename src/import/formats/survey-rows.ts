import Type from 'typebox';
import { type Format, tableExtensions } from '../format-definition.ts';
import { disclosureOptions, surveyOptions } from '../format-options.ts';

/** LimeSurvey's headings, as a code or as a full text, for the time when a response was finished. */
export const submitDate = /^(submitdate|date submitted|datum abgesendet)(\. .*)?$/i;
const responseId = /^(id|response id|antwort[- ]?id)(\. .*)?$/i;

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
  },
  isPartialInput: true,
  usesFileNames: true,
  detect: ({ table }) => {
    const header = table?.header ?? [];
    if (header.some((name) => submitDate.test(name)) && header.some((name) => responseId.test(name)))
      return { code: 'limesurvey-columns' };
    return /^(timestamp|zeitstempel)$/i.test(header[0] ?? '')
      ? { code: 'begins-with-time-stamp' }
      : undefined;
  },
  load: () => import('./survey-rows-reader.ts'),
};
