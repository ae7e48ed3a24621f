import { maxDecisions } from '../../domain/decisions.ts';
import { isTimestamp } from '../../domain/timestamps.ts';
import type { TenantParameters } from '../engine.ts';
import { decisionsAfter } from './statements.ts';

interface DecisionRow {
  document: string;
  at: string;
  id: string;
}

/** The character after the last digit: years are before it, and texts that begin with a letter after it. */
const afterEveryTime = ':';

/** @returns the documents of the latest `maxDecisions` decisions with a valid time. Statements cannot check a day of a month */
export async function readDecisions(
  query: (sql: string, parameters: TenantParameters) => Promise<DecisionRow[]>,
  organizationId: string,
): Promise<string[]> {
  const decisions: string[] = [];
  for (let after = { at: afterEveryTime, id: '' }; ; ) {
    const rows = await query(decisionsAfter, [organizationId, after.at, after.id]);
    decisions.push(...rows.filter(({ at }) => isTimestamp(at)).map(({ document }) => document));
    const last = rows.at(-1);
    if (last === undefined || rows.length < maxDecisions || decisions.length >= maxDecisions)
      return decisions.slice(0, maxDecisions);
    after = last;
  }
}
