/** An import that was started in the admin area: one page, whose content follows its step. */

import { html, type SafeHtml } from '@remix-run/html-template';
import type { DryRunReport, ImportJob } from '../../../domain/import-job.ts';
import { type RedactionKind, redactionKinds } from '../../../domain/import-source.ts';
import type { AdminContext } from '../../admin-context.ts';
import { continueImport } from '../../import-jobs.ts';
import { currentActor, type TenantContext } from '../../page-context.ts';
import { type AdminResponse, notFound, type Page } from '../../response-types.ts';
import type { Route } from '../../route.ts';
import {
  actionLink,
  actorName,
  alert,
  button,
  csrfField,
  descriptionList,
  link,
  paragraph,
  userText,
} from '../../ui/components.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { stepList } from '../../ui/step-list.ts';
import { sourcePath } from '../sources/source-path.ts';
import { countRecordsToWrite, dryRunReport } from './dry-run-report.ts';
import type { JobContent } from './job-content.ts';
import { isRefreshing, jobProgress, refreshSeconds } from './job-progress.ts';
import { jobResult } from './job-result.ts';
import { settingsContent, submitSettings } from './job-settings.ts';
import { sheetContent, submitSheet } from './job-sheet.ts';
import {
  canChangeSettings,
  canChooseSheet,
  describeInput,
  getJobStage,
  isRunning,
  jobPath,
  needsSheet,
} from './job-stage.ts';
import { importPath, toSourceChoice } from './start-import.ts';

/** @throws PageError 404 for an unknown job, and for those of other municipalities */
export async function requireJob({ store }: AdminContext, context: TenantContext): Promise<ImportJob> {
  const job = await store.findImportJob(context.organization.id, context.params.jobId?.toLowerCase() ?? '');
  if (job === undefined) throw notFound();
  return job;
}

export function importJobRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function jobPage(context: TenantContext): Promise<Page> {
    const job = await requireJob(admin, context);
    if (needsSheet(job) && canChooseSheet(job)) return frame(context, job, sheetContent(context, job));
    const wantsSettings = getJobStage(job) === 'settings' || context.query.has('settings');
    if (wantsSettings && canChangeSettings(job)) return frame(context, job, settingsContent(context, job));
    return frame(context, job, { body: await content(context, job) });
  }

  async function content(context: TenantContext, job: ImportJob): Promise<SafeHtml> {
    if (isRunning(job)) return html`${jobProgress(context, job)}${cancelForm(context, job)}`;
    if (job.state === 'cancelled') return cancelledNote(context, job);
    if (job.state === 'failed') return failureNote(context, job);
    if (job.step === 'dry_run') return decision(context, job);
    return jobResult(admin, context, job);
  }

  /** Repeats the dry run with the user's decision on a survey with the questions of a published one. */
  async function decideSurvey(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const job = await requireJob(admin, context);
    const { definition, dryRun } = job;
    const decision = values.get('survey');
    if (definition !== null && dryRun?.similarSurvey != null && canChangeSettings(job)) {
      const chosen: Record<string, string> =
        decision === 'new' ? { newSurvey: 'true' } : { continues: dryRun.similarSurvey.id };
      const options = { ...definition.options, ...chosen };
      await continueImport(admin, context, job, 'dry_run', { definition: { ...definition, options } });
    }
    return { redirectTo: jobPath(job) };
  }

  async function sheetPage(context: TenantContext): Promise<AdminResponse> {
    const job = await requireJob(admin, context);
    return canChooseSheet(job)
      ? frame(context, job, sheetContent(context, job))
      : { redirectTo: jobPath(job) };
  }

  /** Publishes, with the personal data that is not replaced only if the user has decided so. */
  async function confirm(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const job = await requireJob(admin, context);
    const { definition } = job;
    const undecided = listUndecided(job).map(({ kind }) => kind);
    const isDecided = undecided.length === 0 || values.get('personalData') === 'publish';
    if (getJobStage(job) === 'confirmation' && definition !== null && isDecided) {
      const accepted = [...(definition.redaction.accepted ?? []), ...undecided];
      const decided = { ...definition, redaction: { ...definition.redaction, accepted } };
      await continueImport(
        admin,
        context,
        job,
        'import',
        undecided.length === 0 ? undefined : { definition: decided },
      );
    }
    return { redirectTo: jobPath(job) };
  }

  /** Repeats the dry run with the replacement of all personal data that it found. */
  async function replacePersonalData(context: TenantContext): Promise<AdminResponse> {
    const job = await requireJob(admin, context);
    const { definition } = job;
    const undecided = listUndecided(job).map(({ kind }) => kind);
    if (definition !== null && undecided.length > 0 && canChangeSettings(job)) {
      const kinds = [...new Set([...(definition.redaction.kinds ?? []), ...undecided])];
      const replaced = { ...definition, redaction: { ...definition.redaction, kinds } };
      await continueImport(admin, context, job, 'dry_run', { definition: replaced });
    }
    return { redirectTo: jobPath(job) };
  }

  /** Repeats a failed step, for example after the database was unavailable. */
  async function retry(context: TenantContext): Promise<AdminResponse> {
    const job = await requireJob(admin, context);
    if (job.state === 'failed' && job.step !== 'undo') await continueImport(admin, context, job, job.step);
    return { redirectTo: jobPath(job) };
  }

  async function cancel(context: TenantContext): Promise<AdminResponse> {
    const job = await requireJob(admin, context);
    await store.cancelImportJob(job, currentActor(context));
    return { redirectTo: jobPath(job) };
  }

  const base = '/admin/organizations/:organizationId/imports/jobs/:jobId';
  const toJob = async (context: TenantContext) => ({ redirectTo: jobPath(await requireJob(admin, context)) });
  return [
    {
      path: base,
      // Its samples are not published yet.
      access: 'administrator',
      receivesUpload: true,
      get: jobPage,
      post: async (context, values) => {
        const job = await requireJob(admin, context);
        const response = await submitSettings(admin, context, job, values);
        return 'redirectTo' in response ? response : frame(context, job, response);
      },
    },
    {
      path: `${base}/sheet`,
      access: 'administrator',
      get: sheetPage,
      post: async (context, values) => {
        const job = await requireJob(admin, context);
        const response = await submitSheet(admin, context, job, values);
        return 'redirectTo' in response ? response : frame(context, job, response);
      },
    },
    { path: `${base}/replace`, access: 'administrator', get: toJob, post: replacePersonalData },
    { path: `${base}/survey`, access: 'administrator', get: toJob, post: decideSurvey },
    // It publishes data, which is at least as serious as issuing a key.
    { path: `${base}/confirm`, access: 'administrator', requiresRecentAuth: true, get: toJob, post: confirm },
    { path: `${base}/retry`, access: 'administrator', requiresRecentAuth: true, get: toJob, post: retry },
    { path: `${base}/cancel`, access: 'administrator', get: toJob, post: cancel },
  ];
}

