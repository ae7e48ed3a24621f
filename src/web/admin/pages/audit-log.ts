/** The audit log as pages with filters, and as a CSV file. */
import { setImmediate } from 'node:timers/promises';
import type { AuditEvent, FieldChange } from '../../../domain/accounts/audit-log.ts';
import { isRecordKind } from '../../../domain/records/records.ts';
import type { Messages } from '../../messages/en.ts';
import {
  actionLink,
  emailText,
  field,
  link,
  longText,
  paragraph,
  searchResult,
  select,
  table,
  userText,
} from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { parseTimeCursor, rowsPerPage, type TimeCursor, timePager } from '../../ui/list-page.ts';
import type { AdminContext } from '../admin-context.ts';
import { createCsvDownload } from '../csv-download.ts';
import { filterForm, redirectToSearch } from '../forms/filter-form.ts';
import { may, type PageContext } from '../requests/page-context.ts';
import type { Download, UntitledPage } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { actorText } from '../ui/actor-name.ts';
import { changeList, subjectName } from './audit-log-changes.ts';
import {
  type AuditFilter,
  findAuditPage,
  matchesFilter,
  parseAuditFilter,
  scanAuditLog,
} from './audit-log-search.ts';

const filterNames = ['actor', 'action', 'key', 'from', 'until'];

/** The filter in the query, without empty values. */
const filterQuery = ({ query }: PageContext) =>
  new URLSearchParams([...query].filter(([name, value]) => filterNames.includes(name) && value !== ''));

export function auditLogRoutes({ store }: AdminContext): Route[] {
  async function logPage(context: PageContext): Promise<UntitledPage> {
    const { text, path, query, organization } = context;
    const filter = await parseAuditFilter(store, context);
    const { events, older } = await findAuditPage(store, filter, parseTimeCursor(query), rowsPerPage);
    const names = organization === undefined ? await mapOrganizationNames() : undefined;
    const title = organization === undefined ? text.audit.titleOfAll : text.audit.title;
    const chosen = filterQuery(context);
    const isFiltered = chosen.size > 0;
    const download = isFiltered ? text.audit.downloadFound : text.audit.download;
    const none = isFiltered
      ? html`${searchResult(noneFound(filter, older, text))}${paragraph(link(path, text.audit.showAll))}`
      : paragraph(text.audit.none);
    const body = html`${paragraph(text.audit.intro)}
${auditFilter(context)}
${actionLink(`${path}.csv${isFiltered ? `?${chosen}` : ''}`, download)}
${events.length === 0 ? none : await eventTable(context, title, events, names)}
${timePager(context, older)}`;
    return { body };
  }

  function auditFilter(context: PageContext): SafeHtml {
    const { text, query, organization } = context;
    const value = (name: string) => query.get(name) ?? '';
    const choices = Object.entries(text.audit.actions).map(([action, name]) => ({
      value: action,
      text: name,
    }));
    const input = (name: string, label: string, type: 'search' | 'date') =>
      field({
        name,
        label,
        type,
        value: value(name),
        autocomplete: 'off',
        isRequired: false,
      });
    return filterForm(
      context,
      html`${input('actor', text.audit.person, 'search')}
${select('action', text.audit.action, [{ value: '', text: text.audit.allActions }, ...choices], value('action'))}
${input('key', organization === undefined ? text.audit.keyOfAll : text.audit.key, 'search')}
${input('from', text.audit.from, 'date')}
${input('until', text.audit.until, 'date')}`,
    );
  }

  async function eventTable(
    context: PageContext,
    title: string,
    events: readonly AuditEvent[],
    names: ReadonlyMap<string, string> | undefined,
  ): Promise<SafeHtml> {
    const { text, format } = context;
    const { at, actor, action, subject, address } = text.audit;
    const listChanges = (event: AuditEvent) => (event.changes.length === 0 ? '' : changeList(context, event));
    const changes = await Promise.all(events.map(listChanges));
    const rows = events.map((event, index) => [
      format.timeWithSeconds(event.at),
      actorLink(context, event),
      actionName(context, event),
      html`<div class="audit-subject">${subjectLink(context, event)}${changes[index]}</div>`,
      ...(names === undefined ? [] : [organizationCell(names, event)]),
      event.address === '' ? '–' : event.address,
    ]);
    const municipality = names === undefined ? [] : [text.terms.municipality];
    return table(title, [at, actor, action, subject, ...municipality, address], rows, {
      cards: '',
      isResult: true,
    });
  }

  /** Who can read the data matters more than that a setting has changed. */
  function actionName({ text }: PageContext, { action, changes }: AuditEvent): string {
    const openData = changes.find(({ field }) => field === 'openData')?.after;
    return openData === 'on' || openData === 'off'
      ? text.audit.openData[openData]
      : (text.audit.actions[action] ?? action);
  }

  function organizationCell(names: ReadonlyMap<string, string>, { organizationId }: AuditEvent): SafeHtml {
    const name = names.get(organizationId ?? '');
    if (name === undefined) return userText(organizationId ?? '–');
    return html`<a class="kern-link long-text" href="/admin/organizations/${organizationId}/audit">${userText(name)}</a>`;
  }

  /** Leads to the entries of the same account, within the present filter. */
  function actorLink(context: PageContext, { actor }: AuditEvent): SafeHtml {
    const { path, text } = context;
    const address = filterQuery(context);
    address.set('actor', actor);
    const name = actorText(actor, context);
    return html`<a class="kern-link short-text" href="${path}?${address.toString()}" title="${text.audit.onlyThisPerson(name)}">${emailText(name)}</a>`;
  }

  function subjectLink(context: PageContext, event: AuditEvent): SafeHtml {
    const address = event.subjectExists ? findSubjectPath(context, event) : undefined;
    const name = subjectName(context, event);
    if (address === undefined) return longText(name);
    return html`<a class="kern-link long-text" href="${address}">${userText(name)}</a>`;
  }

  async function mapOrganizationNames(): Promise<Map<string, string>> {
    await setImmediate();
    const names = new Map((await store.listOrganizationNames()).map(({ id, name }) => [id, name]));
    await setImmediate();
    return names;
  }

  async function download(context: PageContext): Promise<Download> {
    const day = new Date(context.nowMs).toISOString().slice(0, 10);
    return createCsvDownload(`rostra-audit-${day}.csv`, listRows(context), context.text);
  }

  async function* listRows(context: PageContext): AsyncGenerator<string[][]> {
    const filter = await parseAuditFilter(store, context);
    const names = await mapOrganizationNames();
    const columns = ['at', 'actor', 'address', 'organizationId', 'organization', 'action', 'subject'];
    // The headings wait for the first events, so that an error before them becomes an error page.
    let rows = [[...columns, 'changes', 'subjectKind', 'subjectId']];
    for await (const batch of scanAuditLog(store, filter, undefined)) {
      for (const event of batch) {
        if (!matchesFilter(event, filter)) continue;
        const { at, actor, address, organizationId: of, action, subject } = event;
        const about = [describeChanges(event.changes), event.subjectKind ?? '', event.subjectId ?? ''];
        rows.push([at, actor, address, of ?? '', names.get(of ?? '') ?? '', action, subject, ...about]);
      }
      yield rows;
      rows = [];
    }
    yield rows;
  }

  const base = '/admin/organizations/:organizationId/audit';
  return [
    {
      path: base,
      title: (text) => text.audit.title,
      group: 'administration',
      access: 'see',
      get: logPage,
      post: redirectToSearch,
    },
    { path: `${base}.csv`, access: 'see', get: download },
    {
      path: '/admin/audit',
      title: (text) => text.audit.titleOfAll,
      access: 'operator',
      get: logPage,
      post: redirectToSearch,
    },
    { path: '/admin/audit.csv', access: 'operator', get: download },
  ];
}

