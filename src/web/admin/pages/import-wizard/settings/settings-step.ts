/** The step of an import that asks for the settings: format, mapping, options, redaction. */

import type { QueuedRun } from '../../../../../domain/runs/run-queue.ts';
import { maxSourceNameLength, type SourceDefinition } from '../../../../../domain/sources/import-source.ts';
import type { SuggestedMapping } from '../../../../../domain/sources/suggested-mapping.ts';
import { findFormat, formats } from '../../../../../ingest/formats/format-registry.ts';
import { isPresetName } from '../../../../../ingest/presets/presets.ts';
import {
  actionButton,
  alert,
  button,
  errorSummary,
  link,
  paragraph,
  userText,
} from '../../../../ui/components.ts';
import { folded } from '../../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../../ui/html.ts';
import type { AdminContext } from '../../../admin-context.ts';
import { csrfField, hiddenFields } from '../../../forms/forms.ts';
import { continueImport } from '../../../queue-import-steps.ts';
import { currentActor, may, requirePermission, type TenantContext } from '../../../requests/page-context.ts';
import type { Redirect } from '../../../requests/response-types.ts';
import { help } from '../../../ui/help.ts';
import { reasonText } from '../../../ui/reason-text.ts';
import { sourcePath } from '../../sources/source-path.ts';
import {
  canChangeSettings,
  canChooseSheet,
  canExamineAgain,
  type RunContent,
  stepsPath,
} from '../run-stage.ts';
import { sheetPath } from '../sheet-step.ts';
import { settingsFields } from './settings-form.ts';
import {
  draftSettings,
  keepEntries,
  openSettings,
  parseMapping,
  readSettings,
  type Settings,
  toDefinition,
  writeMapping,
} from './settings-values.ts';

/** The format that the user has chosen, or else the best one; undefined if none fits. */
function chooseFormat({ query }: TenantContext, { definition, detection }: QueuedRun): string | undefined {
  const wanted = query.get('format') ?? '';
  if (formats.some(({ name }) => name === wanted)) return wanted;
  return (definition ?? detection?.entered?.definition)?.format ?? detection?.formats[0]?.format;
}

const findSuggestion = ({ detection }: QueuedRun, format: string): SuggestedMapping | undefined =>
  format === 'table' ? (detection?.suggestion ?? undefined) : undefined;

/** A new source whose runs fetch from an endpoint, without a dry run. */
function isNewEndpoint({ sourceName, detection }: QueuedRun, format: string): boolean {
  const system = detection?.address?.system ?? null;
  return sourceName === null && system === format && !isPresetName(system);
}

function initialSettings(run: QueuedRun, format: string): Settings {
  const suggestion = findSuggestion(run, format);
  if (run.definition !== null && run.definition.format === format)
    return openSettings(run.definition, suggestion);
  const { headerRow = null, sheets, entered } = run.detection ?? {};
  if (entered?.definition.format === format && suggestion !== undefined)
    return keepEntries(entered, suggestion).settings;
  const { kind, chosen } = sheets ?? {};
  const sheet = kind === 'sheet' ? (chosen ?? undefined) : undefined;
  return draftSettings(run.definition?.name ?? proposeName(run), format, suggestion, { sheet, headerRow });
}

/** The name of the table, or of the file without its extension. */
function proposeName({ input, detection }: QueuedRun): string {
  if (input === null) return '';
  const { hostname } = input.kind === 'upload' ? { hostname: input.fileName } : new URL(input.url);
  const name = detection?.address?.table ?? hostname;
  return name.replace(/(\.[A-Za-z0-9]{1,8}){1,2}$/, '').slice(0, maxSourceNameLength);
}

export async function settingsContent(context: TenantContext, run: QueuedRun): Promise<RunContent> {
  const format = chooseFormat(context, run);
  if (format === undefined) return { body: unknownFormat(context, run) };
  const stored = initialSettings(run, format);
  if (!context.isReopened) return renderSettings(context, run, stored);
  const { settings } = readSettings(context, context.query, stored, findSuggestion(run, format));
  return renderSettings(context, run, settings, context.query);
}

/** What became of the entries after the user has chosen another row of headings. */
function describeEntries({ text }: TenantContext, run: QueuedRun, format: string): SafeHtml {
  const { entered, headerRow = null } = run.detection ?? {};
  const suggestion = findSuggestion(run, format);
  if (entered === undefined || suggestion === undefined) return html``;
  const { readAgain, readAgainAsFound, entriesKept, entriesDrafted } = text.importSettings.mapping;
  const { lost } = keepEntries(entered, suggestion);
  const list = lost.map((name) => text.submissionFields[name].label).join(', ');
  const title = headerRow === null ? readAgainAsFound : readAgain(String(headerRow));
  return alert('info', title, paragraph(list === '' ? entriesKept : entriesDrafted(list)));
}

