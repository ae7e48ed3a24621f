/** Published sessions: a searchable list, and each session with its agenda. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Session } from '../../../contract/session.ts';
import type { SubmissionRecord } from '../../../domain/records.ts';
import type { AdminContext } from '../../admin-context.ts';
import type { TenantContext } from '../../page-context.ts';
import type { AdminResponse, Page } from '../../response-types.ts';
import type { Route } from '../../route.ts';
import {
  describeApiValue,
  descriptionList,
  field,
  numeric,
  paragraph,
  section,
  table,
  userText,
} from '../../ui/components.ts';
import {
  dataPath,
  dateField,
  parseDateRange,
  parsePosition,
  parseWords,
  readRecord,
  recordPage,
  redirectToFilters,
  searchFields,
} from '../../ui/data-browser.ts';
import { maxSearchMs, searchPageSize, searchResultsPage } from '../../ui/search-results.ts';
import { submissionLink } from './submissions.ts';

type SessionWithAgenda = Session & { submissions: SubmissionRecord[] };

export function sessionDataRoutes(admin: AdminContext): Route[] {
  async function listPage(context: TenantContext): Promise<AdminResponse> {
    const { text, query, organization } = context;
    const { from, before, errors } = parseDateRange(context);
    const isInvalid = Object.keys(errors).length > 0;
    const found = isInvalid
      ? undefined
      : await admin.store.searchSessions({
          organizationId: organization.id,
          words: parseWords(context),
          from,
          before,
          after: parsePosition(context),
          limit: searchPageSize,
          maxDurationMs: maxSearchMs,
        });
    const form = searchFields(context, [
      field({
        name: 'words',
        label: text.browse.committeeWords,
        type: 'search',
        value: query.get('words') ?? '',
        autocomplete: 'off',
      }),
      dateField(context, 'from', text.browse.from, errors),
      dateField(context, 'to', text.browse.to, errors),
    ]);
    return searchResultsPage(context, {
      title: text.browse.sessions,
      form,
      found,
      none: text.browse.noSessions,
      toTable: (documents) => sessionTable(context, documents),
    });
  }

  async function sessionPage(context: TenantContext): Promise<Page> {
    const { text, format } = context;
    const id = context.params.sessionId?.toLowerCase() ?? '';
    const result = await readRecord(admin, context, 'getSession', id);
    const { data } = JSON.parse(result.body) as { data: SessionWithAgenda };
    const { committeeName, date, timeSlot, createdAt, submissionCount, submissions } = data;
    const record = html`${descriptionList([
      [text.browse.committee, userText(committeeName)],
      [text.browse.date, format.day(date)],
      timeSlot !== null && [text.browse.time, formatTimeSlot(timeSlot)],
      [text.browse.recordedAt, format.time(createdAt)],
      [text.browse.id, html`<code>${id}</code>`],
    ])}
${section(text.browse.agenda, submissionCount === 0 ? paragraph(text.browse.agendaEmpty) : agenda(context, submissions, submissionCount))}`;
    const title = text.browse.sessionTitle(committeeName, format.day(date));
    return recordPage(context, 'sessions', title, record, { operationId: 'getSession', id, result });
  }

  const base = '/admin/organizations/:organizationId/data/sessions';
  return [
    { path: base, access: 'reader', get: listPage, post: redirectToFilters },
    { path: `${base}/:sessionId`, access: 'reader', get: sessionPage },
  ];
}

function sessionTable(context: TenantContext, documents: readonly string[]): SafeHtml {
  const { text, format, path } = context;
  const rows = documents.map((document) => {
    const { id, committeeName, date, timeSlot, submissionCount } = JSON.parse(document) as Session;
    return [
      html`<a class="kern-link record-link" href="${path}/${id}">${userText(committeeName)}</a>`,
      html`<time datetime="${date}">${format.day(date)}</time>`,
      timeSlot === null ? '–' : formatTimeSlot(timeSlot),
      format.number(submissionCount),
    ];
  });
  const { committee, date, time, submissions } = text.browse;
  return table(text.browse.sessions, [committee, date, time, numeric(submissions)], rows);
}

function agenda(context: TenantContext, submissions: readonly SubmissionRecord[], all: number): SafeHtml {
  const { text, format } = context;
  const base = `${dataPath(context)}/submissions`;
  const rows = submissions.map((submission, index) => [
    format.number(index + 1),
    submissionLink(context, submission, base),
    submission.referenceNumber === null ? '–' : userText(submission.referenceNumber),
    userText(describeApiValue(submission.status, context)),
  ]);
  const { position, submission, status } = text.browse;
  const reference = text.submissionFields.referenceNumber.label;
  const note = text.browse.agendaCut(format.number(submissions.length), format.number(all));
  return html`${submissions.length < all ? paragraph(note) : ''}
${table(text.browse.agenda, [position, submission, reference, status], rows)}`;
}

const formatTimeSlot = (timeSlot: string) => timeSlot.replace('-', '–');
