/** Published records that a dry run names. */

import type { DescribedRecord } from '../../../../domain/runs/dry-run-lists.ts';
import { link, longText, table } from '../../../ui/components.ts';
import { toLocalDay } from '../../../ui/formatter.ts';
import type { SafeHtml } from '../../../ui/html.ts';
import { excerpt } from '../../../ui/records/imported-text.ts';
import type { TenantContext } from '../../requests/page-context.ts';

/** Characters of a title, or of the beginning of a text. */
export const maxNameLength = 80;

export const recordLink = (context: TenantContext, { kind, id, title }: DescribedRecord): SafeHtml =>
  link(context.recordsAddress(`${kind}s/${id}`), longText(excerpt(title, maxNameLength)));

export function describedRecordTable(
  context: TenantContext,
  title: string,
  records: readonly DescribedRecord[],
): SafeHtml {
  const { lists, sampleKinds } = context.text.dryRun;
  const rows = records.map((one) => [
    recordLink(context, one),
    sampleKinds[one.kind] ?? one.kind,
    one.at === null ? '–' : context.format.day(toLocalDay(one.at, context.timeZone)),
  ]);
  return table(title, [lists.record, lists.kind, lists.date], rows, { cards: '' });
}
