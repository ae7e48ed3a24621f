/** The options and the rules that both survey formats have. */
import type { FieldRule, FormatOption, FormatOptions } from '../../format-definition.ts';
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
    description: 'id of the survey, from which its UUID is derived (default: name of the file)',
    parse: (text) => text,
  },
  {
    flags: '--status <word>',
    description: 'active, closed or archived (default: closed)',
    parse: (text) => {
      if (statuses.includes(text)) return text;
      throw new InputError(`It must be one of ${statuses.join(', ')}.`);
    },
  },
];

export const statusRule: FieldRule<{ formatOptions: FormatOptions }> = {
  field: 'status',
  from: '`--status`, else closed',
  extract: ({ formatOptions }) => formatOptions.status ?? 'closed',
};

/** @throws InputError for standard input and pipes: all surveys from them would have the same id */
export function assertHasId({ name, size }: InputFile, id: unknown): void {
  if (size === undefined && id === undefined)
    throw new InputError(`${name} has no file name to derive the id of the survey from: add --survey-id.`);
}

/** The name of a file without its folder and its extensions. */
export function getFileStem(name: string): string {
  const file = name.split(/[\\/]/).at(-1) ?? name;
  return file.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '') || file;
}
