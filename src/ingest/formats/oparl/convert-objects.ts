/**
 * Converts the OParl objects of one body to records. The status of a paper comes from meetings, and the agenda of a
 * meeting leads to papers over consultations, while objects come in any order. Therefore papers, meetings, agenda items,
 * consultations and retractions wait in temporary files until the whole input is read. Memory holds only the relations between
 * objects that are published.
 */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { InvalidFieldError } from '../../../domain/reasons/reason.ts';
import { getDefault } from '../../format-options.ts';
import { createSpool, type Spool } from '../../readers/json-lines-spool.ts';
import { type CancelledSessions, createCancelledSessions } from '../../records/cancelled-sessions.ts';
import { isObject } from '../../records/field-validation.ts';
import { parseRecord, type RecordOptions, toRetraction } from '../../records/parse-record.ts';
import type { ParsedRecord, SourceLocation } from '../../records/parsed-record.ts';
import { findStatusMark } from '../../records/retraction-marks.ts';
import { getOwnStatuses } from '../custom-statuses.ts';
import { createLeftOutFinder, type FormatReadOptions } from '../format-definition.ts';
import { defaultResults } from './map-result-to-status.ts';
import {
  agendaRules,
  buildSession,
  getPlace,
  meetingFileRules,
  meetingRules,
  type PendingMeeting,
  parseMeeting,
} from './meeting-to-session.ts';
import { indexFiles, parseFile, type SeparateFile } from './oparl-documents.ts';
import { oparlOptions } from './oparl-format.ts';
import {
  findWithheld,
  findWithheldPaper,
  getTypeName,
  isAdvisory,
  isCancelledMeeting,
  isDeleted,
  listTexts,
  type OparlObject,
  toText,
} from './oparl-object.ts';
import { findOutcome, findTreatments } from './paper-outcomes.ts';
import {
  buildSubmission,
  isSubmissionPaper,
  outcomeRules,
  type PendingPaper,
  paperFileRules,
  paperRules,
  parsePaper,
  type ResultOptions,
} from './paper-to-submission.ts';
import {
  createRelationIndex,
  indexAgendaItems,
  indexConsultations,
  indexPublicParts,
  indexSeparateConsultations,
  parseSeparateAgendaItem,
  type RelationIndex,
  rankState,
  type SeparateAgendaItem,
  type SeparateConsultation,
} from './relation-index.ts';

/** An entry of the input: an object, or the reason why it is none. */
export type ObjectEntry = { location: SourceLocation } & (
  | { object: OparlObject; rejectionReason?: undefined }
  | { object?: undefined; rejectionReason: Reason }
);

interface OparlOptions extends RecordOptions, ResultOptions {
  paperTypes: readonly string[];
  cancelledSessions: CancelledSessions;
}

interface PendingRetraction {
  location: SourceLocation;
  id: string;
  of: 'submission' | 'session';
  /** Of `rankState`; undefined: the object is published by no other state. */
  state: number | undefined;
  because: Reason;
}

interface PendingObjects {
  retractions: Spool<PendingRetraction>;
  papers: Spool<PendingPaper>;
  meetings: Spool<PendingMeeting>;
  agendaItems: Spool<SeparateAgendaItem>;
  consultations: Spool<SeparateConsultation>;
  files: Spool<SeparateFile>;
}

const superseded: Reason = { code: 'record-superseded' };

const defaultPaperTypes = getDefault(oparlOptions.paperTypes);

/**
 * @param entries objects of one body in any order; if a paper or meeting occurs twice, the one that was modified last counts, and of
 *   equal ones the first
 */
export async function* convertObjects(
  entries: AsyncIterable<ObjectEntry>,
  { formatOptions, ...readOptions }: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const options: OparlOptions = {
    ...readOptions,
    paperTypes: (formatOptions.paperTypes as readonly string[] | undefined) ?? defaultPaperTypes,
    results: [...getOwnStatuses(formatOptions).rows, ...defaultResults],
    cancelledSessions: createCancelledSessions(readOptions.observer),
  };
  const index = createRelationIndex();
  const pending: PendingObjects = {
    retractions: createSpool(),
    papers: createSpool(),
    meetings: createSpool(),
    agendaItems: createSpool(),
    consultations: createSpool(),
    files: createSpool(),
  };
  try {
    for await (const { location, object, rejectionReason } of entries) {
      if (object === undefined) yield { location, rejectionReason };
      else yield* addObject(location, object, index, pending, options);
    }
    await indexSeparateConsultations(pending.consultations, index);
    await indexAgendaItems(pending.agendaItems, index);
    await indexFiles(pending.files, [pending.papers, pending.meetings], index);
    for (const note of findMissingTypes(index)) options.observer.onNote?.(note);
    yield* emitRetractions(pending, index, options);
    yield* emitSubmissions(pending, index, options);
    yield* emitSessions(pending, index, options);
  } finally {
    for (const spool of Object.values(pending)) spool.remove();
  }
}

