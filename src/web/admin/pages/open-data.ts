/** Open data of a municipality: what everyone would read without a key, and the switch. */

import { dataPackageName, tablesByKind, toCsvName } from '../../../contract/dataset/tables.ts';
import { parseSlug, suggestSlug } from '../../../domain/organizations/open-data.ts';
import type { OrganizationChanges } from '../../../domain/organizations/organization-fields.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import {
  actionButton,
  announcement,
  badge,
  descriptionList,
  errorSummary,
  field,
  fieldError,
  link,
  longText,
  numeric,
  paragraph,
  section,
  table,
  userText,
} from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { checkbox } from '../forms/checkbox.ts';
import { form } from '../forms/forms.ts';
import { currentActor, may, type TenantContext } from '../requests/page-context.ts';
import {
  type AdminResponse,
  FormError,
  type FormErrors,
  type FormState,
  type Page,
} from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { askNote, publishLabel, waitingNote } from '../ui/approval-note.ts';
import { nameSource } from '../ui/data-browser.ts';
import { help } from '../ui/help.ts';
import { openDataPath } from '../ui/navigation.ts';
import { publishOrAsk } from './approvals/publishing-actions.ts';
import {
  enterChosenLicense,
  isOtherLicenseMissing,
  licenseFields,
  showLicenseErrors,
} from './license-choice.ts';
import { settingsPath } from './logo-section.ts';
import { parseField, renderField } from './organization-settings.ts';
import { publishedFigures } from './published-figures.ts';
import { redactionTermsPath } from './redaction-terms.ts';
import { sourcePath } from './sources/source-path.ts';

export function openDataRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function openDataPage(context: TenantContext, { values: entered, errors }: FormState): Promise<Page> {
    const { text, query } = context;
    const { openData } = context.organization;
    const words = text.openData;
    enterChosenLicense(entered);
    const done = (['on', 'off', 'saved'] as const).find((name) => query.has(name));
    const isRejected = Object.keys(errors).length > 0;
    const chosen = choosesLicense(context) ? enteredLicense(entered) : undefined;
    const shown = chosen ? showLicenseErrors(entered, chosen, errors) : errors;
    const body = html`${done === undefined || isRejected ? '' : announcement(words.done[done])}
${errorSummary(context, shown)}
${paragraph(words.intro)}
${help(context, 'openData')}
${facts(context, errors.license)}
${section(words.published[openData], html`${paragraph(words.publishedHint)}${await publishedFigures(admin, context)}`)}
${section(text.importSettings.personalData.title, await personalData(admin, context))}
${section(words.switch[openData], html`${await waitingNote(store, context, ['open_data'], '')}${await publishNote(context)}${switchForm(context, entered, chosen, shown)}`)}`;
    return {
      title: words.title,
      body,
      parents: [{ path: settingsPath(context), name: text.organizationSettings.title }],
    };
  }

  /** Of what is public already, only the index for search engines can still be published. */
  async function publishNote(context: TenantContext): Promise<SafeHtml | string> {
    const { text, organization } = context;
    if (organization.openData === 'off') return askNote(store, context);
    const hint = text.approvals.askSaveHint(text.organizationSettings.labels.openDataIndex);
    return organization.openDataIndex === 'on' ? '' : askNote(store, context, 'publish', hint);
  }

  async function submit(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { organization } = context;
    const action = entered.get('action');
    const path = openDataPath(context);
    if (action === 'off') {
      await store.editOrganization(organization.id, { openData: 'off' }, currentActor(context));
      return { redirectTo: `${path}?off` };
    }
    const { errors } = context.text.openData;
    const slug = parseSlug((entered.get('slug') ?? '').trim());
    const isSwitchedOn = action === 'on';
    const license = isSwitchedOn && choosesLicense(context) ? readChosenLicense(context, entered) : undefined;
    const lacksLicense = isSwitchedOn && organization.license === null && license === undefined;
    const problems = {
      ...(lacksLicense && { license: errors.license }),
      ...license?.problems,
      ...(slug === undefined && { slug: errors.slug }),
    };
    if (Object.keys(problems).length > 0) throw new FormError(problems);
    const changes: OrganizationChanges = {
      slug: slug as string,
      openDataIndex: entered.has('index') ? 'on' : 'off',
      ...(isSwitchedOn && { openData: 'on' }),
      ...license?.changes,
    };
    const isPublishing = isSwitchedOn || (entered.has('index') && organization.openDataIndex !== 'on');
    try {
      if (isPublishing) return await publishOrAsk(admin, context, 'open_data', '', changes);
      await store.editOrganization(organization.id, changes, currentActor(context));
    } catch (error) {
      const current = await store.findOrganization(organization.id);
      if (!(error instanceof StoreConflictError) || current === undefined) throw error;
      const isUnlicensed = isSwitchedOn && current.license === null && license === undefined;
      throw new FormError(isUnlicensed ? { license: errors.license } : { slug: errors.taken });
    }
    return { redirectTo: `${path}?saved` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/open-data',
      access: 'publish',
      requiresRecentAuth: true,
      get: openDataPage,
      post: submit,
    },
  ];
}