function unknownFormat(context: TenantContext, run: QueuedRun): SafeHtml {
  const { notDetected, notDetectedHint, chooseFormat } = context.text.importSettings;
  return html`${alert('warning', notDetected, paragraph(notDetectedHint))}
<h2 class="kern-heading-medium">${chooseFormat}</h2>${formatLinks(context, run, undefined)}`;
}

function formatLinks(context: TenantContext, run: QueuedRun, chosen: string | undefined): SafeHtml {
  const { text } = context;
  const detected = run.detection?.formats ?? [];
  const items = formats.map(({ name: format }) => {
    const found = detected.find((one) => one.format === format);
    const reason =
      found === undefined
        ? ''
        : html` <span class="kern-hint">${text.importSettings.fits}: ${userText(reasonText(context, found.reason))}</span>`;
    const address = `${stepsPath(run)}?${new URLSearchParams({ settings: '1', format })}`;
    const name = text.importFormats[format] ?? format;
    return html`<li>${format === chosen ? html`<strong>${name}</strong>` : link(address, name)}${reason}</li>`;
  });
  return html`<ul class="kern-list format-list kern-body">${items}</ul>`;
}

async function renderSettings(
  context: TenantContext,
  run: QueuedRun,
  settings: Settings,
  entered?: URLSearchParams,
  errors: Record<string, string> = {},
): Promise<RunContent> {
  const { text } = context;
  const words = text.importSettings;
  const isNewSource = run.sourceName === null;
  const suggestion = findSuggestion(run, settings.format);
  const isText = settings.format === 'table' && settings.mapping === undefined;
  const fields = await settingsFields(context, {
    settings,
    suggestion,
    isNewSource,
    hasAddress: run.input?.kind === 'address' && !isNewEndpoint(run, settings.format),
    entered,
    errors,
  });
  const switchMode =
    settings.format === 'table' && suggestion !== undefined
      ? actionButton(
          isText ? 'form' : 'text',
          isText ? words.mapping.asForm : words.mapping.asText,
          'tertiary',
        )
      : '';
  const update = suggestion === undefined || isText ? '' : actionButton('update', words.update, 'secondary');
  const place = { settings: '1', format: settings.format };
  const isEndpoint = isNewEndpoint(run, settings.format);
  const isRefused = isEndpoint && !may(context, 'publish');
  const body = html`${errorSummary(context, errors)}
${isEndpoint ? alert('info', words.endpoint, paragraph(words.endpointHint)) : html`${paragraph(settings.format === 'table' ? words.intro : words.introOfFormat)}${settings.format === 'table' ? help(context, 'settings') : ''}`}
${detectedFormat(context, run, settings.format)}
${entered === undefined ? describeEntries(context, run, settings.format) : ''}
<form method="post" action="${stepsPath(run)}?${new URLSearchParams(place).toString()}" enctype="multipart/form-data" class="page-form settings-form" novalidate>
${csrfField(context)}${hiddenFields(Object.entries(place))}
${fields}
${isRefused ? alert('info', text.dryRun.cannotPublish) : ''}
<div class="actions sticky-actions">${isRefused ? '' : actionButton('dry-run', isEndpoint ? words.saveEndpoint : words.submit, 'primary')}${update}</div>
<div class="actions">${switchMode}${button(text.importSteps.cancel, 'tertiary', 'cancel')}</div>
</form>
<form method="post" action="${stepsPath(run)}/cancel" id="cancel">${csrfField(context)}</form>`;
  return { body, status: Object.keys(errors).length > 0 ? 422 : 200 };
}

