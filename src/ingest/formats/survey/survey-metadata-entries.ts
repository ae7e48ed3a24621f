/** The entries of a metadata file of survey tables, and corrections of them. Servers correct titles, so it imports no reader. */
import { isObject } from '../../records/field-validation.ts';

export type MetadataEntry = Record<string, unknown>;

/** Describes the tables that have no entry of their own. */
export const otherTables = '*';

export const fileNameKeys = ['tsv', 'csv', 'file', 'id'];

/**
 * The file contains a list of descriptions that name their file in `tsv`, `csv`, `file` or `id`; an object of descriptions by
 * file name; or the description of a single table.
 *
 * @returns entries with the names of their files; an entry without a name; undefined for other content
 */
export function listMetadataEntries(
  content: unknown,
): [name: string, entry: MetadataEntry][] | MetadataEntry | undefined {
  if (isObject(content) && Object.values(content).some((value) => !isObject(value))) return content;
  const entries: [string, unknown][] = Array.isArray(content)
    ? content.map((entry) => [getFileName(entry), entry])
    : Object.entries(isObject(content) ? content : {});
  return entries.length > 0 && entries.every((pair): pair is [string, MetadataEntry] => isObject(pair[1]))
    ? entries
    : undefined;
}

function getFileName(entry: unknown): string {
  const found = isObject(entry) ? fileNameKeys.map((key) => entry[key]) : [];
  return String(found.find((name) => name != null) ?? '');
}

/** See `Format`. */
export function correctTable(
  metadata: string | undefined,
  file: string,
  texts: { title: string; question: string },
): string {
  const present = metadata === undefined ? [] : listMetadataEntries(JSON.parse(metadata));
  const entries = Array.isArray(present) ? present : [[file, present ?? {}] as const];
  const isOf = (name: string) => getFileStem(name) === getFileStem(file);
  const own = entries.find(([name]) => isOf(name))?.[1];
  const others = entries.filter(([name]) => !isOf(name));
  // Tables that the metadata lacks are rejected.
  if (metadata === undefined) others.push([otherTables, {}]);
  return JSON.stringify(Object.fromEntries([...others, [file, { ...own, ...texts }]]), undefined, 2);
}

/** The name of a file without its folder and its extensions. */
export function getFileStem(name: string): string {
  const file = name.split(/[\\/]/).at(-1) ?? name;
  return file.replace(/\.gz$/i, '').replace(/\.[^.]+$/, '') || file;
}
