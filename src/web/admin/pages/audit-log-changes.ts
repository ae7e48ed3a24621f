/** Changes in the audit log, in the words of the forms. */

import type { AuditEvent, FieldChange } from '../../../domain/accounts/audit-log.ts';
import type { ApprovalKind } from '../../../domain/approvals/approval-request.ts';
import { keyFields } from '../../../domain/keys/key-fields.ts';
import { isRecordKind } from '../../../domain/records/records.ts';
import { toAuditedLabels } from '../../../domain/sources/audited-source-changes.ts';
import { parseFormattedInterval } from '../../../domain/values/durations.ts';
import { getOptionKind } from '../../../ingest/format-options.ts';
import { allOptions } from '../../../ingest/formats/format-registry.ts';
import { describeApiValue, userText } from '../../ui/components.ts';
import { folded } from '../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { fieldLabel } from '../../ui/records/record-fields.ts';
import { describeTimeZone, nameLanguage, nameRegion } from '../forms/regional-choices.ts';
import type { PageContext } from '../requests/page-context.ts';
import { describeSchedule } from './sources/source-state.ts';

/** A single short change, or the number of changes, which unfolds: an event takes one line. */
export async function changeList(context: PageContext, event: AuditEvent): Promise<SafeHtml> {
  const { text, format } = context;
  const changes = await Promise.all(event.changes.map((change) => describeChange(context, event, change)));
  const [only] = changes;
  if (changes.length === 1 && String(only).length <= maxLineLength) return html` <span>${only}</span>`;
  const items = changes.map((change) => html`<li>${change}</li>`);
  return folded(
    text.audit.changes(changes.length, format.number(changes.length)),
    html`<ul class="long-text">${items}</ul>`,
  );
}

/** Characters of HTML. */
const maxLineLength = 60;

/** Such as the submission with an id, in the words of the page. */
export function subjectName({ text }: PageContext, event: AuditEvent): string {
  const { subject, subjectKind, subjectId } = event;
  if (subjectKind === 'approval') {
    const [kind = '', name = ''] = subject.split(/ (.*)/s);
    return [text.approvals.kinds[kind as ApprovalKind] ?? kind, kind === 'import' ? '' : name]
      .join(' ')
      .trimEnd();
  }
  if (subjectKind === null || subjectId === null || !isRecordKind(subjectKind)) return subject;
  return `${text.recordDecisions.kinds[subjectKind]} ${subjectId}`;
}

async function describeChange(
  context: PageContext,
  { action, subjectKind }: AuditEvent,
  { field, before, after }: FieldChange,
): Promise<SafeHtml> {
  const { text } = context;
  const option = subjectKind === 'source' && Object.hasOwn(allOptions, field) ? allOptions[field] : undefined;
  // The actor has approved it.
  const approval: Readonly<Record<string, string>> = { askedBy: text.approvals.onRequestOf };
  const label =
    findLabels(context, subjectKind)[field] ??
    approval[field] ??
    text.importSettings.option[field]?.label ??
    field;
  // The log has an abbreviation of a text that may be long.
  if (option !== undefined && getOptionKind(option) === 'file') {
    const { added, changed, removed } = text.audit.longTexts;
    return html`${label}: ${before === null ? added : after === null ? removed : changed}`;
  }
  const show = async (value: string | null) => {
    if (value === null) return field === 'decision' ? text.audit.reverted : text.audit.empty;
    if (option !== undefined) return describeOptionValue(context, getOptionKind(option), value);
    return describeValue(context, subjectKind, field, value);
  };
  const isEdit = before !== null || (action.endsWith('.edited') && !(field in approval));
  return html`${label}: ${userText(isEdit ? text.audit.change(await show(before), await show(after)) : await show(after))}`;
}

/** Labels of fields in forms, by the name of the field. */
function findLabels(
  { text }: PageContext,
  kind: AuditEvent['subjectKind'],
): Readonly<Record<string, string>> {
  if (kind === 'organization') return text.organizationSettings.labels;
  if (kind === 'source')
    return { format: text.terms.format, ...toAuditedLabels((field) => text.sourceFields[field]) };
  if (kind === 'import') return { source: text.imports.source };
  if (kind !== null && isRecordKind(kind))
    return {
      ...text.dryRun.surveyFields,
      decision: text.recordDecisions.decision,
      reason: text.audit.reason,
      similarSurvey: text.audit.similarSurvey,
      correctedFields: text.recordDecisions.correctedFields,
    };
  if (kind === 'account')
    return { role: text.accounts.tasks, disabledNotifications: text.audit.disabledNotifications };
  return { ...keyFields.map((field) => text.keyFields[field].label), expiresAt: text.keys.expires };
}

function describeOptionValue(
  context: PageContext,
  kind: ReturnType<typeof getOptionKind>,
  value: string,
): string {
  if (kind === 'switch') return context.text.browse.yes;
  return kind === 'choice' ? describeApiValue(value, context) : value;
}

async function describeValue(
  context: PageContext,
  kind: AuditEvent['subjectKind'],
  name: string,
  value: string,
): Promise<string> {
  const { text, format } = context;
  const listNames = (names: Readonly<Record<string, string | { label: string }>>) =>
    value
      .split(', ')
      .map((one) => {
        const label = names[one] ?? one;
        return typeof label === 'string' ? label : label.label;
      })
      .join(', ');
  if (name === 'role') return listNames({ ...text.accounts.roles, ...text.permissions });
  if (name === 'disabledNotifications') return listNames(text.notifications.kinds);
  if (name === 'expiresAt') return format.timeText(value);
  if (name === 'requestLimit') return format.number(Number(value));
  if (name === 'correctedFields' && kind !== null && isRecordKind(kind))
    return value
      .split(', ')
      .map((one) => fieldLabel(context, kind, one))
      .join(', ');
  if (name === 'decision') return listNames(text.recordDecisions.decisionKinds);
  if (name === 'timeZone') return describeTimeZone(value, context);
  if (name === 'country' || name === 'redactCountry') return nameRegion(value, context);
  if (name === 'language') return nameLanguage(value, context);
  if (name === 'openData' || name === 'openDataIndex' || name === 'approval' || name === 'locations')
    return listNames(text.organizationSettings.openDataStates);
  if (kind !== 'source') return value;
  if (name === 'format') return text.importFormats[value] ?? value;
  if (name === 'redact' || name === 'accept') return listNames(text.importSettings.personalData.kinds);
  if (name === 'redactPatterns') return value.replace(/ \([0-9a-f]+\)$/, '');
  if (name === 'maxDeletedPercent') return format.percent(Number(value) / 100);
  const intervalMs = name === 'every' ? parseFormattedInterval(value) : undefined;
  return intervalMs === undefined ? value : describeSchedule({ intervalMs }, context);
}
