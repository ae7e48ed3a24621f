/** Settings of a municipality, as `GET /organization` publishes them. */

import { maxLogoBytes, parseLogo } from '../../../domain/organizations/logo.ts';
import type { Organization } from '../../../domain/organizations/organization.ts';
import {
  getFieldValues,
  type OrganizationChanges,
  organizationFields,
} from '../../../domain/organizations/organization-fields.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import type { Messages } from '../../messages/en.ts';
import { deriveAccentShades, themeNames } from '../../ui/accent-color.ts';
import {
  actionLink,
  alert,
  announcement,
  button,
  type Choice,
  errorSummary,
  field,
  link,
  paragraph,
  section,
  select,
} from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { fillStored, findChangedFields, initialField } from '../forms/concurrent-edits.ts';
import { fieldGroup } from '../forms/field-group.ts';
import { form } from '../forms/forms.ts';
import {
  addChosen,
  listCountries,
  listLanguages,
  listTimeZones,
  nameLanguage,
  nameRegion,
} from '../forms/regional-choices.ts';
import { currentActor, may, type PageContext, type TenantContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormState, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { approvalSettingPath } from '../ui/approval-note.ts';
import { openDataPath } from '../ui/navigation.ts';
import {
  enterChosenLicense,
  isOtherLicenseMissing,
  licenseFields,
  namesFormerLicense,
  showLicenseErrors,
} from './license-choice.ts';
import { describePrecision, locationsPath } from './locations.ts';
import { describeInitial, logoSection, settingsPath } from './logo-section.ts';
import { redactionTermsPath } from './redaction-terms.ts';

/** The others have pages of their own. */
type FormField = keyof Messages['organizationSettings']['hints'];
type Values = Record<FormField, string>;

/** In the order of the form. */
export const groups = {
  municipality: ['name', 'timeZone', 'language', 'country'],
  license: ['licenseName', 'licenseUrl', 'attribution'],
  contact: ['contactName', 'contactEmail', 'contactUrl'],
  publicPages: ['accentColor'],
} as const satisfies Record<string, FormField[]>;

const fields: readonly FormField[] = Object.values(groups).flat();

const readStored = (organization: Organization): Values => {
  const values = getFieldValues(organization);
  return Object.fromEntries(fields.map((name) => [name, values[name] ?? ''])) as Values;
};

/** @param logoError why a new logo was rejected */
async function settingsPage(
  admin: AdminContext,
  context: TenantContext,
  formState: FormState,
  logoError?: string,
): Promise<Page> {
  const { text, query, organization } = context;
  const { title, intro, saved, savedWithoutLicense } = text.organizationSettings;
  const { values: entered, errors } = formState;
  const isRejected = Object.keys(errors).length > 0 || logoError !== undefined;
  enterChosenLicense(entered);
  const stored = fillStored(readStored(organization), entered);
  const body = html`${query.has('saved') && !isRejected ? announcement(query.get('saved') === 'open-data-off' ? savedWithoutLicense : saved) : ''}
${logoError === undefined ? '' : errorSummary(context, { logo: logoError })}
${isRejected ? '' : unsavedNote(context, stored.values)}
${
  may(context, 'accounts')
    ? html`${paragraph(intro)}
${await settingsForm(admin, context, formState, stored)}
${logoSection(context, logoError)}`
    : ''
}
${may(context, 'publish') ? publicationSections(context) : ''}
${may(context, 'accounts') ? section(text.approvals.setting.title, html`${paragraph(text.approvals.setting.status[organization.approval])}${actionLink(approvalSettingPath(context), text.approvals.setting.open)}`) : ''}`;
  return { title, body };
}

/** Settings of the publication, each with a page of its own. */
const publicationSections = (context: TenantContext): SafeHtml => {
  const { text, organization } = context;
  return html`${section(text.openData.title, html`${paragraph(text.openData.status[organization.openData])}${actionLink(openDataPath(context), text.openData.open)}`)}
${section(text.redactionTerms.title, html`${paragraph(text.redactionTerms.intro)}${actionLink(redactionTermsPath(context), text.redactionTerms.open)}`)}
${section(text.locations.title, html`${paragraph(`${text.locations.precisions[describePrecision(organization)].text}.`)}${actionLink(locationsPath(context), text.locations.open)}`)}`;
};

async function settingsForm(
  admin: AdminContext,
  context: TenantContext,
  { values: entered, errors: formErrors }: FormState,
  { values, initial }: { values: Values; initial: Values },
): Promise<SafeHtml> {
  const errors = showLicenseErrors(entered, values, formErrors);
  const { groups: titles } = context.text.organizationSettings;
  const choices = await listChoices(admin, context);
  const render = (names: readonly FormField[]) =>
    names.map((name) => renderField(context, name, values[name], errors[name], choices[name]));
  const [name, url, ...beside] = groups.license;
  const license = licenseFields(context, entered, values, errors, render([name, url]));
  const fieldGroups = [
    fieldGroup(titles.municipality, render(groups.municipality)),
    fieldGroup(titles.license, [license, ...render(beside)]),
    fieldGroup(titles.contact, render(groups.contact)),
    fieldGroup(titles.publicPages, [...render(groups.publicPages), accentPreview(context)]),
  ];
  const content = html`${fields.map((name) => initialField(name, initial[name]))}
${fieldGroups}
<div class="actions">${button(context.text.form.save)}</div>`;
  return form(context, content, errors, { action: settingsPath(context) });
}

/** The shades of the stored colour, as pages show them. */
function accentPreview({ text, organization: { accentColor: color } }: TenantContext): SafeHtml {
  if (color === null) return html``;
  const words = text.organizationSettings.accentPreview;
  const samples = themeNames.map((theme) => {
    const { bar, text: ofText } = deriveAccentShades(color, theme);
    const background = theme === 'light' ? '#ffffff' : '#000000';
    return html`<figure class="logo-figure"><svg width="160" height="64" aria-hidden="true"><rect width="160" height="64" fill="${background}"/><rect width="160" height="6" fill="${bar}"/><text x="12" y="42" font-size="18" fill="${ofText}">${words.sample}</text></svg>
<figcaption class="kern-body kern-body--small">${words[theme]}: ${ofText === color ? words.unchanged : words.changed(ofText)}</figcaption></figure>`;
  });
  return html`<div class="accent-previews">${samples}</div>`;
}

/** Of the fields with a list. */
export async function listChoices(
  { country, language }: AdminContext,
  context: PageContext,
): Promise<Partial<Record<FormField, readonly Choice[]>>> {
  const { ofInstallation } = context.text.organizationSettings;
  const ofLanguage = { value: '', text: ofInstallation(nameLanguage(language, context)) };
  const ofCountry = { value: '', text: ofInstallation(nameRegion(country, context)) };
  return {
    timeZone: await listTimeZones(context),
    language: [ofLanguage, ...listLanguages(context)],
    country: [ofCountry, ...(await listCountries(context))],
  };
}

/** Values from a URL look like stored values otherwise. */
function unsavedNote(context: TenantContext, values: Values): SafeHtml {
  const { labels, unsaved, unsavedFields, discard } = context.text.organizationSettings;
  const stored = readStored(context.organization);
  const changed = fields.filter((name) => values[name] !== stored[name]);
  if (changed.length === 0) return html``;
  const names = changed.map((name) => labels[name]).join(', ');
  return alert(
    'info',
    unsaved,
    html`${paragraph(unsavedFields(names))}${paragraph(link(settingsPath(context), discard))}`,
  );
}

export function renderField(
  { text }: PageContext,
  name: FormField,
  value: string,
  error: string | undefined,
  choices: readonly Choice[] | undefined,
): SafeHtml {
  const { labels, hints } = text.organizationSettings;
  const [label, hint] = [labels[name], hints[name]];
  if (choices) return select(name, label, addChosen(choices, value), value, error, hint);
  return field({
    name,
    label,
    hint,
    value,
    error,
    type: name === 'contactEmail' ? 'email' : 'text',
    // Another licence needs a name.
    ...(!organizationFields.isRequired(name) && name !== 'licenseName' && { optional: text.form.optional }),
    autocomplete: 'off',
  });
}

/** @returns undefined for an invalid text */
export const parseField = (name: FormField, value: string) =>
  value === '' && !organizationFields.isRequired(name)
    ? null
    : organizationFields.declared[name].parse(value);

export function organizationSettingsRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function save(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { text, organization } = context;
    const { changedMeanwhile, errors, labels, nameTaken, licenseChoice } = text.organizationSettings;
    enterChosenLicense(entered);
    if (isOtherLicenseMissing(entered)) throw new FormError({ licenseName: licenseChoice.missing });
    const stored = readStored(organization);
    if (namesFormerLicense(stored.licenseName, entered)) {
      const { licenseName: former, name } = stored;
      const license = entered.get('licenseName') ?? '';
      throw new FormError({
        attribution: licenseChoice.namesFormer(former, entered.get('name') ?? name, license),
      });
    }
    const choices = await listChoices(admin, context);
    const show = (name: FormField, value: string) =>
      choices[name]?.find((choice) => choice.value === value)?.text ?? value;
    const describeConflict = (name: FormField, opened: string, now: string) =>
      changedMeanwhile(labels[name], show(name, opened), show(name, now));
    const changed = findChangedFields(stored, entered, describeConflict, (name, value) => {
      const parsed = parseField(name, value);
      return parsed === undefined ? { error: errors[name] } : { parsed: parsed ?? '' };
    });
    const changes: OrganizationChanges = Object.fromEntries(
      changed.map((name) => [name, parseField(name, entered.get(name) ?? '')]),
    );
    let edited = organization;
    try {
      if (changed.length > 0)
        edited = await store.editOrganization(organization.id, changes, currentActor(context));
    } catch (error) {
      const isTaken = error instanceof StoreConflictError && changes.name !== undefined;
      if (!isTaken || (await store.findOrganization(organization.id)) === undefined) throw error;
      throw new FormError({ name: nameTaken });
    }
    const endedOpenData = organization.openData === 'on' && edited.openData === 'off';
    return { redirectTo: `${settingsPath(context)}?saved${endedOpenData ? '=open-data-off' : ''}` };
  }

  async function saveLogo(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { organization, uploadedFile, query } = context;
    const { errors } = context.text.organizationSettings.logo;
    const reject = async (error: string) => ({
      ...(await settingsPage(admin, context, { values: query, errors: {} }, error)),
      status: 422,
    });
    if (entered.get('initial') !== describeInitial(organization.logo)) return reject(errors.changedMeanwhile);
    const isRemoval = entered.get('action') === 'remove';
    if (!isRemoval && uploadedFile === undefined) return reject(errors.missing);
    const logo = uploadedFile === undefined || isRemoval ? null : parseLogo(uploadedFile);
    if (typeof logo === 'string') return reject(errors[logo]);
    await store.editOrganization(organization.id, { logo }, currentActor(context));
    return { redirectTo: `${settingsPath(context)}?logo=${isRemoval ? 'removed' : 'saved'}` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/settings',
      title: (text) => text.organizationSettings.title,
      group: 'administration',
      access: 'publishOrAccounts',
      formAccess: 'accounts',
      requiresRecentAuth: true,
      get: (context, formState) => settingsPage(admin, context, formState),
      post: save,
    },
    {
      path: '/admin/organizations/:organizationId/logo',
      access: 'publishOrAccounts',
      formAccess: 'accounts',
      requiresRecentAuth: true,
      maxFileBytes: maxLogoBytes,
      // After signing in, the browser returns to the path of the form, without the file.
      get: async (context) => ({ redirectTo: settingsPath(context) }),
      post: saveLogo,
    },
  ];
}
