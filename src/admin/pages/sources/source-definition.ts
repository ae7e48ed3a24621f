import type { SourceDefinition, StoredSource } from '../../../domain/import-source.ts';

/** A source without the state of its runs. */
export const pickDefinition = ({
  name,
  format,
  url,
  intervalMs,
  options,
  timeZone,
  redaction,
  maxDeletedPercent,
}: StoredSource): SourceDefinition => ({
  name,
  format,
  url,
  intervalMs,
  options,
  timeZone,
  redaction,
  maxDeletedPercent,
});
