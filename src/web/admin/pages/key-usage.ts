/** The use of a key: requests by operation and status, and the latest rejected requests, as sections of its page and as CSV. */

import { type ErrorStatus, findErrorCode } from '../../../contract/error-codes.ts';
import {
  type KeyUsage,
  listLatestDays,
  type RejectedRequest,
  unknownOperation,
} from '../../../domain/keys/key-usage.ts';
import type { StoredKey } from '../../../domain/keys/stored-key.ts';
import { columnChart, type RequestResult, requestResults } from '../../ui/chart.ts';
import {
  alert,
  descriptionList,
  link,
  numeric,
  paragraph,
  section,
  table,
  userText,
} from '../../ui/components.ts';
import { folded } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { createCsvDownload } from '../csv-download.ts';
import type { TenantContext } from '../requests/page-context.ts';
import type { Download } from '../requests/response-types.ts';

const periods = [7, 30, 90] as const;
const defaultPeriod = 30;

/** A revoked or expired key without requests for this time is no longer in use. */
const warningDays = 7;

/** Longer tables of days are folded. */
const maxVisibleDays = 7;

/** Sections of the page of a key: requests by operation and status, and the latest rejected requests. */
export async function usageSections(
  { store }: AdminContext,
  context: TenantContext,
  key: StoredKey,
): Promise<SafeHtml> {
  const days = listLatestDays(context.nowMs, readPeriod(context));
  const usage = await store.listKeyUsage(key.organizationId, key.id, days[0] as string);
  const rejected = await store.listRejectedRequests(key.organizationId, key.id);
  return html`${inactiveUseWarning(context, key, usage)}${usageSection(context, usage, days)}${rejectedRequestsSection(context, rejected)}`;
}

export async function downloadUsage(
  { store }: AdminContext,
  context: TenantContext,
  { organizationId, id, prefix }: StoredKey,
): Promise<Download> {
  const days = listLatestDays(context.nowMs, readPeriod(context));
  const usage = await store.listKeyUsage(organizationId, id, days[0] as string);
  const rows = usage.map(({ day, operation, status, requests }) => [day, operation, status, requests]);
  const batch = [['day', 'operation', 'status', 'requests'], ...rows];
  return createCsvDownload(`rostra-key-${prefix}-${days.at(-1)}.csv`, [batch], context.text);
}

/** The number of days in the query. */
function readPeriod({ query }: TenantContext): number {
  return periods.find((days) => String(days) === query.get('days')) ?? defaultPeriod;
}

function findResult(status: number): RequestResult {
  if (status < 400) return 'answered';
  if (status >= 500) return 'failed';
  return status === 401 ? 'inactive' : status === 429 ? 'limited' : 'invalid';
}

const sum = (usage: readonly KeyUsage[]) => usage.reduce((total, { requests }) => total + requests, 0);

function inactiveUseWarning(context: TenantContext, key: StoredKey, usage: readonly KeyUsage[]) {
  const { text, format, nowMs } = context;
  const since = listLatestDays(nowMs, warningDays)[0] as string;
  const recent = usage.filter(({ day, status }) => status === 401 && day >= since);
  const [latest] = recent;
  if (key.state === 'active' || latest === undefined) return '';
  const count = sum(recent);
  const sentence = text.usage.stillInUseText(count, format.number(count), format.day(latest.day));
  return alert('warning', text.usage.stillInUse, paragraph(sentence));
}

function usageSection(context: TenantContext, usage: readonly KeyUsage[], days: readonly string[]): SafeHtml {
  const { text, format, path } = context;
  const choice = periodLinks(context, days.length);
  if (usage.length === 0)
    return section(text.usage.title, html`${choice}${paragraph(text.usage.none(days.length))}`);
  const byDay = Map.groupBy(usage, ({ day }) => day);
  const results = requestResults.filter((result) =>
    usage.some(({ status }) => findResult(status) === result),
  );
  const columns = results.map((result) => ({
    result,
    values: days.map((day) =>
      sum((byDay.get(day) ?? []).filter(({ status }) => findResult(status) === result)),
    ),
  }));
  const chart = columnChart(
    text.usage.chart,
    days.map(format.dayOfMonth),
    columns.map(({ result, values }) => ({
      name: text.usage.results[result],
      color: `requests-${result}` as const,
      values,
    })),
    format.number,
  );
  const dailyRows = days
    .map((day, index) => [
      // The first cell of a row must not wrap.
      format.day(day).replaceAll(' ', '\u00a0'),
      ...columns.map(({ values }) => format.number(values[index] as number)),
      format.number(sum(byDay.get(day) ?? [])),
    ])
    .filter((_, index) => byDay.has(days[index] as string))
    .toReversed();
  const daily = table(
    text.usage.daily,
    [
      text.usage.day,
      ...results.map((result) => numeric(text.usage.results[result])),
      numeric(text.terms.total),
    ],
    dailyRows,
    { narrow: true },
  );
  return section(
    text.usage.title,
    html`${choice}${chart}${operationTable(context, usage)}
${dailyRows.length > maxVisibleDays ? folded(text.usage.daily, daily) : daily}
${paragraph(link(`${path}/usage.csv?days=${days.length}`, text.usage.download(days.length)))}
${paragraph(text.usage.delay)}`,
  );
}

