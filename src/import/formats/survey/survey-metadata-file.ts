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

function getFileName(entry: unknown): string {
  const { tsv, csv, file, id } = isObject(entry) ? entry : {};
  return String(tsv ?? csv ?? file ?? id ?? '');
}

function parseDescription({ id, title, question, subtitle, totalResponses }: Entry): TableDescription {
  return {
    ...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
    ...(typeof title === 'string' && { title }),
    ...(typeof question === 'string' ? { question } : parseSubtitle(subtitle)),
    ...((typeof totalResponses === 'number' || isByYear(totalResponses)) && { totalResponses }),
  };
}

const isByYear = (value: unknown): value is Record<string, number> =>
  isObject(value) && Object.values(value).every((count) => typeof count === 'number');

/** Official statistics quote the question in « » in the subtitle. Without quotes the subtitle is the question. */
function parseSubtitle(subtitle: unknown): { question?: string } {
  if (typeof subtitle !== 'string' || subtitle.trim() === '') return {};
  return { question: (/«([^«»]+)»/.exec(subtitle)?.[1] ?? subtitle).trim() };
}
