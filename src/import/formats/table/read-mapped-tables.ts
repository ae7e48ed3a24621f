/** Reads the records of tables through a mapping. */
import type { TableMapping } from '../../../domain/table-mapping.ts';
import { createCancelledSessions } from '../../cancelled-sessions.ts';
import { applyRules, type FormatReadOptions } from '../../format-definition.ts';
import { leaveOutInvalid } from '../../leave-out-invalid.ts';
import { parseMappedRecord, toImportRecord } from '../../parse-record.ts';
import type { ParsedRecord, SourceLocation } from '../../parsed-record.ts';
import type { TableDialectOptions } from '../../readers/delimited.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { openInput } from '../../readers/open-input.ts';
import { readTable } from '../../readers/table.ts';
import { createSessionCollector, type SessionCollector } from './collect-sessions.ts';
import { assertAllParts, findParts, type MappingPart } from './mapping-parts.ts';
import {
  addColumns,
  assertTimeZone,
  type Cells,
  createIdReader,
  createRecordRules,
  listColumns,
  normalizeWord,
} from './mapping-rules.ts';

export async function* readMappedTables(
  sources: readonly InputFile[],
  mapping: TableMapping,
  given: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const options = { ...given, sheet: given.sheet ?? mapping.sheet };
  assertTimeZone(mapping, options.formatOptions.timeZone);
  await checkHeaders(sources, mapping, options);
  const sessions = createSessionCollector(mapping, {
    namespace: options.namespace,
    hasSubmissions: mapping.submission !== undefined,
  });
  const readRow = createRowReader(mapping, sessions, options);
  const found = new Set<MappingPart>();
  for (const source of sources) {
    let parts: ReadonlySet<MappingPart> = new Set();
    await using input = await openInput(source, options);
    const rows = readTable(
      input,
      toDialect(mapping),
      (header) => {
        parts = findParts(input.name, mapping, header);
        for (const part of parts) found.add(part);
        options.observer.onLeftOutColumns?.(findUnmappedColumns(header, mapping));
      },
      { mayNameEncoding: true },
    );
    for await (const { location, cells, problem } of rows) {
      if (cells === undefined) yield { location, rejectionReason: problem };
      else if (isSkipped(mapping, cells)) yield { location, ignored: true, reason: { code: 'row-skipped' } };
      else yield* readRow(location, cells, parts);
    }
  }
  assertAllParts(mapping, found);
  yield* sessions.list();
  noteUnknown(sessions, options);
}

function findUnmappedColumns(
  header: readonly string[] = [],
  { submission, session, agenda }: TableMapping,
): string[] {
  const mapped = new Set([
    ...[submission, session].flatMap((part) => (part ? listColumns(part) : [])),
    ...(agenda ? [agenda.session, agenda.submission].flat() : []),
  ]);
  return header.filter((column) => !mapped.has(column));
}

const toDialect = ({ delimiter, encoding }: TableMapping): TableDialectOptions => ({
  delimiter: delimiter === 'tab' ? '\t' : delimiter,
  encoding,
});

/** Reports a wrong header in any file before the first record is imported. @throws InputError */
async function checkHeaders(
  sources: readonly InputFile[],
  mapping: TableMapping,
  options: FormatReadOptions,
): Promise<void> {
  const found = new Set<MappingPart>();
  // A pipe can be read only once.
  const files = sources.filter(({ size }) => size !== undefined);
  for (const source of files) {
    await using input = await openInput(source, { ...options, observer: {} });
    const rows = readTable(
      input,
      toDialect(mapping),
      (header) => {
        for (const part of findParts(input.name, mapping, header)) found.add(part);
      },
      { mayNameEncoding: true },
    );
    await rows.next();
    await rows.return(undefined);
  }
  if (files.length === sources.length) assertAllParts(mapping, found);
}

type RowReader = (
  location: SourceLocation,
  cells: Cells,
  parts: ReadonlySet<MappingPart>,
) => Generator<ParsedRecord>;

function createRowReader(
  mapping: TableMapping,
  sessions: SessionCollector,
  options: FormatReadOptions,
): RowReader {
  const readSubmission = mapping.submission && createRecordReader(mapping, 'submission', options);
  const readSession = mapping.session && createRecordReader(mapping, 'session', options);
  const cancelled = createCancelledSessions(options.observer);
  return function* readRow(location, cells, parts) {
    // A row of several parts can lack some of them.
    const isOptional = parts.size > 1;
    if (readSubmission && parts.has('submission')) {
      const parsed = readSubmission(location, cells, isOptional);
      if (parsed) yield parsed;
      if (parsed && 'record' in parsed && parsed.record.kind === 'submission')
        sessions.addSubmission(parsed.record.id);
    }
    if (readSession && parts.has('session')) {
      const parsed = readSession(location, cells, isOptional);
      if (parsed && 'record' in parsed && parsed.record.kind === 'session') {
        const { id, committeeName } = parsed.record;
        if (cancelled.check(id, committeeName)) sessions.addCancelled(location, parsed.id, id);
        else {
          const rejected = sessions.addSession(location, parsed.id, parsed.record);
          if (rejected) yield rejected;
        }
      } else if (parsed) yield parsed;
    }
    if (parts.has('agenda')) sessions.addAgendaItems(cells);
  };
}

/** @returns a function that returns undefined for a row without the id, if the record is optional */
function createRecordReader(
  mapping: TableMapping,
  kind: 'submission' | 'session',
  options: FormatReadOptions,
): (location: SourceLocation, cells: Cells, isOptional: boolean) => ParsedRecord | undefined {
  const part = mapping[kind];
  const columns = part?.id ?? [];
  const rules = createRecordRules(mapping, kind);
  const readId = createIdReader(mapping, columns);
  return (location, cells, isOptional) => {
    const id = readId(cells);
    if (id === undefined && isOptional) return undefined;
    // A composite id often contains free text, so only the line is reported.
    const reportedId = Array.isArray(columns) ? undefined : id;
    const parsed = parseMappedRecord(location, reportedId, options, (held) =>
      toImportRecord(kind, leaveOutInvalid(kind, applyRules(rules, cells, held), held.observer), held),
    );
    if ('record' in parsed || part === undefined) return parsed;
    return { ...parsed, rejectionReason: addColumns(part, parsed.rejectionReason) };
  };
}

function isSkipped({ skip = {} }: TableMapping, cells: Cells): boolean {
  return Object.entries(skip).some(
    ([column, words]) =>
      cells[column] !== undefined &&
      words.some((word) => normalizeWord(word) === normalizeWord(cells[column] ?? '')),
  );
}

function noteUnknown(sessions: SessionCollector, { observer }: FormatReadOptions): void {
  const { sessions: ofSessions, submissions } = sessions.countUnknown();
  if (ofSessions > 0)
    observer.onNote?.({ code: 'agenda-items-left-out', count: ofSessions, missing: 'session' });
  if (submissions > 0)
    observer.onNote?.({ code: 'agenda-items-left-out', count: submissions, missing: 'submission' });
}
