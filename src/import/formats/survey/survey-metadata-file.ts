/** Parses the metadata file of survey tables: their titles, questions, ids and totals. */
import { isObject } from '../../field-validation.ts';
import { InputError } from '../../input-error.ts';
import { parseOptionJson } from '../../readers/option-file.ts';
import { getFileStem } from './survey-identity.ts';

export interface TableDescription {
  id?: string;
  title?: string;
  question?: string;
  /** Of the survey, or of each year. */
  totalResponses?: number | Readonly<Record<string, number>>;
  /** Names in the metadata that nothing is read from. */
  leftOut: readonly string[];
}

/** @returns the description of a table by its file name; undefined: the metadata lacks it */
export type FindDescription = (file: string) => TableDescription | undefined;

type Entry = Record<string, unknown>;

/**
 * The JSON file contains a list of descriptions that name their file in `tsv`, `csv`, `file` or `id`; an object of
 * descriptions by file name; or the description of a single table.
 *
 * @throws InputError
 */
export function parseMetadata(text: string, path: string): FindDescription {
  const content = parseOptionJson(text, path);
  if (isObject(content) && Object.values(content).some((value) => !isObject(value))) {
    const description = parseDescription(content);
    return () => description;
  }
  const entries: [string, unknown][] = Array.isArray(content)
    ? content.map((entry) => [getFileName(entry), entry])
    : Object.entries(isObject(content) ? content : {});
  if (entries.length === 0 || !entries.every(([, entry]) => isObject(entry)))
    throw new InputError({ code: 'metadata-expected' });
  const byStem = new Map(
    entries.map(([file, entry]) => [getFileStem(file), parseDescription(entry as Entry)]),
  );
  return (file) => byStem.get(getFileStem(file));
}

const fileNameKeys = ['tsv', 'csv', 'file', 'id'];

function getFileName(entry: unknown): string {
  const found = isObject(entry) ? fileNameKeys.map((key) => entry[key]) : [];
  return String(found.find((name) => name != null) ?? '');
}

function parseDescription(entry: Entry): TableDescription {
  const { id, title, question, subtitle, totalResponses } = entry;
  const description = {
    ...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
    ...(typeof title === 'string' && { title }),
    ...(typeof question === 'string' ? { question } : parseSubtitle(subtitle)),
    ...((typeof totalResponses === 'number' || isByYear(totalResponses)) && { totalResponses }),
  };
  const read = new Set([...fileNameKeys, ...Object.keys(description)]);
  if (description.question !== question) read.add('subtitle');
  return { ...description, leftOut: Object.keys(entry).filter((name) => !read.has(name)) };
}

const isByYear = (value: unknown): value is Record<string, number> =>
  isObject(value) && Object.values(value).every((count) => typeof count === 'number');

/** Official statistics quote the question in « » in the subtitle. Without quotes the subtitle is the question. */
function parseSubtitle(subtitle: unknown): { question?: string } {
  if (typeof subtitle !== 'string' || subtitle.trim() === '') return {};
  return { question: (/«([^«»]+)»/.exec(subtitle)?.[1] ?? subtitle).trim() };
}
