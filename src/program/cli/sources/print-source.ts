/** Prints stored sources, as text and as JSON. */

import { describeReason } from '../../../domain/reasons/reason.ts';
import type { SourceState, SourceSummary, StoredSource } from '../../../domain/sources/import-source.ts';
import {
  describeSourceField,
  type RedactionField,
  redactionFields,
  type SourceField,
  sourceFields,
} from '../../../domain/sources/source-fields.ts';
import { getSourceCondition } from '../../../domain/sources/source-schedule.ts';
import { toFlagName } from '../../../domain/values/define-entered-fields.ts';
import { formatInterval } from '../../../domain/values/durations.ts';
import { toOptionName } from '../options/edit-options.ts';
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

/** `timeZone` → `time zone` */
const nameByWords = ([name, value]: [string, string | null]): [string, string | null] => [
  toOptionName(name).replaceAll('-', ' '),
  value,
];

function formatValue(source: StoredSource, field: SourceField): string | null {
  const value = source[field];
  if (typeof value !== 'number') return value;
  return describeSourceField(field).kind === 'interval' ? formatInterval(value) : `${value} %`;
}

/** `redact` may be `off`, which differs from its default. */
function formatRedaction({ redaction }: StoredSource, field: RedactionField): string | null {
  const value = redaction[field] ?? null;
  if (value === null || typeof value === 'string') return value;
  const names = Array.isArray(value) ? value : Object.keys(value);
  return names.join(', ') || (field === 'kinds' ? 'off' : null);
}

/** Prints the definition and the state of a source, without empty fields. */
export function printSource(source: StoredSource): void {
  const fields: [name: string, value: string | null][] = [
    ['name', source.name],
    ['format', source.format],
    ...Object.entries(sourceFields.mapEntries((field) => formatValue(source, field))).map(nameByWords),
    ...Object.entries(redactionFields.mapEntries((field) => formatRedaction(source, field))).map(nameByWords),
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
    print(isShort ? `${toFlagName(name).padEnd(15)} ${text}` : `\n${toFlagName(name)}\n${text.trimEnd()}`);
  }
}
