/** An import that was started in the admin area: one page, whose content follows its step. */

import {
  type DryRunReport,
  isEndpointRun,
  listQuestions,
  type QueuedRun,
} from '../../../../domain/runs/run-queue.ts';
import { findUndoObstacle, type LastImport } from '../../../../domain/runs/undo.ts';
import {
  defaultRedactionKinds,
  type RedactionKind,
  redactionKinds,
  type SourceDefinition,
} from '../../../../domain/sources/import-source.ts';
import { StoreConflictError } from '../../../../domain/store-errors.ts';
import {
  actionLink,
  alert,
  announce,
  descriptionList,
  link,
  paragraph,
  userText,
} from '../../../ui/components.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { buttonForm } from '../../forms/forms.ts';
import { continueImport } from '../../queue-import-steps.ts';
import { currentActor, may, requirePermission, type TenantContext } from '../../requests/page-context.ts';
import { type AdminResponse, notFound, type Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { actorName } from '../../ui/actor-name.ts';
import { askNote, isReturned, mustAsk, publishLabel, waitingNote } from '../../ui/approval-note.ts';
import { help } from '../../ui/help.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { publishOrAsk } from '../approvals/publishing-actions.ts';
import { findLastImportOfRun } from '../sources/last-import.ts';
import { sourcePath } from '../sources/source-path.ts';
import { confirmationLabel, hasSurveys, outcomeSentence } from './dry-run-outcome.ts';
import { readRemedies } from './dry-run-rejections.ts';
import { countRecordsToWrite, dryRunReport, questionNotes } from './dry-run-report.ts';
import { portalKeyContent, portalKeyLink, submitPortalKey } from './portal-key-step.ts';
import { isRefreshing, refreshSeconds, runProgress } from './run-progress.ts';
import { runResult } from './run-result.ts';
import {
  canChangeSettings,
  canChooseSheet,
  describeInput,
  getRunStage,
  isRunning,
  mayCancel,
  mayChangeSettings,
  needsSheet,
  type RunContent,
  stepsPath,
} from './run-stage.ts';
import { settingsContent, submitSettings } from './settings/settings-step.ts';
import { sheetContent, submitSheet } from './sheet-step.ts';
import { importPath, toSourceChoice } from './start-import.ts';
import { changeStatuses } from './status-mapping-form.ts';
import { submitTitles, titlesContent } from './survey-titles-step.ts';

/** @throws PageError 404 for an unknown run, and for those of other municipalities */
export async function requireRun({ store }: AdminContext, context: TenantContext): Promise<QueuedRun> {
  const run = await store.findQueuedRun(context.organization.id, context.params.runId?.toLowerCase() ?? '');
  if (run === undefined) throw notFound();
  return run;
}

export function runStepRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function stepPage(context: TenantContext): Promise<Page> {
    const run = await requireRun(admin, context);
    const stage = getRunStage(run);
    const isConfirmable = stage === 'settings' || stage === 'confirmation';
    if (isConfirmable) admin.expectStep();
    const isUnprepared = (needsSheet(run) && canChooseSheet(run)) || stage === 'settings';
    if (isUnprepared && !may(context, 'import')) return frame(context, run, unpreparedNote(context, run));
    if (needsSheet(run) && canChooseSheet(run)) return frame(context, run, sheetContent(context, run));
    const wantsSettings = stage === 'settings' || context.query.has('settings');
    const note = isConfirmable || stage === 'failed' ? await returnedNote(context, run) : '';
    const { body, ...shown } =
      wantsSettings && mayChangeSettings(context, run)
        ? await settingsContent(context, run)
        : { body: await content(context, run) };
    return frame(context, run, { ...shown, body: html`${note}${body}` });
  }

  /** What the person who returned the import has asked to change. */
  async function returnedNote(context: TenantContext, run: QueuedRun): Promise<SafeHtml | string> {
    const request = await store.findLatestApproval(run.organizationId, ['import'], run.id);
    if (!isReturned(request)) return '';
    const { decidedBy, decidedAt, comment } = request;
    const title = context.text.approvals.importReturned(decidedBy, context.format.timeText(decidedAt));
    return alert('warning', title, html`<p class="kern-body long-text">${userText(comment)}</p>`);
  }

  /** Before a process begins with a step, the step waits only if the municipality has another run. */
  const isWaiting = async (run: QueuedRun) =>
    run.state === 'queued' &&
    (await store.listOpenRuns(run.organizationId)).some((other) => other.id !== run.id && isRunning(other));

  async function content(context: TenantContext, run: QueuedRun): Promise<SafeHtml> {
    if (isRunning(run))
      return html`${runProgress(context, run, await isWaiting(run))}${cancelForm(context, run)}`;
    if (run.isAwaitingApproval)
      return html`${await waitingNote(store, context, ['import'], run.id)}
${run.dryRun === null ? '' : dryRunReport(context, run, run.dryRun)}${cancelForm(context, run)}`;
    if (run.state === 'cancelled') {
      const listed = await store.findImportRun(run.organizationId, run.id);
      // The undo was complete before the cancellation could stop it.
      if (run.step === 'undo' && listed !== undefined && listed.undoneAt !== null)
        return runResult(admin, context, run);
      return cancelledNote(context, run, listed !== undefined, await findLastImportOfRun(admin, run));
    }
    if (run.state === 'failed')
      return html`${run.step === 'import' ? await askNote(store, context) : ''}${failureNote(context, run)}`;
    if (run.step === 'dry_run') return confirmation(context, run, await askNote(store, context));
    return runResult(admin, context, run);
  }

  /** Handles a form that repeats the dry run with other settings. @param change undefined: nothing changes */
  const repeatDryRun =
    (change: (run: DefinedRun, values: URLSearchParams) => Partial<SourceDefinition> | undefined) =>
    async (context: TenantContext, values: URLSearchParams): Promise<AdminResponse> => {
      const run = await requireRun(admin, context);
      const { definition } = run;
      const changes =
        definition === null || !canChangeSettings(run) ? undefined : change({ ...run, definition }, values);
      if (definition !== null && changes !== undefined)
        await continueImport(admin, context, run, 'dry_run', { definition: { ...definition, ...changes } });
      return { redirectTo: stepsPath(run) };
    };

  async function sheetPage(context: TenantContext): Promise<AdminResponse> {
    const run = await requireRun(admin, context);
    return canChooseSheet(run)
      ? frame(context, run, sheetContent(context, run))
      : { redirectTo: stepsPath(run) };
  }

  /** @param accepted kinds of personal data that the user has decided to publish */
  async function publish(
    context: TenantContext,
    run: QueuedRun,
    accepted: readonly RedactionKind[],
  ): Promise<AdminResponse> {
    try {
      return await publishOrAsk(admin, context, 'import', run.id, { accepted });
    } catch (error) {
      // Another request has continued or cancelled it.
      if (!(error instanceof StoreConflictError)) throw error;
      return { redirectTo: stepsPath(run) };
    }
  }

  /** Publishes, with the personal data that is not replaced only if the user has decided so. */
  async function confirm(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const run = await requireRun(admin, context);
    const { definition } = run;
    const undecided = listUndecided(run).map(({ kind }) => kind);
    const isDecided = undecided.length === 0 || values.get('personalData') === 'publish';
    const confirmed = values.getAll(questionField);
    const isConfirmed = listQuestions(run.dryRun).every((question) => confirmed.includes(question));
    if (getRunStage(run) === 'confirmation' && definition !== null && isDecided && isConfirmed) {
      return publish(context, run, undecided);
    }
    return { redirectTo: stepsPath(run) };
  }

  /** Repeats a failed step, for example after the database was unavailable. */
  async function retry(context: TenantContext): Promise<AdminResponse> {
    const run = await requireRun(admin, context);
    if (run.state !== 'failed' || run.isAwaitingApproval || run.step === 'undo')
      return { redirectTo: stepsPath(run) };
    if (run.step === 'import') return publish(context, run, []);
    await continueImport(admin, context, run, run.step);
    return { redirectTo: stepsPath(run) };
  }

  async function cancel(context: TenantContext): Promise<AdminResponse> {
    const run = await requireRun(admin, context);
    if (run.step === 'undo') requirePermission(context, 'publish');
    await store.cancelRun(run, currentActor(context));
    return { redirectTo: stepsPath(run) };
  }

  /** @param submit shows the form again, or leads on */
  const handleForm =
    (submit: typeof submitSettings) =>
    async (context: TenantContext, values: URLSearchParams): Promise<AdminResponse> => {
      const run = await requireRun(admin, context);
      const response = await submit(admin, context, run, values);
      return 'redirectTo' in response ? response : frame(context, run, response);
    };

  const base = '/admin/organizations/:organizationId/imports/:runId/steps';
  const toQueuedRun = async (context: TenantContext) => ({
    redirectTo: stepsPath(await requireRun(admin, context)),
  });
  return [
    {
      path: base,
      // Its samples are not published yet.
      access: 'importOrPublish',
      formAccess: 'import',
      receivesUpload: true,
      get: stepPage,
      post: handleForm(submitSettings),
    },
    {
      path: `${base}/sheet`,
      access: 'import',
      get: sheetPage,
      post: handleForm(submitSheet),
    },
    {
      path: `${base}/titles`,
      access: 'import',
      get: async (context) => {
        const run = await requireRun(admin, context);
        return frame(context, run, titlesContent(context, run));
      },
      post: handleForm(submitTitles),
    },
    {
      path: `${base}/key`,
      access: 'import',
      requiresRecentAuth: true,
      get: async (context, { errors }) => {
        const run = await requireRun(admin, context);
        const content = portalKeyContent(context, run, errors);
        return 'redirectTo' in content ? content : frame(context, run, content);
      },
      post: async (context, values) =>
        submitPortalKey(admin, context, await requireRun(admin, context), values),
    },
    { path: `${base}/replace`, access: 'import', get: toQueuedRun, post: repeatDryRun(replacePersonalData) },
    {
      path: `${base}/statuses`,
      access: 'import',
      get: async (context) => (context.isReopened ? stepPage(context) : toQueuedRun(context)),
      post: repeatDryRun(changeStatusWords),
    },
    { path: `${base}/option`, access: 'import', get: toQueuedRun, post: repeatDryRun(chooseRemedy) },
    { path: `${base}/survey`, access: 'import', get: toQueuedRun, post: repeatDryRun(decideSurvey) },
    // It publishes data, which is at least as serious as issuing a key.
    {
      path: `${base}/confirm`,
      access: 'importOrPublish',
      requiresRecentAuth: true,
      get: toQueuedRun,
      post: confirm,
    },
    {
      path: `${base}/retry`,
      access: 'importOrPublish',
      requiresRecentAuth: true,
      get: toQueuedRun,
      post: retry,
    },
    { path: `${base}/cancel`, access: 'importOrPublish', get: toQueuedRun, post: cancel },
  ];
}