function frame(context: TenantContext, job: ImportJob, { body, status = 200 }: JobContent): Page {
  const { text } = context;
  const words = text.importJobs;
  const name = job.sourceName ?? job.definition?.name ?? '';
  const title = job.step === 'undo' ? words.titleOfUndo(name) : words.title(describeInput(job));
  return {
    title,
    status,
    ...(isRunning(job) && isRefreshing(context) && { refreshSeconds }),
    body: html`${job.step === 'undo' ? '' : steps(context, job)}
${body}
${facts(context, job)}`,
  };
}

function steps({ text, query }: TenantContext, job: ImportJob): SafeHtml {
  const { label, file, settings, dryRun, result, isDone } = text.importJobs.steps;
  const isChanging = query.has('settings') && canChangeSettings(job);
  const stage = getJobStage(job);
  const current =
    job.step === 'detection'
      ? stage === 'settings'
        ? 1
        : 0
      : job.step === 'dry_run'
        ? isChanging
          ? 1
          : 2
        : 3;
  const index = stage === 'done' ? 4 : current;
  return stepList(label, [file, settings, dryRun, result], index, isDone);
}

function facts(
  context: TenantContext,
  { input, sourceName, definition, createdAt, createdBy }: ImportJob,
): SafeHtml {
  const { text, format, organization } = context;
  const words = text.importJobs.facts;
  const name = sourceName ?? definition?.name;
  return html`<section class="job-facts"><h2 class="hidden-text">${words.title}</h2>${descriptionList([
    input?.kind === 'upload' && [
      words.file,
      html`${userText(input.fileName)}, ${format.fileSize(input.bytes)}`,
    ],
    input?.kind === 'address' && [words.address, html`<span class="long-text">${userText(input.url)}</span>`],
    name !== undefined && [
      words.source,
      sourceName === null ? userText(name) : link(sourcePath(organization, sourceName), userText(name)),
    ],
    definition !== null && [words.format, text.importFormats[definition.format] ?? definition.format],
    [words.startedBy, html`${actorName(createdBy, context)}, ${format.time(createdAt)}`],
  ])}</section>`;
}

function decision(context: TenantContext, job: ImportJob): SafeHtml {
  const { text } = context;
  const words = text.dryRun;
  if (job.dryRun === null) throw notFound();
  const { counts } = job.dryRun;
  const isEmpty = counts.inserted + counts.changed + counts.unchanged + counts.removed === 0;
  const isUnchanged = !isEmpty && countRecordsToWrite(job.dryRun) === 0;
  const toDecision = paragraph(link('#decision', words.toDecision));
  const note = isEmpty
    ? alert('danger', words.nothingToImport)
    : alert('info', words.done, html`${isUnchanged ? paragraph(words.unchanged) : ''}${toDecision}`);
  const change = canChangeSettings(job)
    ? actionLink(`${jobPath(job)}?settings=1`, text.importJobs.changeSettings)
    : '';
  const confirmation = isEmpty ? '' : confirmForms(context, job);
  const actions = html`<div class="actions">${confirmation}${change}${cancelButton(context, job)}</div>`;
  return html`<div class="announcement" tabindex="-1" data-focus>${note}</div>
${surveyQuestion(context, job, job.dryRun)}
${dryRunReport(context, job, job.dryRun)}
<section class="decision" id="decision" tabindex="-1"><h2 class="kern-heading-medium">${words.question}</h2>
${isEmpty ? '' : paragraph(words.confirmHint)}
${actions}</section>`;
}

