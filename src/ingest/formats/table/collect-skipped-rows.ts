/**
 * Collects the records of rows that `skip` of the mapping leaves out. They are retracted, unless another row has the same record. If a row
 * is a submission and says no to its publication, no other row of the submission counts.
 */
import type { SkippedValue, TableMapping } from '../../../domain/sources/table-mapping.ts';
import { createSpool, type Spool } from '../../readers/json-lines-spool.ts';
import { getRepeatedName } from '../../readers/repeated-column-names.ts';
import { createSeenRecords } from '../../records/duplicates/seen-records.ts';
import { toRetraction } from '../../records/parse-record.ts';
import type { ParsedRecord, SourceLocation } from '../../records/parsed-record.ts';
import {
  type DatePlace,
  isAfterPublication,
  isBeforePublication,
  isDenied,
  isFutureDate,
  isMarked,
  isReleased,
  isUnknownEvent,
} from '../../records/retraction-marks.ts';
import { findPublicityFlag, findPublicityPart } from '../../records/vocabulary/vocabulary.ts';
import type { FormatReadOptions } from '../format-definition.ts';
import type { SessionCollector } from './collect-sessions.ts';
import { type Cells, createIdReader, normalizeWord } from './mapping-rules.ts';

const because = { code: 'row-skipped' } as const;

interface SkippedRow {
  location: SourceLocation;
  id: string;
}

export interface SkippedRows extends Disposable {
  has(cells: Cells): boolean;
  /** Yields the row itself if it has no record. */
  read(location: SourceLocation, cells: Cells, parts: ReadonlySet<string>): Generator<ParsedRecord>;
  /**
   * Remembers the submission of a row that `skip` does not leave out.
   *
   * @returns the row, or a skipped one if an earlier row says that its submission is not public
   */
  check(parsed: ParsedRecord): ParsedRecord;
  /** The skipped submissions after the last row. Sessions are listed by their collector. */
  list(): AsyncGenerator<ParsedRecord>;
}

export function createSkippedRows(
  mapping: TableMapping,
  skip: NonNullable<TableMapping['skip']>,
  sessions: SessionCollector,
  { namespace, timeZone, country }: FormatReadOptions,
): SkippedRows {
  const place = { timeZone: mapping.timeZone ?? timeZone, country };
  const tests = Object.entries(skip).map(([column, given]) => {
    const part = findPublicityPart(column);
    const isWithheld = findPublicityFlag(part) === 'withheld';
    return {
      column,
      isSkipped: createCellTest(given, column, place),
      isNo: (cell: string) =>
        isDenied(cell) ||
        isFutureDate(cell, place) ||
        given === 'future' ||
        given === 'past' ||
        ((isWithheld || given === 'filled') && isMarked(cell) && !isUnknownEvent(part, cell)),
    };
  });
  /** A word such as "English" only selects rows, and an empty cell releases nothing yet. */
  const saysNo = (cells: Cells) =>
    tests.some(({ column, isSkipped, isNo }) =>
      listRepeatedCells(cells, column).some((cell) => isSkipped(cell) && isNo(cell)),
    );
  const readIds = (['submission', 'session'] as const).flatMap((kind) => {
    const { [kind]: part } = mapping;
    return part === undefined ? [] : [[kind, createIdReader(mapping, part.id)] as const];
  });
  const published = createSeenRecords();
  const withheld = createSeenRecords();
  let submissions: Spool<SkippedRow> | undefined;
  return {
    has: (cells) => tests.some(({ column, isSkipped }) => listRepeatedCells(cells, column).some(isSkipped)),
    *read(location, cells, parts) {
      let isKnown = false;
      for (const [kind, readId] of readIds) {
        const id = parts.has(kind) ? readId(cells) : undefined;
        if (id === undefined) continue;
        isKnown = true;
        const retraction = toRetraction(location, kind, id, because, { namespace });
        // In a table of agenda items, the row may say so of an item only.
        const isRecord = kind === 'submission' && parts.size === 1;
        if (isRecord && 'retracted' in retraction && saysNo(cells)) {
          const isRepeated = withheld.has(kind, retraction.recordId);
          withheld.addId(kind, retraction.recordId);
          yield isRepeated ? { location, skipped: because } : { ...retraction, isBySettings: true };
        } else if (kind === 'submission') {
          submissions ??= createSpool();
          submissions.add({ location, id });
        } else if ('retracted' in retraction) sessions.addRetracted({ ...retraction, isBySettings: true });
      }
      if (!isKnown) yield { location, skipped: because };
    },
    check: (parsed) => {
      if (!('record' in parsed) || parsed.record.kind !== 'submission') return parsed;
      const { location, id, record } = parsed;
      if (withheld.has('submission', record.id)) return { location, id, skipped: because };
      published.addId('submission', record.id);
      return parsed;
    },
    async *list() {
      for await (const { location, id } of submissions?.values() ?? []) {
        const retraction = toRetraction(location, 'submission', id, because, { namespace });
        const isDecided =
          !('retracted' in retraction) ||
          [published, withheld].some((seen) => seen.has('submission', retraction.recordId));
        if (isDecided) yield { location, skipped: because };
        else yield { ...retraction, isBySettings: true };
      }
    },
    [Symbol.dispose]: () => {
      submissions?.remove();
      published.close();
      withheld.close();
    },
  };
}

const skipTests: Record<SkippedValue, (cell: string, place: DatePlace) => boolean> = {
  filled: isMarked,
  no: isDenied,
  'not yes': (cell, place) => !isReleased(cell, place),
  future: isBeforePublication,
  past: isAfterPublication,
};

export function createWordTest(given: readonly string[]): (cell: string) => boolean {
  const words = new Set(given.map(normalizeWord));
  return (cell) => words.has(normalizeWord(cell));
}

/** @param given of `skip` @returns whether a cell leaves out its row */
export function createCellTest(
  given: string[] | SkippedValue,
  column: string,
  place: DatePlace,
): (cell: string) => boolean {
  if (typeof given !== 'string') return createWordTest(given);
  const part = findPublicityPart(column);
  return (cell) => skipTests[given](cell, place) && !(given === 'filled' && isUnknownEvent(part, cell));
}

/** Of all columns with the name: a repeated column may say that a row is private, too. */
function* listRepeatedCells(cells: Readonly<Record<string, string>>, column: string): Generator<string> {
  for (let count = 1; ; count += 1) {
    const cell = cells[getRepeatedName(column, count)];
    if (cell === undefined) return;
    yield cell;
  }
}
