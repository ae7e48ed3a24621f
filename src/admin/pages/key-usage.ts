/** The use of a key, as a part of its page. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { KeyRecord } from '../../domain/key-record.ts';
import { listLatestDays } from '../../domain/key-usage.ts';
import type { AdminContext } from '../admin-context.ts';
import type { TenantContext } from '../page-context.ts';
import { columnChart } from '../ui/chart.ts';
import { numeric, paragraph, section, table } from '../ui/components.ts';

const shownDays = 30;

/** Sections of the page of a key: requests by operation and status, and the latest rejected requests. */
export async function usageSections(
  { store }: AdminContext,
  { text, format, nowMs }: TenantContext,
  key: KeyRecord,
): Promise<SafeHtml> {
  const days = listLatestDays(nowMs, shownDays);
  const usage = await store.listKeyUsage(key.organizationId, key.id, days[0] as string);
  const all = days.map((day) => {
    const ofDay = usage.filter((one) => one.day === day);
    const sum = (isLimited: boolean) =>
      ofDay.reduce((total, one) => total + ((one.status === 429) === isLimited ? one.requests : 0), 0);
    return { day, answered: sum(false), rejected: sum(true) };
  });
  if (usage.length === 0) return section(text.usage.title, paragraph(text.usage.none));
  const chart = columnChart(
    text.usage.chart,
    all.map(({ day }) => format.dayOfMonth(day)),
    [
      { name: text.usage.answered, color: 'plain', values: all.map(({ answered }) => answered) },
      { name: text.usage.rejected, color: 'warning', values: all.map(({ rejected }) => rejected) },
    ],
    format.number,
  );
  const rows = all
    .toReversed()
    .map(({ day, answered, rejected }) => [
      format.day(day),
      format.number(answered),
      format.number(rejected),
    ]);
  const figures = table(
    text.usage.title,
    [text.usage.day, numeric(text.usage.answered), numeric(text.usage.rejected)],
    rows,
    { narrow: true },
  );
  return section(text.usage.title, html`${paragraph(text.usage.delay)}${chart}${figures}`);
}