function noneFound({ keyIds }: AuditFilter, older: TimeCursor | undefined, { audit }: Messages): string {
  if (keyIds?.size === 0) return audit.unknownKey;
  return older === undefined ? audit.noneFound : audit.noneYet;
}

/** @returns undefined if the user may not see a page of the subject */
function findSubjectPath(context: PageContext, event: AuditEvent): string | undefined {
  const { organizationId, subjectKind, subjectId } = event;
  const base = organizationId === null ? '/admin' : `/admin/organizations/${organizationId}`;
  if (subjectKind === 'key') return `${base}/keys/${subjectId}`;
  if (subjectKind !== null && isRecordKind(subjectKind)) return `${base}/data/${subjectKind}s/${subjectId}`;
  if (subjectKind === 'import')
    return may(context, 'importOrPublish') ? `${base}/imports/${subjectId}/steps` : undefined;
  if (subjectKind === 'approval')
    return may(context, 'approvals') ? `${base}/approvals/${subjectId}` : undefined;
  if (!may(context, 'accounts')) return undefined;
  if (subjectKind === 'organization') return `${base}/settings`;
  return subjectKind === 'account'
    ? `${base}/accounts?${new URLSearchParams({ words: event.subject })}`
    : undefined;
}

/** For example `name: Portal → Open-data portal`. */
const describeChanges = (changes: readonly FieldChange[]) =>
  changes.map(({ field: name, before, after }) => `${name}: ${before ?? '–'} → ${after ?? '–'}`).join('; ');
