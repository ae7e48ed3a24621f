/** What the page of a record shows about a decision on it. */

import { findField } from '../../../contract/field.ts';
import type { Reason } from '../../../domain/reasons/reason.ts';
import {
  type FoundRecordDecision,
  maxDecisionReasonLength,
  type RecordDecision,
  type SurveyTexts,
} from '../../../domain/records/record-decision.ts';
import { fieldsByKind, type RecordKind } from '../../../domain/records/records.ts';
import type { Store } from '../../../domain/store.ts';
import { isOneLine } from '../../../domain/values/name-and-email-validation.ts';
import { hasPersonalData, nameSurveyTexts } from '../../../ingest/record-edits/correction-validation.ts';
import { findFileExpiry } from '../../../ingest/record-edits/remove-record.ts';
import {
  actionLink,
  alert,
  announce,
  announcement,
  descriptionList,
  field,
  paragraph,
  section,
  userText,
} from '../../ui/components.ts';
import { folded } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { describeValue, fieldLabel } from '../../ui/records/record-fields.ts';
import type { AdminContext } from '../admin-context.ts';
import { may, type TenantContext } from '../requests/page-context.ts';
import { FormError, type Page } from '../requests/response-types.ts';
import { actorName } from './actor-name.ts';
import { recordWaitingNote } from './approval-note.ts';
import { dataTabs } from './data-browser.ts';
import { reasonText } from './reason-text.ts';

export const recordPath = (context: TenantContext, { kind, id }: Pick<RecordDecision, 'kind' | 'id'>) =>
  context.recordsAddress(`${kind}s/${id}`);

export const reasonField = ({ text }: TenantContext, value: string, error: string | undefined): SafeHtml =>
  field({
    name: 'reason',
    label: text.recordDecisions.reason,
    hint: text.recordDecisions.reasonHint,
    value,
    error,
    autocomplete: 'off',
    attributes: html` maxlength="${maxDecisionReasonLength}"`,
  });

export function correctedLabel(context: TenantContext, kind: RecordKind, name: string): string {
  const question = /^question(\d+)$/.exec(name)?.[1];
  return question === undefined
    ? fieldLabel(context, kind, name)
    : context.text.recordDecisions.questionNumber(question);
}

/**
 * @param problems of the other fields
 * @throws FormError for these, and an invalid reason
 */
export function readReason(
  { country }: AdminContext,
  context: TenantContext,
  values: URLSearchParams,
  problems: ReadonlyMap<string, Reason> = new Map(),
): string {
  const { text, format, organization } = context;
  const words = text.recordDecisions;
  const reason = (values.get('reason') ?? '').trim();
  const error =
    reason === ''
      ? words.reasonMissing
      : !isOneLine(reason, maxDecisionReasonLength)
        ? words.reasonTooLong(format.number(maxDecisionReasonLength))
        : hasPersonalData(reason, organization.country ?? country)
          ? words.reasonPersonal
          : undefined;
  const wrong = [...problems].map(([name, problem]) => [name, reasonText(context, problem)] as const);
  if (wrong.length > 0 || error !== undefined)
    throw new FormError({ ...Object.fromEntries(wrong), ...(error !== undefined && { reason: error }) });
  return reason;
}

/** A corrected record is not published if its sources no longer have it. */
export const isUnpublished = ({ decision, isInSource }: RecordDecision): boolean =>
  decision !== 'corrected' || !isInSource;

/** Precedes the content of a published record, which the details of a correction must not push away. @param decision undefined: none */
export function decisionNotice(context: TenantContext, decision: FoundRecordDecision | undefined): SafeHtml {
  const { text, query } = context;
  const words = text.recordDecisions;
  const reverted = (['unpublished', 'corrected'] as const).find((kind) => kind === query.get('reverted'));
  const done = query.has('corrected') ? words.corrected : reverted && words.reverted[reverted];
  const result = done === undefined ? '' : announcement(done);
  if (decision === undefined) return html`${result}`;
  const details = decisionDetails(context, decision, [
    [words.correctedFields, correctedFields(context, decision)],
  ]);
  return html`${result}${folded(words.states.corrected[decision.kind], details)}`;
}

/** Each with the value of the source, which readers do not see. */
function correctedFields(
  context: TenantContext,
  { kind, record, correctedRecord }: FoundRecordDecision,
): SafeHtml {
  const words = context.text.recordDecisions;
  const [before, after] = [listValues(kind, record), listValues(kind, correctedRecord)];
  const items = [...before]
    .filter(([name, value]) => value !== after.get(name))
    .map(([name, value]) => {
      const shown = describeValue(context, findField(fieldsByKind[kind], name), value);
      const ofSource = may(context, 'publish')
        ? html`<br><span class="kern-hint">${words.inSource}: ${shown}</span>`
        : '';
      return html`<li>${correctedLabel(context, kind, name)}${ofSource}</li>`;
    });
  return html`<ul>${items}</ul>`;
}

/** By the names of fields, the texts of a survey by those in forms. */
function listValues(kind: RecordKind, record: FoundRecordDecision['record']): Map<string, unknown> {
  if (record === null) return new Map();
  if (kind === 'survey') return new Map(nameSurveyTexts(record as unknown as SurveyTexts));
  return new Map(Object.entries(record));
}

