/** The accounts of a municipality, for its administrators, and the accounts of the installation, for operators. */

import {
  type Account,
  type AssignedRole,
  findPermissions,
  mayGrant,
  type Permission,
} from '../../../domain/accounts/account.ts';
import type { Organization } from '../../../domain/organizations/organization.ts';
import type { Messages } from '../../messages/en.ts';
import {
  actionLink,
  announcement,
  badge,
  link,
  longText,
  paragraph,
  searchResult,
  table,
  userText,
} from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import { describeRange, pager, readPage, rowsPerPage, searchTerm } from '../../ui/list-page.ts';
import type { AdminContext } from '../admin-context.ts';
import { redirectToSearch, searchForm } from '../forms/filter-form.ts';
import type { PageContext, SignedInContext } from '../requests/page-context.ts';
import { MissingPermissionError, notFound, type UntitledPage } from '../requests/response-types.ts';
import type { Route } from '../route.ts';
import { actorName } from '../ui/actor-name.ts';
import { help } from '../ui/help.ts';
import { namePermissions } from '../ui/permission-names.ts';

/** Path of the list of all accounts. */
export const allAccountsPath = '/admin/accounts';

/** Route of the list of a municipality's accounts. */
export const organizationAccountsRoute = '/admin/organizations/:organizationId/accounts';

/** Path of the list that the page belongs to. */
export function accountsPath({ organization }: PageContext): string {
  return organization === undefined ? allAccountsPath : `/admin/organizations/${organization.id}/accounts`;
}

/**
 * The account in the path. Administrators find the accounts of their municipality only.
 *
 * @throws PageError 404 for an unknown account, and for the user's own one: nobody can remove or demote themselves
 */
export async function requireOtherAccount(
  { store }: AdminContext,
  { params, loginSession, organization }: SignedInContext,
): Promise<Account> {
  const found = await store.findAccount(params.accountId ?? '');
  if (found === undefined || found.id === loginSession.account.id) throw notFound();
  if (organization !== undefined && !found.roles.some(isIn(organization))) throw notFound();
  return found;
}

/** @throws MissingPermissionError if the user has not all of them */
export function assertMayGrant(
  { loginSession }: SignedInContext,
  organizationId: string,
  granted: readonly Permission[],
): void {
  if (!mayGrant(loginSession.account, organizationId, granted)) {
    const held = findPermissions(loginSession.account, organizationId);
    throw new MissingPermissionError([granted.filter((each) => !held.includes(each))]);
  }
}

/** Whether a role is one in the municipality. */
export const isIn =
  ({ id }: Pick<Organization, 'id'>) =>
  ({ organizationId }: AssignedRole): boolean =>
    organizationId === id;

/**
 * A one-time link gives access to all roles of the account, so administrators create links only for accounts whose roles
 * they could assign themselves.
 */
export function mayInvite({ loginSession }: SignedInContext, { isOperator, roles }: Account): boolean {
  const { account } = loginSession;
  if (account.isOperator) return true;
  return !isOperator && roles.every((one) => mayGrant(account, one.organizationId, one.permissions));
}

export function accountListRoutes({ store }: AdminContext): Route[] {
  async function listPage(context: SignedInContext): Promise<UntitledPage> {
    const { text, query, organization } = context;
    const term = searchTerm(context);
    const slice = await readPage(context, async ({ offset, limit }) => {
      const { accounts, total } = await store.searchAccounts(organization?.id, term, offset, limit);
      return { rows: accounts, total };
    });
    const { rows, page, total } = slice;
    const listPath = accountsPath(context);
    const done = query.get('done') ?? '';
    const notice = Object.hasOwn(text.accounts.done, done) ? text.accounts.done[done] : undefined;
    const range = describeRange(context, (page - 1) * rowsPerPage, rows.length, total);
    const shown = total === 0 ? text.accounts.noneFound : range;
    const filterLabel = organization === undefined ? text.accounts.filterOfAll : text.signIn.email;
    const list = html`${searchForm(context, filterLabel)}
${notice === undefined ? searchResult(shown) : paragraph(shown)}
${rows.length === 0 ? paragraph(link(listPath, text.accounts.showAll)) : accountTable(context, rows)}
${pager(context, slice)}`;
    const body = html`${notice === undefined ? '' : announcement(notice)}
${paragraph(organization === undefined ? text.accounts.introOfAll : text.accounts.intro)}
${help(context, 'accounts')}
${actionLink(`${listPath}/new`, text.accounts.add, 'primary')}
${total === 0 && term === '' ? paragraph(text.accounts.none) : list}`;
    return { body };
  }

  function accountTable(context: SignedInContext, accounts: readonly Account[]): SafeHtml {
    const { text, format, organization } = context;
    const { tasks, password, added, actions } = text.accounts;
    const rows = accounts.map((one) => [
      one.name === null
        ? longText(one.email)
        : html`${userText(one.name)}<br><span class="kern-hint">${longText(one.email)}</span>`,
      organization === undefined ? roleList(context, one) : roleIn(context, one, organization),
      signInState(context, one),
      html`${format.time(one.createdAt)}<br>${actorName(one.createdBy, context)}`,
      one.id === context.loginSession.account.id ? text.accounts.yourself : actionLinks(context, one),
    ]);
    const columns = [text.signIn.email, tasks, password, added, actions];
    return table(text.accounts.title, columns, rows, { cards: '' });
  }

  function roleIn(context: PageContext, { roles }: Account, organization: Organization): string {
    const assigned = roles.find(isIn(organization));
    return assigned === undefined ? '' : namePermissions(context, assigned.permissions);
  }

  /** Each role with a link to the accounts of its municipality, where operators change it. */
  function roleList(context: PageContext, { isOperator, roles }: Account): SafeHtml | string {
    if (isOperator) return context.text.accounts.roles.operator;
    const items = roles.map(({ organizationId, organizationName, permissions }) => {
      const path = `/admin/organizations/${organizationId}/accounts`;
      return html`<li>${namePermissions(context, permissions)}: <a class="kern-link long-text" href="${path}">${userText(organizationName)}</a></li>`;
    });
    return html`<ul class="inline-list">${items}</ul>`;
  }

  function signInState({ text }: PageContext, { hasPassword, hasSecondFactor }: Account): SafeHtml {
    if (!hasPassword) return badge('info', text.accounts.noPassword);
    return hasSecondFactor
      ? badge('success', text.accounts.withSecondFactor)
      : badge('warning', text.accounts.withoutSecondFactor);
  }

  function actionLinks(context: SignedInContext, account: Account): SafeHtml {
    const { text, organization } = context;
    const { id, email } = account;
    const about = html`<span class="hidden-text">: ${email}</span>`;
    const to = (action: string, label: string) =>
      html`<li><a class="kern-link" href="${accountsPath(context)}/${id}/${action}">${label}${about}</a></li>`;
    const role = organization && account.roles.find(isIn(organization));
    if (role && !mayGrant(context.loginSession.account, role.organizationId, role.permissions))
      return html`<span class="kern-hint">${text.accounts.hasMoreTasks}</span>`;
    return html`<ul class="inline-list">${organization === undefined ? '' : to('role', text.accounts.changeRole)}${mayInvite(context, account) ? to('invite', text.accounts.invite) : ''}${to('remove', text.accounts.remove)}</ul>`;
  }

  const list = { title: (text: Messages) => text.accounts.title, get: listPage, post: redirectToSearch };
  return [
    { path: allAccountsPath, access: 'operator', ...list },
    { path: organizationAccountsRoute, access: 'accounts', group: 'access', ...list },
  ];
}
