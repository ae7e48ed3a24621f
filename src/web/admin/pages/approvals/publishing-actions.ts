/** Actions that publish in the admin area, as data: what a person sees before they approve it, and how it is done. */

import { isDeepStrictEqual } from 'node:util';
import { findField } from '../../../../contract/field.ts';
import { type ApprovalKind, decidingPermissions } from '../../../../domain/approvals/approval-request.ts';
import {
  getFieldValues,
  type OrganizationChanges,
} from '../../../../domain/organizations/organization-fields.ts';
import type { CorrectableReference, RecordReference } from '../../../../domain/records/record-decision.ts';
import { fieldsByKind, type RecordKind } from '../../../../domain/records/records.ts';
import { isEndpointRun, type QueuedRun } from '../../../../domain/runs/run-queue.ts';
import { findUndoObstacle } from '../../../../domain/runs/undo.ts';
import { isEndpoint, pickDefinition, type RedactionKind } from '../../../../domain/sources/import-source.ts';
import { StoreConflictError } from '../../../../domain/store-errors.ts';
import { nameSurveyTexts } from '../../../../ingest/record-edits/correction-validation.ts';
import { alert, descriptionList, paragraph, table, userText } from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import { describeValue } from '../../../ui/records/record-fields.ts';
import type { AdminContext } from '../../admin-context.ts';
import { continueImport, startImport, startUndo } from '../../queue-import-steps.ts';
import { currentActor, type TenantContext } from '../../requests/page-context.ts';
import { notFound, type Redirect } from '../../requests/response-types.ts';
import { approvalPath, approvalSettingPath, mustAsk } from '../../ui/approval-note.ts';
import { openDataPath } from '../../ui/navigation.ts';
import { correctedLabel, recordPath, revertConsequences } from '../../ui/record-decision.ts';
import { confirmationLabel, outcomeSentence } from '../import-wizard/dry-run-outcome.ts';
import { dryRunReport, questionNotes } from '../import-wizard/dry-run-report.ts';
import { stepsPath } from '../import-wizard/run-stage.ts';
import { findLastImport, undoFacts } from '../sources/last-import.ts';
import { sourcePath } from '../sources/source-path.ts';
import { describeSchedule } from '../sources/source-state.ts';

/** The values of each action beside its subject, as they are stored. */
export interface PublishedValues {
  /** Kinds of personal data that the person has decided to publish. */
  import: { accepted: readonly RedactionKind[] };
  source_run: { url: string };
  undo: { runId: string };
  /** By the names of fields, and those of the texts of a survey. */
  correction: { changes: Record<string, { before: unknown; after: unknown }>; reason: string };
  reversal: { decidedAt: string };
  match: Record<string, never>;
  open_data: Pick<OrganizationChanges, 'slug' | 'openData' | 'openDataIndex' | 'licenseName' | 'licenseUrl'>;
  approval_off: Record<string, never>;
}

interface Description {
  content: SafeHtml;
  /** Why it can no longer be approved: its subject was removed or has changed. */
  obstacle?: 'gone' | 'changed';
  /** Of the button. Default: that of the kind. */
  label?: string;
}

interface PublishingAction<Values> {
  describe(
    admin: AdminContext,
    context: TenantContext,
    subject: string,
    values: Values,
  ): Promise<Description>;
  /**
   * Its event in the audit log approves the request of the context, in the same transaction.
   *
   * @returns the address of the page that shows the result
   * @throws StoreConflictError if it is not possible, PageError 404 if its subject no longer exists
   */
  perform(admin: AdminContext, context: TenantContext, subject: string, values: Values): Promise<string>;
  /** The page of the subject, which may no longer exist. */
  getPath(context: TenantContext, subject: string): string;
}

const gone: Description = { content: html``, obstacle: 'gone' };

