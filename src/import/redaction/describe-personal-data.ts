import { type RedactionKind, redactionKinds } from '../../domain/import-source.ts';
import type { ImportSummary } from '../import-observer.ts';

const nouns: Record<RedactionKind, [singular: string, plural: string]> = {
  email: ['e-mail address', 'e-mail addresses'],
  phone: ['telephone number', 'telephone numbers'],
  iban: ['IBAN', 'IBANs'],
  plate: ['licence plate', 'licence plates'],
  address: ['address', 'addresses'],
};

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
  const counts = kinds.map((kind) => {
    const count = personalData[kind] ?? 0;
    return `${count} ${nouns[kind][count === 1 ? 0 : 1]}`;
  });
  const sentence = `Possible personal data in texts: ${counts.join(', ')}.`;
  // Texts of surveys are not redacted.
  const missing = kinds.filter((kind) => redacted[kind] === undefined);
  return missing.length === 0 ? sentence : `${sentence} To replace it, use --redact ${missing.join(',')}.`;
}