const leftOutFinders: ReadonlyMap<string, ReturnType<typeof createLeftOutFinder>> = new Map([
  ['Paper', createLeftOutFinder([...paperRules, ...paperFileRules, ...outcomeRules])],
  ['Meeting', createLeftOutFinder([...meetingRules, ...meetingFileRules, ...agendaRules, ...outcomeRules])],
]);

/** The properties that are read of other types. */
const readProperties: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    Organization: ['name'],
    Consultation: ['paper', 'authoritative', 'deleted'],
    AgendaItem: ['meeting', 'order', 'number', 'public', 'result', 'consultation', 'deleted'],
    File: ['name', 'accessUrl', 'downloadUrl', 'mimeType', 'deleted'],
    Location: ['description', 'room', 'streetAddress', 'postalCode', 'locality', 'deleted'],
  }),
);

/** The types of embedded objects, which need not have a `type`. */
const embeddedTypes: Readonly<Record<string, string>> = {
  agendaItem: 'AgendaItem',
  consultation: 'Consultation',
  organization: 'Organization',
  mainFile: 'File',
  auxiliaryFile: 'File',
  invitation: 'File',
  resultsProtocol: 'File',
  verbatimProtocol: 'File',
  location: 'Location',
};

/** @returns names such as `AgendaItem.name`, also of objects inside the object */
function listLeftOut(object: Readonly<Record<string, unknown>>, type: string): string[] {
  const names = Object.keys(object);
  const read = ['id', 'type', ...(readProperties.get(type) ?? [])];
  const leftOut = new Set(leftOutFinders.get(type)?.(names) ?? names.filter((name) => !read.includes(name)));
  const inner = names.flatMap((name) => {
    const { [name]: innerType } = embeddedTypes;
    if (innerType === undefined || leftOut.has(name)) return [];
    return [object[name]].flat().flatMap((each) => (isObject(each) ? listLeftOut(each, innerType) : []));
  });
  return [...[...leftOut].map((name) => `${type}.${name}`), ...inner];
}

/** Stores or indexes an object. Yields only objects that become no record. */
function* addObject(
  location: SourceLocation,
  object: OparlObject,
  index: RelationIndex,
  pending: PendingObjects,
  options: OparlOptions,
): Generator<ParsedRecord> {
  const { id } = object;
  const type = getTypeName(object);
  options.observer.onLeftOutColumns?.(listLeftOut(object, type));
  const isRelation = ['Organization', 'Consultation', 'AgendaItem', 'File'].includes(type);
  try {
    switch (type) {
      case 'Paper':
        yield* addPaper(location, object, index, pending, options);
        return;
      case 'Meeting':
        yield* addState(location, object, findWithheldMeeting(object, options), index, pending, {
          of: 'session',
          published: index.meetings,
          add: () => {
            for (const text of [getPlace(object.location) ?? '', ...listTexts(object)])
              options.cancelledSessions.noteText(text);
            pending.meetings.add(parseMeeting(location, object, options));
            indexPublicParts(id, object.agendaItem, index);
          },
        });
        return;
      case 'Organization':
        if (typeof object.name === 'string' && findWithheld(object) === undefined)
          index.organizationNames.set(id, object.name);
        break;
      case 'Consultation':
        pending.consultations.add({
          id,
          paper: findWithheld(object) === undefined ? toText(object.paper) : undefined,
          isAdvisory: isAdvisory(object),
        });
        break;
      case 'AgendaItem': {
        const item = parseSeparateAgendaItem(object, index);
        if (item !== undefined) pending.agendaItems.add(item);
        break;
      }
      case 'File':
        index.hasSeparateFiles = true;
        pending.files.add({ id, ...parseFile(object) });
        break;
    }
    yield { location, skipped: isRelation ? { code: 'relations-read' } : undefined };
  } catch (error) {
    if (!(error instanceof InvalidFieldError)) throw error;
    yield { location, id, rejectionReason: error.reason };
  }
}