export const publishingActions: { readonly [Kind in ApprovalKind]: PublishingAction<PublishedValues[Kind]> } =
  {
    import: {
      describe: async ({ store }, context, subject, { accepted }) => {
        const run = await store.findQueuedRun(context.organization.id, subject);
        if (run?.isAwaitingApproval !== true) return gone;
        const { dryRun } = run;
        const { text } = context;
        const { approveImport, approve } = text.approvals;
        if (dryRun === null)
          return { content: paragraph(text.approvals.sourceRunConsequence), label: approve.source_run };
        const version = await store.findDatasetVersion(context.organization.id);
        return {
          content: html`${version === dryRun.publishedVersion ? '' : dataChangedNote(context)}
${acceptedNote(context, accepted)}
${questionNotes(context, run)}
${scheduleNote(context, run)}
${alert('info', outcomeSentence(context, run, dryRun))}
${dryRunReport(context, run, dryRun)}`,
          label: approveImport(confirmationLabel(context, dryRun)),
        };
      },
      perform: async (admin, context, subject, { accepted }) => {
        const run = await admin.store.findQueuedRun(context.organization.id, subject);
        if (run === undefined) throw notFound();
        const { definition } = run;
        const decided = definition && {
          ...definition,
          redaction: {
            ...definition.redaction,
            accepted: [...(definition.redaction.accepted ?? []), ...accepted],
          },
        };
        const choices = decided === null || accepted.length === 0 ? undefined : { definition: decided };
        await continueImport(admin, context, run, 'import', choices);
        return stepsPath(run);
      },
      getPath: ({ organization }, subject) => stepsPath({ organizationId: organization.id, id: subject }),
    },

    source_run: {
      describe: async (admin, context, subject, { url }) => {
        const source = await findSource(admin, context, subject);
        if (source === undefined) return gone;
        const { address, sourceRunConsequence } = context.text.approvals;
        return {
          content: html`${paragraph(sourceRunConsequence)}${descriptionList([[address, html`<span class="long-text">${userText(url)}</span>`]])}`,
          ...((source.url !== url || !isEndpoint(source)) && { obstacle: 'changed' }),
        };
      },
      perform: async (admin, context, subject, { url }) => {
        const source = await findSource(admin, context, subject);
        if (source === undefined) throw notFound();
        // A file waits for its dry run, so the approval would publish nothing.
        if (source.url !== url || (context.approves !== undefined && !isEndpoint(source)))
          throw new StoreConflictError('The source has changed.');
        const started = await startImport(admin, context, {
          address: { kind: isEndpoint(source) ? 'endpoint' : 'address', url },
          definition: pickDefinition(source),
        });
        if (!('run' in started)) throw notFound();
        return stepsPath(started.run);
      },
      getPath: ({ organization }, subject) => sourcePath(organization, subject),
    },

    undo: {
      describe: async (admin, context, subject, { runId }) => {
        const source = await findSource(admin, context, subject);
        const last = source && (await findLastImport(admin, context, source));
        if (last === undefined) return gone;
        if (last.runId !== runId || findUndoObstacle(last) !== undefined)
          return { content: html``, obstacle: 'changed' };
        return { content: undoFacts(context, subject, last) };
      },
      perform: async (admin, context, subject, { runId }) =>
        stepsPath(await startUndo(admin, context, subject, runId)),
      getPath: ({ organization }, subject) => sourcePath(organization, subject),
    },

    correction: {
      describe: async ({ store }, context, subject, { changes, reason }) => {
        const { text } = context;
        const words = text.approvals;
        const record = parseRecordSubject(context, subject);
        const published = await readCorrectable(store, record);
        if (published === undefined) return gone;
        const rows = Object.entries(changes).map(([name, { before, after }]) => {
          const present = published.get(name);
          const isChanged = !isDeepStrictEqual(present, before);
          const hint = isChanged ? html`<br><span class="kern-hint">${words.fieldChanged}</span>` : '';
          return [
            correctedLabel(context, record.kind, name),
            html`${showValue(context, record.kind, name, present)}${hint}`,
            html`${showValue(context, record.kind, name, after)}`,
          ];
        });
        return {
          content: html`${table(words.kinds.correction, [words.field, words.present, words.wanted], rows, { cards: '' })}
${descriptionList([[words.reason, userText(reason)]])}`,
        };
      },
      perform: async ({ store }, context, subject, { changes, reason }) => {
        const record = parseRecordSubject(context, subject);
        const published = await readCorrectable(store, record);
        if (published === undefined) throw notFound();
        const fields = new Map(published);
        for (const [name, { after }] of Object.entries(changes)) fields.set(name, after);
        const by = currentActor(context);
        const [title, ...questionTexts] = fields.values() as Iterable<string>;
        const isDone =
          record.kind === 'survey'
            ? fields.size === published.size &&
              (await store.correctSurvey(record, { title: title as string, questionTexts }, reason, by))
            : await store.correctRecord(
                record as CorrectableReference,
                Object.fromEntries(fields),
                reason,
                by,
              );
        if (!isDone) throw new StoreConflictError('The record was changed in the meantime.');
        return `${recordPath(context, record)}?corrected`;
      },
      getPath: recordSubjectPath,
    },

    reversal: {
      describe: async ({ store }, context, subject, { decidedAt }) => {
        const decision = await store.findRecordDecision(parseRecordSubject(context, subject));
        if (decision === undefined) return gone;
        return {
          content: revertConsequences(context, decision),
          ...(decision.decidedAt !== decidedAt && { obstacle: 'changed' }),
        };
      },
      perform: async ({ store }, context, subject, { decidedAt }) => {
        const record = parseRecordSubject(context, subject);
        const page = recordPath(context, record);
        const found = await store.findRecordDecision(record);
        // Somebody else may have taken it back meanwhile.
        if (found === undefined) return page;
        if (found.decidedAt !== decidedAt) throw new StoreConflictError('The decision has changed.');
        const decision = await store.revertRecordDecision(record, currentActor(context));
        if (decision === undefined) return page;
        return decision.isInSource
          ? `${page}?reverted=${decision.decision}`
          : context.recordsAddress('decisions?missing');
      },
      getPath: recordSubjectPath,
    },

    match: {
      describe: async ({ store }, context, subject) => {
        const match = await store.findRecordMatch(parseRecordSubject(context, subject));
        if (match?.allowedAt !== null) return gone;
        const { allowConsequence, decisionKinds } = context.text.recordDecisions;
        return { content: paragraph(allowConsequence(decisionKinds[match.decision])) };
      },
      perform: async ({ store }, context, subject) => {
        await store.allowRecordMatch(parseRecordSubject(context, subject), currentActor(context));
        return context.recordsAddress('decisions');
      },
      getPath: (context) => context.recordsAddress('decisions'),
    },

    open_data: {
      describe: async (_, { text, organization }, _subject, values) => {
        const { labels, openDataStates } = text.organizationSettings;
        const show = (value: string | null | undefined) =>
          openDataStates[value as keyof typeof openDataStates] ?? value ?? text.audit.empty;
        const present = getFieldValues(organization);
        const names = (['openData', 'openDataIndex', 'slug', 'licenseName', 'licenseUrl'] as const).filter(
          (name) => name in values && values[name] !== present[name],
        );
        const entries = names.map((name): [string, string] => [
          labels[name],
          text.audit.change(show(present[name]), show(values[name])),
        ]);
        return { content: descriptionList(entries) };
      },
      perform: async ({ store }, context, _, values) => {
        await store.editOrganization(context.organization.id, values, currentActor(context));
        return `${openDataPath(context)}?${values.openData === 'on' ? 'on' : 'saved'}`;
      },
      getPath: (context) => openDataPath(context),
    },

    approval_off: {
      describe: async (_, { text }) => ({ content: paragraph(text.approvals.approvalOffConsequence) }),
      perform: async ({ store }, context) => {
        await store.editOrganization(context.organization.id, { approval: 'off' }, currentActor(context));
        return approvalSettingPath(context);
      },
      getPath: (context) => approvalSettingPath(context),
    },
  };

