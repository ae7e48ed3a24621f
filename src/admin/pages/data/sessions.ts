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
  errorSummary,
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
  parseWords,
  readRecord,
  readSourceFilter,
  recordPage,
  redirectToFilters,
  searchFields,
} from '../../ui/data-browser.ts';
import { parseTimeCursor, wordsField } from '../../ui/list-page.ts';
import { decisionNotice, isUnpublished, recordActions, unpublishedPage } from '../../ui/record-decision.ts';
import { maxSearchMs, searchPageSize, searchResultsPage } from '../../ui/search-results.ts';
import { submissionLink } from './submissions.ts';

type SessionWithAgenda = Session & { submissions: SubmissionRecord[] };

export function sessionDataRoutes(admin: AdminContext): Route[] {
  async function listPage(context: TenantContext): Promise<AdminResponse> {
    const { text, query, organization } = context;
    const { from, before, errors } = parseDateRange(context);
    const isInvalid = Object.keys(errors).length > 0;
    const source = await readSourceFilter(admin, context);
    const found = isInvalid
      ? undefined
      : await admin.store.searchSessions({
          organizationId: organization.id,
          words: parseWords(context),
          sourceId: source.sourceId,
          from,
          before,
          after: parseTimeCursor(query),
          limit: searchPageSize,
          maxDurationMs: maxSearchMs,
        });
    const form = searchFields(context, [
      wordsField(context, text.dryRun.sessionFields.committeeName),
      source.field,
      dateField(context, 'from', text.audit.from, errors),
      dateField(context, 'to', text.audit.until, errors),
    ]);
    return searchResultsPage(context, {
      title: text.terms.sessions,
      form: html`${errorSummary(context, errors)}${form}`,
      found,
      none: text.statistics.noSessions,
      toTable: (documents) => sessionTable(context, documents),
    });
  }

  async function sessionPage(context: TenantContext): Promise<Page> {
    const { text, organization } = context;
    const id = context.params.sessionId?.toLowerCase() ?? '';
    const key = { organizationId: organization.id, kind: 'session', id } as const;
    const decision = await admin.store.findRecordDecision(key);
    if (decision !== undefined && isUnpublished(decision))
      return unpublishedPage<Session>(context, decision, (data) => ({
        title: sessionTitle(context, data),
        content: sessionContent(context, data),
      }));
    const result = await readRecord(admin, context, 'getSession', id);
    const { data } = JSON.parse(result.body) as { data: SessionWithAgenda };
    const { submissionCount, submissions } = data;
    const record = html`${decisionNotice(context, decision)}${sessionContent(context, data)}
${section(text.dryRun.sessionFields.submissionCount, submissionCount === 0 ? paragraph(text.browse.agendaEmpty) : agenda(context, submissions, submissionCount))}
${recordActions(context, 'session')}`;
    const title = sessionTitle(context, data);
    return recordPage(context, 'sessions', title, record, { operationId: 'getSession', id, result });
  }

  const base = '/admin/organizations/:organizationId/data/sessions';
  return [
    { path: base, access: 'reader', get: listPage, post: redirectToFilters },
    { path: `${base}/:sessionId`, access: 'reader', get: sessionPage },
  ];
}

export const sessionTitle = ({ text, format }: TenantContext, { committeeName, date }: Session): string =>
  text.browse.sessionTitle(committeeName, format.day(date));

function sessionContent(context: TenantContext, session: Session): SafeHtml {
  const { text, format } = context;
  const { id, committeeName, date, timeSlot, createdAt } = session;
  return descriptionList([
    [text.dryRun.sessionFields.committeeName, userText(committeeName)],
    [text.dryRun.sessionFields.date, format.day(date)],
    timeSlot !== null && [text.dryRun.sessionFields.timeSlot, formatTimeSlot(timeSlot)],
    [text.dryRun.sessionFields.createdAt, format.time(createdAt)],
    [text.imports.id, html`<code>${id}</code>`],
  ]);
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
  const { committeeName, date, timeSlot } = text.dryRun.sessionFields;
  const columns = [committeeName, date, timeSlot, numeric(text.terms.submissions)];
  return table(text.terms.sessions, columns, rows);
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
  const reference = text.submissionFields.referenceNumber.label;
  const columns = [text.browse.position, text.terms.submission, reference, text.terms.status];
  const note = text.browse.agendaCut(format.number(submissions.length), format.number(all));
  return html`${submissions.length < all ? paragraph(note) : ''}
${table(text.dryRun.sessionFields.submissionCount, columns, rows)}`;
}

const formatTimeSlot = (timeSlot: string) => timeSlot.replace('-', '–');
