/** The audit log as pages, and as a CSV file. */

import { html } from '@remix-run/html-template';
import type { AdminContext } from '../admin-context.ts';
import { byteOrderMark, composeCsvRows } from '../csv-rows.ts';
import type { PageContext } from '../page-context.ts';
import type { Download, Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { actionLink, actorName, longText, paragraph, table, userText } from '../ui/components.ts';
import { parseTimeCursor, rowsPerPage, type TimeCursor, timePager } from '../ui/list-page.ts';

const rowsPerBatch = 1_000;

export function auditLogRoutes({ store }: AdminContext): Route[] {
  /** @param organizationId undefined: all municipalities */
  async function logPage(context: PageContext, organizationId: string | undefined): Promise<Page> {
    const { text, format, path, query } = context;
    const events = await store.listAuditEvents(organizationId, parseTimeCursor(query), rowsPerPage + 1);
    const shown = events.slice(0, rowsPerPage);
    const names = organizationId === undefined ? await mapOrganizationNames() : undefined;
    const rows = shown.map((event) => [
      format.time(event.at),
      html`<span class="long-text">${actorName(event.actor, context)}</span>`,
      text.audit.actions[event.action] ?? event.action,
      longText(event.subject),
      ...(organizationId === undefined
        ? [userText(names?.get(event.organizationId ?? '') ?? event.organizationId ?? '–')]
        : []),
      event.address === '' ? '–' : event.address,
    ]);
    const { at, actor, action, subject, organization, address } = text.audit;
    const columns = [
      at,
      actor,
      action,
      subject,
      ...(organizationId === undefined ? [organization] : []),
      address,
    ];
    const title = organizationId === undefined ? text.audit.titleOfAll : text.audit.title;
    const body = html`${paragraph(text.audit.intro)}
${actionLink(`${path}.csv`, text.audit.download)}
${shown.length === 0 ? paragraph(text.audit.none) : table(title, columns, rows)}
${timePager(context, events.length > rowsPerPage ? shown.at(-1) : undefined)}`;
    return { title, body };
  }

  function download({ text, nowMs }: PageContext, organizationId: string | undefined): Download {
    const day = new Date(nowMs).toISOString().slice(0, 10);
    return {
      fileName: `rostra-audit-${day}.csv`,
      type: 'text/csv; charset=utf-8',
      content: streamCsv(organizationId, text.audit.delimiter),
    };
  }

  async function* streamCsv(organizationId: string | undefined, delimiter: string): AsyncGenerator<string> {
    const names = await mapOrganizationNames();
    const heading = ['at', 'actor', 'address', 'organizationId', 'organization', 'action', 'subject'];
    yield byteOrderMark + composeCsvRows([heading], delimiter);
    for (let after: TimeCursor | undefined; ; ) {
      const events = await store.listAuditEvents(organizationId, after, rowsPerBatch);
      const rows = events.map(({ at, actor, address, organizationId: of, action, subject }) => {
        return [at, actor, address, of ?? '', names.get(of ?? '') ?? '', action, subject];
      });
      yield composeCsvRows(rows, delimiter);
      after = events.at(-1);
      if (events.length < rowsPerBatch) return;
    }
  }

  async function mapOrganizationNames(): Promise<Map<string, string>> {
    return new Map((await store.listOrganizationNames()).map(({ id, name }) => [id, name]));
  }

  const base = '/admin/organizations/:organizationId/audit';
  return [
    { path: base, access: 'reader', get: (context) => logPage(context, context.organization.id) },
    {
      path: `${base}.csv`,
      access: 'reader',
      get: async (context) => download(context, context.organization.id),
    },
    { path: '/admin/audit', access: 'operator', get: (context) => logPage(context, undefined) },
    {
      path: '/admin/audit.csv',
      access: 'operator',
      get: async (context) => download(context, undefined),
    },
  ];
}
