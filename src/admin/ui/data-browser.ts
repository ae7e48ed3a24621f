/** Parts of the pages that show published data: tabs, filters, paging, and the request that returns a record. */
import { html, type SafeHtml } from '@remix-run/html-template';
import { basePath, operations } from '../../contract/operations.ts';
import type { ImportSource, UsedSource } from '../../domain/import-source.ts';
import type { OperationResult, RunnableOperationId } from '../../domain/operation-runner.ts';
import { isTimestamp } from '../../domain/timestamps.ts';
import { composeCurlCommand } from '../../http/request-samples.ts';
import type { AdminContext } from '../admin-context.ts';
import type { TenantContext } from '../page-context.ts';
import { notFound, type Page, type Redirect } from '../response-types.ts';
import { prefilledFormUrl } from '../return-url.ts';
import { actionLink, button, copyField, field, link, select } from './components.ts';
import { filterForm } from './list-page.ts';

const maxExcerptLength = 160;

/** Larger JSON is shown without line breaks. */
const maxPrettyBytes = 512 * 1024;

/** Longer JSON is cut on the page. */
const maxShownBytes = 64 * 1024;

export const dataPath = ({ organization }: TenantContext) => `/admin/organizations/${organization.id}/data`;

/** Links to the kinds of data. */
export function dataTabs(context: TenantContext): SafeHtml {
  const { text, path } = context;
  const tabs = [
    ['submissions', text.terms.submissions],
    ['sessions', text.terms.sessions],
    ['surveys', text.terms.surveys],
    ['decisions', text.decisions.title],
    ['try', text.tryIt.title],
  ].map(([name, title]) => {
    const address = `${dataPath(context)}/${name}`;
    const current = path === address ? 'page' : path.startsWith(`${address}/`) ? 'true' : undefined;
    return html`<li><a class="kern-link" href="${address}"${current ? html` aria-current="${current}"` : ''}>${title}</a></li>`;
  });
  return html`<nav aria-label="${text.browse.title}"><ul class="inline-list tabs">${tabs}</ul></nav>`;
}

export function searchFields(context: TenantContext, fields: SafeHtml[]): SafeHtml {
  const { text, path, query } = context;
  const reset = query.size > 0 ? link(path, text.browse.reset) : '';
  const actions = html`<div class="actions">${button(text.organizationSearch.submit, 'secondary')} ${reset}</div>`;
  return filterForm(context, fields, actions);
}

/** The URL of a search has only the fields that filter. */
export async function redirectToFilters({ path }: TenantContext, form: URLSearchParams): Promise<Redirect> {
  const filled = new URLSearchParams([...form].filter(([, value]) => value.trim() !== ''));
  return { redirectTo: prefilledFormUrl(path, filled) };
}

export interface SourceFilter {
  /** undefined: all records. */
  sourceId: number | undefined;
  /** Empty if the municipality has fewer than two sources. */
  field: SafeHtml;
  sources: readonly UsedSource[];
}

/** The source in the query. */
export async function readSourceFilter(
  { store }: AdminContext,
  { text, query, organization }: TenantContext,
): Promise<SourceFilter> {
  const sources = await store.listUsedSources(organization.id);
  const chosen = sources.find(({ id }) => String(id) === query.get('source'));
  const choices = sources.map((source) => ({ value: String(source.id), text: nameSource(source) }));
  const all = { value: '', text: text.browse.anySource };
  const field = select('source', text.imports.source, [all, ...choices], String(chosen?.id ?? ''));
  return {
    sources,
    sourceId: chosen?.id,
    field: sources.length > 1 ? field : html``,
  };
}

/** The unnamed source of a format has the name of the format. */
export const nameSource = ({ name, format }: ImportSource): string => (name === '' ? format : name);

export interface DateRange {
  /** First day, `YYYY-MM-DD`. */
  from: string | undefined;
  /** The day after the last one. */
  before: string | undefined;
  /** By field. */
  errors: { from?: string; to?: string };
}

/** The days in the fields `from` and `to`. */
export function parseDateRange({ query, text }: TenantContext): DateRange {
  const range: DateRange = { from: undefined, before: undefined, errors: {} };
  for (const name of ['from', 'to'] as const) {
    const value = (query.get(name) ?? '').trim();
    if (value === '') continue;
    const day = parseDay(value);
    if (day === undefined) range.errors[name] = text.browse.invalidDate;
    else if (name === 'from') range.from = day.toString();
    else range.before = day.add({ days: 1 }).toString();
  }
  if (range.from !== undefined && range.before !== undefined && range.before <= range.from)
    range.errors.to = text.browse.reversedDates;
  return range;
}

