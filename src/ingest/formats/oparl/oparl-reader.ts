/** Reads OParl 1.0 and 1.1 objects from JSON files. */

import type { InputFile } from '../../readers/input-files.ts';
import { readJson } from '../../readers/json/json.ts';
import type { ParsedJsonValue } from '../../readers/json/json-entries.ts';
import { readInputFile } from '../../readers/open-input.ts';
import { isObject } from '../../records/field-validation.ts';
import { parseStatuses } from '../custom-statuses.ts';
import type { FormatReader, FormatReadOptions } from '../format-definition.ts';
import { convertObjects, type ObjectEntry } from './convert-objects.ts';
import { agendaRules, meetingFileRules, meetingRules } from './meeting-to-session.ts';
import { addListType, isOparlObject, notAnOparlObject, toList } from './oparl-object.ts';
import { outcomeRules, paperFileRules, paperRules } from './paper-to-submission.ts';

export const reader: FormatReader = {
  listMappings: () => [
    { kind: 'submission', fieldSources: [...paperRules, ...paperFileRules, ...outcomeRules] },
    { kind: 'session', fieldSources: [...meetingRules, ...meetingFileRules, ...agendaRules] },
  ],
  fileParsers: { statuses: parseStatuses },
  readRecords: (sources, options) => convertObjects(readEntries(sources, options), options),
};

async function* readEntries(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ObjectEntry> {
  for (const source of sources) {
    for await (const value of readJson(source.name, readInputFile(source, options), lists))
      yield* listEntries(value);
  }
}

/** `data` is an external list. A Location has properties with some of the other names, which contain URLs. */
const lists = ['data', 'papers', 'meetings', 'organizations', 'consultations', 'agendaItems', 'files'];

/** One object, or the objects of lists. */
function listEntries({ location, value, problem, list }: ParsedJsonValue): ObjectEntry[] {
  if (problem !== undefined) return [{ location, rejectionReason: problem }];
  const found =
    list === undefined && isObject(value) && value.type === undefined
      ? lists.filter((name) => Array.isArray(value[name]))
      : [];
  if (!isObject(value) || found.length === 0) return [toEntry(location, value, list)];
  return found.flatMap((name) =>
    toList(value[name]).map((entry, index) => toEntry({ ...location, entry: index + 1 }, entry, name)),
  );
}

function toEntry(location: ObjectEntry['location'], value: unknown, list: string | undefined): ObjectEntry {
  const object = addListType(value, list, location.source);
  return isOparlObject(object) ? { location, object } : { location, rejectionReason: notAnOparlObject };
}