type DefinedRun = QueuedRun & { definition: SourceDefinition };

/** The user's decision on a survey with the questions of a published one. */
function decideSurvey({ definition, dryRun }: DefinedRun, values: URLSearchParams) {
  if (dryRun?.similarSurvey == null) return undefined;
  const chosen: Record<string, string> =
    values.get('survey') === 'new' ? { newSurvey: 'true' } : { continues: dryRun.similarSurvey.id };
  return { options: { ...definition.options, ...chosen } };
}

/** Replaces all personal data that the dry run found. */
function replacePersonalData(run: DefinedRun) {
  const undecided = listUndecided(run).map(({ kind }) => kind);
  if (undecided.length === 0) return undefined;
  const { redaction } = run.definition;
  const present = redaction.kinds ?? listReplacedKinds(run);
  return { redaction: { ...redaction, kinds: [...new Set([...present, ...undecided])] } };
}

/** Other statuses for words of the source. */
function changeStatusWords({ definition: { options }, dryRun }: DefinedRun, values: URLSearchParams) {
  const statuses = changeStatuses(options.statuses, dryRun?.statusWords ?? [], values);
  return statuses === undefined ? undefined : { options: { ...options, statuses } };
}

/** An option that lets rejected records through. */
function chooseRemedy({ definition }: DefinedRun, values: URLSearchParams) {
  const chosen = readRemedies(values);
  return Object.keys(chosen).length > 0 ? { options: { ...definition.options, ...chosen } } : undefined;
}

