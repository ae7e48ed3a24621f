/** The start of an import: a file or an address, of a stored source or a new one. */

import { type DetectionReport, emptyDetection } from '../../../../domain/runs/run-queue.ts';
import type { UploadProblem } from '../../../../domain/runs/upload-storage.ts';
import {
  endpointFormat,
  maxSourceUrlLength,
  pickDefinition,
  type SourceDefinition,
} from '../../../../domain/sources/import-source.ts';
import { findRestrictedHost } from '../../../../domain/sources/portals-that-forbid-republishing.ts';
import { StoreConflictError } from '../../../../domain/store-errors.ts';
import type { commonOptions } from '../../../../ingest/format-options.ts';
import { isPresetName, presetNames, presets } from '../../../../ingest/presets/presets.ts';
import { findCollection, findKeyParameter, findRequest } from '../../../../ingest/presets/resolve-address.ts';
import {
  actionLink,
  alert,
  button,
  errorSummary,
  field,
  link,
  paragraph,
  select,
} from '../../../ui/components.ts';
import { folded } from '../../../ui/folded-content.ts';
import { html, type SafeHtml } from '../../../ui/html.ts';
import type { AdminContext } from '../../admin-context.ts';
import { checkbox } from '../../forms/checkbox.ts';
import { fileField } from '../../forms/file-field.ts';
import { csrfField } from '../../forms/forms.ts';
import { startImport } from '../../queue-import-steps.ts';
import type { TenantContext } from '../../requests/page-context.ts';
import type { AdminResponse, Page } from '../../requests/response-types.ts';
import type { Route } from '../../route.ts';
import { help } from '../../ui/help.ts';
import { organizationPath } from '../../ui/navigation.ts';
import { reasonText } from '../../ui/reason-text.ts';
import { areTooMany, openRunsId, openRunsSection } from './open-runs.ts';
import { stepsPath } from './run-stage.ts';

const newSource = 'new';

export const toSourceChoice = (name: string): string => `source:${name}`;

export const importPath = ({ organization }: TenantContext) => `${organizationPath(organization)}/imports`;