/** Follows the content of a published record. */
export function recordActions(context: TenantContext, kind: RecordKind): SafeHtml {
  const { text, path } = context;
  const words = text.recordDecisions;
  if (!may(context, 'publish')) return html``;
  return html`<div class="actions record-actions">${actionLink(`${path}/correct`, words.correct[kind])} ${actionLink(`${path}/unpublish`, words.unpublish, 'tertiary')} ${actionLink(`${path}/remove`, words.remove, 'tertiary destructive')}</div>`;
}

/** Who decided when and why, and a link to take it back. */
function decisionDetails(
  context: TenantContext,
  decision: RecordDecision,
  more: readonly [string, SafeHtml][] = [],
): SafeHtml {
  const { text, format } = context;
  const { decision: kind, reason, actor, decidedAt } = decision;
  const words = text.recordDecisions;
  const details = descriptionList([
    [words.at[kind], format.time(decidedAt)],
    [words.by[kind], actorName(actor, context)],
    [words.reason, userText(reason)],
    ...more,
  ]);
  if (!may(context, 'publish')) return details;
  return html`${details}${actionLink(`${recordPath(context, decision)}/revert`, revertLabel(context, decision))}`;
}

/** What happens if the decision is taken back. */
export function revertConsequences({ text }: TenantContext, found: FoundRecordDecision): SafeHtml {
  const words = text.recordDecisions;
  const { kind, decision, isInSource, corrected } = found;
  const isCorrectedAgain = decision === 'unpublished' && isInSource && corrected !== null;
  return html`${paragraph(isInSource && decision !== 'removed' ? words.revertConsequence[decision][kind] : words.revertMissingConsequence)}
${isCorrectedAgain ? paragraph(words.correctedAgain) : ''}`;
}

export const revertLabel = ({ text }: TenantContext, { decision, isInSource }: RecordDecision): string =>
  isInSource || decision === 'removed'
    ? text.recordDecisions.revert[decision]
    : text.recordDecisions.revertMissing;

/** The copies of a removed record that are left, and when they end. @param removedAt undefined: it has not been removed yet */
export async function remainsSection(
  store: Pick<Store, 'listRunsWithFile'>,
  { text, format, organization }: TenantContext,
  removedAt?: string,
): Promise<SafeHtml> {
  const words = text.recordDecisions.remains;
  const fileExpiresAt = await findFileExpiry(store, organization.id, removedAt);
  const isOpen = organization.openData === 'on';
  const copies = descriptionList([
    [words.backups, words.backupsUntil(removedAt && format.timeText(removedAt))],
    fileExpiresAt !== undefined && [words.importFile, words.importFileUntil(format.timeText(fileExpiresAt))],
    [words.databaseFiles, words.databaseFilesUntil],
    [words.mirrors, words.mirrorsUntil],
    isOpen && [words.subscriptions, words.subscriptionsUntil],
    isOpen && organization.openDataIndex === 'on' && [words.searchEngines, words.searchEnginesUntil],
    [words.savedCopies, words.savedCopiesUntil],
  ]);
  return section(words.title, copies);
}

interface ShownContent {
  title: string;
  content: SafeHtml;
}

/**
 * The page of an unpublished record. Readers do not see its content.
 *
 * @param notes of a record that the sources still have
 * @param showContent of the record as its source last delivered it
 */
export async function unpublishedPage<Content extends object>(
  store: Pick<Store, 'listRunsWithFile' | 'findLatestApproval'>,
  context: TenantContext,
  decision: FoundRecordDecision,
  notes: SafeHtml,
  showContent: (record: Content) => ShownContent | Promise<ShownContent | undefined>,
): Promise<Page> {
  const { text, format, query } = context;
  const { kind, id, isInSource } = decision;
  const words = text.recordDecisions;
  const isRemoved = decision.decision === 'removed';
  const shown =
    decision.record === null || !may(context, 'publish')
      ? undefined
      : await showContent(decision.record as Content);
  const about = decisionDetails(context, decision, [[text.imports.id, html`<code>${id}</code>`]]);
  const cancelled = Number(query.get('removed') ?? 0);
  const isDone = query.has('unpublished') || query.has('removed');
  const note = alert('info', words.states[isRemoved ? 'removed' : 'unpublished'][kind], about);
  const body = html`${dataTabs(context)}
${isDone ? announce(note) : note}
${await recordWaitingNote(store, context, decision)}
${cancelled > 0 ? paragraph(words.cancelledImports(format.number(cancelled))) : ''}
${isRemoved ? await remainsSection(store, context, decision.decidedAt) : ''}
${isInSource || isRemoved ? '' : paragraph(words.missing)}
${shown === undefined ? '' : section(words.latest[kind], shown.content)}
${isRemoved || !may(context, 'publish') ? '' : html`<div class="actions">${actionLink(`${recordPath(context, decision)}/remove`, words.remove, 'tertiary destructive')}</div>`}
${isInSource ? notes : ''}`;
  return {
    title: shown?.title ?? words.kinds[kind],
    body,
    parents: [{ path: context.recordsAddress('decisions'), name: words.title }],
  };
}
