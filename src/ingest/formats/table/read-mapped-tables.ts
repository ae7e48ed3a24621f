/** Reads the records of tables through a mapping. */

import { InvalidFieldError, type Reason } from '../../../domain/reasons/reason.ts';
import type { FieldMapping, TableMapping } from '../../../domain/sources/table-mapping.ts';
import { didYouMean } from '../../../platform/did-you-mean.ts';
import { InputError } from '../../input-error.ts';
import type { InputFile } from '../../readers/input-files.ts';
import { openInput, type SheetInput, type TextInput } from '../../readers/open-input.ts';
import type { TitleRow } from '../../readers/tables/header-row.ts';
import { readTable, type TableOptions } from '../../readers/tables/table.ts';
import { listFilled, maxColumns, type TableRow } from '../../readers/tables/table-columns.ts';
import { createCancelledSessions } from '../../records/cancelled-sessions.ts';
import { leaveOutInvalidFields } from '../../records/leave-out-invalid-fields.ts';
import { parseMappedRecord, toImportRecord, toRetraction } from '../../records/parse-record.ts';
import type { ParsedRecord, SourceLocation } from '../../records/parsed-record.ts';
import {
  cancelsSession,
  createTitleNoter,
  findRetractionMark,
  findStatusMark,
  hasDoubtfulMark,
  isCancelledHeading,
  isMarked,
  isPrivateHeading,
  isUnknownEvent,
  isWholeDate,
  mayWithhold,
  readTitleMark,
} from '../../records/retraction-marks.ts';
import {
  findPublicityFlag,
  findPublicityPart,
  isCancelledTitle,
  isFlag,
  isNo,
  isPostponedTime,
  isWholePublicityFlag,
} from '../../records/vocabulary/vocabulary.ts';
import { applyRules, type FormatReadOptions } from '../format-definition.ts';
import { type DatedEntry, keepNewestStates } from '../keep-newest-states.ts';
import { createSessionCollector, type SessionCollector } from './collect-sessions.ts';
import { createSkippedRows } from './collect-skipped-rows.ts';
import {
  addColumns,
  assertTimeZone,
  type Cells,
  createIdReader,
  createRecordRules,
  listColumns,
  normalizeWord,
} from './mapping-rules.ts';
import { createRowNotes } from './row-notes.ts';

/** With `skip`, a row may withhold the submission of a row above it, so records wait for the last row. */
export async function* readMappedTables(
  sources: readonly InputFile[],
  mapping: TableMapping,
  options: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const entries = readTables(sources, mapping, options);
  yield* mapping.skip === undefined ? entries : keepNewestStates(withoutTimes(entries));
}

async function* withoutTimes(entries: AsyncIterable<ParsedRecord>): AsyncGenerator<DatedEntry> {
  for await (const parsed of entries) yield { parsed, updatedAt: undefined };
}

