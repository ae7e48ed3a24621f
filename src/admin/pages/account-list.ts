/** The accounts of a municipality, for its administrators, and the accounts of the installation, for operators. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../domain/admin-area-store.ts';
import type { AdminContext } from '../admin-context.ts';
import type { PageContext, SignedInContext } from '../page-context.ts';
import { notFound, type Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import {
  actionLink,
  actorName,
  announcement,
  badge,
  link,
  longText,
  paragraph,
  table,
  userText,
} from '../ui/components.ts';
import { pager, redirectToSearch, rowsPerPage, searchForm, searchTerm } from '../ui/list-page.ts';

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
  if (organization !== undefined && found.organizationId !== organization.id) throw notFound();
  return found;
}

export function accountListRoutes({ store }: AdminContext): Route[] {
  async function listPage(context: SignedInContext): Promise<Page> {
    const { text, query, organization } = context;
    const wanted = Math.max(1, Number.parseInt(query.get('page') ?? '1', 10) || 1);
    const term = searchTerm(context);
    const search = (page: number) =>
      store.searchAccounts(organization?.id, term, (page - 1) * rowsPerPage, rowsPerPage);
    let { total, accounts } = await search(wanted);
    const pages = Math.max(1, Math.ceil(total / rowsPerPage));
    const page = Math.min(wanted, pages);
    if (page !== wanted) ({ total, accounts } = await search(page));
    const listPath = accountsPath(context);
    const done = query.get('done') ?? '';
    const notice = Object.hasOwn(text.accounts.done, done) ? text.accounts.done[done] : undefined;
    const body = html`${notice === undefined ? '' : announcement(notice)}
${paragraph(organization === undefined ? text.accounts.introOfAll : text.accounts.intro)}
${actionLink(`${listPath}/new`, text.accounts.add, 'primary')}
${searchForm(context, organization === undefined ? text.accounts.filterOfAll : text.accounts.filter)}
${accounts.length === 0 ? html`${paragraph(text.accounts.noneFound)}${paragraph(link(listPath, text.accounts.showAll))}` : accountTable(context, accounts)}
${pager(context, { rows: accounts, page, pages })}`;
    return { title: text.accounts.title, body };
  }

  function accountTable(context: SignedInContext, accounts: readonly Account[]): SafeHtml {
    const { text, format, organization } = context;
    const isOfAll = organization === undefined;
    const { role, password, added, actions } = text.accounts;
    const rows = accounts.map((one) => [
      longText(one.email),
      text.accounts.roles[one.role],
      ...(isOfAll ? [organizationLink(one)] : []),
      signInState(context, one),
      html`${format.time(one.createdAt)}<br>${actorName(one.createdBy, context)}`,
      one.id === context.loginSession.account.id ? text.accounts.yourself : actionLinks(context, one),
    ]);
    const municipality = isOfAll ? [text.accounts.municipality] : [];
    return table(
      text.accounts.title,
      [text.signIn.email, role, ...municipality, password, added, actions],
      rows,
      { cards: '' },
    );
  }

  function organizationLink({ organizationId, organizationName }: Account): SafeHtml | string {
    if (organizationId === null) return '–';
    const path = `/admin/organizations/${organizationId}/accounts`;
    return html`<a class="kern-link long-text" href="${path}">${userText(organizationName ?? '')}</a>`;
  }

  function signInState({ text }: PageContext, { hasPassword, hasSecondFactor }: Account): SafeHtml {
    if (!hasPassword) return badge('info', text.accounts.noPassword);
    return hasSecondFactor
      ? badge('success', text.accounts.withSecondFactor)
      : badge('warning', text.accounts.withoutSecondFactor);
  }

  function actionLinks(context: SignedInContext, { id, email, role }: Account): SafeHtml {
    const { text } = context;
    const about = html`<span class="hidden-text">: ${email}</span>`;
    const to = (action: string, label: string) =>
      html`<li><a class="kern-link" href="${accountsPath(context)}/${id}/${action}">${label}${about}</a></li>`;
    return html`<ul class="inline-list">${role === 'operator' ? '' : to('role', text.accounts.changeRole)}${to('invite', text.accounts.invite)}${to('remove', text.accounts.remove)}</ul>`;
  }

  return [
    { path: allAccountsPath, access: 'operator', get: listPage, post: redirectToSearch },
    { path: organizationAccountsRoute, access: 'administrator', get: listPage, post: redirectToSearch },
  ];
}
