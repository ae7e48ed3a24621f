/** Changes of the definition of a source for the audit log. */
import { hash } from 'node:crypto';
import { type FieldChange, listChanges } from '../accounts/audit-log.ts';
import type { SourceDefinition } from './import-source.ts';
import { formatInterval } from './source-schedule.ts';

/** @param before undefined: the source is new */
export function listSourceChanges(
  before: SourceDefinition | undefined,
  after: SourceDefinition,
): FieldChange[] {
  return listChanges(before === undefined ? {} : toFields(before), toFields(after));
}

function toFields(definition: SourceDefinition): Record<string, string | number | null> {
  const { format, url, intervalMs, timeZone, redaction, maxDeletedPercent, options } = definition;
  const patterns = Object.entries(redaction.patterns);
  return {
    format,
    url,
    every: intervalMs === null ? null : formatInterval(intervalMs),
    timeZone,
    redact: redaction.kinds?.join(', ') ?? null,
    redactCountry: redaction.country,
    accept: redaction.accepted?.join(', ') ?? null,
    redactPatterns:
      patterns.length === 0
        ? null
        : `${patterns.map(([name]) => name).join(', ')} (${checksum(JSON.stringify(patterns))})`,
    maxDeletedPercent,
    ...Object.fromEntries(Object.entries(options).map(([name, text]) => [name, abbreviateFile(text)])),
  };
}

/** Contents of files are too long for the audit log. */
const abbreviateFile = (text: string): string =>
  text.length <= 100 && !text.includes('\n') ? text : `${text.length} characters (${checksum(text)})`;

const checksum = (text: string) => hash('sha256', text).slice(0, 12);
