/** Prints stored sources, as text and as JSON. */

import { describeReason } from '../../../domain/reasons/reason.ts';
import type { SourceState, SourceSummary, StoredSource } from '../../../domain/sources/import-source.ts';
import { formatInterval, getSourceCondition } from '../../../domain/sources/source-schedule.ts';
import { toFlag } from '../../../ingest/runs/source-options.ts';
import { formatTime, print } from '../output.ts';

export const toSummaryJson = <Source extends SourceState>(source: Source) => ({
  ...source,
  error: source.error && describeReason(source.error),
  state: getSourceCondition(source, Date.now()),
});

export const toSourceJson = ({ validators: _, ...source }: StoredSource) => toSummaryJson(source);

/** A row of `source list`. */
export function formatSourceRow(source: SourceSummary): string[] {
  const { organizationName, name, format, intervalMs, lastSuccessAt, nextAt, error, failedAt } = source;
  return [
    organizationName,
    name,
    format,
    intervalMs === null ? '–' : formatInterval(intervalMs),
    getSourceCondition(source, Date.now()),
    formatTime(lastSuccessAt),
    formatTime(nextAt),
    error === null ? '–' : `${formatTime(failedAt)} ${describeReason(error)}`,
  ];
}

/** Prints the definition and the state of a source, without empty fields. */
export function printSource(source: StoredSource): void {
  const { redaction } = source;
  const fields: [name: string, value: string | null][] = [
    ['name', source.name],
    ['format', source.format],
    ['url', source.url],
    ['every', source.intervalMs === null ? null : formatInterval(source.intervalMs)],
    ['time zone', source.timeZone],
    ['max deleted', source.maxDeletedPercent === null ? null : `${source.maxDeletedPercent} %`],
    ['redact', redaction.kinds === null ? null : redaction.kinds.join(', ') || 'off'],
    ['accept', redaction.accepted?.join(', ') || null],
    ['redact country', redaction.country],
    ['redact patterns', Object.keys(redaction.patterns).join(', ') || null],
    ['key of portal', source.portalKeyOrigin && `stored, for ${source.portalKeyOrigin}`],
    ['state', getSourceCondition(source, Date.now())],
    ['last success', source.lastSuccessAt],
    ['next run', source.nextAt],
    ['stale from', source.staleAt],
    ['failing since', source.failingSince],
    ['last error', source.error && describeReason(source.error)],
  ];
  for (const [name, value] of fields) if (value !== null) print(`${name.padEnd(15)} ${value}`);
  for (const [name, text] of Object.entries(source.options)) {
    const isShort = text.length <= 80 && !text.includes('\n');
    print(isShort ? `${toFlag(name).padEnd(15)} ${text}` : `\n${toFlag(name)}\n${text.trimEnd()}`);
  }
}