function surveyQuestion(context: TenantContext, job: ImportJob, { similarSurvey }: DryRunReport): SafeHtml {
  if (similarSurvey === null) return html``;
  const words = context.text.dryRun;
  const choice = (value: string, label: string) =>
    postForm(context, `${jobPath(job)}/survey`, label, 'secondary', { name: 'survey', value });
  return html`${alert('warning', words.similarSurvey(similarSurvey.title), paragraph(words.similarSurveyHint))}
<div class="actions">${choice('continues', words.continuesSurvey)}${choice('new', words.newSurvey)}</div>`;
}

/** Personal data that the import would publish although nobody has decided so. */
function listUndecided({ dryRun, definition }: ImportJob): { kind: RedactionKind; count: number }[] {
  const accepted = definition?.redaction.accepted ?? [];
  return redactionKinds.flatMap((kind) => {
    const found = dryRun?.personalData.find((finding) => finding.kind === kind && !finding.isRedacted);
    return found === undefined || found.count === 0 || accepted.includes(kind)
      ? []
      : [{ kind, count: found.count }];
  });
}

/** One button, or the question what to do with personal data. */
function confirmForms(context: TenantContext, job: ImportJob): SafeHtml {
  const { text, format } = context;
  const words = text.dryRun;
  const path = jobPath(job);
  const undecided = listUndecided(job);
  if (undecided.length === 0) return postForm(context, `${path}/confirm`, words.confirm, 'primary');
  const counts = undecided.map(({ kind, count }) => {
    const label = text.importSettings.personalData.kinds[kind]?.label ?? kind;
    return `${label}: ${format.number(count)}`;
  });
  return html`${alert('warning', words.undecided, html`${paragraph(counts.join(', '))}${paragraph(words.undecidedHint)}`)}
${postForm(context, `${path}/replace`, words.replaceFirst, 'primary')}
${postForm(context, `${path}/confirm`, words.publishAnyway, 'secondary', { name: 'personalData', value: 'publish' })}`;
}

/** A form with a single button. @param hidden a field that the user does not see */
function postForm(
  context: TenantContext,
  action: string,
  label: string,
  kind: 'primary' | 'secondary' | 'tertiary',
  hidden?: { name: string; value: string },
): SafeHtml {
  const input = hidden && html`<input type="hidden" name="${hidden.name}" value="${hidden.value}">`;
  return html`<form method="post" action="${action}">${csrfField(context)}${input ?? ''}${button(label, kind)}</form>`;
}

const cancelButton = (context: TenantContext, job: ImportJob): SafeHtml =>
  postForm(context, `${jobPath(job)}/cancel`, context.text.importJobs.cancel, 'tertiary');

const cancelForm = (context: TenantContext, job: ImportJob): SafeHtml =>
  html`<div class="actions">${cancelButton(context, job)}</div>`;

function cancelledNote(context: TenantContext, job: ImportJob): SafeHtml {
  const { cancelled, cancelledHint, cancelledDuringImport, again } = context.text.importJobs;
  const hint = job.runId === null || job.step === 'undo' ? cancelledHint : cancelledDuringImport;
  return html`<div class="announcement" tabindex="-1" data-focus>${alert('info', cancelled, paragraph(hint))}</div>
<div class="actions">${actionLink(startPath(context, job), again)}</div>`;
}

function failureNote(context: TenantContext, job: ImportJob): SafeHtml {
  const { text } = context;
  const words = text.importJobs;
  const message = job.failure && html`<p class="kern-body">${userText(reasonText(context, job.failure))}</p>`;
  const isFetch = job.step === 'detection' && job.input?.kind === 'address';
  const note = alert(
    'danger',
    words.failures[job.step],
    html`${paragraph(isFetch ? words.addressFailureHint : words.failureHints[job.step])}${paragraph(words.failureMessage)}${message ?? ''}`,
  );
  const hasInput = job.fileExpiresAt !== null || job.input?.kind === 'address';
  const mayRetry = job.step !== 'undo' && hasInput;
  return html`<div class="announcement" tabindex="-1" data-focus>${note}</div>
<div class="actions">${canChangeSettings(job) ? actionLink(`${jobPath(job)}?settings=1`, words.changeSettings, 'primary') : ''}
${mayRetry ? postForm(context, `${jobPath(job)}/retry`, words.retry, 'secondary') : ''}
${job.step === 'undo' ? '' : actionLink(startPath(context, job), words.again)}
${hasInput ? cancelButton(context, job) : ''}</div>`;
}

/** The start of another import of the same source. */
function startPath(context: TenantContext, { sourceName }: ImportJob): string {
  const path = `${importPath(context)}/new`;
  return sourceName === null
    ? path
    : `${path}?${new URLSearchParams({ source: toSourceChoice(sourceName) })}`;
}
