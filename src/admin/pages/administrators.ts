/** Administrator accounts and their one-time links, for operators. */
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Administrator } from '../../domain/admin-area-store.ts';
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

const listPath = '/admin/administrators';

const invitedUrl = (id: string, formId: string) =>
  `${listPath}/${id}/invited?form=${encodeURIComponent(formId)}`;

export function administratorRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function listPage(context: SignedInContext): Promise<Page> {
    const { text, format, query, loginSession } = context;
    const term = searchTerm(context).toLowerCase();
    const found = (await store.listAdministrators()).filter(({ email, organizationName }) =>
      `${email} ${organizationName?.toLowerCase() ?? ''}`.includes(term),
    );
    const slice = slicePage(context, found);
    const rows = slice.rows.map((one) => [
      longText(one.email),
      one.organizationId === null
        ? text.administrators.operator
        : html`<a class="kern-link long-text" href="/admin/organizations/${one.organizationId}/keys">${userText(one.organizationName ?? '')}</a>`,
      one.hasPassword ? text.administrators.hasPassword : text.administrators.invited,
      one.hasSecondFactor ? text.administrators.yes : text.administrators.no,
      html`${format.time(one.createdAt)}<br>${actorName(one.createdBy, context)}`,
      one.id === loginSession.administrator.id ? '–' : actionLinks(context, one),
    ]);
    const { role, added, actions } = text.administrators;
    const columns = [text.signIn.email, role, text.signIn.password, text.code.title, added, actions];
    const body = html`${query.has('removed') ? announcement(text.administrators.removed) : ''}
${paragraph(text.administrators.intro)}
${actionLink(`${listPath}/new`, text.administrators.add, 'primary')}
${searchForm(context, text.administrators.filter)}
${found.length === 0 ? paragraph(link(listPath, text.administrators.showAll)) : table(text.administrators.title, columns, rows)}
${pager(context, slice)}`;
    return { title: text.administrators.title, body };
  }

  function actionLinks({ text }: SignedInContext, { id, email }: Administrator): SafeHtml {
    const about = html`<span class="hidden-text">: ${email}</span>`;
    return html`<ul class="inline-list"><li><a class="kern-link" href="${listPath}/${id}/invite">${text.administrators.invite}${about}</a></li><li><a class="kern-link" href="${listPath}/${id}/remove">${text.administrators.remove}${about}</a></li></ul>`;
  }

  async function listRoles({ text }: SignedInContext): Promise<Choice[]> {
    const all = (await store.listOrganizationNames()).map(({ id, name }) => ({ value: id, text: name }));
    return [{ value: 'operator', text: text.administrators.operator }, ...all];
  }

  async function addPage(
    context: SignedInContext,
    values: URLSearchParams,
    errors: Record<string, string> = {},
    status = 200,
  ): Promise<Page> {
    const { text } = context;
    const choices = [{ value: '', text: text.administrators.choose }, ...(await listRoles(context))];
    const fields = html`${formIdField()}
${field({ name: 'email', label: text.signIn.email, type: 'email', value: values.get('email') ?? '', error: errors.email, autocomplete: 'off' })}
${select('organization', text.administrators.role, choices, values.get('organization') ?? '', errors.organization)}
${formActions(context, text.administrators.add, listPath)}`;
    return { title: text.administrators.add, body: form(context, fields, errors), status };
  }

  async function add(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text } = context;
    const email = (values.get('email') ?? '').trim().toLowerCase();
    const chosen = values.get('organization') ?? '';
    const errors: Record<string, string> = {};
    if (!isEmail(email)) errors.email = text.administrators.emailWrong;
    if (!(await listRoles(context)).some(({ value }) => value === chosen))
      errors.organization = text.administrators.roleMissing;
    if (Object.keys(errors).length > 0) return addPage(context, values, errors, 422);
    const formId = values.get('form') ?? '';
    const organizationId = chosen === 'operator' ? undefined : chosen;
    const secret = await deriveInvitationSecret(context, email, formId);
    try {
      const added = await store.addAdministrator(
        email,
        organizationId,
        createInvitation(secret),
        currentActor(context),
      );
      return { redirectTo: invitedUrl(added.id, formId) };
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      // If the form was submitted twice, the invitation is this form's.
      const invited = await store.findInvitedAdministrator(hashToken(secret));
      if (invited?.email === email) return { redirectTo: invitedUrl(invited.id, formId) };
      return addPage(context, values, { email: text.administrators.taken }, 422);
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

  async function requireOtherAdministrator({
    params,
    loginSession,
  }: SignedInContext): Promise<Administrator> {
    const found = await store.findAdministrator(params.administratorId ?? '');
    // Operators cannot remove their own account: they could not sign in again.
    if (found === undefined || found.id === loginSession.administrator.id) throw notFound();
    return found;
  }

  async function invitePage(context: SignedInContext): Promise<Page> {
    const { text } = context;
    const { email } = await requireOtherAdministrator(context);
    const fields = html`${formIdField()}
${formActions(context, text.administrators.invite, listPath)}`;
    const body = html`${paragraph(html`<strong>${userText(email)}</strong>`)}${paragraph(text.administrators.inviteIntro)}${form(context, fields)}`;
    return { title: text.administrators.invite, body };
  }

  async function invite(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { id, email } = await requireOtherAdministrator(context);
    const formId = values.get('form') ?? '';
    const secret = await deriveInvitationSecret(context, email, formId);
    await store.replaceInvitation(id, createInvitation(secret), currentActor(context));
    return { redirectTo: invitedUrl(id, formId) };
  }

  async function invitedPage(context: SignedInContext): Promise<Page> {
    const { text, query, publicUrl } = context;
    const { email } = await requireOtherAdministrator(context);
    const secret = await deriveInvitationSecret(context, email, query.get('form') ?? '');
    if ((await store.findInvitedAdministrator(hashToken(secret)))?.email !== email) throw notFound();
    const address = publicUrl + getInvitationPath(secret);
    const body = html`${paragraph(html`<strong>${userText(email)}</strong>`)}${paragraph(text.administrators.invitedIntro)}
${copyField(text.administrators.link, 'link', address, text.administrators.copyLink, text.form.copied)}
${paragraph(link(listPath, text.administrators.toList))}`;
    return { title: text.administrators.invitedTitle, body };
  }

  async function removalPage(context: SignedInContext): Promise<Page> {
    const { text } = context;
    const { email } = await requireOtherAdministrator(context);
    const fields = formActions(context, text.administrators.remove, listPath);
    const body = html`${alert('warning', text.administrators.removeQuestion, paragraph(html`<strong>${userText(email)}</strong>`))}${paragraph(text.administrators.removeIntro)}${form(context, fields)}`;
    return { title: text.administrators.removeTitle, body };
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
      path: `${listPath}/:administratorId/invited`,
      access: 'operator',
      requiresRecentAuth: true,
      get: invitedPage,
    },
    {
      path: `${listPath}/:administratorId/invite`,
      access: 'operator',
      requiresRecentAuth: true,
      get: invitePage,
      post: invite,
    },
    {
      path: `${listPath}/:administratorId/remove`,
      access: 'operator',
      requiresRecentAuth: true,
      get: removalPage,
      post: async (context) => {
        const { id } = await requireOtherAdministrator(context);
        await store.removeAdministrator(id, currentActor(context));
        return { redirectTo: `${listPath}?removed=1` };
      },
    },
  ];
}
