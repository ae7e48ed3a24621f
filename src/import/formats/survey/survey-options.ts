/** The options that both formats of surveys have. */

import type { FormatOption } from '../../format-definition.ts';
import { InputError } from '../../parsed-record.ts';
import type { InputFile } from '../../readers/input-files.ts';

const statuses = ['active', 'closed', 'archived'];

export const surveyOptions = {
  title: {
    flags: '--title <text>',
    description: 'title of the survey (default: name of the file)',
    parse: (text: string) => text,
  },
  surveyId: {
    flags: '--survey-id <id>',
    description: 'id of the survey, of which its UUID is made (default: name of the file)',
    parse: (text: string) => text,
  },
  status: {
    flags: '--status <word>',
    description: 'active, closed or archived (default: closed)',
    parse: (text: string) => {
      if (statuses.includes(text)) return text;
      throw new InputError(`It must be one of ${statuses.join(', ')}.`);
    },
  },
} as const satisfies Record<string, FormatOption>;

/** @throws InputError for standard input and pipes: every survey from there would be the same one */
export function refuseNameless({ name, size }: InputFile, id: unknown): void {
  if (size === undefined && id === undefined)
    throw new InputError(
      `${name} is no file by whose name a survey could be known: name it with --survey-id.`,
    );
}

/** A file's name without folder and endings. */
export function stemOf(name: string): string {
  const file = name.split(/[\\/]/).at(-1) ?? name;
  return file.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '') || file;
}
