/** The interfaces of an import format: its description, and the reader that the description loads. */

import type { FormatName } from '../../domain/reasons/en/formats.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import type { SurveyTableTexts } from '../../domain/runs/run-queue.ts';
import type { SuggestedMapping } from '../../domain/sources/suggested-mapping.ts';
import type { FormatOptions, OptionDeclarations } from '../format-options.ts';
import type { FileSelection, InputFile, InputOptions } from '../readers/input-files.ts';
import type { InputSample } from '../readers/input-sample.ts';
import type { RecordOptions } from '../records/parse-record.ts';
import type { ParsedRecord } from '../records/parsed-record.ts';

/** Where a published field comes from, in words that a user of the system of the source knows. */
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

/** The endings of the files that several formats accept. */
export const jsonExtensions = ['.json', '.ndjson', '.jsonl'];
export const tableExtensions = ['.csv', '.tsv', '.xlsx', '.xlsm', '.ods'];

/**
 * Flags, help, forms, stored options and detection are derived from it, also in servers. So it imports no reader: those of all
 * formats take 75 MB.
 */
export interface Format extends FileSelection {
  /** `src/domain/reasons/` has its title, and the sentence on the data that it leaves out. */
  name: FormatName;
  /** For the help. */
  description: string;
  /** Options of the same name have the same meaning in all formats. */
  options: OptionDeclarations;
  /** Options of a source with an address, if its runs read an endpoint in place of downloading a file. */
  endpointOptions?: OptionDeclarations;
  /** The user maps the columns, and the reader drafts the mapping. */
  hasMapping?: true;
  /** Submissions can have a location. */
  hasLocations?: true;
  /** Whether these options can leave out records that the source published, so that the import has to ask before it writes. */
  mayRetractBySettings?(options: FormatOptions): boolean;
  /** Whether these options publish other records of the same content on another day. */
  dependsOnDate?(options: FormatOptions): boolean;
  /** Matches every table, so other formats take precedence. */
  isFallback?: true;
  /** Each file holds some records only, so the import never reports or deletes missing records. */
  isPartialInput?: true;
  /** The name of a file decides on the id and title of its record, so equal files are different records. */
  usesFileNames?: true;
  /** @returns the reason why the file seems to have this format; undefined if it does not */
  detect(sample: InputSample): Reason | undefined;
  /** @returns why a file of the system cannot be imported as it is, as a clause; undefined for any other file */
  describeDefect?(sample: InputSample): string | undefined;
  /**
   * @param metadata the valid text of the option; undefined: none so far
   * @param file name of a table
   * @returns the text with other texts of the table
   */
  correctTable?(
    metadata: string | undefined,
    file: string,
    texts: Pick<SurveyTableTexts, 'title' | 'question'>,
  ): string;
  load(): Promise<{ reader: FormatReader }>;
}

/** The data that the import leaves out. */
export const getOmitted = ({ name }: Pick<Format, 'name'>): Reason => ({ code: `omitted-${name}` });

export interface FormatReader {
  /** The rules that `readRecords` applies and `--explain` prints. @throws InputError if a mapping of the user is missing */
  listMappings(own: FormatOptions): readonly FormatMapping[];
  /** Parse the content of the files that options name. @throws InputError */
  fileParsers?: Readonly<Record<string, (text: string, name: string) => unknown>>;
  /** Drafts the mapping that the user has to provide. @throws InputError */
  suggestMapping?(
    sources: readonly [InputFile, ...InputFile[]],
    options: InputOptions,
  ): Promise<SuggestedMapping>;
  /** @throws InputError for contradicting options */
  assertOptions?(own: FormatOptions): void;
  /** @throws InputError if the rest of the input cannot be read */
  readRecords(sources: readonly InputFile[], options: FormatReadOptions): AsyncGenerator<ParsedRecord>;
}

export interface FormatReadOptions extends InputOptions, RecordOptions {
  formatOptions: FormatOptions;
  /** Empty for a source without a name. */
  sourceName: string;
}
