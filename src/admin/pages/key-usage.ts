/** The use of a key, as a part of its page. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { DailyKeyUsage } from '../../domain/admin-area-store.ts';
import type { KeyRecord } from '../../domain/key-record.ts';
import type { AdminContext } from '../admin-context.ts';
import type { TenantContext } from '../page-context.ts';
import { columnChart } from '../ui/chart.ts';
import { numeric, paragraph, section, table } from '../ui/components.ts';

const shownDays = 30;
const dayMs = 86_400_000;

/** Sections of the page of a key: requests by operation and status, and the latest rejected requests. */
export async function usageSections(
  { store }: AdminContext,
  { text, format, nowMs }: TenantContext,
  key: KeyRecord,
): Promise<SafeHtml> {
  const since = new Date(nowMs - (shownDays - 1) * dayMs).toISOString().slice(0, 10);
  const days = await store.listDailyUsage(key.organizationId, key.id, since);
  const byDay = new Map(days.map((day) => [day.day, day]));
  const all = Array.from({ length: shownDays }, (_, back): DailyKeyUsage => {
    const day = new Date(nowMs - (shownDays - 1 - back) * dayMs).toISOString().slice(0, 10);
    return byDay.get(day) ?? { day, answered: 0, rejected: 0 };
  });
  if (days.length === 0) return section(text.usage.title, paragraph(text.usage.none));
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