/** What the last import of each source found. */
async function personalData({ store }: AdminContext, context: TenantContext): Promise<SafeHtml> {
  const { text, format, organization } = context;
  const words = text.openData;
  const sources = await store.listUsedSources(organization.id);
  const defined = new Set((await store.listSources(organization.id)).map(({ name }) => name));
  const rows = sources.flatMap((source) => {
    const name = longText(nameSource(source));
    const shown = defined.has(source.name) ? link(sourcePath(organization, source.name), name) : name;
    if (source.personalData === null) return [[shown, '–', '–', words.unknown]];
    if (source.personalData.length === 0) return [[shown, words.noneFound, format.number(0), '–']];
    return source.personalData.map(({ kind, count, isRedacted }) => [
      shown,
      longText(text.importSettings.personalData.kinds[kind]?.label ?? kind),
      format.number(count),
      isRedacted ? text.dryRun.replaced : text.dryRun.published,
    ]);
  });
  const columns = [
    text.imports.source,
    text.dryRun.personalDataKind,
    numeric(text.dryRun.personalDataCount),
    text.dryRun.personalDataReplaced,
  ];
  const found =
    rows.length === 0
      ? paragraph(words.noImports)
      : table(text.importSettings.personalData.title, columns, rows, { cards: '' });
  const { namesNotDetected } = text.importSettings.personalData;
  return html`${paragraph(`${words.personalDataHint} ${namesNotDetected}`)}${found}
${paragraph(link(redactionTermsPath(context), text.redactionTerms.title))}`;
}

/** @param licenseError why open data cannot be on */
function facts(context: TenantContext, licenseError: string | undefined): SafeHtml {
  const { text, organization, publicUrl } = context;
  const { openData, slug } = organization;
  const words = text.openData;
  return descriptionList([
    [
      text.terms.status,
      badge(openData === 'on' ? 'success' : 'info', text.organizationSettings.openDataStates[openData]),
    ],
    openData === 'on' && [
      words.page,
      link(`${publicUrl}/open/${slug}`, longText(`${publicUrl}/open/${slug}`)),
    ],
    openData === 'on' && [words.files, fileLinks(`${publicUrl}/open/${slug}/`)],
    [words.license, license(context, licenseError)],
  ]);
}

function fileLinks(address: string): SafeHtml {
  const names = [...Object.values(tablesByKind).flat().map(toCsvName), dataPackageName];
  return html`<span class="long-text">${address}</span><ul>${names.map((name) => html`<li>${link(address + name, name)}</li>`)}</ul>`;
}

function license(context: TenantContext, error: string | undefined): SafeHtml {
  const { organization, text } = context;
  const words = text.openData;
  const { license } = organization;
  const name =
    license === null
      ? text.organizationSettings.licenseChoice.none
      : license.url === null
        ? userText(license.name ?? '')
        : link(license.url, userText(license.name ?? license.url));
  // The form has the field.
  if (choosesLicense(context)) return html`${name}`;
  const edit = link(settingsPath(context), license === null ? words.chooseLicense : words.changeLicense);
  return html`<div class="long-text" id="license" tabindex="-1"><div>${name}</div><div>${edit}</div>${error ? fieldError('license', error) : ''}</div>`;
}

/** Switching open data on needs a licence. People who may change the settings choose it in the same form. */
const choosesLicense = (context: TenantContext): boolean =>
  context.organization.license === null && may(context, 'accounts');

const licenseFieldNames = ['licenseName', 'licenseUrl'] as const;

/** @returns undefined if none is chosen */
function readChosenLicense(
  { text }: TenantContext,
  entered: URLSearchParams,
): { changes: OrganizationChanges; problems: FormErrors } | undefined {
  const { errors, licenseChoice } = text.organizationSettings;
  enterChosenLicense(entered);
  if (isOtherLicenseMissing(entered))
    return { changes: {}, problems: { licenseName: licenseChoice.missing } };
  const given = licenseFieldNames.filter((name) => (entered.get(name) ?? '') !== '');
  if (given.length === 0) return undefined;
  const parsed = given.map((name) => [name, parseField(name, entered.get(name) ?? '')] as const);
  return {
    changes: Object.fromEntries(parsed),
    problems: Object.fromEntries(
      parsed.filter(([, value]) => value === undefined).map(([name]) => [name, errors[name]]),
    ),
  };
}

const enteredLicense = (entered: URLSearchParams) => ({
  licenseName: entered.get('licenseName') ?? '',
  licenseUrl: entered.get('licenseUrl') ?? '',
});

type ChosenLicense = ReturnType<typeof enteredLicense>;

function licenseChoice(
  context: TenantContext,
  entered: URLSearchParams,
  chosen: ChosenLicense,
  errors: FormErrors,
): SafeHtml {
  const own = licenseFieldNames.map((name) =>
    renderField(context, name, chosen[name], errors[name], undefined),
  );
  return licenseFields(context, entered, chosen, errors, own);
}

/** @param chosen undefined: the form has no licence */
function switchForm(
  context: TenantContext,
  entered: URLSearchParams,
  chosen: ChosenLicense | undefined,
  errors: FormErrors,
): SafeHtml {
  const { text, organization, publicUrl } = context;
  const words = text.openData;
  const buttons =
    organization.openData === 'on'
      ? html`${actionButton('save', words.save, 'secondary')}${actionButton('off', words.switchOff, 'secondary')}`
      : actionButton('on', publishLabel(context, words.switchOn), 'primary');
  const content = html`${chosen ? licenseChoice(context, entered, chosen, errors) : ''}${field({
    name: 'slug',
    label: text.organizationSettings.labels.slug,
    hint: words.slugHint(`${publicUrl}/open/`),
    value: entered.get('slug') ?? organization.slug ?? suggestSlug(organization.name),
    error: errors.slug,
    autocomplete: 'off',
    attributes: html` spellcheck="false" autocapitalize="none"`,
  })}
${checkbox({
  name: 'index',
  label: text.organizationSettings.labels.openDataIndex,
  hint: words.indexHint,
  isChecked: entered.has('slug') ? entered.has('index') : organization.openDataIndex === 'on',
})}
<div class="actions">${buttons}</div>`;
  return form(context, content, {}, { action: openDataPath(context) });
}
