/** Options of stored sources: texts by name, as the definition has them, and the values that the format parses. */

import { toFlagName } from '../../domain/values/define-entered-fields.ts';
import {
  commonOptions,
  type FormatOptions,
  type OptionDeclarations,
  parseOption,
} from '../format-options.ts';
import type { FormatReader } from '../formats/format-definition.ts';
import { findFormat } from '../formats/format-registry.ts';
import { InputError, runAll } from '../input-error.ts';

/** The options that a definition may have. */
export function getSourceOptions(definition: { format: string; url: string | null }): OptionDeclarations {
  const { options, endpointOptions } = findFormat(definition.format);
  const ofFormat = definition.url === null ? options : { ...options, ...endpointOptions };
  return { ...ofFormat, ...commonOptions };
}

/** @throws InputError for unknown options, and for invalid texts */
export function parseSourceOptions(
  definition: { format: string; url: string | null; options: Readonly<Record<string, string>> },
  { fileParsers = {} }: FormatReader,
): FormatOptions {
  const known = getSourceOptions(definition);
  const parse = (name: string, text: string) => {
    const option = Object.hasOwn(known, name) ? known[name] : undefined;
    if (option === undefined)
      throw new InputError({
        code: 'option-unknown',
        format: definition.format,
        option: name,
        flag: toFlagName(name),
      });
    try {
      return fileParsers[name]?.(text, `the stored ${name}`) ?? parseOption(option, text);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new InputError({
        code: 'option-invalid',
        option: name,
        flag: toFlagName(name),
        problem: error.reason,
      });
    }
  };
  return Object.fromEntries(
    runAll(
      Object.entries(definition.options).map(([name, text]) => () => [name, parse(name, text)]),
    ),
  );
}
