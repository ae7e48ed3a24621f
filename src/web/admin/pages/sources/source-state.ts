/** The condition of a source in words. */

import type { ImportRun } from '../../../../domain/runs/run-history.ts';
import type { SourceDefinition, SourceState } from '../../../../domain/sources/import-source.ts';
import { getSourceCondition, type SourceCondition } from '../../../../domain/sources/source-schedule.ts';
import { badge } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { PageContext } from '../../requests/page-context.ts';
import { stateBadge } from '../run-history.ts';

const tones = {
  running: 'info',
  failing: 'danger',
  stale: 'danger',
  waiting: 'info',
  done: 'success',
} as const satisfies Record<SourceCondition, string>;

export function conditionBadge(source: SourceState, { text, nowMs }: PageContext): SafeHtml {
  const condition = getSourceCondition(source, nowMs);
  return badge(tones[condition], text.sources.states[condition]);
}

/** @param latest the latest import of the source */
export function describeLastImport(
  { lastSuccessAt }: SourceState,
  latest: ImportRun | undefined,
  context: PageContext,
): SafeHtml | string {
  const { text, format } = context;
  if (latest !== undefined && latest.undoneAt !== null)
    return html`${format.time(latest.startedAt)} ${stateBadge(latest, context)}`;
  return lastSuccessAt === null ? text.sources.never : format.time(lastSuccessAt);
}

export function describeSchedule(
  { intervalMs }: Pick<SourceDefinition, 'intervalMs'>,
  { text, format }: PageContext,
): string {
  if (intervalMs === null) return text.sources.onDemand;
  const { intervals, other } = text.importSettings.schedule;
  return intervals[String(intervalMs)] ?? other(format.duration(intervalMs));
}
