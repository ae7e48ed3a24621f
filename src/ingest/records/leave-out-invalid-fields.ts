import type { Fields } from '../../contract/field.ts';
import { extensionNames } from '../../contract/resources/extension-fields.ts';
import { InvalidFieldError } from '../../domain/reasons/reason.ts';
import type { CorrectableKind } from '../../domain/records/record-decision.ts';
import { fieldsByKind } from '../../domain/records/records.ts';
import { findAddressProblem } from './document-address.ts';
import { selectDocuments } from './documents.ts';
import { type FieldCheck, fieldChecks, validateEntry, validateField } from './field-validation.ts';
import type { ImportObserver } from './import-observer.ts';
import { joinPlace } from './join-place.ts';

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
    const { entries } = fieldChecks[kind][name] as FieldCheck;
    if (entries !== undefined) {
      kept[name] = Array.isArray(value)
        ? selectDocuments(value, observer, (entry) => validateEntry(entries, entry))
        : [];
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
  return leaveOutHiddenAddresses(kept, observer);
}

/** Fields with the address of a page or of minutes. */
const addressNames = [
  ...new Set(
    Object.values<Fields>(fieldsByKind)
      .flatMap((fields) => Object.entries(fields))
      .flatMap(([name, { redaction }]) => (redaction === 'link' ? [name] : [])),
  ),
];

/** As those of documents, the addresses of a page and of minutes must lead the public there, and give away no credential. */
export function leaveOutHiddenAddresses(
  fields: Readonly<Record<string, unknown>>,
  observer: ImportObserver,
): Record<string, unknown> {
  let kept = fields;
  for (const name of addressNames) {
    const { [name]: address } = fields;
    const problem = typeof address === 'string' ? findAddressProblem(address) : undefined;
    // The validation decides on an invalid one.
    if (problem === undefined || problem.code === 'document-address-invalid') continue;
    observer.onLeftOutValue?.(problem);
    kept = { ...kept, [name]: null };
  }
  return leaveOutInvitations(kept, observer);
}

/** Calendars write the address of an online session into its place, which may contain the password. */
function leaveOutInvitations(
  fields: Readonly<Record<string, unknown>>,
  observer: ImportObserver,
): Record<string, unknown> {
  const { place } = fields;
  if (typeof place !== 'string' || !place.includes('://')) return fields;
  const left = place.replace(/\(?(https?:\/\/[^\s,;<>()]+)\)?/giu, (found, address: string) => {
    const problem = findAddressProblem(address);
    if (problem?.code !== 'document-address-secret') return found;
    observer.onLeftOutValue?.(problem);
    return '';
  });
  return left === place ? fields : { ...fields, place: joinPlace(left.split(',')) || null };
}
