/** Accounts and their one-time links, for operators. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Account } from '../../domain/admin-area-store.ts';
import { createInvitation, getInvitationPath, hashToken } from '../../domain/invitation.ts';
import { isEmail } from '../../domain/name-validation.ts';
import { StoreConflictError } from '../../domain/store-errors.ts';
import type { AdminContext } from '../admin-context.ts';
import { deriveSecret } from '../auth/browser-secret.ts';
import { currentActor, type SignedInContext } from '../page-context.ts';
import { type AdminResponse, notFound, type Page } from '../response-types.ts';
import type { Route } from '../route.ts';
import {
  actionLink,
  actorName,
  alert,
  announcement,
  type Choice,
  copyField,
  field,
  form,
  formActions,
  formIdField,
  link,
  longText,
  paragraph,
  select,
  table,
  userText,
} from '../ui/components.ts';
import { pager, redirectToSearch, searchForm, searchTerm, slicePage } from '../ui/list-page.ts';
import { invitationLink, sendInvitation } from './send-invitation.ts';

const listPath = '/admin/accounts';

/** @param mail see `sendInvitation` */
const invitedUrl = (id: string, formId: string, mail = '') =>
  `${listPath}/${id}/invited?form=${encodeURIComponent(formId)}${mail}`;

export function accountRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: SignedInContext): Promise<Page> {
    const { text, format, query, loginSession } = context;
    const term = searchTerm(context).toLowerCase();
    const found = (await store.listAccounts()).filter(({ email, organizationName }) =>
      `${email} ${organizationName?.toLowerCase() ?? ''}`.includes(term),
    );
    const slice = slicePage(context, found);
    const rows = slice.rows.map((one) => [
      longText(one.email),
      one.organizationId === null
        ? text.accounts.operator
        : html`<a class="kern-link long-text" href="/admin/organizations/${one.organizationId}/keys">${userText(one.organizationName ?? '')}</a>`,
      one.hasPassword ? text.accounts.hasPassword : text.accounts.invited,
      one.hasSecondFactor ? text.accounts.yes : text.accounts.no,
      html`${format.time(one.createdAt)}<br>${actorName(one.createdBy, context)}`,
      one.id === loginSession.account.id ? '–' : actionLinks(context, one),
    ]);
    const { role, added, actions } = text.accounts;
    const columns = [text.signIn.email, role, text.signIn.password, text.code.title, added, actions];
    const body = html`${query.has('removed') ? announcement(text.accounts.removed) : ''}
${paragraph(text.accounts.intro)}
${actionLink(`${listPath}/new`, text.accounts.add, 'primary')}
${searchForm(context, text.accounts.filter)}
${found.length === 0 ? paragraph(link(listPath, text.accounts.showAll)) : table(text.accounts.title, columns, rows)}
${pager(context, slice)}`;
    return { title: text.accounts.title, body };
  }

  function actionLinks({ text }: SignedInContext, { id, email }: Account): SafeHtml {
    const about = html`<span class="hidden-text">: ${email}</span>`;
    return html`<ul class="inline-list"><li><a class="kern-link" href="${listPath}/${id}/invite">${text.accounts.invite}${about}</a></li><li><a class="kern-link" href="${listPath}/${id}/remove">${text.accounts.remove}${about}</a></li></ul>`;
  }

  async function listRoles({ text }: SignedInContext): Promise<Choice[]> {
    const all = (await store.listOrganizationNames()).map(({ id, name }) => ({ value: id, text: name }));
    return [{ value: 'operator', text: text.accounts.operator }, ...all];
  }

  async function addPage(
    context: SignedInContext,
    values: URLSearchParams,
    errors: Record<string, string> = {},
    status = 200,
  ): Promise<Page> {
    const { text } = context;
    const choices = [{ value: '', text: text.accounts.choose }, ...(await listRoles(context))];
    const fields = html`${formIdField()}
${field({ name: 'email', label: text.signIn.email, type: 'email', value: values.get('email') ?? '', error: errors.email, autocomplete: 'off' })}
${select('organization', text.accounts.role, choices, values.get('organization') ?? '', errors.organization)}
${formActions(context, text.accounts.add, listPath)}`;
    return { title: text.accounts.add, body: form(context, fields, errors), status };
  }

  async function add(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text } = context;
    const email = (values.get('email') ?? '').trim().toLowerCase();
    const chosen = values.get('organization') ?? '';
    const errors: Record<string, string> = {};
    if (!isEmail(email)) errors.email = text.accounts.emailWrong;
    if (!(await listRoles(context)).some(({ value }) => value === chosen))
      errors.organization = text.accounts.roleMissing;
    if (Object.keys(errors).length > 0) return addPage(context, values, errors, 422);
    const formId = values.get('form') ?? '';
    const secret = await deriveInvitationSecret(context, email, formId);
    try {
      const added = await store.addAccount(
        chosen === 'operator'
          ? { email, role: 'operator', organizationId: null }
          : { email, role: 'administrator', organizationId: chosen },
        createInvitation(secret),
        currentActor(context),
      );
      const mail = await sendInvitation(admin, context, added, secret);
      return { redirectTo: invitedUrl(added.id, formId, mail) };
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      // If the form was submitted twice, the invitation is this form's.
      const invited = await store.findInvitedAccount(hashToken(secret));
      if (invited?.email === email) return { redirectTo: invitedUrl(invited.id, formId) };
      return addPage(context, values, { email: text.accounts.taken }, 422);
    }
  }

  /**
   * The secret of a one-time link is not stored, but derived again from the browser's secret and the form. Using the link
   * changes the password hash, so the same form then derives another secret.
   */
  async function deriveInvitationSecret(
    { browserSecret }: SignedInContext,
    email: string,
    formId: string,
  ): Promise<string> {
    const passwordHash = (await store.findCredentials(email))?.passwordHash ?? '';
    return deriveSecret(browserSecret, `invitation ${email} ${formId} ${passwordHash}`).toString('base64url');
  }

  async function requireOtherAccount({ params, loginSession }: SignedInContext): Promise<Account> {
    const found = await store.findAccount(params.accountId ?? '');
    // Operators cannot remove their own account: they could not sign in again.
    if (found === undefined || found.id === loginSession.account.id) throw notFound();
    return found;
  }

  async function invitePage(context: SignedInContext): Promise<Page> {
    const { text } = context;
    const { email } = await requireOtherAccount(context);
    const fields = html`${formIdField()}
${formActions(context, text.accounts.invite, listPath)}`;
    const body = html`${paragraph(html`<strong>${userText(email)}</strong>`)}${paragraph(text.accounts.inviteIntro)}${form(context, fields)}`;
    return { title: text.accounts.invite, body };
  }

  async function invite(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const account = await requireOtherAccount(context);
    const { id, email } = account;
    const formId = values.get('form') ?? '';
    const secret = await deriveInvitationSecret(context, email, formId);
    await store.replaceInvitation(id, createInvitation(secret), currentActor(context));
    const mail = await sendInvitation(admin, context, account, secret);
    return { redirectTo: invitedUrl(id, formId, mail) };
  }

  async function invitedPage(context: SignedInContext): Promise<Page> {
    const { text, query, publicUrl } = context;
    const account = await requireOtherAccount(context);
    const { email } = account;
    const secret = await deriveInvitationSecret(context, email, query.get('form') ?? '');
    if ((await store.findInvitedAccount(hashToken(secret)))?.email !== email) throw notFound();
    const address = publicUrl + getInvitationPath(secret);
    const { link: label, copyLink } = text.accounts;
    const copyableLink = copyField(label, 'link', address, copyLink, text.form.copied);
    const body = html`${paragraph(html`<strong>${userText(email)}</strong>`)}${invitationLink(context, account, copyableLink)}
${paragraph(link(listPath, text.accounts.toList))}`;
    return { title: text.accounts.invitedTitle, body };
  }

  async function removalPage(context: SignedInContext): Promise<Page> {
    const { text } = context;
    const { email } = await requireOtherAccount(context);
    const fields = formActions(context, text.accounts.remove, listPath);
    const body = html`${alert('warning', text.accounts.removeQuestion, paragraph(html`<strong>${userText(email)}</strong>`))}${paragraph(text.accounts.removeIntro)}${form(context, fields)}`;
    return { title: text.accounts.removeTitle, body };
  }

  return [
    { path: listPath, access: 'operator', get: listPage, post: redirectToSearch },
    {
      path: `${listPath}/new`,
      access: 'operator',
      requiresRecentAuth: true,
      get: async (context) => addPage(context, context.query),
      post: add,
    },
    {
      path: `${listPath}/:accountId/invited`,
      access: 'operator',
      requiresRecentAuth: true,
      get: invitedPage,
    },
    {
      path: `${listPath}/:accountId/invite`,
      access: 'operator',
      requiresRecentAuth: true,
      get: invitePage,
      post: invite,
    },
    {
      path: `${listPath}/:accountId/remove`,
      access: 'operator',
      requiresRecentAuth: true,
      get: removalPage,
      post: async (context) => {
        const { id } = await requireOtherAccount(context);
        await store.removeAccount(id, currentActor(context));
        return { redirectTo: `${listPath}?removed=1` };
      },
    },
  ];
}
