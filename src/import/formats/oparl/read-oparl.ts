/** Reads OParl 1.0 and 1.1 objects from JSON files. */
import type { FormatReadOptions, ReadOptions } from '../../format-definition.ts';
import type { ParsedRecord } from '../../parsed-record.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { readJson } from '../../readers/json.ts';
import type { ParsedJsonValue } from '../../readers/json-entries.ts';
import { readInputFile } from '../../readers/open-input.ts';
import { convertObjects, type ObjectEntry } from './convert-objects.ts';
import { isOparlObject, notAnOparlObject } from './oparl-object.ts';

export function readOparl(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  return convertObjects(readEntries(sources, options), options);
}

async function* readEntries(
  sources: readonly InputFile[],
  options: ReadOptions,
): AsyncGenerator<ObjectEntry> {
  for (const source of sources) {
    for await (const value of readJson(source.name, readInputFile(source, options), ['data']))
      yield* listEntries(value);
  }
}

/** One object, or the objects of an external list (`{"data": […]}`). */
function listEntries({ location, value, problem }: ParsedJsonValue): ObjectEntry[] {
  if (problem !== undefined) return [{ location, rejectionReason: problem }];
  const list = (value as { data?: unknown } | null)?.data;
  if (!Array.isArray(list)) return [toEntry(location, value)];
  return list.map((entry: unknown, index) => toEntry({ ...location, entry: index + 1 }, entry));
}

const toEntry = (location: ObjectEntry['location'], value: unknown): ObjectEntry =>
  isOparlObject(value) ? { location, object: value } : { location, rejectionReason: notAnOparlObject };
