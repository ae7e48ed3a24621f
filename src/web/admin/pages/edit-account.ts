/** Changing the tasks of an account, and removing an account. */

import type { Account, AssignedRole } from '../../../domain/accounts/account.ts';
import { alert, paragraph, userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import {
  permissionFields,
  personNameField,
  readPermissions,
  readPersonName,
} from '../forms/account-fields.ts';
import { form, formActions } from '../forms/forms.ts';
import { currentActor, type SignedInContext, type TenantContext } from '../requests/page-context.ts';
import { type AdminResponse, type FormState, notFound, type Page } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import {
  accountsPath,
  allAccountsPath,
  assertMayGrant,
  isIn,
  mayInvite,
  organizationAccountsRoute,
  requireOtherAccount,
} from './account-list.ts';

const emailParagraph = ({ email }: Account) => paragraph(html`<strong>${userText(email)}</strong>`);

export function editAccountRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  /** Only operators see it: an administrator who opens the page remains. */
  async function lastAdministratorWarning(
    { text, organization }: SignedInContext,
    { roles }: Account,
  ): Promise<SafeHtml> {
    const concerned = organization === undefined ? roles : roles.filter(isIn(organization));
    for (const { organizationId, permissions } of concerned) {
      if (!permissions.includes('accounts')) continue;
      const { accounts } = await store.searchAccounts(organizationId, '', 0, 2, 'accounts');
      if (accounts.length > 1) continue;
      return alert(
        'warning',
        text.accounts.lastAdministrator,
        paragraph(text.accounts.lastAdministratorHint),
      );
    }
    return html``;
  }

  /** @throws PageError 404 as `requireOtherAccount`, and MissingPermissionError if it has tasks that the user lacks */
  async function requireRole(context: TenantContext): Promise<{ account: Account; role: AssignedRole }> {
    const account = await requireOtherAccount(admin, context);
    const role = account.roles.find(isIn(context.organization));
    if (role === undefined) throw notFound();
    assertMayGrant(context, role.organizationId, role.permissions);
    return { account, role };
  }

  async function rolePage(context: TenantContext, { values, errors }: FormState): Promise<Page> {
    const { text, organization } = context;
    const { account, role } = await requireRole(context);
    const isEntered = context.isReopened || Object.keys(errors).length > 0;
    const held = isEntered ? readPermissions(values) : role.permissions;
    const name = values.get('name') ?? account.name ?? '';
    const fields = html`${mayInvite(context, account) ? personNameField(context, name, errors, 'off') : ''}
${permissionFields(context, organization.id, held)}
${formActions(context, text.accounts.saveRole, accountsPath(context))}`;
    const body = html`${emailParagraph(account)}${await lastAdministratorWarning(context, account)}
${paragraph(text.accounts.roleEffect)}${form(context, fields, errors)}`;
    return { title: text.accounts.changeRole, body };
  }

  async function changeRole(context: TenantContext, values: URLSearchParams): Promise<AdminResponse> {
    const { account, role } = await requireRole(context);
    const granted = readPermissions(values);
    assertMayGrant(context, role.organizationId, granted);
    if (values.has('name') && mayInvite(context, account))
      await store.setName(account.id, readPersonName(context, values));
    await store.changeRole(account.id, role.organizationId, granted, currentActor(context));
    return { redirectTo: `${accountsPath(context)}?done=role` };
  }

  const requireRemovable = async (context: SignedInContext): Promise<Account> =>
    context.organization === undefined
      ? requireOtherAccount(admin, context)
      : (await requireRole(context as TenantContext)).account;

  async function removalPage(context: SignedInContext): Promise<Page> {
    const { text, organization } = context;
    const account = await requireRemovable(context);
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
    const { id, roles } = await requireRemovable(context);
    if (organization === undefined) await store.removeAccount(id, currentActor(context));
    else await store.removeRole(id, organization.id, currentActor(context));
    const keepsOthers = organization !== undefined && roles.length > 1;
    return { redirectTo: `${accountsPath(context)}?done=${keepsOthers ? 'role-removed' : 'removed'}` };
  }

  const removal = { requiresRecentAuth: true, get: removalPage, post: remove } as const;
  return [
    {
      path: `${organizationAccountsRoute}/:accountId/role`,
      access: 'accounts',
      requiresRecentAuth: true,
      get: rolePage,
      post: changeRole,
    },
    { path: `${organizationAccountsRoute}/:accountId/remove`, access: 'accounts', ...removal },
    { path: `${allAccountsPath}/:accountId/remove`, access: 'operator', ...removal },
  ];
}
