/** Which published survey a file has, and its status: rules of both formats of surveys. */

import { type FormatOptions, getDefault, surveyOptions } from '../../format-options.ts';
import { InputError } from '../../input-error.ts';
import type { InputFile } from '../../readers/input-files.ts';
import type { FieldRule, FormatReadOptions } from '../format-definition.ts';
import { getFileStem } from './survey-metadata-entries.ts';

const defaultStatus = getDefault(surveyOptions.status);

export const statusRule: FieldRule<{ formatOptions: FormatOptions }> = {
  field: 'status',
  from: `\`--status\`, else ${defaultStatus}`,
  extract: ({ formatOptions }) => formatOptions.status ?? defaultStatus,
};

/**
 * The id of a survey in its source. The next file of the source has another name, but is the same survey.
 *
 * @param own of the metadata or the structure of the survey
 * @param fileCount files of the import: several files are several surveys
 * @throws InputError for standard input and pipes without a source: all surveys from them would have the same id
 */
export function chooseSurveyId(
  { name, size }: InputFile,
  { formatOptions, sourceName, sheet }: FormatReadOptions,
  own: string | undefined,
  fileCount = 1,
): string {
  const { continues, surveyId } = formatOptions as { continues?: string; surveyId?: string };
  const id = continues ?? surveyId ?? own;
  if (id !== undefined) return id;
  if (sourceName !== '' && fileCount === 1) return sheet ?? 'survey';
  if (size === undefined) throw new InputError({ code: 'survey-id-missing', file: name });
  return getFileStem(name);
}
