/** When a scheduled run of a portal fetches only the records that have changed, and how it asks for them. */
import type { SourceValidators } from '../../../domain/sources/import-source.ts';
import type { TableMapping } from '../../../domain/sources/table-mapping.ts';
import type { FormatOptions, OptionValues } from '../../format-options.ts';
import { listColumns } from '../../formats/table/mapping-rules.ts';
import type { Preset } from '../../presets/preset.ts';
import type { liveSourceOptions } from '../../presets/presets.ts';

/**
 * Subtracted from the start of a run: clocks differ, and servers may show a change only the next morning. Fetching a record
 * twice costs little.
 */
const marginMs = 24 * 3_600_000;

/** @param startedAt time of a run that fetches everything. @returns the time from which the next run asks for changes */
export const toSince = (startedAt: string): string =>
  new Date(Date.parse(startedAt) - marginMs).toISOString();

/** A complete run finds the records that no longer exist. */
const completeIntervalMs = 7 * 86_400_000;

export interface ChangedSince {
  /** undefined: the run is complete. */
  condition?: { parameter: string; text: string };
  /** Of the mapping. One that no changed record has may be gone: the run must fetch all records to know. */
  columns?: readonly string[] | undefined;
  /** For the run after a complete fetch of what this one asks for. */
  next: Pick<SourceValidators, 'since' | 'completeAt'>;
}

/**
 * @param validators empty: the run is complete
 * @param startedAt of the run
 */
export function planChangedSince(
  { changes }: Preset,
  formatOptions: FormatOptions,
  { since, completeAt }: SourceValidators,
  startedAt: string,
): ChangedSince {
  const { changedColumn, mapping } = formatOptions as OptionValues<typeof liveSourceOptions> & {
    mapping?: TableMapping;
  };
  const column = changedColumn ?? changes?.column;
  // A session with its agenda is read from several records, of which some may have changed.
  if (changes === undefined || column === undefined || mapping?.session !== undefined) return { next: {} };
  const next = { since: toSince(startedAt), completeAt: startedAt };
  if (since === undefined || completeAt === undefined) return { next };
  if (Date.parse(startedAt) - Date.parse(completeAt) >= completeIntervalMs) return { next };
  const text = changes.condition.replace('{column}', () => column).replace('{date}', since.slice(0, 10));
  return {
    condition: { parameter: changes.parameter, text },
    columns: mapping && listNamedColumns(mapping),
    next: { ...next, completeAt },
  };
}

const listNamedColumns = ({ submission, skip = {} }: TableMapping): string[] => [
  ...(submission ? listColumns(submission) : []),
  ...Object.keys(skip),
];
