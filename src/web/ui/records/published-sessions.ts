/** Published sessions: their search, their list, and each with its agenda. */

import type { Session } from '../../../contract/resources/session.ts';
import type { Submission } from '../../../contract/resources/submission.ts';
import type { SearchWord } from '../../../contract/search-words.ts';
import {
  apiValueText,
  errorSummary,
  numeric,
  paragraph,
  publishedText,
  section,
  table,
  userText,
} from '../components.ts';
import { html, mapLazily, type SafeHtml } from '../html.ts';
import { parseTimeCursor } from '../list-page.ts';
import type { RecordsContext, ViewContext } from '../view-context.ts';
import { excerpt } from './imported-text.ts';
import { markedText } from './marked-text.ts';
import { submissionLink } from './published-submissions.ts';
import { documentSection, recordFacts } from './record-fields.ts';
import type { SourceFields } from './record-source.ts';
import { dateField, parseDateRange, parseWords, recordWordsField } from './search-fields.ts';
import { findRecords, type SearchOptions, type SearchResults, searchPageSize } from './search-results.ts';

export type SessionWithAgenda = Session & { submissions: Submission[] };

export async function searchSessions(
  context: RecordsContext,
  { store, sourceId, sourceField = html``, toForm }: SearchOptions<'searchSessions'>,
): Promise<SearchResults> {
  const { text, query, organization } = context;
  const { words, errors: wordErrors } = parseWords(context);
  const { from, before, errors: dateErrors } = parseDateRange(context);
  const errors = { ...wordErrors, ...dateErrors };
  const isInvalid = Object.keys(errors).length > 0;
  const form = toForm([
    recordWordsField(context, text.browse.sessionWords, wordErrors),
    sourceField,
    dateField(context, 'from', text.audit.from, dateErrors),
    dateField(context, 'to', text.audit.until, dateErrors),
  ]);
  const search = (searched: readonly SearchWord[]) =>
    store.searchSessions({
      organizationId: organization.id,
      words: searched,
      sourceId,
      from,
      before,
      after: parseTimeCursor(query),
      limit: searchPageSize,
    });
  const found = isInvalid ? undefined : await findRecords(words, search);
  const sessions = mapLazily(found?.documents ?? [], (document) => JSON.parse(document));
  return {
    form: html`${errorSummary(context, errors)}${form}`,
    found,
    none: text.statistics.noSessions,
    intro: html``,
    table: sessionTable(context, sessions, found?.words),
  };
}

export const sessionTitle = ({ text, format }: ViewContext, { committeeName, date }: Session): string =>
  text.browse.sessionTitle(committeeName, format.day(date));

/** Its committee and its date are in the title of the page. */
export const sessionContent = (context: ViewContext, session: Session & SourceFields): SafeHtml =>
  html`${recordFacts(context, 'session', session, ['id', 'committeeName', 'date', 'submissionCount', 'submissions', 'documents'])}
${documentSection(context, 'session', session.documents)}`;

/** @param words are marked */
export function sessionTable(
  context: RecordsContext,
  sessions: Iterable<Session & SourceFields>,
  words: readonly SearchWord[] = [],
): SafeHtml {
  const { text, format, recordsAddress } = context;
  const rows = mapLazily(sessions, ({ id, committeeName, date, timeSlot, submissionCount, title }) => {
    const subtitle =
      title &&
      html`<br><span class="kern-hint">${publishedText(markedText(excerpt(title), words), context)}</span>`;
    return [
      html`<a class="kern-link record-link" href="${recordsAddress(`sessions/${id}`)}">${publishedText(markedText(committeeName, words), context)}</a>${subtitle}`,
      html`<time datetime="${date}">${format.day(date)}</time>`,
      timeSlot === null ? '–' : formatTimeSlot(timeSlot),
      format.number(submissionCount),
    ];
  });
  const { committeeName, date, timeSlot } = text.dryRun.sessionFields;
  const columns = [committeeName, date, timeSlot, numeric(text.terms.submissions)];
  return table(text.terms.sessions, columns, rows, { cards: '' });
}

export function agendaSection(
  context: RecordsContext,
  { submissionCount, submissions }: SessionWithAgenda,
): SafeHtml {
  const { text } = context;
  return section(
    text.dryRun.sessionFields.submissionCount,
    submissionCount === 0
      ? paragraph(text.browse.agendaEmpty)
      : agenda(context, submissions, submissionCount),
  );
}

function agenda(context: RecordsContext, submissions: readonly Submission[], all: number): SafeHtml {
  const { text, format } = context;
  const rows = mapLazily(submissions, (submission, index) => [
    format.number(index + 1),
    submissionLink(context, submission),
    submission.referenceNumber === null ? '–' : userText(submission.referenceNumber),
    apiValueText(submission.status, context),
  ]);
  const reference = text.submissionFields.referenceNumber.label;
  const columns = [text.browse.position, text.terms.submission, reference, text.terms.status];
  const note = text.browse.agendaCut(format.number(submissions.length), format.number(all));
  return html`${submissions.length < all ? paragraph(note) : ''}
${table(text.dryRun.sessionFields.submissionCount, columns, rows, { cards: '' })}`;
}

export const formatTimeSlot = (timeSlot: string) => timeSlot.replace('-', '–');
