/** The options and the rules that both survey formats have. */
import { isUuid } from '../../../domain/uuid.ts';
import type { SurveyIdentity } from '../../disclosure-control/counted-survey.ts';
import type { FieldRule, FormatOption, FormatOptions, FormatReadOptions } from '../../format-definition.ts';
import { InputError } from '../../input-error.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { sheetOption } from '../../sheet-option.ts';

const statuses = ['active', 'closed', 'archived'];

export const surveyOptions: readonly FormatOption[] = [
  sheetOption,
  {
    flags: '--title <text>',
    description: 'title of the survey (default: name of the file)',
    parse: (text) => text,
  },
  {
    flags: '--survey-id <id>',
    description:
      'id of the survey, from which its UUID is derived (default: the source, and the name of the file without --source)',
    parse: (text) => text,
  },
  {
    flags: '--continues <id>',
    description: 'UUID of the published survey that this file continues',
    parse: (text) => {
      if (isUuid(text)) return text.toLowerCase();
      throw new InputError({ code: 'option-not-survey' });
    },
  },
  {
    flags: '--new-survey',
    description: 'other people answered: publish it beside a survey with the same questions',
    parse: () => true,
  },
  {
    flags: '--status <word>',
    description: 'active, closed or archived (default: closed)',
    parse: (text) => {
      if (statuses.includes(text)) return text;
      throw new InputError({ code: 'option-not-one-of', values: statuses });
    },
  },
];

export const statusRule: FieldRule<{ formatOptions: FormatOptions }> = {
  field: 'status',
  from: '`--status`, else closed',
  extract: ({ formatOptions }) => formatOptions.status ?? 'closed',
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

/** @throws InputError for contradicting options */
export function chooseIdentity({ continues, surveyId, newSurvey }: FormatOptions): SurveyIdentity {
  if (continues !== undefined && (newSurvey === true || surveyId !== undefined))
    throw new InputError({ code: 'survey-options-contradict' });
  return { decision: newSurvey === true ? 'new' : continues === undefined ? undefined : 'continues' };
}

/** The name of a file without its folder and its extensions. */
export function getFileStem(name: string): string {
  const file = name.split(/[\\/]/).at(-1) ?? name;
  return file.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '') || file;
}
