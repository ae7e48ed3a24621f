/** Collects the records of rows that `skip` of the mapping leaves out. They are retracted, unless another row has the same record. */
import type { SkippedValue, TableMapping } from '../../../domain/sources/table-mapping.ts';
import { createSpool, type Spool } from '../../readers/json-lines-spool.ts';
import { getRepeatedName } from '../../readers/repeated-column-names.ts';
import { createSeenRecords } from '../../records/duplicates/seen-records.ts';
import { toRetraction } from '../../records/parse-record.ts';
import type { ParsedRecord, SourceLocation } from '../../records/parsed-record.ts';
import { isDenied, isMarked, isReleased } from '../../records/retraction-marks.ts';
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
  /** Remembers the submissions of other rows. */
  note(parsed: ParsedRecord): void;
  /** The skipped submissions after the last row. Sessions are listed by their collector. */
  list(): AsyncGenerator<ParsedRecord>;
}

export function createSkippedRows(
  mapping: TableMapping,
  skip: NonNullable<TableMapping['skip']>,
  sessions: SessionCollector,
  { namespace }: FormatReadOptions,
): SkippedRows {
  const tests = Object.entries(skip).map(([column, given]) => [column, createCellTest(given)] as const);
  const readIds = (['submission', 'session'] as const).flatMap((kind) => {
    const { [kind]: part } = mapping;
    return part === undefined ? [] : [[kind, createIdReader(mapping, part.id)] as const];
  });
  const published = createSeenRecords();
  let submissions: Spool<SkippedRow> | undefined;
  return {
    has: (cells) => tests.some(([column, isSkipped]) => listRepeatedCells(cells, column).some(isSkipped)),
    *read(location, cells, parts) {
      let isKnown = false;
      for (const [kind, readId] of readIds) {
        const id = parts.has(kind) ? readId(cells) : undefined;
        if (id === undefined) continue;
        isKnown = true;
        if (kind === 'submission') {
          submissions ??= createSpool();
          submissions.add({ location, id });
        } else {
          const retraction = toRetraction(location, kind, id, because, { namespace });
          if ('retracted' in retraction) sessions.addRetracted({ ...retraction, isBySettings: true });
        }
      }
      if (!isKnown) yield { location, skipped: because };
    },
    note: (parsed) => {
      if ('record' in parsed && parsed.record.kind === 'submission')
        published.addId('submission', parsed.record.id);
    },
    async *list() {
      for await (const { location, id } of submissions?.values() ?? []) {
        const retraction = toRetraction(location, 'submission', id, because, { namespace });
        if (!('retracted' in retraction) || published.has('submission', retraction.recordId))
          yield { location, skipped: because };
        else yield { ...retraction, isBySettings: true };
      }
    },
    [Symbol.dispose]: () => {
      submissions?.remove();
      published.close();
    },
  };
}

const skipTests: Record<SkippedValue, (cell: string) => boolean> = {
  filled: isMarked,
  no: isDenied,
  'not yes': (cell) => !isReleased(cell),
};

/** @param given of `skip` @returns whether a cell leaves out its row */
export function createCellTest(given: string[] | SkippedValue): (cell: string) => boolean {
  if (typeof given === 'string') return skipTests[given];
  const words = new Set(given.map(normalizeWord));
  return (cell) => words.has(normalizeWord(cell));
}

/** Of all columns with the name: a repeated column may say that a row is private, too. */
function* listRepeatedCells(cells: Readonly<Record<string, string>>, column: string): Generator<string> {
  for (let count = 1; ; count += 1) {
    const cell = cells[getRepeatedName(column, count)];
    if (cell === undefined) return;
    yield cell;
  }
}
