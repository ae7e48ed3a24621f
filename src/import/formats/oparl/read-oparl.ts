/**
 * OParl 1.0 and 1.1 (council information systems of German-speaking municipalities). A paper's status comes
 * from the meetings, and a meeting's agenda leads to papers over consultations, in whatever order the input
 * has them. So the input is read once: papers and meetings, reduced to what we publish, and what has to go wait in
 * temporary files, while memory holds only how their addresses hang together. Nothing is published or removed
 * before the input was read to its end.
 */

import { InvalidTimestampError } from '../../../domain/timestamps.ts';
import { InvalidFieldError } from '../../field-validation.ts';
import type { FormatMapping, FormatReadOptions } from '../../format-definition.ts';
import type { ParsedRecord, SourceLocation } from '../../parsed-record.ts';
import type { ReadOptions } from '../../read-options.ts';
import { type InputFile, readInputFile } from '../../readers/input-files.ts';
import { type ParsedJsonValue, readJson } from '../../readers/json.ts';
import { createSpool, type Spool } from '../../spool.ts';
import {
  type ResultOptions,
  removed,
  sessionRules,
  sessions,
  submissions,
  treatmentRules,
} from './emit-records.ts';
import { type Links, linkAgendaItem, linkConsultations, noLinks, treatments } from './object-index.ts';
import { containsAny, defaultPaperTypes, defaultResults, type ResultTable, toText } from './oparl-fields.ts';
import {
  meetingRules,
  type OparlObject,
  paperRules,
  typeName,
  type WaitingMeeting,
  type WaitingPaper,
  type WaitingRemoval,
  waitingMeeting,
  waitingPaper,
  type Zoned,
} from './pending-objects.ts';

interface OparlOptions extends Zoned, ResultOptions {
  paperTypes: readonly string[];
}

const defaultTimeZone = 'Europe/Berlin';

export function readOparl(
  sources: readonly InputFile[],
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  return readObjects(objectsIn(sources, options), options);
}

/** @param found objects of one body, in any order; of a paper or meeting that comes twice, the first counts */
export async function* readObjects(
  found: AsyncIterable<Found>,
  { formatOptions, ...options }: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const zoned: OparlOptions = {
    ...options,
    timeZone: options.timeZone ?? defaultTimeZone,
    paperTypes: (formatOptions.paperTypes as readonly string[] | undefined) ?? defaultPaperTypes,
    results: (formatOptions.results as ResultTable | undefined) ?? defaultResults,
  };
  const links = noLinks();
  const waiting: Waiting = { removals: createSpool(), papers: createSpool(), meetings: createSpool() };
  const { removals, papers, meetings } = waiting;
  try {
    for await (const { location, object, rejectionReason } of found) {
      if (object === undefined) yield { location, rejectionReason };
      else yield* take(location, object, links, waiting, zoned);
    }
    for (const sentence of whatIsMissing(links)) options.observer.onNote?.(sentence);
    yield* removed(removals, links, zoned);
    yield* submissions(papers, await treatments(meetings, links, new Date().toISOString()), links, zoned);
    yield* sessions(meetings, links, zoned);
  } finally {
    for (const spool of [removals, papers, meetings]) spool.remove();
  }
}

/** A body in parts is read without complaint, and published as if the rest of it did not exist. */
function whatIsMissing({ sawPapers, wantedPapers, wantedMeetings, organizationNames }: Links): string[] {
  const sentences: string[] = [];
  if (wantedPapers.size > 0 && wantedMeetings.size === 0)
    sentences.push(
      'There was no meeting in the input: papers are published as if none had dealt with them. Bring in papers and meetings of a body together.',
    );
  if (wantedMeetings.size > 0 && !sawPapers)
    sentences.push(
      'There was no paper in the input: agendas, and what became of papers, stay as they are. Bring in papers and meetings of a body together.',
    );
  if (wantedMeetings.size > 0 && organizationNames.size === 0)
    sentences.push(
      'There was no organization in the input: committees are called what their meetings are. Bring in the organizations too.',
    );
  return sentences;
}

/** What is published, or removed, when the input was read to its end. */
interface Waiting {
  removals: Spool<WaitingRemoval>;
  papers: Spool<WaitingPaper>;
  meetings: Spool<WaitingMeeting>;
}

export type Found = { location: SourceLocation } & (
  | { object: OparlObject; rejectionReason?: undefined }
  | { object?: undefined; rejectionReason: string }
);

async function* objectsIn(sources: readonly InputFile[], options: ReadOptions): AsyncGenerator<Found> {
  for (const source of sources) {
    for await (const value of readJson(source.name, readInputFile(source, options), ['data']))
      yield* objectsOf(value);
  }
}

/** One object, or those of an external list (`{"data": […]}`). */
function objectsOf({ location, value, problem }: ParsedJsonValue): Found[] {
  if (problem !== undefined) return [{ location, rejectionReason: problem }];
  const list = (value as { data?: unknown } | null)?.data;
  const entries = Array.isArray(list) ? list : [value];
  return entries.map((entry: unknown, index) => {
    const at = Array.isArray(list) ? { ...location, entry: index + 1 } : location;
    const { id, type } = (entry ?? {}) as Record<string, unknown>;
    return typeof id === 'string' && typeof type === 'string'
      ? { location: at, object: entry as OparlObject }
      : { location: at, rejectionReason: 'is not an OParl object: it has no id or no type' };
  });
}

/** Files an object away. What nothing waits for is told at once. */
async function* take(
  location: SourceLocation,
  object: OparlObject,
  links: Links,
  { removals, papers, meetings }: Waiting,
  options: OparlOptions,
): AsyncGenerator<ParsedRecord> {
  const { id } = object;
  try {
    switch (typeName(object)) {
      case 'Paper': {
        links.sawPapers = true;
        const wanted = object.deleted !== true && containsAny(toText(object.paperType), options.paperTypes);
        if (!wanted) {
          links.wantedPapers.delete(id);
          await removals.add({ location, id, of: 'submission' });
          return;
        }
        linkConsultations(object, links);
        await papers.add(waitingPaper(location, object, options));
        links.wantedPapers.add(id);
        return;
      }
      case 'Meeting':
        if (object.deleted === true || object.cancelled === true) {
          links.wantedMeetings.delete(id);
          await removals.add({ location, id, of: 'session' });
          return;
        }
        await meetings.add(waitingMeeting(location, object, options));
        links.wantedMeetings.add(id);
        return;
      case 'Organization':
        if (typeof object.name === 'string') links.organizationNames.set(id, object.name);
        break;
      case 'Consultation':
        if (typeof object.paper === 'string' && object.deleted !== true)
          links.paperOfConsultation.set(id, object.paper);
        break;
      case 'AgendaItem':
        linkAgendaItem(object, links);
        break;
    }
    yield { location, ignored: true };
  } catch (error) {
    if (!(error instanceof InvalidFieldError || error instanceof InvalidTimestampError)) throw error;
    yield { location, id, rejectionReason: error.message };
  }
}

export const oparlMappings: readonly FormatMapping[] = [
  { kind: 'submission', fieldSources: [...paperRules, ...treatmentRules] },
  { kind: 'session', fieldSources: [...meetingRules, ...sessionRules] },
];
