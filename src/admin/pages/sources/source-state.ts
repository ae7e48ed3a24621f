/** The condition of a source in words. */
import type { SafeHtml } from '@remix-run/html-template';
import type { SourceDefinition, SourceState } from '../../../domain/import-source.ts';
import { getSourceCondition, type SourceCondition } from '../../../domain/source-schedule.ts';
import type { PageContext } from '../../page-context.ts';
import { badge } from '../../ui/components.ts';

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

export function describeSchedule(
  { intervalMs }: Pick<SourceDefinition, 'intervalMs'>,
  { text, format }: PageContext,
): string {
  if (intervalMs === null) return text.sources.onDemand;
  const { intervals, other } = text.importSettings.schedule;
  return intervals[String(intervalMs)] ?? other(format.duration(intervalMs));
}
