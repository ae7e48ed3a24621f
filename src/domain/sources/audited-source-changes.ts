/** Changes of the definition of a source for the audit log. */
import { hash } from 'node:crypto';
import { type FieldChange, listChanges } from '../accounts/audit-log.ts';
import { formatInterval } from '../values/durations.ts';
import type { SourceDefinition, SourceRedaction } from './import-source.ts';
import { type RedactionField, redactionFields, type SourceField, sourceFields } from './source-fields.ts';

/** @param before undefined: the source is new */
export function listSourceChanges(
  before: SourceDefinition | undefined,
  after: SourceDefinition,
): FieldChange[] {
  return listChanges(before === undefined ? {} : toFields(before), toFields(after));
}

/** As release 1.0.0 stored them: names of options, but that of the field for the share. */
const getAuditName = (field: SourceField) =>
  field === 'maxDeletedPercent' ? field : sourceFields.getEntryName(field);

const auditedFields = sourceFields.names.map((field) => [getAuditName(field), field] as const);
const auditedRedaction = redactionFields.names.map(
  (field) => [redactionFields.getEntryName(field), field] as const,
);

/** @returns the labels by the names in the audit log */
export const toAuditedLabels = (
  getLabel: (field: SourceField | RedactionField) => string,
): Record<string, string> =>
  Object.fromEntries([...auditedFields, ...auditedRedaction].map(([name, field]) => [name, getLabel(field)]));

function toFields(definition: SourceDefinition): Record<string, string | number | null> {
  const { format, redaction, options } = definition;
  return Object.fromEntries([
    ['format', format],
    ...auditedFields.map(([name, field]) => [name, toAuditedValue(definition, field)] as const),
    ...auditedRedaction.map(([name, field]) => [name, toAuditedRedaction(redaction[field])] as const),
    ...Object.entries(options).map(([name, text]) => [name, abbreviateFile(text)] as const),
  ]);
}

function toAuditedValue(definition: SourceDefinition, field: SourceField): string | number | null {
  const value = definition[field];
  return typeof value === 'number' && sourceFields.declared[field].kind === 'interval'
    ? formatInterval(value)
    : value;
}

function toAuditedRedaction(value: SourceRedaction[RedactionField]): string | null {
  if (value === undefined || value === null || typeof value === 'string') return value ?? null;
  if (Array.isArray(value)) return value.join(', ');
  const patterns = Object.entries(value);
  if (patterns.length === 0) return null;
  return `${patterns.map(([name]) => name).join(', ')} (${checksum(JSON.stringify(patterns))})`;
}

/** Contents of files are too long for the audit log. */
const abbreviateFile = (text: string): string =>
  text.length <= 100 && !text.includes('\n') ? text : `${text.length} characters (${checksum(text)})`;

const checksum = (text: string) => hash('sha256', text).slice(0, 12);