async function* readTables(
  sources: readonly InputFile[],
  mapping: TableMapping,
  given: FormatReadOptions,
): AsyncGenerator<ParsedRecord> {
  const options = {
    ...given,
    sheet: given.sheet ?? mapping.sheet,
    records: given.records ?? mapping.records,
    headerRow: given.headerRow ?? (mapping.headerRow === undefined ? undefined : Number(mapping.headerRow)),
  };
  assertTimeZone(mapping, options.formatOptions.timeZone);
  const headers = await readHeaders(sources, mapping, options);
  const sessions = createSessionCollector(mapping, {
    namespace: options.namespace,
    hasSubmissions: mapping.submission !== undefined,
  });
  const readRow = createRowReader(mapping, sessions, options);
  using skipped = mapping.skip && createSkippedRows(mapping, mapping.skip, sessions, options);
  const rowNotes = createRowNotes(mapping, options);
  const reportUnmapped = createUnmappedReport(mapping, options);
  const found: FoundColumns[] = [];
  const saysWithheld = createHeadingFinder(mapping);
  let unread = sources.length;
  for (const source of sources) {
    let parts: ReadonlySet<MappingPart> = new Set();
    const assertNotBelowHeading = createHeadingCheck(saysWithheld);
    await using input = await openInput(source, options);
    const rows = readTable(
      input,
      toTableOptions(mapping, options),
      (header, _found, _row, titles) => {
        assertPublicTitles(input, options.sheet, saysWithheld, titles);
        parts = findParts(input.name, mapping, headers.get(source) ?? header, found);
        unread -= 1;
        if (unread === 0) assertAllFound(mapping, found);
        reportUnmapped(header ?? []);
      },
      { mayNameEncoding: true, numbersRepeatedNames: true, headerRow: options.headerRow },
    );
    for await (const { location, cells, problem } of rows) {
      if (cells === undefined) {
        yield { location, rejectionReason: problem };
        continue;
      }
      if (input.kind === 'json') reportUnmapped(listFilled(cells));
      assertNotBelowHeading(location, cells);
      const isSkipped = skipped?.has(cells) === true;
      if (!isSkipped) rowNotes.add(cells);
      const found = isSkipped ? skipped.read(location, cells, parts) : readRow(location, cells, parts);
      for (const parsed of found) {
        if ('retracted' in parsed && parsed.retracted === 'submission')
          sessions.removeSubmission(parsed.recordId);
        yield skipped?.check(parsed) ?? parsed;
      }
    }
  }
  yield* sessions.list();
  if (skipped !== undefined) yield* skipped.list();
  rowNotes.note();
  noteUnknown(sessions, options);
}

/** A single cell of fewer columns may be that of a record. */
const minHeadedColumns = 3;

type IsHeading = (text: string) => boolean;

/** Cancelled sessions are not public, but submissions about them can be. */
const createHeadingFinder = ({ session }: TableMapping): IsHeading =>
  session === undefined ? isPrivateHeading : (text) => isPrivateHeading(text) || isCancelledHeading(text);

/** @returns a function that throws InputError for a row below a single cell such as "Interne Vorgänge": it seems not to be public */
function createHeadingCheck(saysWithheld: IsHeading) {
  let heading: Reason | undefined;
  return ({ source, sheet, line = 0 }: SourceLocation, cells: Cells): void => {
    const columns = Object.values(cells);
    if (columns.length < minHeadedColumns) return;
    const texts = columns.filter((cell) => cell !== '');
    if (heading !== undefined && texts.length > 1) throw new InputError(heading);
    const [text = ''] = texts;
    if (texts.length > 1 || text.length > maxStateLength || !saysWithheld(text)) return;
    heading = createHeadingReason(source, sheet, line, text);
  };
}