/**
 * Publishes, or asks another person to approve it.
 *
 * @param subject see `ApprovalSubject`
 * @throws errors of the action
 */
export async function publishOrAsk<Kind extends ApprovalKind>(
  admin: AdminContext,
  context: TenantContext,
  kind: Kind,
  subject: string,
  values: PublishedValues[Kind],
): Promise<Redirect> {
  if (!mustAsk(context, decidingPermissions[kind]))
    return { redirectTo: await publishingActions[kind].perform(admin, context, subject, values) };
  const accountId = context.loginSession.account.id;
  const payload = JSON.stringify(values);
  const request = await admin.store.askForApproval(
    { organizationId: context.organization.id, kind, subject, payload, accountId },
    currentActor(context),
  );
  const isAsked = request.askedAccountId === accountId && request.payload === payload;
  return { redirectTo: `${approvalPath(request)}?${isAsked ? 'asked' : 'askedBefore'}` };
}

const findSource = ({ store }: AdminContext, { organization }: TenantContext, name: string) =>
  store.findSource({ organizationId: organization.id, name });

/** The opposite of `nameRecordSubject`. */
function parseRecordSubject({ organization }: TenantContext, subject: string): RecordReference {
  const [kind, id = ''] = subject.split('/');
  return { organizationId: organization.id, kind: kind as RecordKind, id };
}

