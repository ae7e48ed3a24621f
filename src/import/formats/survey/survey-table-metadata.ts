/** What a file beside the tables of a survey tells about them: titles, questions, ids. */

import { InputError } from '../../parsed-record.ts';
import { readOptionJson } from '../../readers/option-file.ts';
import { stemOf } from './survey-options.ts';

export interface TableDescription {
  id?: string;
  title?: string;
  question?: string;
  /** Of the one survey, or of each year. */
  totalResponses?: number | Readonly<Record<string, number>>;
}

/** @returns the description of a table by the name of its file; undefined: there is none */
export type Metadata = (file: string) => TableDescription | undefined;

type Entry = Record<string, unknown>;

const isEntry = (value: unknown): value is Entry =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Metadata from a JSON file: a list of descriptions that name their `tsv`, `csv` or `file`, or whose `id` is the
 * file's name; an object of them by file name; or the description of a single table.
 *
 * @throws InputError when it is none of these
 */
export function readMetadata(path: string): Metadata {
  const content = readOptionJson(path);
  if (isEntry(content) && Object.values(content).some((value) => !isEntry(value))) {
    const only = descriptionOf(content);
    return () => only;
  }
  const named: [string, unknown][] = Array.isArray(content)
    ? content.map((entry) => [fileOf(entry), entry])
    : Object.entries(isEntry(content) ? content : {});
  if (named.length === 0 || !named.every(([, entry]) => isEntry(entry)))
    throw new InputError('It must hold a JSON list or object that describes tables.');
  const byStem = new Map(named.map(([file, entry]) => [stemOf(file), descriptionOf(entry as Entry)]));
  return (file) => byStem.get(stemOf(file));
}

function fileOf(entry: unknown): string {
  const { tsv, csv, file, id } = isEntry(entry) ? entry : {};
  return String(tsv ?? csv ?? file ?? id ?? '');
}

function descriptionOf({ id, title, question, subtitle, totalResponses }: Entry): TableDescription {
  return {
    ...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
    ...(typeof title === 'string' && { title }),
    ...(typeof question === 'string' ? { question } : quotedIn(subtitle)),
    ...((typeof totalResponses === 'number' || isByYear(totalResponses)) && { totalResponses }),
  };
}

const isByYear = (value: unknown): value is Record<string, number> =>
  isEntry(value) && Object.values(value).every((count) => typeof count === 'number');

/** The question stands in « » in the subtitle of official statistics; without them all of it is the question. */
function quotedIn(subtitle: unknown): { question?: string } {
  if (typeof subtitle !== 'string' || subtitle.trim() === '') return {};
  return { question: (/«([^»]+)»/.exec(subtitle)?.[1] ?? subtitle).trim() };
}