/** Of a long title, its first words count: "Interne Vorgänge (nicht veröffentlichen) – Stand 01.03.2026". */
const titleEnd = /[–—(:,;.!]|\s-\s/;

/** Characters. */
const maxTitleLength = 1_000;

/**
 * @param wanted the sheet that the user has named
 * @throws InputError for a title above the header such as "Interne Vorgänge", unless a "nein" is beside it, and for such a name of the sheet
 */
function assertPublicTitles(
  input: TextInput | SheetInput,
  wanted: string | undefined,
  saysWithheld: IsHeading,
  titles: readonly TitleRow[] = [],
): void {
  if (input.kind === 'sheet' && wanted === undefined && saysWithheld(input.sheet.name))
    throw new InputError({ code: 'sheet-withholds-rows', file: input.name, sheet: input.sheet.name });
  for (const { line, texts } of titles) {
    const heading = texts.some(isNo) ? undefined : texts.find((text) => isWithheldTitle(text, saysWithheld));
    if (heading === undefined) continue;
    const sheet = input.kind === 'sheet' ? input.sheet.name : undefined;
    throw new InputError(createHeadingReason(input.name, sheet, line, heading));
  }
}

function isWithheldTitle(title: string, saysWithheld: IsHeading): boolean {
  if (title.length <= maxStateLength) return saysWithheld(title);
  const [start = ''] = title.slice(0, maxTitleLength).split(titleEnd, 1);
  // The last words of the start may take back the first ones: "… entfernt".
  return saysWithheld(start.slice(0, maxStateLength)) && saysWithheld(start);
}

const createHeadingReason = (
  source: string,
  sheet: string | undefined,
  line: number,
  heading: string,
): Reason => ({
  code: 'heading-withholds-rows',
  file: sheet === undefined ? source : `${source}, ${sheet}`,
  line,
  heading,
});

const toTableOptions = (
  { delimiter, encoding }: TableMapping,
  { records }: FormatReadOptions,
): TableOptions => ({
  delimiter: delimiter === 'tab' ? '\t' : delimiter,
  encoding,
  records,
});

/** @returns a function that reports columns of a file that no field is read from, once */
function createUnmappedReport(mapping: TableMapping, { observer }: FormatReadOptions) {
  const mapped = new Set(listMappedColumns(mapping));
  const known = new Set<string>();
  return (columns: readonly string[]): void => {
    if (columns.every((column) => known.has(column)) || known.size > maxColumns) return;
    const found = columns.filter((column) => !known.has(column));
    for (const column of found) known.add(column);
    observer.onLeftOutColumns?.(found.filter((column) => !mapped.has(column)));
  };
}

/**
 * Reports a wrong header in any file before the first record is imported.
 *
 * @returns the columns of files in JSON
 * @throws InputError
 */
async function readHeaders(
  sources: readonly InputFile[],
  mapping: TableMapping,
  options: FormatReadOptions,
): Promise<ReadonlyMap<InputFile, string[]>> {
  const found: FoundColumns[] = [];
  const saysWithheld = createHeadingFinder(mapping);
  const headers = new Map<InputFile, string[]>();
  let unread = 0;
  for (const source of sources) {
    unread += 1;
    // A pipe can be read only once.
    if (source.size === undefined) continue;
    await using input = await openInput(source, { ...options, observer: {} });
    const addParts = (header: readonly string[] | undefined) => {
      findParts(input.name, mapping, header, found);
      unread -= 1;
    };
    let columns: string[] | undefined;
    const rows = readTable(
      input,
      toTableOptions(mapping, options),
      (header, _found, _row, titles) => {
        assertPublicTitles(input, options.sheet, saysWithheld, titles);
        if (input.kind === 'json') columns = header;
        else addParts(header);
      },
      { mayNameEncoding: true, numbersRepeatedNames: true, headerRow: options.headerRow },
    );
    await rows.next();
    if (columns !== undefined) {
      headers.set(source, await addLateColumns(columns, rows, mapping));
      addParts(headers.get(source));
    }
    await rows.return(undefined);
  }
  if (unread === 0) assertAllFound(mapping, found);
  return headers;
}

/** Only late objects may have a member, such as the date of completion. */
async function addLateColumns(
  columns: readonly string[],
  rows: AsyncGenerator<TableRow>,
  mapping: TableMapping,
): Promise<string[]> {
  const missing = new Set([...listMappedColumns(mapping), ...Object.keys(mapping.skip ?? {})]);
  const found = new Set(columns);
  const add = (column: string) => {
    if (found.size < maxColumns || missing.has(column)) found.add(column);
    missing.delete(column);
  };
  for (const column of columns) add(column);
  for (let row = await rows.next(); missing.size > 0 && !row.done; row = await rows.next())
    for (const column of Object.keys(row.value.cells ?? {})) add(column);
  return [...found];
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
  const findDraft = createDraftFinder(mapping, options);
  const findCancelled = createCancelledFinder(mapping, options);
  const place = { timeZone: mapping.timeZone ?? options.timeZone, country: options.country };
  const saysWithheld = (cell: string, column: string) => {
    const part = findPublicityPart(column);
    return (
      findStatusMark(cell) !== undefined ||
      (isFlag(cell) && isWithheldByFlag(cell, part)) ||
      (isWholeDate(cell) &&
        !isUnknownEvent(part, cell) &&
        isWholePublicityFlag(part) &&
        findPublicityFlag(part) === 'withheld') ||
      mayWithhold(cell, part, place) ||
      findRetractionMark({ [getMemberName(column)]: cell, [part]: cell }, place) !== undefined
    );
  };
  const noteColumns = createColumnNoter('column-withholds-rows', saysWithheld, mapping, options);
  return function* readRow(location, cells, parts) {
    noteColumns(cells);
    // A row of several parts can lack some of them.
    const isOptional = parts.size > 1;
    if (readSubmission && parts.has('submission')) {
      const parsed = findDraft(location, cells) ?? readSubmission(location, cells, isOptional);
      if (parsed) yield parsed;
      if (parsed && 'record' in parsed && parsed.record.kind === 'submission')
        sessions.addSubmission(parsed.record.id);
    }
    if (readSession && parts.has('session')) {
      const cancelled = findCancelled(location, cells);
      const parsed = cancelled ?? readSession(location, cells, isOptional);
      if (parsed && 'record' in parsed && parsed.record.kind === 'session') {
        const rejected = sessions.addSession(location, parsed.id, parsed.record);
        if (rejected) yield rejected;
      } else if (parsed && 'retracted' in parsed) sessions.addRetracted(parsed);
      else if (parsed) yield parsed;
    }
    if (parts.has('agenda')) sessions.addAgendaItems(cells);
  };
}

/** "hidden" of "meta.hidden", as JSON has it. */
const getMemberName = (column: string): string => column.split('.').at(-1) || column;

/** Whether the yes or no of a column such as "Freigabe Web" says that the row is not public. */
function isWithheldByFlag(cell: string, column: string): boolean {
  const publicity = findPublicityFlag(column);
  return publicity !== undefined && isNo(cell) === (publicity === 'released');
}

type FindRetraction = (location: SourceLocation, cells: Cells) => ParsedRecord | undefined;

/** Reads a few fields of a row, also of one that would be rejected. Fields that are missing or invalid have no text. */
function createTextReader(mapping: TableMapping, kind: 'submission' | 'session', fields: readonly string[]) {
  const rules = createRecordRules(mapping, kind).filter(({ field }) => fields.includes(field));
  return (cells: Cells, options: FormatReadOptions): string[] =>
    rules.flatMap(({ extract }) => {
      try {
        const text = extract(cells, { ...options, observer: {} });
        return typeof text === 'string' ? [text] : [];
      } catch (error) {
        if (error instanceof InvalidFieldError) return [];
        throw error;
      }
    });
}

/** A submission that its status or its title retracts. */
function createDraftFinder(mapping: TableMapping, options: FormatReadOptions): FindRetraction {
  const readTexts = createTextReader(mapping, 'submission', ['status']);
  const readTitle = createTextReader(mapping, 'submission', ['title']);
  const readUnlistedWord = createUnlistedWordReader(mapping);
  const readId = createIdReader(mapping, mapping.submission?.id ?? []);
  const noteDoubtful = createDoubtNoter(options);
  const noteTitle = createTitleNoter(options.observer);
  return (location, cells) => {
    const texts = [...readTexts(cells, options), readUnlistedWord(cells)];
    const [title = ''] = readTitle(cells, options);
    const [statusMark] = texts.flatMap((status) => findStatusMark(status) ?? []);
    for (const status of texts) noteDoubtful(status);
    const found = statusMark ?? readTitleMark(title);
    if (typeof found === 'string') noteTitle(found);
    const because = typeof found === 'string' ? undefined : found;
    const id = because && readId(cells);
    return because && id !== undefined
      ? toRetraction(location, 'submission', id, because, options)
      : undefined;
  };
}

/** Sentences. More would hide other notes. */
const maxDoubtfulStatuses = 20;

/** Notes statuses such as "erledigt (intern)", whose records are published. */
function createDoubtNoter({ observer }: FormatReadOptions): (status: string) => void {
  const examined = new Set<string>();
  let count = 0;
  return (status) => {
    if (status.length > maxStateLength || examined.size >= maxStates || examined.has(status)) return;
    examined.add(status);
    if (count >= maxDoubtfulStatuses || !hasDoubtfulMark(status)) return;
    count += 1;
    observer.onNote?.({ code: 'status-may-withhold', status });
  };
}

/**
 * The word of a status that `values` lacks. If it says that the record is not public, the record is retracted: rejected, an earlier version
 * would stay public, and the default would publish it.
 */
function createUnlistedWordReader({ submission }: TableMapping): (cells: Cells) => string {
  const { column, values } = typeof submission?.status === 'object' ? submission.status : {};
  if (column === undefined || values === undefined) return () => '';
  const listed = new Set(Object.keys(values).map(normalizeWord));
  return ({ [column]: word = '' }) => (listed.has(normalizeWord(word)) ? '' : word);
}

/** A session that its title, its committee or its time cancels. Sessions that are not public are announced, so other words are noted only. */
function createCancelledFinder(mapping: TableMapping, options: FormatReadOptions): FindRetraction {
  const readTexts = createTextReader(mapping, 'session', ['title', 'committeeName']);
  const readPlace = createTextReader(mapping, 'session', ['place']);
  const readId = createIdReader(mapping, mapping.session?.id ?? []);
  const { date, timeSlot } = mapping.session ?? {};
  // The end of a session that takes place can be "entfällt".
  const timeColumns = [...listNamedColumns(date), ...listNamedColumns(timeSlot).slice(0, 1)];
  const cancelled = createCancelledSessions(options.observer);
  const saysCancelled = (cell: string, column: string) =>
    isCancelledTitle(cell) ||
    (isCancelledTitle(column) && isMarked(cell)) ||
    cancelsSession(getMemberName(column), cell);
  const noteColumns = createColumnNoter('column-cancels-sessions', saysCancelled, mapping, options);
  const noteTitle = createTitleNoter(options.observer);
  return (location, cells) => {
    const id = readId(cells);
    if (id === undefined) return undefined;
    const retract = (because: Reason) => toRetraction(location, 'session', id, because, options);
    const texts = readTexts(cells, options);
    const times = timeColumns.map((column) => cells[column] ?? '').filter(isShort);
    if ([...texts, ...times].some((text) => cancelled.check(id, text)))
      return retract({ code: 'sessions-cancelled' });
    if (times.some(isPostponedTime)) return retract({ code: 'sessions-postponed' });
    noteColumns(cells);
    for (const place of readPlace(cells, options)) cancelled.noteText(place);
    for (const text of texts) {
      const mark = readTitleMark(text);
      if (typeof mark === 'string') noteTitle(mark);
    }
    return undefined;
  };
}

/** Longer cells are texts about a record. */
const maxStateLength = 40;

const isShort = (cell: string): boolean => cell !== '' && cell.length <= maxStateLength;

const listNamedColumns = (field: string | FieldMapping | undefined): readonly string[] =>
  typeof field === 'string'
    ? [field]
    : (field?.columns ?? (field?.column === undefined ? [] : [field.column]));

/** A column with more different cells is not one of states. */
const maxStates = 1_000;

/** Notes columns with a state such as "abgesagt" or "nichtöffentlich", unless the mapping names them for another field than the topic. */
function createColumnNoter(
  code: 'column-cancels-sessions' | 'column-withholds-rows',
  isState: (cell: string, column: string) => boolean,
  mapping: TableMapping,
  { observer }: FormatReadOptions,
): (cells: Cells) => void {
  // A topic can be a state: "Spam".
  const { topicCategoryName: topic } = mapping.submission ?? {};
  const mapped = listMappedColumns(mapping).filter((column) => column !== topic);
  const known = new Set([...mapped, ...Object.keys(mapping.skip ?? {})]);
  const examined = new Map<string, Set<string>>();
  return (cells) => {
    for (const [column, cell = ''] of Object.entries(cells)) {
      if (known.has(column) || cell.length > maxStateLength) continue;
      const states = examined.getOrInsertComputed(column, () => new Set());
      if (states.has(cell)) continue;
      states.add(cell);
      const isFound = isState(cell, column);
      if (isFound) observer.onNote?.({ code, column });
      if (isFound || states.size > maxStates) known.add(column);
    }
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
      toImportRecord(kind, leaveOutInvalidFields(kind, applyRules(rules, cells, held), held.observer), held),
    );
    if ('record' in parsed || part === undefined) return parsed;
    return { ...parsed, rejectionReason: addColumns(part, parsed.rejectionReason) };
  };
}