function recordSubjectPath(context: TenantContext, subject: string): string {
  return recordPath(context, parseRecordSubject(context, subject));
}

/** The fields of a published record, or the texts of a survey, by their names. */
async function readCorrectable(
  store: AdminContext['store'],
  record: RecordReference,
): Promise<ReadonlyMap<string, unknown> | undefined> {
  if (record.kind === 'survey') {
    const texts = await store.findSurveyTexts(record.organizationId, record.id);
    return texts && nameSurveyTexts(texts);
  }
  const found = await store.findCorrectableRecord(record as CorrectableReference);
  return found && new Map(Object.entries(found.fields));
}

/** @returns what differs between two forms of a record, by field */
export function listCorrections(
  before: ReadonlyMap<string, unknown>,
  after: ReadonlyMap<string, unknown>,
): PublishedValues['correction']['changes'] {
  return Object.fromEntries(
    [...after]
      .filter(([name, value]) => !isDeepStrictEqual(value, before.get(name)))
      .map(([name, value]) => [name, { before: before.get(name), after: value }]),
  );
}

/** Prose in full: a person approves each word. */
function showValue(
  context: TenantContext,
  kind: RecordKind,
  name: string,
  value: unknown,
): SafeHtml | string {
  const field = findField(fieldsByKind[kind], name);
  const isProse = field === undefined || field.fromColumn?.kind === 'markup';
  return isProse && typeof value === 'string' && value !== ''
    ? html`<span class="long-text">${userText(value)}</span>`
    : describeValue(context, field, value ?? null);
}

const dataChangedNote = ({ text }: TenantContext): SafeHtml =>
  alert('warning', text.approvals.dataChanged, paragraph(text.approvals.dataChangedHint));

function acceptedNote({ text }: TenantContext, accepted: readonly RedactionKind[]): SafeHtml {
  if (accepted.length === 0) return html``;
  const names = accepted.map((kind) => text.importSettings.personalData.kinds[kind]?.label ?? kind);
  return alert('warning', text.approvals.acceptedPersonalData(names.join(', ')));
}

/** The import stores its source, which then publishes on its schedule. */
function scheduleNote(context: TenantContext, run: QueuedRun): SafeHtml {
  const { definition } = run;
  if (definition === null || definition.intervalMs === null || isEndpointRun(run)) return html``;
  const { scheduled, scheduledHint } = context.text.approvals;
  return alert('info', `${scheduled}: ${describeSchedule(definition, context)}`, paragraph(scheduledHint));
}
