/** Options of stored sources: texts by name, as the definition has them, and the values that the format parses. */

import { isEndpoint } from '../domain/import-source.ts';
import type { Format, FormatOption, FormatOptions } from '../import/format-definition.ts';
import { formats } from '../import/format-registry.ts';
import { InputError, runAll } from '../import/input-error.ts';
import { didYouMean } from '../text/did-you-mean.ts';

/** @throws InputError for an unknown format */
export function findFormat(name: string): Format {
  const format = formats.find((one) => one.name === name);
  if (format !== undefined) return format;
  const near = didYouMean(
    name,
    formats.map((one) => one.name),
  );
  throw new InputError({ code: 'format-unknown', format: name, near });
}

/** `--survey-id <id>` → `surveyId` */
export const getOptionName = ({ flags }: Pick<FormatOption, 'flags'>): string =>
  (/--([\w-]+)/.exec(flags)?.[1] ?? '').replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** `surveyId` → `--survey-id` */
export const toFlag = (name: string): string => `--${name.replaceAll(/[A-Z]/g, '-$&').toLowerCase()}`;

/** Options of OParl sources with a URL, in addition to those of the format. */
export const endpointOptions: readonly FormatOption[] = [
  {
    flags: '--body <name|id>',
    description: 'OParl: the body, if the system has more than one',
    parse: (text) => text,
  },
  {
    flags: '--allow-host <hosts>',
    description: 'OParl: also follow references to these hosts, separated by commas',
    parse: (text) =>
      text.split(',').map((part) => {
        const host = part.trim();
        if (/^[^/?#@\s]+$/.test(host) && URL.canParse(`https://${host}`))
          return new URL(`https://${host}`).host;
        throw new InputError({ code: 'option-not-hosts' });
      }),
  },
  {
    flags: '--pause <milliseconds>',
    description: 'OParl: pause between two requests to the endpoint (default: 200)',
    parse: createNumberParser(0, 60_000),
  },
  {
    flags: '--max-requests <count>',
    description: 'OParl: maximum number of requests to the endpoint per run (default: 20000)',
    parse: createNumberParser(1, 1_000_000),
  },
];

function createNumberParser(min: number, max: number): FormatOption['parse'] {
  return (text) => {
    const number = Number(text);
    if (/^\d{1,7}$/.test(text) && number >= min && number <= max) return number;
    throw new InputError({ code: 'option-not-number', min, max });
  };
}

/** The options that a definition may have. */
export function listSourceOptions(definition: { format: string; url: string | null }): FormatOption[] {
  const own = findFormat(definition.format).options ?? [];
  return isEndpoint(definition) ? [...own, ...endpointOptions] : [...own];
}

/** @throws InputError for unknown options, and for invalid texts */
export function parseSourceOptions(definition: {
  format: string;
  url: string | null;
  options: Readonly<Record<string, string>>;
}): FormatOptions {
  const known = new Map(listSourceOptions(definition).map((option) => [getOptionName(option), option]));
  return Object.fromEntries(
    runAll(
      Object.entries(definition.options).map(([name, text]) => () => {
        const option = known.get(name);
        if (option === undefined)
          throw new InputError({ code: 'option-unknown', format: definition.format, flag: toFlag(name) });
        return [name, parseOption(option, name, text)];
      }),
    ),
  );
}

function parseOption({ isFile, parse }: FormatOption, name: string, text: string): unknown {
  try {
    return parse(text, isFile ? `the stored ${name}` : text);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    throw new InputError({ code: 'option-invalid', flag: toFlag(name), problem: error.reason });
  }
}
