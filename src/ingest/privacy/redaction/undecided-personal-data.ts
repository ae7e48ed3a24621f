import { type KindCount, listKindCounts } from '../../../domain/reasons/en/failures.ts';
import type { Reason } from '../../../domain/reasons/reason.ts';
import {
  type PersonalDataFinding,
  type RedactionKind,
  redactionKinds,
} from '../../../domain/sources/import-source.ts';
import type { ImportSummary, PersonalDataCounts } from '../../records/import-observer.ts';

const listCounts = (counts: PersonalDataCounts): KindCount[] =>
  redactionKinds.flatMap((kind) => {
    const count = counts[kind];
    return count === undefined ? [] : [{ kind, count }];
  });

/**
 * Asks about kinds of personal data in the texts of an import that its source neither replaces nor accepts.
 *
 * @param replaced kinds that the source replaces
 * @param accepted kinds that it may publish
 * @returns undefined if the owner of the source has decided about all kinds
 */
export function findUndecided(
  counts: PersonalDataCounts,
  replaced: readonly RedactionKind[],
  accepted: readonly RedactionKind[],
): Reason | undefined {
  if (redactionKinds.every((kind) => counts[kind] === undefined)) return undefined;
  // The options name all kinds, not only further ones.
  const addTo = (decided: readonly RedactionKind[]) =>
    redactionKinds.filter((kind) => counts[kind] !== undefined || decided.includes(kind));
  return {
    code: 'personal-data-undecided',
    counts: listCounts(counts),
    replace: addTo(replaced),
    accept: addTo(accepted),
  };
}

/** The personal data of all kinds that an import found: what it left in texts, and what it replaced. */
export function listFindings({
  redacted,
  personalData,
}: Pick<ImportSummary, 'personalData' | 'redacted'>): PersonalDataFinding[] {
  const list = (counts: Readonly<Record<string, number>>, isRedacted: boolean) =>
    Object.entries(counts).flatMap(([kind, count]) => (count > 0 ? [{ kind, count, isRedacted }] : []));
  return [...list(redacted, true), ...list(personalData, false)];
}

/** Describes the personal data that the import leaves in texts, for the summary. */
export function describePersonalData({
  personalData,
  redacted,
}: Pick<ImportSummary, 'personalData' | 'redacted'>): string {
  const kinds = redactionKinds.filter((kind) => personalData[kind] !== undefined);
  const names = 'Names of people are not detected.';
  if (kinds.length === 0) return names;
  const sentence = `Possible personal data in texts: ${listKindCounts(listCounts(personalData))}.`;
  const missing = kinds.filter((kind) => redacted[kind] === undefined);
  const advice = missing.length === 0 ? '' : ` To replace it, use --redact ${missing.join(',')}.`;
  return `${sentence}${advice}\n${names}`;
}