function detectedFormat(context: TenantContext, run: QueuedRun, format: string): SafeHtml {
  const { text } = context;
  const words = text.importSettings;
  const name = text.importFormats[format] ?? format;
  const { formats = [], files = [], sheets = null, address } = run.detection ?? {};
  const { chosen, chooseOther } = text.importSheet[sheets?.kind ?? 'sheet'];
  const otherSheet = canChooseSheet(run) ? html` ${link(sheetPath(run), chooseOther)}` : '';
  const reason = formats.find((one) => one.format === format)?.reason;
  // A table needs a mapping, which the form shows.
  const isExplained = reason !== undefined && format !== 'table';
  const title = reason === undefined ? words.chosen(name) : words.detected(name);
  // The ids of the records of a source depend on its format.
  const others = run.sourceName === null ? folded(words.otherFormat, formatLinks(context, run, format)) : '';
  return html`<div class="detected-format">
<p class="kern-body"><strong>${title}</strong>${isExplained ? html` <span class="kern-hint">${words.detectedReason} ${userText(reasonText(context, reason))}</span>` : ''}</p>
${address == null || address.total === null ? '' : paragraph(text.importSteps.recordsOfServer(context.format.number(address.total)))}
${sheets === null ? '' : html`<p class="kern-body">${chosen} ${userText(sheets.chosen ?? '')}${otherSheet}</p>`}
${files.length > 1 ? folded(`${words.files}: ${context.format.number(files.length)}`, paragraph(userText(files.join(', ')))) : ''}
${others}</div>`;
}

/** Shows the form again, or starts the dry run. */
export async function submitSettings(
  admin: AdminContext,
  context: TenantContext,
  run: QueuedRun,
  values: URLSearchParams,
): Promise<RunContent | Redirect> {
  const { text, organization } = context;
  const format = chooseFormat(context, run);
  if (format === undefined || !canChangeSettings(run)) return { redirectTo: stepsPath(run) };
  const suggestion = findSuggestion(run, format);
  const { settings, errors } = readSettings(context, values, initialSettings(run, format), suggestion);
  const action = values.get('action');
  const headerRow = Number(settings.options.headerRow) || null;
  const { detection } = run;
  const isOtherRow = suggestion !== undefined && headerRow !== (detection?.headerRow ?? null);
  const isReadable = Object.keys(errors).every((name) => name !== 'mapping' && !name.startsWith('option.'));
  if (detection !== null && isOtherRow && canExamineAgain(run) && isReadable) {
    const entered = { definition: composeDefinition(run, settings), draft: suggestion.mapping };
    await continueImport(admin, context, run, 'detection', {
      detection: { ...detection, headerRow, entered },
    });
    return { redirectTo: stepsPath(run) };
  }
  if (action === 'text' && settings.mapping !== undefined)
    return renderSettings(context, run, {
      ...settings,
      mapping: undefined,
      options: { ...settings.options, mapping: writeMapping(settings.mapping) },
    });
  if (action === 'form' && errors.mapping === undefined) {
    const mapping = parseMapping(settings.options.mapping ?? '');
    if (mapping !== undefined) return renderSettings(context, run, { ...settings, mapping });
    errors.mapping ??= text.importSettings.mapping.errors.yamlShape;
  }
  if (action === 'update') return renderSettings(context, run, settings, values);
  if (run.sourceName === null && errors.name === undefined) {
    const taken = await admin.store.findSource({ organizationId: organization.id, name: settings.name });
    if (taken !== undefined) errors.name = text.importSettings.errors.sourceTaken(settings.name);
  }
  if (Object.keys(errors).length > 0) return renderSettings(context, run, settings, values, errors);
  const definition = composeDefinition(run, settings);
  if (isNewEndpoint(run, format)) {
    // Its runs publish without a dry run.
    requirePermission(context, 'publish');
    await admin.store.addSource(organization.id, definition, currentActor(context));
    await admin.store.cancelRun(run, currentActor(context));
    return { redirectTo: `${sourcePath(organization, definition.name)}?saved=1` };
  }
  await continueImport(admin, context, run, 'dry_run', { definition });
  return { redirectTo: stepsPath(run) };
}

function composeDefinition(run: QueuedRun, settings: Settings): SourceDefinition {
  const { input, detection } = run;
  const found = input?.kind === 'address' ? detection?.address : undefined;
  const url = input?.kind === 'address' ? (found?.url ?? input.url) : (run.definition?.url ?? null);
  const present = toDefinition(settings, url, run.definition);
  const definition = found?.isPermitted
    ? { ...present, options: { ...present.options, mayRepublish: 'true' } }
    : present;
  if (isNewEndpoint(run, settings.format)) return { ...definition, maxDeletedPercent: null };
  const system = found?.system ?? null;
  // The dry run reports a system whose data has another format.
  const takesSystem = findFormat(settings.format).endpointOptions?.system !== undefined;
  return system !== null && isPresetName(system) && takesSystem
    ? { ...definition, options: { ...definition.options, system } }
    : definition;
}
