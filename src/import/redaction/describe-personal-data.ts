import { type RedactionKind, redactionKinds } from '../../domain/import-source.ts';
import type { ImportSummary, PersonalDataCounts } from '../import-observer.ts';

const nouns: Record<RedactionKind, [singular: string, plural: string]> = {
  email: ['e-mail address', 'e-mail addresses'],
  phone: ['telephone number', 'telephone numbers'],
  iban: ['IBAN', 'IBANs'],
  plate: ['licence plate', 'licence plates'],
  address: ['address', 'addresses'],
};

const describeCounts = (counts: PersonalDataCounts): string =>
  redactionKinds
    .flatMap((kind) => {
      const count = counts[kind];
      return count === undefined ? [] : [`${count} ${nouns[kind][count === 1 ? 0 : 1]}`];
    })
    .join(', ');

/**
 * @param replaced kinds that the source replaces
 * @param accepted kinds that it may publish
 * @returns undefined if the owner of the source has decided about all kinds
 */
export function describeUndecided(
  counts: PersonalDataCounts,
  replaced: readonly RedactionKind[],
  accepted: readonly RedactionKind[],
): string | undefined {
  if (redactionKinds.every((kind) => counts[kind] === undefined)) return undefined;
  // The options name all kinds, not only further ones.
  const addTo = (decided: readonly RedactionKind[]) =>
    redactionKinds.filter((kind) => counts[kind] !== undefined || decided.includes(kind)).join(',');
  return `The texts contain possible personal data that the source neither replaces nor may publish: ${describeCounts(counts)}. Use "rostra source edit" with --redact ${addTo(replaced)} to replace it, or with --accept ${addTo(accepted)} to publish it.`;
}

/**
 * Describes the personal data that the import leaves in texts, for the summary.
 *
 * @returns undefined if nothing was found
 */
export function describePersonalData({
  personalData,
  redacted,
}: Pick<ImportSummary, 'personalData' | 'redacted'>): string | undefined {
  const kinds = redactionKinds.filter((kind) => personalData[kind] !== undefined);
  if (kinds.length === 0) return undefined;
  const sentence = `Possible personal data in texts: ${describeCounts(personalData)}.`;
  // Texts of surveys are not redacted.
  const missing = kinds.filter((kind) => redacted[kind] === undefined);
  return missing.length === 0 ? sentence : `${sentence} To replace it, use --redact ${missing.join(',')}.`;
}