function parseDay(text: string): Temporal.PlainDate | undefined {
  if (!/^(?!0000|9999)\d{4}-\d{2}-\d{2}$/.test(text)) return undefined;
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' });
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The first timestamp of a day in a time zone. */
export function startOfDay(day: string, timeZone: string): string {
  const { epochMilliseconds } = Temporal.PlainDate.from(day).toZonedDateTime(timeZone);
  return new Date(epochMilliseconds).toISOString();
}

export const dateField = (
  { query }: TenantContext,
  name: 'from' | 'to',
  label: string,
  errors: DateRange['errors'],
): SafeHtml =>
  field({
    name,
    label,
    type: 'date',
    value: query.get(name) ?? '',
    error: errors[name],
    isRequired: false,
    attributes: html` max="9998-12-31"`,
  });

/** The words of a search, at most ten. */
export function parseWords({ query }: TenantContext): string[] {
  const words = (query.get('words') ?? '').slice(0, 200).split(/\s+/);
  return words.filter((word) => word !== '').slice(0, 10);
}

/** @param at a timestamp or a date */
export function toLocalDay(at: string, timeZone: string): string {
  return isTimestamp(at)
    ? Temporal.Instant.from(at).toZonedDateTimeISO(timeZone).toPlainDate().toString()
    : at;
}

/** The beginning of a text on one line. */
export function excerpt(text: string, maxLength = maxExcerptLength): string {
  const characters = [
    ...text
      .slice(0, 4 * maxLength)
      .replace(/\s+/g, ' ')
      .trim(),
  ];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Text from a source as paragraphs: never HTML. */
export function sourceText(text: string): SafeHtml {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim() !== '');
  const items = paragraphs.map((paragraph) => {
    const lines = paragraph.trim().split('\n');
    return html`<p class="kern-body" dir="auto">${lines.map((line, index) => html`${index > 0 ? html`<br>` : ''}${line}`)}</p>`;
  });
  return html`<div class="source-text">${items}</div>`;
}

/** A link to another site; the text itself if it is no web address. */
export const externalLink = (address: string): SafeHtml =>
  /^https?:\/\//i.test(address)
    ? html`<a class="kern-link long-text" href="${address}" rel="noopener noreferrer"><bdi>${address}</bdi></a>`
    : html`<bdi>${address}</bdi>`;

/**
 * Reads a record by its operation, as a client of the API receives it.
 *
 * @throws PageError 404 if it does not exist
 */
export async function readRecord(
  { runOperation }: AdminContext,
  { organization }: TenantContext,
  operationId: RunnableOperationId,
  id: string,
): Promise<OperationResult> {
  const result = await runOperation(operationId, organization.id, { id, queryString: '' });
  if (result.status !== 200) throw notFound();
  return result;
}

export interface ShownRequest {
  operationId: RunnableOperationId;
  /** Empty if the path has none. */
  id: string;
  /** Percent-encoded. */
  queryString: string;
}

/** Path and query of a request. */
export function requestPath({ operationId, id, queryString }: ShownRequest): string {
  const path = basePath + operations[operationId].path.replace('{id}', encodeURIComponent(id));
  return queryString === '' ? path : `${path}?${queryString}`;
}

/** A curl command with a placeholder for the key. */
export function requestField({ text, publicUrl }: TenantContext, request: ShownRequest): SafeHtml {
  const command = composeCurlCommand(`${publicUrl}${requestPath(request)}`, {
    literal: text.keys.placeholder,
  });
  return html`${copyField(text.browse.request, 'request', command, text.newKey.copyRequest, text.form.copied)}
<p class="kern-body kern-body--small">${text.browse.requestHint}</p>`;
}

/** The beginning of a response body. */
export function jsonBlock({ text, format }: TenantContext, { body, bodyBytes }: OperationResult): SafeHtml {
  const pretty = bodyBytes > maxPrettyBytes ? body : JSON.stringify(JSON.parse(body), null, 2);
  const shown = pretty.length > maxShownBytes ? pretty.slice(0, maxShownBytes).toWellFormed() : pretty;
  const kilobytes = (bytes: number) => format.number(Math.max(1, Math.round(bytes / 1_000)));
  const note = text.browse.responseCut(
    kilobytes(shown.length),
    kilobytes(Math.max(bodyBytes, pretty.length)),
  );
  return html`<pre class="json" role="region" aria-label="${text.browse.response}" tabindex="0" dir="ltr"><code>${shown}</code></pre>
${shown !== pretty ? html`<p class="kern-body kern-body--small">${note}</p>` : ''}`;
}

/** The page of a record, beside the request that returns it and its JSON. */
export function recordPage(
  context: TenantContext,
  list: 'submissions' | 'sessions' | 'surveys',
  title: string,
  record: SafeHtml,
  { operationId, id, result }: { operationId: RunnableOperationId; id: string; result: OperationResult },
): Page {
  const { text } = context;
  const tryAddress = `${dataPath(context)}/try?${new URLSearchParams({ operation: operationId, 'parameter.id': id, run: '1' })}`;
  const body = html`${dataTabs(context)}<div class="record">
<div>${record}</div>
<aside aria-labelledby="via-api">
<h2 class="kern-heading-medium" id="via-api">${text.browse.viaApi}</h2>
${requestField(context, { operationId, id, queryString: '' })}
${actionLink(tryAddress, text.browse.runRequest)}
<h3 class="kern-heading-small">${text.browse.response}</h3>
${jsonBlock(context, result)}
</aside>
</div>`;
  return { title, body, parents: [{ path: `${dataPath(context)}/${list}`, name: text.terms[list] }] };
}
