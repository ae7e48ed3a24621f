/** Redacts the records that an undo restores, as imports of the municipality redact every record now. */
import type { Organization } from '../../domain/organizations/organization.ts';
import type { Reason } from '../../domain/reasons/reason.ts';
import { type RedactRestored, type RestoredRecord, UndoConflictError } from '../../domain/runs/undo.ts';
import { createTypedTextRedactor, type RedactionSettings } from './prepare-import.ts';

/** Its words, names and patterns, and the patterns of the installation: they do not depend on the source. */
export function createRestoredRedactor(
  organization: Organization,
  settings: RedactionSettings,
): RedactRestored {
  const country = organization.country ?? settings.country;
  const policy = { kinds: [], country, patterns: {} };
  const redactor = createTypedTextRedactor(organization, { policy, patterns: {} }, settings);
  return async (records) => {
    const given = records.map((record) => ({ location: { source: '' }, record }));
    const redacted = await redactor.redact(given, new AbortController().signal);
    return redacted.map((parsed) => {
      if ('record' in parsed) return parsed.record as RestoredRecord;
      throw new UndoConflictError((parsed as { rejectionReason: Reason }).rejectionReason);
    });
  };
}