function noteUnknown(sessions: SessionCollector, { observer }: FormatReadOptions): void {
  const { sessions: ofSessions, submissions } = sessions.countUnknown();
  if (ofSessions > 0)
    observer.onNote?.({ code: 'agenda-items-left-out', count: ofSessions, missing: 'session' });
  if (submissions > 0)
    observer.onNote?.({ code: 'agenda-items-left-out', count: submissions, missing: 'submission' });
}

type MappingPart = 'submission' | 'session' | 'agenda';

/** @returns the parts of the mapping with all columns that they name */
function listParts({ submission, session, agenda }: TableMapping): [part: MappingPart, columns: string[]][] {
  return [
    ...(submission ? [['submission', listColumns(submission)] as [MappingPart, string[]]] : []),
    ...(session ? [['session', listColumns(session)] as [MappingPart, string[]]] : []),
    ...(agenda
      ? [
          ['agenda', [agenda.session, agenda.submission, agenda.order ?? []].flat()] as [
            MappingPart,
            string[],
          ],
        ]
      : []),
  ];
}

/** @returns every column that a part names */
const listMappedColumns = (mapping: TableMapping): string[] =>
  listParts(mapping).flatMap(([, columns]) => columns);

interface FoundColumns {
  file: string;
  parts: ReadonlySet<MappingPart>;
  columns: readonly string[];
}

