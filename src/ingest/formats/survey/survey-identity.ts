/** Which published survey a file has, its status and its end: rules of both formats of surveys. */

import { type FormatOptions, getDefault, surveyOptions } from '../../format-options.ts';
import { InputError } from '../../input-error.ts';
import type { InputFile } from '../../readers/input-files.ts';
import type { CountedSurvey } from '../../records/counted-survey.ts';
import { suggestYear } from '../../records/survey-end.ts';
import type { FieldRule, FormatReadOptions } from '../format-definition.ts';
import { getFileStem } from './survey-metadata-entries.ts';

const defaultStatus = getDefault(surveyOptions.status);

export const statusRule: FieldRule<{ formatOptions: FormatOptions }> = {
  field: 'status',
  from: `\`--status\`, else ${defaultStatus}`,
  extract: ({ formatOptions }) => formatOptions.status ?? defaultStatus,
};

/**
 * Suggests the year in the title or the name of the file to the user.
 *
 * @param fileCount files of the import
 */
export function suggestSurveyYear(
  { title, endedOn, year }: CountedSurvey,
  { name }: InputFile,
  { observer, timeZone }: Pick<FormatReadOptions, 'observer' | 'timeZone'>,
  fileCount = 1,
): void {
  if ((endedOn ?? year ?? undefined) !== undefined) return;
  const suggested = suggestYear([title, getFileStem(name)], timeZone);
  if (suggested !== undefined)
    observer.onNote?.({
      code: 'survey-year-possible',
      title,
      year: suggested,
      isOfOneTable: fileCount === 1,
    });
}

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
