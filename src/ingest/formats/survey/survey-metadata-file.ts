/** Parses the metadata file of survey tables: their titles, questions, ids and totals. */

import { InputError } from '../../input-error.ts';
import { parseOptionJson } from '../../readers/read-file-named-by-option.ts';
import type { GivenSurveyEnd } from '../../records/counted-survey.ts';
import { isObject } from '../../records/field-validation.ts';
import {
  fileNameKeys,
  getFileStem,
  listMetadataEntries,
  type MetadataEntry,
  otherTables,
} from './survey-metadata-entries.ts';

export interface TableDescription extends GivenSurveyEnd {
  id?: string;
  title?: string;
  question?: string;
  /** Of the survey, or of each year. */
  totalResponses?: number | Readonly<Record<string, number>>;
  /** Names in the metadata that nothing is read from. */
  leftOut: readonly string[];
  /** What other metadata call the question: it may have been published so before it was corrected. */
  otherQuestions?: readonly string[];
}

/** The content of a metadata file. */
export interface SurveyMetadata {
  file: string;
  /** By the name of the table without folder and extensions; or the description of a single table. */
  tables: ReadonlyMap<string, TableDescription> | TableDescription;
}

/** @throws InputError */
export function parseMetadata(text: string, file: string): SurveyMetadata {
  const entries = listMetadataEntries(parseOptionJson(text, file));
  if (entries === undefined) throw new InputError({ code: 'metadata-expected', file });
  if (!Array.isArray(entries)) return { file, tables: parseDescription(entries) };
  const tables = new Map(entries.map(([name, entry]) => [getFileStem(name), parseDescription(entry)]));
  return { file, tables };
}

/**
 * @param metadata the first takes precedence
 * @param tableCount of the input
 * @returns a function that finds the description of a table by its file name; undefined: the metadata lacks it
 * @throws InputError for a description without a name, if there are several tables
 */
export function createDescriptionFinder(
  metadata: readonly SurveyMetadata[],
  tableCount: number,
): (file: string) => TableDescription | undefined {
  if (metadata.length === 0) return () => ({ leftOut: [] });
  const unnamed = metadata.find(({ tables }) => !(tables instanceof Map));
  if (unnamed !== undefined && tableCount > 1)
    throw new InputError({ code: 'metadata-of-one-table', file: unnamed.file });
  return (file) => {
    const found = metadata.flatMap(({ tables }) =>
      tables instanceof Map
        ? (tables.get(getFileStem(file)) ?? tables.get(otherTables) ?? [])
        : [tables as TableDescription],
    );
    if (found.length === 0 || isLackedByOne(metadata, file)) return undefined;
    const leftOut = [...new Set(found.flatMap((description) => description.leftOut))];
    const otherQuestions = found.slice(1).flatMap(({ question, title }) => question ?? title ?? []);
    return Object.assign({}, ...found.toReversed(), { leftOut, otherQuestions });
  };
}

/** A description of all other tables, as a correction adds it, does not describe a table that other metadata lack. */
const isLackedByOne = (metadata: readonly SurveyMetadata[], file: string): boolean => {
  const maps = metadata.flatMap(({ tables }) => (tables instanceof Map ? [tables] : []));
  return (
    !maps.some((tables) => tables.has(getFileStem(file))) && maps.some((tables) => !tables.has(otherTables))
  );
};

function parseDescription(entry: MetadataEntry): TableDescription {
  const { id, title, question, subtitle, totalResponses, endedOn, year } = entry;
  const description = {
    ...((typeof id === 'string' || typeof id === 'number') && { id: String(id) }),
    ...(typeof title === 'string' && { title }),
    ...(typeof question === 'string' ? { question } : parseSubtitle(subtitle)),
    ...((typeof totalResponses === 'number' || isByYear(totalResponses)) && { totalResponses }),
    ...(endedOn !== undefined && { endedOn }),
    ...(/^\d{4}$/.test(String(year)) && { year: Number(year) }),
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
