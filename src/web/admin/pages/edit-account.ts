/** Changing the role of an account, and removing an account. */

import { type Account, organizationRoles } from '../../../domain/accounts/account.ts';
import { alert, paragraph, userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { form, formActions } from '../forms/forms.ts';
import { radioGroup } from '../forms/radio-group.ts';
import { currentActor, type SignedInContext, type TenantContext } from '../requests/page-context.ts';
import { type AdminResponse, FormError, type FormErrors, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import {
  accountsPath,
  allAccountsPath,
  isIn,
  organizationAccountsRoute,
  requireOtherAccount,
} from './account-list.ts';
import { explainRoles } from './invite-account.ts';

const emailParagraph = ({ email }: Account) => paragraph(html`<strong>${userText(email)}</strong>`);

export function editAccountRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  /** Only operators see it: an administrator who opens the page remains. */
  async function lastAdministratorWarning(
    { text, organization }: SignedInContext,
    { roles }: Account,
  ): Promise<SafeHtml> {
    const concerned = organization === undefined ? roles : roles.filter(isIn(organization));
    for (const { organizationId, role } of concerned) {
      if (role !== 'administrator') continue;
      const { accounts } = await store.searchAccounts(organizationId, '', 0, 2, 'administrator');
      if (accounts.length > 1) continue;
      return alert(
        'warning',
        text.accounts.lastAdministrator,
        paragraph(text.accounts.lastAdministratorHint),
      );
    }
    return html``;
  }

  async function rolePage(
    context: TenantContext,
    values: URLSearchParams,
    errors: FormErrors,
  ): Promise<Page> {
    const { text, organization } = context;
    const account = await requireOtherAccount(admin, context);
    const role = values.get('role') ?? account.roles.find(isIn(organization))?.role ?? '';
    const choices = explainRoles(context, organizationRoles);
    const fields = html`${radioGroup('role', text.accounts.role, choices, role, errors.role)}
${formActions(context, text.accounts.saveRole, accountsPath(context))}`;
    const body = html`${emailParagraph(account)}${await lastAdministratorWarning(context, account)}
${paragraph(text.accounts.roleEffect)}${form(context, fields, errors)}`;
    return { title: text.accounts.changeRole, body };
  }

  async function changeRole(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { id } = await requireOtherAccount(admin, context);
    const role = organizationRoles.find((each) => each === values.get('role'));
    if (role === undefined) throw new FormError({ role: context.text.accounts.roleMissing });
    await store.changeRole(id, context.organization.id, role, currentActor(context));
    return { redirectTo: `${accountsPath(context)}?done=role` };
  }

  async function removalPage(context: SignedInContext): Promise<Page> {
    const { text, organization } = context;
    const account = await requireOtherAccount(admin, context);
    const keepsOthers = organization !== undefined && account.roles.length > 1;
    const { remove, removeQuestion, removeRoleQuestion, removeIntro, removeRoleIntro } = text.accounts;
    const fields = formActions(context, remove, accountsPath(context), 'destructive');
    const body = html`${alert('warning', keepsOthers ? removeRoleQuestion : removeQuestion, emailParagraph(account))}
${await lastAdministratorWarning(context, account)}
${paragraph(keepsOthers ? removeRoleIntro : removeIntro)}${form(context, fields)}`;
    return { title: keepsOthers ? text.accounts.removeRoleTitle : text.accounts.removeTitle, body };
  }

  async function remove(context: SignedInContext): Promise<AdminResponse> {
    const { organization } = context;
    const { id, roles } = await requireOtherAccount(admin, context);
    if (organization === undefined) await store.removeAccount(id, currentActor(context));
    else await store.removeRole(id, organization.id, currentActor(context));
    const keepsOthers = organization !== undefined && roles.length > 1;
    return { redirectTo: `${accountsPath(context)}?done=${keepsOthers ? 'role-removed' : 'removed'}` };
  }

  const removal = { requiresRecentAuth: true, get: removalPage, post: remove } as const;
  return [
    {
      path: `${organizationAccountsRoute}/:accountId/role`,
      access: 'administrator',
      requiresRecentAuth: true,
      get: rolePage,
      post: changeRole,
    },
    { path: `${organizationAccountsRoute}/:accountId/remove`, access: 'administrator', ...removal },
    { path: `${allAccountsPath}/:accountId/remove`, access: 'operator', ...removal },
  ];
}