function* addPaper(
  location: SourceLocation,
  object: OparlObject,
  index: RelationIndex,
  pending: PendingObjects,
  options: OparlOptions,
): Generator<ParsedRecord> {
  const { id } = object;
  index.hasPapers = true;
  const withheld = findWithheldPaper(object);
  if (withheld === undefined && !isSubmissionPaper(object, options.paperTypes)) {
    if (!isSuperseded(rankState(object, false), id, index)) index.papers.delete(id);
    const because: Reason = { code: 'papers-of-other-types' };
    pending.retractions.add({ location, id, of: 'submission', state: undefined, because });
    return;
  }
  yield* addState(location, object, withheld, index, pending, {
    of: 'submission',
    published: index.papers,
    add: () => {
      indexConsultations(object, index);
      pending.papers.add(parsePaper(location, object, options));
    },
  });
}

const isSuperseded = (state: number, id: string, { states }: RelationIndex) => state < (states.get(id) ?? 0);

/**
 * Publishes or retracts an object, unless the input has had a newer state of it.
 *
 * @param withheld why it must not be public
 * @throws InvalidFieldError by `add`; then the object is neither published nor retracted
 */
function* addState(
  location: SourceLocation,
  object: OparlObject,
  withheld: Reason | undefined,
  index: RelationIndex,
  { retractions }: PendingObjects,
  { of, published, add }: Pick<PendingRetraction, 'of'> & { published: Set<string>; add: () => void },
): Generator<ParsedRecord> {
  const { id } = object;
  const state = rankState(object, withheld !== undefined);
  if (isSuperseded(state, id, index)) {
    yield { location, id, skipped: superseded };
    return;
  }
  if (withheld === undefined) {
    add();
    published.add(id);
  } else {
    published.delete(id);
    retractions.add({ location, id, of, state, because: withheld });
  }
  index.states.set(id, state);
}

/** @returns why a meeting must not be public */
function findWithheldMeeting(object: OparlObject, { cancelledSessions }: OparlOptions): Reason | undefined {
  if (
    isDeleted(object) ||
    isCancelledMeeting(object) ||
    cancelledSessions.check(object.id, toText(object.name))
  )
    return { code: 'meetings-cancelled' };
  return findWithheld(object) ?? findStatusMark(object.meetingState);
}

/** An incomplete body is valid input, and is published as if the missing types of objects did not exist. */
function findMissingTypes({ hasPapers, papers, meetings, organizationNames }: RelationIndex): Reason[] {
  const notes: Reason[] = [];
  if (papers.size > 0 && meetings.size === 0) notes.push({ code: 'no-meetings' });
  if (meetings.size > 0 && !hasPapers) notes.push({ code: 'no-papers' });
  if (meetings.size > 0 && organizationNames.size === 0) notes.push({ code: 'no-organizations' });
  return notes;
}

/** Skips objects that another part of the input publishes. */
async function* emitRetractions(
  { retractions }: PendingObjects,
  index: RelationIndex,
  options: OparlOptions,
): AsyncGenerator<ParsedRecord> {
  for await (const { location, id, of, state, because } of retractions.values()) {
    const isPublished = (of === 'submission' ? index.papers : index.meetings).has(id);
    yield isPublished || (state !== undefined && isSuperseded(state, id, index))
      ? { location, id, skipped: superseded }
      : toRetraction(location, of, id, because, options);
  }
}

async function* emitSubmissions(
  { papers, meetings }: PendingObjects,
  index: RelationIndex,
  options: OparlOptions,
): AsyncGenerator<ParsedRecord> {
  const treatments = await findTreatments(meetings, index, new Date().toISOString());
  for await (const paper of papers.values()) {
    const { location, id } = paper;
    const own = treatments.get(id);
    const outcome = own && findOutcome(own, options.results);
    yield index.papers.has(id) && paper.state === index.states.get(id)
      ? {
          location,
          id,
          record: { kind: 'submission', ...buildSubmission(paper, outcome, { ...options, index }) },
        }
      : { location, id, skipped: superseded };
  }
}

async function* emitSessions(
  { meetings }: PendingObjects,
  index: RelationIndex,
  { namespace, language, observer }: OparlOptions,
): AsyncGenerator<ParsedRecord> {
  for await (const meeting of meetings.values()) {
    const { location, id } = meeting;
    yield index.meetings.has(id) && meeting.state === index.states.get(id)
      ? parseRecord(location, id, () => buildSession(meeting, { index, namespace, language, observer }))
      : { location, id, skipped: superseded };
  }
}