function periodLinks({ text, path }: TenantContext, shown: number): SafeHtml {
  const items = periods.map((days) => {
    const name = text.usage.lastDays(days);
    return days === shown
      ? html`<li><a class="kern-link" href="${path}?days=${days}" aria-current="true"><strong>${name}</strong></a></li>`
      : html`<li>${link(`${path}?days=${days}`, name)}</li>`;
  });
  return html`<nav aria-label="${text.terms.period}"><ul class="inline-list">${items}</ul></nav>`;
}

/** One row per operation, one column per status. */
function operationTable(context: TenantContext, usage: readonly KeyUsage[]): SafeHtml {
  const { text, format } = context;
  const statuses = [...new Set(usage.map(({ status }) => status))].sort((one, other) => one - other);
  const operations = [...Map.groupBy(usage, ({ operation }) => operation)]
    .map(([operation, ofOperation]) => ({ operation, ofOperation, total: sum(ofOperation) }))
    .sort((one, other) => other.total - one.total);
  const cells = (counted: readonly KeyUsage[]) => [
    ...statuses.map((status) => format.number(sum(counted.filter((one) => one.status === status)))),
    format.number(sum(counted)),
  ];
  const headings = statuses.map((status) =>
    numeric(html`${status}<span class="status-heading">${text.usage.statuses[status]}</span>`),
  );
  return table(
    text.usage.byOperation,
    [text.usage.operation, ...headings, numeric(text.terms.total)],
    [
      ...operations.map(({ operation, ofOperation }) => [
        operationName(operation, context),
        ...cells(ofOperation),
      ]),
      [text.terms.total, ...cells(usage)],
    ],
  );
}

/** Further requests are folded. */
const visibleRequests = 10;

function rejectedRequestsSection(context: TenantContext, requests: readonly RejectedRequest[]): SafeHtml {
  const { text, format, publicUrl } = context;
  const { title, intro, none, earlier, meaning, explanations, documentation } = text.rejectedRequests;
  if (requests.length === 0) return section(title, paragraph(none));
  const others = requests.slice(visibleRequests);
  const othersTitle = earlier(format.number(others.length));
  const statuses = [...new Set(requests.map(({ status }) => status))].sort((one, other) => one - other);
  const meanings = statuses.map((status): [string, string] => [
    describeStatus(status),
    explanations[status] ?? '–',
  ]);
  return section(
    title,
    html`${paragraph(intro)}${requestTable(context, title, requests.slice(0, visibleRequests))}
${others.length === 0 ? '' : folded(othersTitle, requestTable(context, othersTitle, others))}
<h3 class="kern-heading-small">${meaning}</h3>
${descriptionList(meanings)}
${paragraph(link(`${publicUrl}/docs#errors`, documentation))}`,
  );
}

const describeStatus = (status: number) => `${findErrorCode(status as ErrorStatus) ?? '–'} (${status})`;

function requestTable(
  context: TenantContext,
  caption: string,
  requests: readonly RejectedRequest[],
): SafeHtml {
  const { text, format } = context;
  const { status, parameter, message } = text.rejectedRequests;
  return table(
    caption,
    [text.audit.at, text.usage.operation, status, parameter, message],
    requests.map((request) => [
      format.timeWithSeconds(request.at),
      operationName(request.operation, context),
      describeStatus(request.status),
      request.parameter === null ? '–' : html`<code>${userText(request.parameter)}</code>`,
      html`<span class="long-text" lang="en">${userText(request.message)}</span>`,
    ]),
    { cards: '' },
  );
}

/** The name of an operation for people, and the one in the documentation of the API. */
function operationName(operation: string, { text }: TenantContext): SafeHtml {
  const name = Object.hasOwn(text.usage.operations, operation) ? text.usage.operations[operation] : undefined;
  if (name === undefined) return html`<code>${operation}</code>`;
  return operation === unknownOperation ? html`${name}` : html`${name} (<code>${operation}</code>)`;
}