/**
 * @param header undefined if the first line is unreadable
 * @param found receives those of the file
 * @returns the parts whose columns the file has
 * @throws InputError if it has those of no part
 */
function findParts(
  name: string,
  mapping: TableMapping,
  header: readonly string[] | undefined,
  found: FoundColumns[],
): ReadonlySet<MappingPart> {
  if (header === undefined) throw new InputError({ code: 'mapping-header-unreadable', file: name });
  const parts = listParts(mapping).map(([part, columns]) => ({
    part,
    missing: columns.filter((column) => !header.includes(column)),
  }));
  const complete = new Set(parts.filter(({ missing }) => missing.length === 0).map(({ part }) => part));
  const [nearest] = parts.toSorted((a, b) => a.missing.length - b.missing.length);
  const missing = complete.size === 0 ? nearest?.missing[0] : undefined;
  if (missing !== undefined)
    throw new InputError(
      findMissingColumn(name, missing, header, parts.length === 1 ? undefined : nearest?.part),
    );
  found.push({ file: name, parts: complete, columns: header });
  return complete;
}

/** @throws InputError if no file has the columns of a part, or a file lacks a column of `skip` that another file of the same part has */
function assertAllFound(mapping: TableMapping, found: readonly FoundColumns[]): void {
  for (const [part, columns] of listParts(mapping))
    if (!found.some(({ parts }) => parts.has(part)))
      throw new InputError({ code: 'mapping-columns-missing', part, columns });
  for (const column of Object.keys(mapping.skip ?? {})) {
    const lacking = found.filter(({ columns }) => !columns.includes(column));
    const having = found.filter(({ columns }) => columns.includes(column));
    const sharesPart = ({ parts }: FoundColumns) =>
      having.some((other) => !parts.isDisjointFrom(other.parts));
    const wrong = having.length === 0 ? lacking[0] : lacking.find(sharesPart);
    if (wrong !== undefined)
      throw new InputError(findMissingColumn(wrong.file, column, wrong.columns, undefined));
  }
}

function findMissingColumn(
  file: string,
  missing: string,
  header: readonly string[],
  part: MappingPart | undefined,
): Reason {
  const similar =
    header.find((column) => normalizeWord(column) === normalizeWord(missing)) ?? didYouMean(missing, header);
  // Without a header the first line is a record, so the message does not quote it.
  return { code: 'mapping-column-missing', file, column: missing, part, similar };
}
