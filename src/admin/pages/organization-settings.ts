/** Settings of a municipality, as `GET /organization` publishes them. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Organization } from '../../domain/organization.ts';
import {
  getFieldValues,
  isRequiredField,
  type OrganizationChanges,
  type OrganizationField,
  organizationFields,
} from '../../domain/organization-fields.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { AdminContext } from '../admin-context.ts';
import { currentActor, type TenantContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import {
  actionLink,
  alert,
  announcement,
  button,
  errorSummary,
  field,
  form,
  link,
  paragraph,
  section,
} from '../ui/components.ts';
import {
  dataList,
  listLanguageOptions,
  listLicenseOptions,
  listLicenseUrlOptions,
  listTimeZoneOptions,
} from '../ui/data-list.ts';
import { fieldGroup } from '../ui/field-group.ts';
import { logoSection, settingsPath } from './logo-section.ts';
import { redactionTermsPath } from './redaction-terms.ts';

/** The words to replace have a page of their own. */
type FormField = Exclude<OrganizationField, 'redactionTerms'>;
type Values = Record<FormField, string>;

/** In the order of the form. */
const groups = {
  municipality: ['name', 'timeZone', 'language', 'country'],
  license: ['licenseName', 'licenseUrl', 'attribution'],
  contact: ['contactName', 'contactEmail', 'contactUrl'],
} as const satisfies Record<string, FormField[]>;

const fields: readonly FormField[] = Object.values(groups).flat();

const readStored = (organization: Organization): Values => {
  const values = getFieldValues(organization);
  return Object.fromEntries(fields.map((name) => [name, values[name] ?? ''])) as Values;
};

/** The hidden field with the value that the form was opened with, because somebody else may save meanwhile. */
const getInitialName = (name: FormField) => `initial-${name}`;

interface FormState {
  /** Values in the fields. */
  values: Values;
  /** Values that the form was opened with. */
  initial: Values;
  errors?: Record<string, string>;
}

/** The form as a URL fills it, such as after signing in. Fields that were not changed have their stored values. */
function readPrefilled({ query, organization }: TenantContext): FormState {
  const stored = readStored(organization);
  const [values, initial] = [{ ...stored }, { ...stored }];
  for (const name of fields) {
    const [entered, opened] = [query.get(name), query.get(getInitialName(name))];
    if (entered === null || entered === opened) continue;
    values[name] = entered;
    initial[name] = opened ?? stored[name];
  }
  return { values, initial };
}

/** @param logoError why a new logo was rejected */
export function settingsPage(context: TenantContext, state: FormState, logoError?: string): Page {
  const { text, query } = context;
  const { title, intro, submit, saved, groups: groupNames } = text.organizationSettings;
  const { errors = {} } = state;
  const isRejected = Object.keys(errors).length > 0 || logoError !== undefined;
  const rendered = Object.entries(groups).map(([group, names]) =>
    fieldGroup(
      groupNames[group as keyof typeof groups],
      names.map((name) => renderField(context, state, name)),
    ),
  );
  const body = html`${query.has('saved') && !isRejected ? announcement(saved) : ''}
${logoError === undefined ? '' : errorSummary(context, { logo: logoError })}
${isRejected ? '' : unsavedNote(context, state.values)}
${paragraph(intro)}
${form(context, html`${rendered}<div class="actions">${button(submit)}</div>`, errors, settingsPath(context))}
${dataList('time-zones', listTimeZoneOptions())}
${dataList('languages', listLanguageOptions(context))}
${dataList('licenses', listLicenseOptions(context))}
${dataList('license-urls', listLicenseUrlOptions(context))}
${logoSection(context, logoError)}
${section(text.redactionTerms.title, html`${paragraph(text.redactionTerms.intro)}${actionLink(redactionTermsPath(context), text.redactionTerms.open)}`)}`;
  return { title, body, status: isRejected ? 422 : 200 };
}

export const openSettings = (context: TenantContext): FormState => readPrefilled(context);

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

const dataListOf: Partial<Record<FormField, string>> = {
  timeZone: 'time-zones',
  language: 'languages',
  licenseName: 'licenses',
  licenseUrl: 'license-urls',
};

function renderField({ text }: TenantContext, state: FormState, name: FormField): SafeHtml {
  const { labels, hints } = text.organizationSettings;
  const list = dataListOf[name];
  const input = field({
    name,
    label: labels[name],
    hint: hints[name],
    value: state.values[name],
    error: state.errors?.[name],
    type: name === 'contactEmail' ? 'email' : 'text',
    ...(!isRequiredField(name) && { optional: text.form.optional }),
    autocomplete: 'off',
    ...(list && {
      attributes: html` list="${list}"${name === 'licenseName' ? html` data-fills="licenseUrl"` : ''}`,
    }),
  });
  return html`<input type="hidden" name="${getInitialName(name)}" value="${state.initial[name]}">${input}`;
}

export function organizationSettingsRoutes({ store }: AdminContext): Route[] {
  async function save(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { text, organization } = context;
    const { changedMeanwhile, errors: messages, nameTaken } = text.organizationSettings;
    const stored = readStored(organization);
    const values = { ...stored };
    const changes: OrganizationChanges = {};
    const errors: Record<string, string> = {};
    for (const name of fields) {
      const value = (entered.get(name) ?? '').trim();
      values[name] = value;
      const parsed = value === '' && !isRequiredField(name) ? null : organizationFields[name].parse(value);
      if ((parsed ?? value) === stored[name]) continue;
      const initial = entered.get(getInitialName(name));
      if (initial !== stored[name]) {
        errors[name] = changedMeanwhile(stored[name]);
        if (value === initial) values[name] = stored[name];
      } else if (parsed === undefined) errors[name] = messages[name];
      else Object.assign(changes, { [name]: parsed });
    }
    if (Object.keys(errors).length === 0 && Object.keys(changes).length > 0) {
      try {
        await store.editOrganization(organization.id, changes, currentActor(context));
      } catch (error) {
        const isTaken = error instanceof StoreConflictError && changes.name !== undefined;
        if (!isTaken || (await store.findOrganization(organization.id)) === undefined) throw error;
        errors.name = nameTaken;
      }
    }
    return Object.keys(errors).length > 0
      ? settingsPage(context, { values, initial: stored, errors })
      : { redirectTo: `${settingsPath(context)}?saved` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/settings',
      title: (text) => text.organizationSettings.title,
      access: 'administrator',
      get: async (context) => settingsPage(context, openSettings(context)),
      post: save,
    },
  ];
}
