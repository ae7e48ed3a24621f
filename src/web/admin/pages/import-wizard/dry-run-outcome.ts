/** What an import would do in one sentence, and on the button that does it. */

import type { RecordKind } from '../../../../domain/records/records.ts';
import type { ImportCounts } from '../../../../domain/runs/run-history.ts';
import type { DryRunReport, QueuedRun } from '../../../../domain/runs/run-queue.ts';
import type { TenantContext } from '../../requests/page-context.ts';

const writes = ['inserted', 'changed', 'removed'] as const;

/** Records of one kind have its name; those of several kinds are records. */
function findKind({ samples }: Pick<DryRunReport, 'samples'>): RecordKind | 'record' {
  const kinds = [...new Set(samples.map(({ kind }) => kind))];
  return kinds.length === 1 && kinds[0] !== undefined ? kinds[0] : 'record';
}

export const hasSurveys = ({ samples }: DryRunReport): boolean =>
  samples.some(({ kind }) => kind === 'survey');

/** For example "60 submissions will be added and one row will be rejected." */
export function outcomeSentence(
  { text, format }: TenantContext,
  { definition }: QueuedRun,
  report: DryRunReport,
): string {
  const { counts } = report;
  const words = text.dryRun.outcome;
  const told = [...writes, 'unchanged' as const].filter((name) => counts[name] > 0);
  const parts = told.map((name, index) => {
    const count = format.number(counts[name]);
    return words[name](index === 0 ? words.records(count, findKind(report)) : count, counts[name] === 1);
  });
  const rejected =
    counts.rejected === 0
      ? []
      : [words.rejected(format.number(counts.rejected), definition?.format === 'table')];
  return words.sentence([...parts, ...rejected]);
}

/** For example "60 submissions published". */
export function resultSentence(
  { text, format }: TenantContext,
  { dryRun }: QueuedRun,
  counts: ImportCounts,
): string {
  const words = text.dryRun.outcome;
  const kind = findKind(dryRun ?? { samples: [] });
  const parts = writes
    .filter((name) => counts[name] > 0)
    .map((name, index) => {
      const count = format.number(counts[name]);
      return words.result[name](index === 0 ? words.records(count, kind) : count);
    });
  return parts.length === 0 ? words.result.nothing : words.actions(parts);
}

/**
 * For example "Publish 60 submissions".
 *
 * @param kinds of personal data that stay in the texts, which only the person who presses the button has decided
 */
export function confirmationLabel(
  { text, format }: TenantContext,
  report: DryRunReport,
  kinds: readonly string[] = [],
): string {
  const { counts } = report;
  const words = text.dryRun.outcome;
  const parts = writes
    .filter((name) => counts[name] > 0)
    .map((name, index) => {
      const count = format.number(counts[name]);
      const records = index === 0 ? words.records(count, findKind(report)) : count;
      const isPublished = index === 0 && name !== 'removed';
      return words.action[name](isPublished && kinds.length > 0 ? words.withData(records, kinds) : records);
    });
  return parts.length === 0 ? words.action.nothing : words.actions(parts);
}
