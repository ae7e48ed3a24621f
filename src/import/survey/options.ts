/** The options that both formats of surveys have. */

import type { FormatOption, OwnOptions } from '../format.ts';
import type { Source } from '../input/source.ts';
import { InputProblem } from '../reading.ts';
import type { FoldingRule } from './anonymity.ts';

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
      throw new InputProblem(`It must be one of ${statuses.join(', ')}.`);
    },
  },
  otherText: {
    flags: '--other-text <text>',
    description: `text of the option that small ones are folded into (default: ${'Weitere Antworten'})`,
    parse: (text: string) => {
      if (text.trim() !== '') return text.trim();
      throw new InputProblem('It must not be empty.');
    },
  },
} as const satisfies Record<string, FormatOption>;

/** @param least that may be asked for */
export function thresholdOption(least: number, remark: string): FormatOption {
  return {
    flags: '--threshold <count>',
    description: `fewest answers of an option that are published as they are (default: 10${remark})`,
    parse: (text) => {
      const count = Number(text);
      if (/^\d{1,6}$/.test(text) && count >= least) return count;
      throw new InputProblem(`It must be a whole number from ${least} on.`);
    },
  };
}

export function foldingRuleOf({ threshold = 10, otherText = 'Weitere Antworten' }: OwnOptions): FoldingRule {
  return { threshold: threshold as number, otherText: otherText as string };
}

/** A file's name without folder and endings. */
/** @throws InputProblem for standard input and pipes: every survey from there would be the same one */
export function refuseNameless({ name, size }: Source, id: unknown): void {
  if (size === undefined && id === undefined)
    throw new InputProblem(
      `${name} is no file by whose name a survey could be known: name it with --survey-id.`,
    );
}

export function stemOf(name: string): string {
  const file = name.split(/[\\/]/).at(-1) ?? name;
  return file.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '') || file;
}