export function startImportRoutes(admin: AdminContext): Route[] {
  const { store, uploads } = admin;

  async function startPage(
    context: TenantContext,
    values: URLSearchParams,
    errors: Record<string, string> = {},
  ): Promise<Page> {
    const { text, path, format } = context;
    const words = text.importSteps.start;
    const sources = await store.listSources(context.organization.id);
    const choices = sources.map(({ name }) => ({ value: toSourceChoice(name), text: name }));
    const isRejected = Object.keys(errors).length > 0;
    const open = await store.listOpenRuns(context.organization.id);
    const maxSize = format.fileSize(uploads.maxFileBytes);
    // The form has either field, so that it cannot have a file and an address.
    const isAddress = values.has('url');
    const data = isAddress
      ? html`${field({
          name: 'url',
          label: words.url,
          hint: words.urlHint,
          value: values.get('url') ?? '',
          error: errors.url,
          autocomplete: 'off',
          attributes: html` inputmode="url" spellcheck="false" maxlength="${maxSourceUrlLength}"`,
        })}
${permissionField(context, values.get('url') ?? '', values.has(permissionName))}
${select('system', words.system, systemChoices(context), values.get('system') ?? '', undefined, words.systemHint)}`
      : html`<input type="hidden" name="upload" value="1">${fileField({
          name: 'file',
          label: words.file,
          hint: words.fileHint(maxSize),
          error: errors.file,
          max: { bytes: uploads.maxFileBytes, error: words.errors.tooLarge(maxSize) },
        })}`;
    const source = values.get('source') ?? '';
    const others = new URLSearchParams({ ...(source !== '' && { source }), ...(!isAddress && { url: '' }) });
    // The server reads the file last. The browser checks that nothing is missing, because a rejected form loses its file.
    const fields = html`${csrfField(context)}
${
  sources.length === 0
    ? html`<input type="hidden" name="source" value="${newSource}">`
    : select(
        'source',
        words.sourceChoice,
        [{ value: '', text: words.chooseSource }, ...choices, { value: newSource, text: words.newSource }],
        source,
        errors.source,
        words.sourceHint,
        true,
      )
}
${data}
<div class="actions">${button(isAddress ? words.submitAddress : words.submit)} ${actionLink(importPath(context), text.form.cancel)}</div>
<p class="kern-body" role="status" data-uploading="${words.uploading}"></p>`;
    // The form returns here with its fields after the user has signed in again.
    const isExpired = context.query.has('upload') && !isRejected;
    const full = areTooMany(open)
      ? html`${isRejected ? '' : alert('warning', words.errors.tooMany)}${openRunsSection(context, open)}`
      : '';
    const body = html`${errorSummary(context, errors)}
${full}
${isExpired ? alert('info', words.expired) : ''}
<form method="post" action="${path}" enctype="multipart/form-data" class="page-form">${fields}</form>
${paragraph(link(`${path}?${others}#${isAddress ? 'file' : 'url'}`, isAddress ? words.fileInstead : words.addressInstead))}
${paragraph(words.intro)}
${help(context, 'importFile')}
${folded(words.whatIsSource, paragraph(words.sourceIntro))}`;
    return { title: text.importSteps.importFile, body, status: isRejected ? 422 : 200 };
  }

  async function start(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text, organization, upload } = context;
    const words = text.importSteps.start.errors;
    const url = values.get('url')?.trim();
    const choice = values.get('source') ?? '';
    if (choice === '') return startPage(context, values, { source: words.sourceMissing });
    const name = choice.replace(/^source:/, '');
    const source =
      choice === newSource ? undefined : await store.findSource({ organizationId: organization.id, name });
    if (choice !== newSource && source === undefined)
      return startPage(context, values, { source: words.sourceUnknown });
    if (url === undefined && upload === undefined) return startPage(context, values, { file: words.nothing });
    if (url !== undefined && !isHttpsUrl(url)) return startPage(context, values, { url: words.url });
    if (url !== undefined && hasCredentials(url))
      return startPage(context, values, { url: words.urlWithPassword });
    const options = addPermission(source?.options ?? { system: values.get('system') ?? '' }, values);
    const input = url === undefined ? undefined : readAddress(context, url, { name: source?.name, options });
    if (input !== undefined && 'error' in input) return startPage(context, values, { url: input.error });
    try {
      const started = await startImport(admin, context, {
        address: input && { kind: 'address', url: input.url },
        definition: source === undefined ? null : { ...pickDefinition(source), options },
        detection: source === undefined ? input?.detection : undefined,
      });
      return 'run' in started
        ? { redirectTo: stepsPath(started.run) }
        : startPage(context, values, { file: describeProblem(context, started.problem) });
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      return startPage(context, values, { [openRunsId]: words.tooMany });
    }
  }

  function describeProblem({ text, format }: TenantContext, problem: UploadProblem): string {
    const { nothing, empty, tooLarge, noSpace, incomplete, unwritable } = text.importSteps.start.errors;
    return {
      missing: nothing,
      empty,
      too_large: tooLarge(format.fileSize(uploads.maxFileBytes)),
      disk_full: noSpace,
      incomplete,
      unwritable,
    }[problem];
  }

  return [
    {
      path: '/admin/organizations/:organizationId/imports/new',
      access: 'import',
      receivesUpload: true,
      get: (context) => {
        admin.expectStep();
        return startPage(context, context.query);
      },
      post: start,
    },
  ];
}

const permissionName = 'mayRepublish' satisfies keyof typeof commonOptions;

const systemChoices = ({ text }: TenantContext) => [
  { value: '', text: text.importSteps.start.systemOfAddress },
  ...presetNames.map((name) => ({ value: name, text: presets[name].title })),
  { value: endpointFormat, text: text.importFormats[endpointFormat] ?? endpointFormat },
];

type Options = SourceDefinition['options'];

/** The options with the permission that the user has confirmed. */
export const addPermission = (options: Options, values: URLSearchParams): Options =>
  values.has(permissionName) && findRestrictedHost(values.get('url')?.trim() ?? '') !== undefined
    ? { ...options, [permissionName]: 'true' }
    : options;

/** The confirmation that a restricted host permits to publish its data. */
export function permissionField({ text }: TenantContext, url: string, isChecked: boolean): SafeHtml | string {
  const words = text.importSettings.option[permissionName];
  if (findRestrictedHost(url) === undefined || typeof words?.hint !== 'string') return '';
  return checkbox({ name: permissionName, ...words, hint: words.hint, isChecked });
}

/**
 * Reads the address of a page of a system.
 *
 * @param source a stored one needs the address of the requests; a new one has the system that the user has chosen, if any
 */
export function readAddress(
  context: TenantContext,
  url: string,
  { name, options }: { name: string | undefined; options: Options },
): { error: string } | { url: string; detection?: DetectionReport } {
  const { system = '', mayRepublish } = options;
  const keyName = findKeyName(new URL(url));
  if (keyName !== undefined) return { error: context.text.importSteps.start.errors.urlWithKey(keyName) };
  const restricted = mayRepublish ? undefined : findRestrictedHost(url);
  if (restricted !== undefined)
    return { error: reasonText(context, { code: 'source-terms-forbid', ...restricted }) };
  const detection = describeChoice(url, options);
  if (!isPresetName(system)) return { url, ...(detection && { detection }) };
  const preset = presets[system];
  const address = new URL(url);
  const request = findRequest(preset, address);
  if (name === undefined && detection && (request ?? findCollection(preset, address)) !== undefined)
    return { url, detection };
  return request === undefined
    ? { error: reasonText(context, { code: 'live-address-unknown', system: preset.title, url }) }
    : { url: request.href };
}

function describeChoice(url: string, { system = '', mayRepublish }: Options): DetectionReport | undefined {
  const known = isPresetName(system) || system === endpointFormat ? system : null;
  if (known === null && !mayRepublish) return undefined;
  const address = { system: known, url, isPermitted: mayRepublish === 'true', total: null };
  return { ...emptyDetection, address };
}

/** @returns the name of a parameter that is the key of a portal: addresses are stored and shown */
const findKeyName = (address: URL): string | undefined =>
  presetNames.map((name) => findKeyParameter(presets[name], address)).find((name) => name !== undefined);

export function isHttpsUrl(text: string): boolean {
  return text.length <= maxSourceUrlLength && URL.canParse(text) && new URL(text).protocol === 'https:';
}

/** Addresses are stored, shown and recorded in the audit log. */
export function hasCredentials(url: string): boolean {
  const { username, password } = URL.parse(url) ?? { username: '', password: '' };
  return username !== '' || password !== '';
}
