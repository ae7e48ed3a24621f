/** What every format that can be imported tells about itself, and how it is read. */

import type { ParsedRecord } from './parsed-record.ts';
import type { ReadOptions } from './read-options.ts';
import type { InputFile } from './readers/input-files.ts';
import type { InputSample } from './readers/input-sample.ts';

export type Kind = 'submission' | 'session' | 'survey';

/** Where one field of ours comes from, as a person who knows the source would say it. */
export interface FieldSource {
  /** Published name. */
  field: string;
  from: string;
}

/** A field of ours, and how it is taken from one record of a source. */
export interface FieldRule<Of, Context = undefined> extends FieldSource {
  /** undefined: the source does not say, so the field has its usual value. @throws InvalidFieldError, InvalidTimestampError */
  extract: (of: Of, context: Context) => unknown;
}

/** The fields of a record under their published names, for `records.ts` to check. */
export function applyRules<Of, Context>(
  rules: readonly FieldRule<Of, Context>[],
  of: Of,
  context: Context,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { field, extract } of rules) fields[field] = extract(of, context);
  return fields;
}

/** What becomes one kind of record. */
export interface FormatMapping {
  kind: Kind;
  fieldSources: readonly FieldSource[];
}

/** An option of the command that one format alone has. */
export interface FormatOption {
  /** As commander has it, `--results <file>`. */
  flags: string;
  description: string;
  /** What `read` is given. @throws InputError when the text is of no use */
  parse: (text: string) => unknown;
}

/** Values of the format's own options by their names in camel case, those that were given. */
export type FormatOptions = Readonly<Record<string, unknown>>;

export interface Format {
  name: string;
  description: string;
  /** What is told by `--explain`; it is what `read` goes by. */
  mappings: readonly FormatMapping[];
  /** A sentence on what never leaves the source. */
  omitted: string;
  /** In place of `mappings` where the person gives the mapping. @throws InputError where they did not */
  getMappings?(own: FormatOptions): readonly FormatMapping[];
  /** A draft of the mapping that the person has to give. @throws InputError */
  suggestMapping?(
    sources: readonly [InputFile, ...InputFile[]],
    options: Pick<ReadOptions, 'signal' | 'observer'>,
  ): Promise<string>;
  options?: readonly FormatOption[];
  /** How the names of its files end, of those in a folder; undefined: like those of any format. */
  fileExtensions?: readonly string[];
  /** It takes what is of no other format. */
  isFallback?: true;
  /** Each file is a record of its own, so an input says nothing about the records that it lacks. */
  isPartialInput?: true;
  /** Why a file seems to be of this format; undefined: it is not. */
  detect(sample: InputSample): string | undefined;
  /** Ends with InputError when the input cannot be read on. */
  read(sources: readonly InputFile[], options: FormatReadOptions): AsyncGenerator<ParsedRecord>;
}

export interface FormatReadOptions extends ReadOptions {
  formatOptions: FormatOptions;
}
