/** Walks the surveys of a municipality: the latest end first, then by id. Those with an unknown end are last. */
import type { CursorPosition } from '../../domain/store.ts';
import { maxPageRows, type Snapshot } from '../engine.ts';
import { afterEveryTime } from './published-lists.ts';
import { surveySummaries } from './statements.ts';

export interface SurveySummaryRow {
  id: string;
  /** Day or year; empty: unknown. */
  ended: string;
  status: string;
  summary: string;
}

/**
 * @param after exclusive; undefined: from the latest on
 * @returns batches. Includes drafts whose status has another spelling
 */
export async function* readLatestSurveys(
  query: Snapshot['query'],
  organizationId: string,
  after?: Required<CursorPosition>,
): AsyncGenerator<SurveySummaryRow[]> {
  for (let position = after; ; ) {
    const { at, id } = position ?? { at: afterEveryTime, id: '' };
    let rows =
      position === undefined
        ? []
        : await query<SurveySummaryRow>(surveySummaries.sameEnd, [organizationId, at, id]);
    if (rows.length > 0) yield rows;
    if (rows.length < maxPageRows) {
      rows = await query<SurveySummaryRow>(surveySummaries.earlier, [organizationId, at]);
      if (rows.length > 0) yield rows;
      if (rows.length < maxPageRows) return;
    }
    const last = rows.at(-1) as SurveySummaryRow;
    position = { at: last.ended, id: last.id };
  }
}
