/** Time zone, licence, contact and attribution of a municipality. */
import { html } from '@remix-run/html-template';
import {
  getFieldValues,
  type Organization,
  type OrganizationChanges,
  type OrganizationField,
} from '../../domain/organization.ts';
import { organizationFieldParsers } from '../../domain/organization-fields.ts';
import type { AdminContext } from '../admin-context.ts';
import { currentActor, type TenantContext } from '../page-context.ts';
import type { AdminResponse, Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { announcement, button, field, form, paragraph, select } from '../ui/components.ts';

type Field = Exclude<OrganizationField, 'name'>;
type Values = Record<Field, string>;

/** In the order of the form. */
const fields = [
  'licenseName',
  'licenseUrl',
  'attribution',
  'contactName',
  'contactEmail',
  'contactUrl',
  'timeZone',
] as const satisfies Field[];

const readStored = (organization: Organization): Values => {
  const values = getFieldValues(organization);
  return Object.fromEntries(fields.map((name) => [name, values[name] ?? ''])) as Values;
};

/** The hidden field with the value that the form was opened with, because somebody else may save meanwhile. */
const getInitialName = (name: Field) => `initial-${name}`;

export function organizationDetailsRoutes({ store }: AdminContext): Route[] {
  function detailsPage(
    context: TenantContext,
    entered: URLSearchParams,
    errors: Record<string, string> = {},
    status = 200,
  ): Page {
    const { text, query } = context;
    const { title, intro, submit, saved } = text.organizationDetails;
    const stored = readStored(context.organization);
    const rendered = fields.map((name) => [
      html`<input type="hidden" name="${getInitialName(name)}" value="${stored[name]}">`,
      renderField(context, name, entered.get(name) ?? stored[name], errors[name]),
    ]);
    const body = html`${query.has('saved') && status === 200 ? announcement(saved) : ''}
${paragraph(intro)}
${form(context, html`${rendered}<div class="actions">${button(submit)}</div>`, errors)}`;
    return { title, body, status };
  }

  async function save(context: TenantContext, entered: URLSearchParams): Promise<AdminResponse> {
    const { text, organization, path } = context;
    const stored = readStored(organization);
    const changes: OrganizationChanges = {};
    const errors: Record<string, string> = {};
    for (const name of fields) {
      const value = (entered.get(name) ?? '').trim();
      const parsed = value === '' && name !== 'timeZone' ? null : organizationFieldParsers[name](value);
      if ((parsed ?? value) === stored[name]) continue;
      const initial = entered.get(getInitialName(name));
      if (initial !== stored[name]) {
        errors[name] = text.organizationDetails.changedMeanwhile(stored[name]);
        if (value === initial) entered.set(name, stored[name]);
      } else if (parsed === undefined) errors[name] = text.organizationDetails.errors[name];
      else Object.assign(changes, { [name]: parsed });
    }
    if (Object.keys(errors).length > 0) return detailsPage(context, entered, errors, 422);
    if (Object.keys(changes).length > 0)
      await store.editOrganization(organization.id, changes, currentActor(context));
    return { redirectTo: `${path}?saved` };
  }

  return [
    {
      path: '/admin/organizations/:organizationId/details',
      access: 'administrator',
      get: async (context) => detailsPage(context, context.query),
      post: save,
    },
  ];
}

function renderField({ text }: TenantContext, name: Field, value: string, error: string | undefined) {
  const { labels, hints } = text.organizationDetails;
  const common = { name, label: labels[name], hint: hints[name], value, error };
  if (name === 'timeZone') return select(name, labels[name], listTimeZones(value), value, error, hints[name]);
  return field({
    ...common,
    type: name === 'contactEmail' ? 'email' : 'text',
    optional: text.form.optional,
    autocomplete: 'off',
  });
}

/** Includes the present value, which may be an alias. */
function listTimeZones(present: string) {
  const names = new Set([...Intl.supportedValuesOf('timeZone'), present]);
  return [...names].toSorted().map((name) => ({ value: name, text: name.replaceAll('_', ' ') }));
}