function frame(context: TenantContext, run: QueuedRun, { body, status }: RunContent): Page {
  const { text } = context;
  const words = text.importSteps;
  const name = run.sourceName ?? run.definition?.name ?? '';
  const titleOfUndo = run.state === 'done' ? words.titleOfUndone : words.titleOfUndo;
  const title = run.step === 'undo' ? titleOfUndo(name) : words.title(describeInput(run));
  return {
    title,
    ...(status !== undefined && { status }),
    ...(isRunning(run) && isRefreshing(context) && { refreshSeconds }),
    body: html`${run.step === 'undo' || isEndpointRun(run) ? '' : steps(context, run)}
${body}
${facts(context, run)}`,
  };
}

function steps(context: TenantContext, run: QueuedRun): SafeHtml {
  const { text, query } = context;
  const { label, file, settings, dryRun, result, isDone } = text.importSteps.steps;
  const isChanging = query.has('settings') && mayChangeSettings(context, run);
  const stage = getRunStage(run);
  const current =
    run.step === 'detection'
      ? stage === 'settings'
        ? 1
        : 0
      : run.step === 'dry_run'
        ? isChanging
          ? 1
          : 2
        : 3;
  const index = stage === 'done' ? 4 : current;
  return stepList(label, [file, settings, dryRun, result], index, isDone);
}

