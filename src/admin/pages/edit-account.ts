/** Changing the role of an account, and removing an account. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../domain/admin-area-store.ts';
import type { AdminContext } from '../admin-context.ts';
import { currentActor, type SignedInContext } from '../page-context.ts';
import { type AdminResponse, notFound, type Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import { alert, form, formActions, paragraph, userText } from '../ui/components.ts';
import { radioGroup } from '../ui/radio-group.ts';
import {
  accountsPath,
  allAccountsPath,
  organizationAccountsRoute,
  requireOtherAccount,
} from './account-list.ts';
import { explainRoles, organizationRoles } from './invite-account.ts';

const emailParagraph = ({ email }: Account) => paragraph(html`<strong>${userText(email)}</strong>`);

export function editAccountRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  /** Only operators see it: an administrator who opens the page remains. */
  async function lastAdministratorWarning({ text }: SignedInContext, account: Account): Promise<SafeHtml> {
    if (account.role !== 'administrator' || account.organizationId === null) return html``;
    const { accounts } = await store.searchAccounts(account.organizationId, '', 0, 2, 'administrator');
    return accounts.length > 1
      ? html``
      : alert('warning', text.accounts.lastAdministrator, paragraph(text.accounts.lastAdministratorHint));
  }

  /** Operators have no other role. */
  async function requireChangeable(context: SignedInContext): Promise<Account> {
    const account = await requireOtherAccount(admin, context);
    if (account.role === 'operator') throw notFound();
    return account;
  }

  async function rolePage(context: SignedInContext, errors: Record<string, string> = {}): Promise<Page> {
    const { text } = context;
    const account = await requireChangeable(context);
    const choices = explainRoles(context, organizationRoles);
    const fields = html`${radioGroup('role', text.accounts.role, choices, account.role, errors.role)}
${formActions(context, text.accounts.saveRole, accountsPath(context))}`;
    const body = html`${emailParagraph(account)}${await lastAdministratorWarning(context, account)}
${paragraph(text.accounts.roleEffect)}${form(context, fields, errors)}`;
    return { title: text.accounts.changeRole, body, status: Object.keys(errors).length > 0 ? 422 : 200 };
  }

  async function changeRole(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { id } = await requireChangeable(context);
    const role = organizationRoles.find((each) => each === values.get('role'));
    if (role === undefined) return rolePage(context, { role: context.text.accounts.roleMissing });
    await store.changeRole(id, role, currentActor(context));
    return { redirectTo: `${accountsPath(context)}?done=role` };
  }

  async function removalPage(context: SignedInContext): Promise<Page> {
    const { text } = context;
    const account = await requireOtherAccount(admin, context);
    const fields = formActions(context, text.accounts.remove, accountsPath(context));
    const body = html`${alert('warning', text.accounts.removeQuestion, emailParagraph(account))}
${await lastAdministratorWarning(context, account)}
${paragraph(text.accounts.removeIntro)}${form(context, fields)}`;
    return { title: text.accounts.removeTitle, body };
  }

  async function remove(context: SignedInContext): Promise<AdminResponse> {
    const { id } = await requireOtherAccount(admin, context);
    await store.removeAccount(id, currentActor(context));
    return { redirectTo: `${accountsPath(context)}?done=removed` };
  }

  const routesAt = (path: string) => [
    {
      path: `${path}/:accountId/role`,
      requiresRecentAuth: true as const,
      get: (context: SignedInContext) => rolePage(context),
      post: changeRole,
    },
    {
      path: `${path}/:accountId/remove`,
      requiresRecentAuth: true as const,
      get: removalPage,
      post: remove,
    },
  ];
  return [
    ...routesAt(allAccountsPath).map((route) => ({ access: 'operator' as const, ...route })),
    ...routesAt(organizationAccountsRoute).map((route) => ({ access: 'administrator' as const, ...route })),
  ];
}
