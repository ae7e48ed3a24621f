/** Lists of events and import runs, newest first. */
import type { SqlValue } from './engine.ts';

/**
 * @param select the query up to FROM
 * @param time the column of the order
 * @param organizationId the first parameter; undefined: all municipalities
 * @param after exclusive: the last row of the previous page
 * @param composeConditions further conditions; `bind` returns the parameter of a value
 */
export function composeNewestFirst(
  select: string,
  time: string,
  organizationId: string | undefined,
  after: { at: string; id: string } | undefined,
  limit: number,
  composeConditions: (bind: (value: SqlValue) => string) => string[],
): [sql: string, parameters: SqlValue[]] {
  const parameters: SqlValue[] = [];
  const bind = (value: SqlValue) => `$${parameters.push(value)}`;
  const conditions = organizationId === undefined ? [] : [`organization_id = ${bind(organizationId)}`];
  conditions.push(...composeConditions(bind));
  if (after !== undefined) {
    const at = bind(after.at);
    conditions.push(`${time} <= ${at} AND (${time} < ${at} OR id > ${bind(after.id)})`);
  }
  const where = conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '';
  return [`${select} ${where} ORDER BY ${time} DESC, id LIMIT ${bind(limit)}`, parameters];
}
