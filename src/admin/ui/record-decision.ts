/** What the page of a record shows about a decision on it. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { DecidableKind, FoundRecordDecision, RecordDecision } from '../../domain/record-decision.ts';
import { mayEdit, type TenantContext } from '../page-context.ts';
import type { Page } from '../response-types.ts';
import {
  actionLink,
  actorName,
  alert,
  announcement,
  button,
  descriptionList,
  form,
  paragraph,
  section,
  userText,
} from './components.ts';
import { dataPath, dataTabs } from './data-browser.ts';

export const recordLists = { submission: 'submissions', session: 'sessions' } as const satisfies Record<
  DecidableKind,
  string
>;

export const recordPath = (context: TenantContext, { kind, id }: Pick<RecordDecision, 'kind' | 'id'>) =>
  `${dataPath(context)}/${recordLists[kind]}/${id}`;

/** Follows a published record. */
export function unpublishAction(context: TenantContext): SafeHtml {
  const { text, path } = context;
  return mayEdit(context) ? actionLink(`${path}/unpublish`, text.decisions.unpublish) : html``;
}

/** On the page of a record that was published again. */
export const revertedAnnouncement = ({ text, query }: TenantContext): SafeHtml =>
  query.has('reverted') ? announcement(text.decisions.reverted) : html``;

/**
 * The page of an unpublished record. Readers do not see its content.
 *
 * @param showContent of the record as its source last delivered it
 */
export function unpublishedPage<Content extends object>(
  context: TenantContext,
  decision: FoundRecordDecision,
  showContent: (record: Content) => { title: string; content: SafeHtml },
): Page {
  const { text, format, query } = context;
  const { kind, reason, actor, decidedAt } = decision;
  const words = text.decisions;
  const shown =
    decision.record === null || !mayEdit(context) ? undefined : showContent(decision.record as Content);
  const about = descriptionList([
    [words.at, format.time(decidedAt)],
    [words.by, actorName(actor, context)],
    [words.reason, userText(reason)],
    shown === undefined && [text.imports.id, html`<code>${decision.id}</code>`],
  ]);
  const action = decision.isInSource ? words.revert : words.revertMissing;
  const body = html`${dataTabs(context)}
<div class="announcement"${query.has('unpublished') ? html` tabindex="-1" data-focus` : ''}>${alert('info', words.isUnpublished[kind], about)}</div>
${decision.isInSource ? '' : paragraph(words.missing)}
${mayEdit(context) ? form(context, button(action, 'secondary'), {}, { action: `${recordPath(context, decision)}/revert` }) : ''}
${shown === undefined ? '' : section(words.latest, shown.content)}`;
  return {
    title: shown?.title ?? words.kinds[kind],
    body,
    parents: [{ path: `${dataPath(context)}/decisions`, name: words.title }],
  };
}
