import type { Field } from '../../contract/field.ts';
import { extensionNames } from '../../contract/resources/extension-fields.ts';
import { InvalidFieldError } from '../../domain/reasons/reason.ts';
import type { CorrectableKind } from '../../domain/records/record-decision.ts';
import { type FieldCheck, fieldChecks, validateEntry, validateField } from './field-validation.ts';
import type { ImportObserver } from './import-observer.ts';

/**
 * Leaves out values of the fields beyond the specification that cannot be published, such as a title or an address, and reports
 * why: records are of use without them. Rostra's own format rejects the records instead, because its programs can be corrected.
 */
export function leaveOutInvalidFields(
  kind: CorrectableKind,
  fields: Readonly<Record<string, unknown>>,
  observer: ImportObserver,
): Record<string, unknown> {
  const kept = { ...fields };
  for (const name of extensionNames[kind]) {
    const { [name]: value } = kept;
    const { entries, field } = fieldChecks[kind][name] as FieldCheck;
    if (entries !== undefined) {
      kept[name] = keepValidEntries(name, entries, field, kept[name], observer);
      continue;
    }
    // An empty cell is a missing value.
    if (typeof value === 'string' && value.trim() === '') kept[name] = null;
    if (kept[name] === undefined || kept[name] === null) continue;
    try {
      kept[name] = validateField(name, fieldChecks[kind][name] as FieldCheck, kept[name]);
    } catch (error) {
      if (!(error instanceof InvalidFieldError)) throw error;
      observer.onLeftOutValue?.(error.reason);
      kept[name] = null;
    }
  }
  return kept;
}

/** At most as many as the list may have. */
function keepValidEntries(
  name: string,
  entries: Readonly<Record<string, FieldCheck>>,
  { schema }: Field,
  value: unknown,
  observer: ImportObserver,
): unknown[] {
  const { maxItems } = schema as { maxItems?: number };
  const max = maxItems as number;
  const given = Array.isArray(value) ? value : [];
  const valid: unknown[] = [];
  for (const entry of given) {
    if (valid.length === max) {
      observer.onLeftOutValue?.({ code: 'list-too-long', field: name, max });
      break;
    }
    try {
      valid.push(validateEntry(entries, entry));
    } catch (error) {
      if (!(error instanceof InvalidFieldError)) throw error;
      observer.onLeftOutValue?.(error.reason);
    }
  }
  return valid;
}
