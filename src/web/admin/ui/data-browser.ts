/** Parts of the pages that show published data: tabs, filters, and the request that returns a record. */

import { basePath, operations } from '../../../contract/operations.ts';
import type { OperationResult, RunnableOperationId } from '../../../domain/installation/run-operation.ts';
import type { ImportSource, UsedSource } from '../../../domain/sources/import-source.ts';
import { composeCurlCommand } from '../../../platform/http/code-samples.ts';
import { actionLink, copyField, descriptionList, link, paragraph, select } from '../../ui/components.ts';
import { foldedSection } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { type SearchResults, searchActions, searchResults } from '../../ui/records/search-results.ts';
import type { AdminContext } from '../admin-context.ts';
import { composeFilterUrl, filterForm } from '../forms/filter-form.ts';
import type { TenantContext } from '../requests/page-context.ts';
import { notFound, type Page, type Redirect } from '../requests/response-types.ts';

/** Larger JSON is shown without line breaks. */
const maxPrettyBytes = 512 * 1024;

/** Longer JSON is cut on the page. */
const maxShownBytes = 64 * 1024;

/** Links to the kinds of data. */
export function dataTabs(context: TenantContext): SafeHtml {
  const { text, path } = context;
  const tabs = [
    ['submissions', text.terms.submissions],
    ['sessions', text.terms.sessions],
    ['surveys', text.terms.surveys],
    ['decisions', text.recordDecisions.title],
    ['try', text.tryIt.title],
  ].map(([name, title]) => {
    const address = context.recordsAddress(`${name}`);
    const current = path === address ? 'page' : path.startsWith(`${address}/`) ? 'true' : undefined;
    return html`<li><a class="kern-link" href="${address}"${current ? html` aria-current="${current}"` : ''}>${title}</a></li>`;
  });
  return html`<nav aria-label="${text.browse.title}"><ul class="inline-list tabs">${tabs}</ul></nav>`;
}

/** @returns a function that composes the form of a search */
export const searchFields =
  (context: TenantContext) =>
  (fields: SafeHtml[]): SafeHtml =>
    filterForm(context, fields, searchActions(context));

/** The URL of a search has only the fields that filter. */
export async function redirectToFilters({ path }: TenantContext, form: URLSearchParams): Promise<Redirect> {
  const filled = new URLSearchParams([...form].filter(([, value]) => value.trim() !== ''));
  return { redirectTo: composeFilterUrl(path, filled) };
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

/** Who can read published data. */
export const audienceNote = ({ text, organization }: TenantContext): SafeHtml =>
  paragraph(`${text.browse.audience[organization.openData]} ${text.browse.notShown}`);

/** The page of a search in published records. */
export const searchPage = (context: TenantContext, title: string, results: SearchResults): Page => ({
  title,
  body: html`${dataTabs(context)}${audienceNote(context)}${searchResults(context, results)}`,
  ...(results.found === undefined && { status: 422 }),
});

/** The page of a record, with the request that returns it and its JSON. */
export function recordPage(
  context: TenantContext,
  list: 'submissions' | 'sessions' | 'surveys',
  title: string,
  record: SafeHtml,
  { operationId, id, result }: { operationId: RunnableOperationId; id: string; result: OperationResult },
): Page {
  const { text, organization, publicUrl } = context;
  const publicPage =
    organization.openData === 'on'
      ? paragraph(link(`${publicUrl}/open/${organization.slug}/${list}/${id}`, text.browse.onPublicPage))
      : '';
  const tryAddress = context.recordsAddress(
    `try?${new URLSearchParams({ operation: operationId, 'parameter.id': id, run: '1' })}`,
  );
  const forPrograms = html`${descriptionList([[text.imports.id, html`<code>${id}</code>`]])}
${requestField(context, { operationId, id, queryString: '' })}
${actionLink(tryAddress, text.browse.runRequest)}
<h3 class="kern-heading-small">${text.browse.response}</h3>
${jsonBlock(context, result)}`;
  const body = html`${dataTabs(context)}
${record}
${publicPage}
${foldedSection(text.browse.forPrograms, forPrograms)}`;
  return { title, body, parents: [{ path: context.recordsAddress(list), name: text.terms[list] }] };
}
