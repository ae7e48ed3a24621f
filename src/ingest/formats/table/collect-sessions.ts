/**
 * Collects sessions and their agendas from all rows, because a session can have a row for each item of its agenda, and
 * agendas can be in another table. The memory that this needs grows with the number of sessions and agenda items.
 */
import { limits } from '../../../contract/field-schemas.ts';
import type { SessionRecord } from '../../../domain/records/records.ts';
import type { AgendaMapping, TableMapping } from '../../../domain/sources/table-mapping.ts';
import { deriveRecordId } from '../../../domain/values/uuid.ts';
import type { ParsedRecord, SourceLocation } from '../../records/parsed-record.ts';
import { type Cells, createIdReader } from './mapping-rules.ts';

type Session = { kind: 'session' } & SessionRecord;

interface AgendaItem {
  submission: string;
  order: number;
}

type RetractedSession = Extract<ParsedRecord, { retracted: unknown }>;

export interface SessionCollector {
  /** @returns a rejection if an earlier row has the same session with other fields, and otherwise undefined */
  addSession(location: SourceLocation, id: string | undefined, session: Session): ParsedRecord | undefined;
  /** A session is retracted if a row cancels it, or if the mapping skips each of its rows. */
  addRetracted(retraction: RetractedSession): void;
  /** Puts the submissions of the row on the agendas of its sessions, if it has both. */
  addAgendaItems(cells: Cells): void;
  /** A submission of this input, which agendas may refer to. */
  addSubmission(id: string): void;
  /** A submission that a row retracts: no agenda refers to it, whatever the order of the rows. */
  removeSubmission(id: string): void;
  /** All sessions, with their agendas. */
  list(): Generator<ParsedRecord>;
  /** Agenda items that refer to unknown sessions or submissions. */
  countUnknown(): { sessions: number; submissions: number };
}

/** @param hasSubmissions agendas leave out submissions that the input lacks */
export function createSessionCollector(
  mapping: TableMapping,
  { namespace, hasSubmissions }: { namespace: string; hasSubmissions: boolean },
): SessionCollector {
  const sessions = new Map<string, { location: SourceLocation; id: string | undefined; session: Session }>();
  const retracted = new Map<string, RetractedSession>();
  const agendas = new Map<string, AgendaItem[]>();
  const submissions = new Set<string>();
  const removed = new Set<string>();
  const readRow = mapping.agenda && createRowReader(mapping, mapping.agenda, namespace);
  let unknownSubmissions = 0;

  const listAgenda = (sessionId: string): string[] => {
    const items = agendas.get(sessionId) ?? [];
    const known = items.filter(
      ({ submission }) => !hasSubmissions || (submissions.has(submission) && !removed.has(submission)),
    );
    unknownSubmissions += items.length - known.length;
    return [...new Set(known.toSorted((a, b) => a.order - b.order).map(({ submission }) => submission))];
  };

  const isCancelled = (id: string) => retracted.has(id) && !retracted.get(id)?.isBySettings;

  return {
    addSession(location, id, session) {
      const first = sessions.get(session.id);
      if (first === undefined) sessions.set(session.id, { location, id, session });
      else if (JSON.stringify(first.session) !== JSON.stringify(session))
        return {
          location,
          id,
          rejectionReason: { code: 'session-differs' },
        };
      return undefined;
    },
    addRetracted(retraction) {
      const isBySettings = retracted.get(retraction.recordId)?.isBySettings ?? true;
      if (isBySettings) retracted.set(retraction.recordId, retraction);
    },
    addAgendaItems(cells) {
      const { sessions: ids, items } = readRow?.(cells) ?? { sessions: [], items: [] };
      for (const id of ids) {
        const agenda = agendas.get(id) ?? [];
        agenda.push(...items);
        agendas.set(id, agenda);
      }
    },
    addSubmission(id) {
      if (readRow) submissions.add(id);
    },
    removeSubmission(id) {
      if (readRow) removed.add(id);
    },
    *list() {
      for (const [recordId, { location, id, session }] of sessions) {
        const agenda = readRow && listAgenda(recordId);
        if (isCancelled(recordId)) yield { location, id, skipped: retracted.get(recordId)?.because };
        else if (agenda !== undefined && agenda.length > limits.entries)
          yield { location, id, rejectionReason: { code: 'agenda-too-long', max: limits.entries } };
        else yield { location, id, record: { ...session, submissions: agenda } };
      }
      for (const [recordId, retraction] of retracted)
        if (!sessions.has(recordId) || isCancelled(recordId)) yield retraction;
    },
    countUnknown: () => ({
      sessions: [...agendas].reduce(
        (sum, [id, items]) => sum + (sessions.has(id) || retracted.has(id) ? 0 : items.length),
        0,
      ),
      submissions: unknownSubmissions,
    }),
  };
}

interface AgendaRow {
  sessions: string[];
  items: AgendaItem[];
}

function createRowReader(
  mapping: TableMapping,
  { session, submission, separator, order }: AgendaMapping,
  namespace: string,
): (cells: Cells) => AgendaRow {
  const createListReader = (columns: string | string[]) => {
    const readId = createIdReader(mapping, columns);
    return (cells: Cells) => {
      const text = readId(cells) ?? '';
      const ids = separator === undefined || Array.isArray(columns) ? [text] : text.split(separator);
      return ids.flatMap((id) => (id.trim() === '' ? [] : [deriveRecordId(namespace, id.trim())]));
    };
  };
  const readSessions = createListReader(session);
  const readSubmissions = createListReader(submission);
  return (cells) => {
    const position = order === undefined ? 0 : parseOrder(cells[order]);
    return {
      sessions: readSessions(cells),
      items: readSubmissions(cells).map((id) => ({ submission: id, order: position })),
    };
  };
}

/** The numbers of an item, such as 3 and 3.1, in the order of agendas. Items without a number come last. */
function parseOrder(text = ''): number {
  const [, whole, part = '0'] = /(\d{1,6})(?:\.(\d{1,4}))?/.exec(text) ?? [];
  return whole === undefined ? Number.POSITIVE_INFINITY : Number(whole) + Number(part) / 10_000;
}
