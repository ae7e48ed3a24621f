/** Options of imports. */

import { InvalidArgumentError } from 'commander';
import { type ImportQuestion, importQuestions } from '../../../domain/runs/import-question.ts';
import { defaultMaxDeletedPercent } from '../../../domain/sources/import-source.ts';
import { sourceFields } from '../../../domain/sources/source-fields.ts';
import { isTimeZone } from '../../../domain/values/timestamps.ts';
import {
  describeOption,
  type FormatOption,
  getOptionKind,
  type OptionDeclarations,
} from '../../../ingest/format-options.ts';
import { InputError } from '../../../ingest/input-error.ts';
import { maxRetractedPercent } from '../../../ingest/pipeline/retraction-limit.ts';
import type { CommandOption } from '../../../platform/command-options.ts';
import { createIntegerParser } from '../../config/setting-parsers.ts';
import { flag, option, settingOption, type Values } from '../define-command.ts';
import { parseSwitch } from '../options/option-parsers.ts';

export const timeZone = option('zone', sourceFields.declared.timeZone.about, (text) => {
  if (isTimeZone(text)) return text;
  throw new Error('be a time zone such as Europe/Berlin');
});

export const deletionOptions = {
  deleteMissing: flag('delete published records of this source that are missing from the input'),
  maxDeleted: option(
    'percent',
    `with --delete-missing: delete nothing if more than this share of any kind of record is missing (default: ${defaultMaxDeletedPercent})`,
    createIntegerParser('a whole number', 0, 100),
  ),
};

export const locations = option(
  'on|off',
  'publish locations of submissions, if the municipality publishes any; a stored source has a setting for it (default: as in earlier imports of this source, at first off)',
  parseSwitch,
);

/** Flags that confirm questions of an import. */
export const questionOptions = {
  beside: flag('publish records beside equal ones that another source has published'),
  removeSkipped: flag(
    `remove published records that the settings of the import leave out, even if they are more than ${maxRetractedPercent} % of a kind`,
  ),
};

const questionFlags: Readonly<Record<ImportQuestion, keyof typeof questionOptions>> = {
  'removes-many': 'removeSkipped',
  'repeats-published': 'beside',
};

export const listConfirmed = (flags: Values<typeof questionOptions>): ImportQuestion[] =>
  importQuestions.filter((question) => flags[questionFlags[question]]);

export const redactionOptions = {
  redact: settingOption('redact'),
  redactCountry: settingOption('redactCountry'),
  redactPatterns: settingOption('redactPatterns'),
};

export const rejected = option('file', 'write rejected records to this file, one JSON object per line');

export const loosenRedaction = flag('allow less redaction than in earlier imports of this source');

/** @param parse how the option's text is read */
export const declareFormatOptions = (
  declared: OptionDeclarations,
  parse: (option: FormatOption, text: string) => unknown,
): Record<string, CommandOption<unknown>> =>
  Object.fromEntries(
    Object.entries(declared).map(([name, one]) => {
      const description = describeOption(one);
      if (getOptionKind(one) === 'switch') return [name, flag(description)];
      return [
        name,
        option(one.value ?? name, description, (text) => {
          try {
            return parse(one, text);
          } catch (error) {
            throw error instanceof InputError ? new InvalidArgumentError(error.message) : error;
          }
        }),
      ];
    }),
  );
