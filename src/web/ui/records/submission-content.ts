/** The content of a published submission: its status, its text, the answer, what happened to it, its documents and its facts. */

import type { Session } from '../../../contract/resources/session.ts';
import type { Submission } from '../../../contract/resources/submission.ts';
import { isTimestamp } from '../../../domain/values/timestamps.ts';
import { apiValueText, link, paragraph, publishedText, section } from '../components.ts';
import { toLocalDay } from '../formatter.ts';
import { html, type SafeHtml } from '../html.ts';
import type { RecordsContext, ViewContext } from '../view-context.ts';
import { excerpt, importedText } from './imported-text.ts';
import { documentSection, recordFacts } from './record-fields.ts';
import type { SourceFields } from './record-source.ts';
import { statusLine } from './status-badge.ts';

/** As the API publishes it, with its extension fields where the page knows them. */
export type ShownSubmission = Submission & SourceFields;

/** Of a submission. */
export const maxShownSessions = 50;

export const submissionTitle = (
  { text }: Pick<ViewContext, 'text'>,
  { referenceNumber, description, title }: ShownSubmission,
): string => {
  if (title) return excerpt(title);
  return referenceNumber === null
    ? excerpt(description, 80) || text.terms.submission
    : text.browse.submissionTitle(referenceNumber);
};

/**
 * @param sessions JSON of those that have it on their agenda; undefined: it is not published, or no session is
 * @param lacksSupport a support count of 0 means nothing
 * @param mapLink to a map around its location
 */
export function submissionContent(
  context: RecordsContext,
  submission: ShownSubmission,
  {
    sessions,
    lacksSupport = false,
    mapLink,
  }: {
    sessions?: readonly string[] | undefined;
    lacksSupport?: boolean;
    mapLink?: SafeHtml | undefined;
  } = {},
): SafeHtml {
  const { text } = context;
  const { status, answer, documents } = submission;
  const answered = answer ? section(text.browse.answer, importedText(answer, context)) : '';
  return html`<div class="two-columns"><div>
${statusLine(context, status)}
${submissionText(context, submission)}
${answered}
${section(text.browse.whatHappened, history(context, submission, sessions))}
${documentSection(context, 'submission', documents)}
</div>
${section(text.browse.details, html`${recordFacts(context, 'submission', submission, listOtherFields(submission, lacksSupport))}${mapLink}`)}
</div>`;
}

/** Fields outside of the facts. */
const listOtherFields = (
  { title, referenceNumber, statusChangedAt, supportCount }: ShownSubmission,
  lacksSupport: boolean,
): string[] => [
  ...['id', 'title', 'description', 'status', 'answer', 'createdAt', 'documents'],
  ...(isTimestamp(statusChangedAt) ? ['statusChangedAt'] : []),
  ...(!title && referenceNumber !== null ? ['referenceNumber'] : []),
  ...(lacksSupport && supportCount === 0 ? ['supportCount'] : []),
];

/** Some sources begin the text with the title, as a line or a sentence. It is the heading of the page. */
function submissionText(context: ViewContext, submission: ShownSubmission): SafeHtml {
  const description = submission.description.trim();
  if (description === '') return paragraph(context.text.browse.noText);
  const heading = submissionTitle(context, submission);
  if (description === heading) return html``;
  const begins = submission.title === heading && description.startsWith(heading);
  const [, rest] = (begins && /^(?:\.\s|\s*\n)\s*(.+)$/s.exec(description.slice(heading.length))) || [];
  return importedText(rest ?? description, context);
}

/** What happened to a submission, oldest first. */
function history(
  context: RecordsContext,
  submission: ShownSubmission,
  sessions: readonly string[] | undefined,
): SafeHtml {
  const { text, format, timeZone } = context;
  const words = text.browse;
  const { createdAt, statusChangedAt, status } = submission;
  const isStatusDated = isTimestamp(statusChangedAt) && statusChangedAt !== createdAt;
  const state = apiValueText(status, context);
  const day = (date: string) => html`<time datetime="${date}">${format.day(date)}</time>`;
  const at = (time: string) => (isTimestamp(time) ? format.timeOrDay(time) : day(time));
  const events: [day: string, time: SafeHtml, event: SafeHtml | string][] = [
    [toLocalDay(createdAt, timeZone), at(createdAt), words.submitted],
    ...(sessions ?? []).map((document): [string, SafeHtml, SafeHtml] => {
      const { id, date, committeeName } = JSON.parse(document) as Session;
      const committee = link(context.recordsAddress(`sessions/${id}`), publishedText(committeeName, context));
      return [date, day(date), html`${words.onAgenda} ${committee}`];
    }),
  ];
  if (isStatusDated)
    events.push([
      toLocalDay(statusChangedAt, timeZone),
      at(statusChangedAt),
      html`${words.statusSince} ${state}`,
    ]);
  const items = events
    .toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map(([, time, event]) => html`<li>${time} <span>${event}</span></li>`);
  return html`<ol class="history kern-body">${items}</ol>
${isStatusDated ? '' : paragraph(html`${words.statusSince} ${state}. ${words.statusUndated}`)}
${sessions?.length === 0 ? paragraph(words.noSessions) : ''}`;
}