function facts(
  context: TenantContext,
  { input, sourceName, definition, createdAt, createdBy }: QueuedRun,
): SafeHtml {
  const { text, format, organization } = context;
  const words = text.importSteps.facts;
  const name = sourceName ?? definition?.name;
  return html`<section class="run-facts"><h2 class="hidden-text">${words.title}</h2>${descriptionList([
    input?.kind === 'upload' && [
      words.file,
      html`${userText(input.fileName)}, ${format.fileSize(input.bytes)}`,
    ],
    input !== null &&
      input.kind !== 'upload' && [words.address, html`<span class="long-text">${userText(input.url)}</span>`],
    name !== undefined && [
      words.source,
      sourceName === null ? userText(name) : link(sourcePath(organization, sourceName), userText(name)),
    ],
    definition !== null && [words.format, text.importFormats[definition.format] ?? definition.format],
    [words.startedBy, html`${actorName(createdBy, context)}, ${format.time(createdAt)}`],
  ])}</section>`;
}

/** @param note about the approval that the import needs */
function confirmation(context: TenantContext, run: QueuedRun, note: SafeHtml | string): SafeHtml {
  const { text } = context;
  const words = text.dryRun;
  if (run.dryRun === null) throw notFound();
  const { counts } = run.dryRun;
  const isEmpty = counts.inserted + counts.changed + counts.unchanged + counts.removed === 0;
  const isUnchanged = !isEmpty && countRecordsToWrite(run.dryRun) === 0;
  const outcome = isEmpty
    ? alert('danger', words.nothingToImport)
    : alert(
        'info',
        outcomeSentence(context, run, run.dryRun),
        paragraph(isUnchanged ? `${words.done} ${words.unchanged}` : words.done),
      );
  const change = mayChangeSettings(context, run)
    ? actionLink(`${stepsPath(run)}?settings=1`, text.importSteps.changeSettings)
    : '';
  return html`${announce(outcome)}
${surveyQuestion(context, run, run.dryRun)}
${questionNotes(context, run)}
${isEmpty ? '' : undecidedNote(context, run)}
${hasSurveys(run.dryRun) ? surveysNote(context, run.dryRun) : ''}
${dryRunReport(context, run, run.dryRun)}
${help(context, 'dryRun')}
${
  isEmpty
    ? ''
    : html`<div class="decision"><h2 class="kern-title">${words.question}</h2>
${mustAsk(context) ? note : paragraph(words.confirmHint)}</div>
<div class="actions sticky-actions">${confirmForms(context, run, run.dryRun)}</div>`
}
<div class="actions">${change}${cancelButton(context, run)}</div>`;
}

/** Says before the import what cannot be changed after it. */
function surveysNote({ text }: TenantContext, { samples }: DryRunReport): SafeHtml {
  const { surveysStay, surveysStayHint, surveyEndMissing } = text.dryRun;
  const isEndMissing = samples.some(
    ({ kind, document: { endedOn, year } }) => kind === 'survey' && !endedOn && !year,
  );
  const missing = isEndMissing ? paragraph(surveyEndMissing) : '';
  return alert('warning', surveysStay, html`${paragraph(surveysStayHint)}${missing}`);
}

