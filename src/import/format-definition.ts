/** The interface of an import format: its description, its options and its reader. */

import type { MappingSuggestion } from '../domain/mapping-suggestion.ts';
import type { RecordKind } from '../domain/records.ts';
import type { Reason } from '../reasons/reason.ts';
import type { ParsedRecord } from './parsed-record.ts';
import type { InputFile, InputOptions } from './readers/input-files.ts';
import type { InputSample } from './readers/input-sample.ts';

/** Where a published field comes from, in words that a user of the source system knows. */
export interface FieldSource {
  /** Published name of the field. */
  field: string;
  from: string;
}

/** How to extract a published field from a record of the source. */
export interface FieldRule<Of, Context = undefined> extends FieldSource {
  /** @returns undefined for the default value of the field @throws InvalidFieldError */
  extract: (of: Of, context: Context) => unknown;
}

/** Extracts the fields of a record. `parse-record.ts` validates them. */
export function applyRules<Of, Context>(
  rules: readonly FieldRule<Of, Context>[],
  of: Of,
  context: Context,
): Record<string, unknown> {
  const fields: Record<string, unknown> = {};
  for (const { field, extract } of rules) fields[field] = extract(of, context);
  return fields;
}

/** @returns a function that finds the columns that no source names in backticks; `title/de` is a part of `title` */
export function createLeftOutFinder(
  sources: readonly FieldSource[],
): (columns: readonly string[]) => string[] {
  const names = sources.flatMap(({ from }) =>
    [...from.matchAll(/`([\w./]+)`/g)].map(([, name = '']) => name),
  );
  const named = new Set(names.flatMap((name) => [name, ...name.split('.')]));
  return (columns) =>
    columns.filter((column) => !named.has(column) && !names.some((name) => column.startsWith(`${name}/`)));
}

/** The field sources of one kind of record. */
export interface FormatMapping {
  kind: RecordKind;
  fieldSources: readonly FieldSource[];
}

/** A command-line option of a single format. */
export interface FormatOption {
  /** In the syntax of commander, such as `--statuses <file>`. */
  flags: string;
  description: string;
  /** The user names a file, and `parse` receives its content. */
  isFile?: true;
  /**
   * @param name for messages: the path of a file
   * @returns the value for `formatOptions`
   * @throws InputError if the text is invalid
   */
  parse: (text: string, name: string) => unknown;
}

/** The given options of the format by their names in camel case. */
export type FormatOptions = Readonly<Record<string, unknown>>;

export interface Format {
  name: string;
  description: string;
  /** The rules that `readRecords` applies and `--explain` prints. */
  mappings: readonly FormatMapping[];
  /** The data that the import leaves out. */
  omitted: Reason;
  /** Replaces `mappings` if the user provides the mapping. @throws InputError if it is missing */
  getMappings?(own: FormatOptions): readonly FormatMapping[];
  /** Drafts the mapping that the user has to provide. @throws InputError */
  suggestMapping?(
    sources: readonly [InputFile, ...InputFile[]],
    options: InputOptions,
  ): Promise<MappingSuggestion>;
  options?: readonly FormatOption[];
  /** @throws InputError for contradicting options */
  assertOptions?(own: FormatOptions): void;
  /** Selects the files of a folder; undefined selects the files of all formats. */
  fileExtensions?: readonly string[];
  /** Matches every table, so other formats take precedence. */
  isFallback?: true;
  /** Each file holds some records only, so the import never reports or deletes missing records. */
  isPartialInput?: true;
  /** @returns the reason why the file seems to have this format; undefined if it does not */
  detect(sample: InputSample): Reason | undefined;
  /** @returns why a file of the system cannot be imported as it is, as a clause; undefined for any other file */
  describeDefect?(sample: InputSample): string | undefined;
  /** @throws InputError if the rest of the input cannot be read */
  readRecords(sources: readonly InputFile[], options: FormatReadOptions): AsyncGenerator<ParsedRecord>;
}

export interface ReadOptions extends InputOptions {
  /** UUID, the namespace of the ids of this source (`record-ids.ts`). */
  namespace: string;
  /** IANA name for times without an offset: that of the command line, otherwise that of the municipality. */
  timeZone: string;
}

export interface FormatReadOptions extends ReadOptions {
  formatOptions: FormatOptions;
  /** Empty for a source without a name. */
  sourceName: string;
}
