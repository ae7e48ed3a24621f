/** Issuing a key. */

import { paragraph } from '../../ui/components.ts';
import { html } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { form, formActions, formIdField } from '../forms/forms.ts';
import { currentActor, type TenantContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormState, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { createKeyOnce } from './create-and-reveal-key.ts';
import { keyFormFields, keyFormNames, parseKeyForm } from './key-form.ts';

export function issueKeyRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function issuePage(context: TenantContext, { values, errors }: FormState): Promise<Page> {
    const { text } = context;
    const fields = keyFormFields(admin, context, (name) => values.get(name) ?? '', errors);
    const content = html`${formIdField()}${keyFormNames.map((name) => fields[name])}
${formActions(context, text.issue.submit, listPath(context))}`;
    const body = html`${paragraph(text.issue.intro)}${form(context, content, errors)}`;
    return { title: text.issue.title, body };
  }

  async function issue(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { values: keyValues, errors } = parseKeyForm(admin, context, values);
    if (Object.keys(errors).length > 0) throw new FormError(errors);
    return createKeyOnce(admin, context, values.get('form') ?? '', keyValues, (key) =>
      store.addKey(key, currentActor(context)),
    );
  }

  return [
    {
      path: '/admin/organizations/:organizationId/keys/new',
      access: 'keys',
      requiresRecentAuth: true,
      get: issuePage,
      post: issue,
    },
  ];
}

const listPath = ({ organization }: TenantContext) => `/admin/organizations/${organization.id}/keys`;