/** For those who only publish. */
function unpreparedNote(context: TenantContext, run: QueuedRun): RunContent {
  const words = context.text.importSteps;
  return {
    body: html`${alert('info', words.unprepared, paragraph(words.unpreparedHint))}${cancelForm(context, run)}`,
  };
}

function surveyQuestion(context: TenantContext, run: QueuedRun, { similarSurvey }: DryRunReport): SafeHtml {
  if (similarSurvey === null || !may(context, 'import')) return html``;
  const words = context.text.dryRun;
  const choice = (value: string, label: string) =>
    buttonForm(context, `${stepsPath(run)}/survey`, label, 'secondary', [['survey', value]]);
  return html`${alert('warning', words.similarSurvey(similarSurvey.title), paragraph(words.similarSurveyHint))}
<div class="actions">${choice('continues', words.continuesSurvey)}${choice('new', words.newSurvey)}</div>`;
}

/** Personal data that the import would publish although nobody has decided so. */
function listUndecided({ dryRun, definition }: QueuedRun): { kind: RedactionKind; count: number }[] {
  const accepted = definition?.redaction.accepted ?? [];
  return redactionKinds.flatMap((kind) => {
    const found = dryRun?.personalData.find((finding) => finding.kind === kind && !finding.isRedacted);
    return found === undefined || found.count === 0 || accepted.includes(kind)
      ? []
      : [{ kind, count: found.count }];
  });
}

/** Of a source that leaves the kinds to the installation: at least those that the dry run has replaced. */
const listReplacedKinds = ({ dryRun }: QueuedRun): RedactionKind[] =>
  redactionKinds.filter(
    (kind) =>
      defaultRedactionKinds.includes(kind) ||
      dryRun?.personalData.some((finding) => finding.kind === kind && finding.isRedacted),
  );

const nameKind = ({ text }: TenantContext, kind: RedactionKind): string =>
  text.importSettings.personalData.kinds[kind]?.label ?? kind;

function undecidedNote(context: TenantContext, run: QueuedRun): SafeHtml {
  const { text, format } = context;
  const words = text.dryRun;
  const counts = listUndecided(run).map(
    ({ kind, count }) => `${nameKind(context, kind)}: ${format.number(count)}`,
  );
  if (counts.length === 0) return html``;
  return alert(
    'warning',
    words.undecided,
    html`${paragraph(counts.join(', '))}${paragraph(words.undecidedHint)}`,
  );
}

/** The question that the button confirms, in case another dry run asks others meanwhile. */
const questionField = 'confirmed';

/** One button, or the choice what to do with personal data. */
function confirmForms(context: TenantContext, run: QueuedRun, dryRun: DryRunReport): SafeHtml {
  const words = context.text.dryRun;
  const undecided = listUndecided(run).map(({ kind }) => nameKind(context, kind));
  const action = confirmationLabel(context, dryRun, undecided);
  const label = mustAsk(context) ? context.text.approvals.askAction(action) : action;
  const path = stepsPath(run);
  const questions = listQuestions(dryRun).map((value) => [questionField, value] as const);
  const decisions = [...(undecided.length > 0 ? [['personalData', 'publish'] as const] : []), ...questions];
  const isReplaceable = undecided.length > 0 && may(context, 'import');
  return html`${isReplaceable ? buttonForm(context, `${path}/replace`, words.replaceFirst, 'primary') : ''}
${buttonForm(context, `${path}/confirm`, questions.length === 0 ? label : words.confirmAnyway(label), decisions.length === 0 ? 'primary' : 'secondary', decisions)}`;
}

function cancelButton(context: TenantContext, run: QueuedRun): SafeHtml {
  const { cancel, cancelUndo } = context.text.importSteps;
  if (!mayCancel(context, run)) return html``;
  const label = run.step === 'undo' ? cancelUndo : cancel;
  return buttonForm(context, `${stepsPath(run)}/cancel`, label, 'tertiary');
}

const cancelForm = (context: TenantContext, run: QueuedRun): SafeHtml =>
  html`<div class="actions">${cancelButton(context, run)}</div>`;

/** @param last what the import has changed so far */
function cancelledNote(
  context: TenantContext,
  run: QueuedRun,
  hasBegun: boolean,
  last: LastImport | undefined,
): SafeHtml {
  const words = context.text.importSteps;
  const canUndo = may(context, 'publish') && last !== undefined && findUndoObstacle(last) === undefined;
  const beforeImport = isEndpointRun(run) ? words.nothingPublished : words.cancelledHint;
  const [title, hint] =
    run.step === 'undo'
      ? [words.undoCancelled, words.undoCancelledHint]
      : [words.cancelled, hasBegun ? words.cancelledDuringImport(canUndo) : beforeImport];
  return html`${announce(alert('info', title, paragraph(hint)))}
<div class="actions">${run.step === 'undo' ? '' : nextImportLink(context, run)}
${canUndo ? actionLink(`${sourcePath(context.organization, last.source.name)}/undo`, words.undo.action) : ''}</div>`;
}

function failureNote(context: TenantContext, run: QueuedRun): SafeHtml {
  const { text } = context;
  const words = text.importSteps;
  const message = run.failure && html`<p class="kern-body">${userText(reasonText(context, run.failure))}</p>`;
  const address = run.step === 'detection' && run.input?.kind === 'address' ? run.input.url : undefined;
  const hint = address !== undefined ? words.addressFailureHint : words.failureHints[run.step];
  const note = alert(
    'danger',
    words.failures[run.step],
    html`${paragraph(isEndpointRun(run) ? words.endpointFailureHint : hint)}${paragraph(words.failureMessage)}${message ?? ''}`,
  );
  const hasInput = run.fileExpiresAt !== null || (run.input !== null && run.input.kind !== 'upload');
  const mayRetry =
    run.step !== 'undo' && hasInput && may(context, run.step === 'import' ? 'importOrPublish' : 'import');
  const isCorrectable = address !== undefined && run.sourceName === null;
  const next =
    isCorrectable && may(context, 'import')
      ? changeAddressLink(context, address, run)
      : nextImportLink(context, run);
  return html`${announce(note)}
<div class="actions">${portalKeyLink(context, run)}${mayChangeSettings(context, run) ? actionLink(`${stepsPath(run)}?settings=1`, words.changeSettings, 'primary') : ''}
${mayRetry ? buttonForm(context, `${stepsPath(run)}/retry`, run.step === 'import' ? publishLabel(context, words.retry) : words.retry, 'secondary') : ''}
${run.step === 'undo' ? '' : next}
${hasInput ? cancelButton(context, run) : ''}</div>`;
}

/** To the form as it was filled in. */
function changeAddressLink(context: TenantContext, url: string, { detection }: QueuedRun): SafeHtml {
  const { system, isPermitted } = detection?.address ?? {};
  const values = new URLSearchParams({
    url,
    ...(system && { system }),
    ...(isPermitted && { mayRepublish: '1' }),
  });
  return actionLink(`${importPath(context)}/new?${values}#url`, context.text.importSteps.changeAddress);
}

/** Endpoints need no file: their source has a button. */
const nextImportLink = (context: TenantContext, run: QueuedRun): SafeHtml | string =>
  isEndpointRun(run) || !may(context, 'import')
    ? ''
    : actionLink(startPath(context, run), context.text.importSteps.again);

/** The start of another import of the same source. */
function startPath(context: TenantContext, { sourceName }: QueuedRun): string {
  const path = `${importPath(context)}/new`;
  return sourceName === null
    ? path
    : `${path}?${new URLSearchParams({ source: toSourceChoice(sourceName) })}`;
}

/**
 * The steps of a task, with the current one.
 *
 * @param current index of the current step; the steps before it are done
 */
function stepList(label: string, steps: readonly string[], current: number, doneLabel: string): SafeHtml {
  const items = steps.map((name, index) => {
    const isDone = index < current;
    return html`<li class="step-list__item${isDone ? ' step-list__item--done' : ''}"${index === current ? html` aria-current="step"` : ''}>${isDone ? html`<span class="hidden-text">${doneLabel} </span>` : ''}${name}</li>`;
  });
  return html`<nav aria-label="${label}"><ol class="step-list kern-body">${items}</ol></nav>`;
}
