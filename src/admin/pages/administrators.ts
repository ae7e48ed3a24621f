/** For operators: who administers which municipality. */
import { randomUUID } from 'node:crypto';
import { html, type SafeHtml } from '@remix-run/html-template';
import type { Administrator } from '../../domain/administration.ts';
import { isEmail } from '../../domain/email.ts';
import { createInvitation, hashToken, invitationPath } from '../../domain/invitation.ts';
import { StoreConflictError } from '../../domain/store.ts';
import { actorOf, derived, type SignedInVisit } from '../request-context.ts';
import { type Answer, notFound, type Page } from '../response.ts';
import type { Route, Site } from '../routes.ts';
import {
  actionLink,
  actorName,
  alert,
  announcement,
  button,
  type Choice,
  chosenName,
  copyable,
  field,
  form,
  link,
  paragraph,
  select,
  table,
} from '../ui/components.ts';
import { pager, searchForm, shownPart, submitSearch, wordsOf } from '../ui/list-page.ts';

const listPath = '/admin/administrators';

/** Those of an account whose link can be made or shown. */
const invitedPath = (id: string, formId: string) =>
  `${listPath}/${id}/invited?form=${encodeURIComponent(formId)}`;

export function administratorRoutes(site: Site): Route[] {
  const { store } = site;

  async function list(visit: SignedInVisit): Promise<Page> {
    const { text, format, query, signIn } = visit;
    const words = wordsOf(visit).toLowerCase();
    const found = (await store.listAdministrators()).filter(({ email, organizationName }) =>
      `${email} ${organizationName?.toLowerCase() ?? ''}`.includes(words),
    );
    const shown = shownPart(visit, found);
    const rows = shown.rows.map((one) => [
      html`<span class="long-text">${chosenName(one.email)}</span>`,
      one.organizationId === null
        ? text.administrators.operator
        : html`<a class="kern-link" href="/admin/organizations/${one.organizationId}/keys">${chosenName(one.organizationName ?? '')}</a>`,
      one.hasPassword ? text.administrators.hasPassword : text.administrators.invited,
      one.hasSecondFactor ? text.administrators.yes : text.administrators.no,
      html`${format.time(one.createdAt)}<br>${actorName(one.createdBy, visit)}`,
      one.id === signIn.administrator.id ? '–' : actions(visit, one),
    ]);
    const columns = [
      { heading: text.signIn.email },
      { heading: text.administrators.role },
      { heading: text.administrators.password },
      { heading: text.administrators.secondFactor },
      { heading: text.administrators.added },
      { heading: text.administrators.actions },
    ];
    const body = html`${query.has('removed') ? announcement(text.administrators.removed) : ''}
${paragraph(text.administrators.intro)}
${actionLink(`${listPath}/new`, text.administrators.add, 'primary')}
${searchForm(visit, text.administrators.filter)}
${found.length === 0 ? paragraph(link(listPath, text.administrators.showAll)) : table(text.administrators.title, columns, rows, { hideCaption: true })}
${pager(visit, shown)}`;
    return { title: text.administrators.title, body };
  }

  function actions({ text }: SignedInVisit, { id, email }: Administrator): SafeHtml {
    const about = html`<span class="hidden-text">: ${email}</span>`;
    return html`<ul class="inline-list"><li><a class="kern-link" href="${listPath}/${id}/invite">${text.administrators.invite}${about}</a></li><li><a class="kern-link" href="${listPath}/${id}/remove">${text.administrators.remove}${about}</a></li></ul>`;
  }

  async function roles({ text }: SignedInVisit): Promise<Choice[]> {
    const all = (await store.listOrganizationNames()).map(({ id, name }) => ({ value: id, text: name }));
    return [{ value: 'operator', text: text.administrators.operator }, ...all];
  }

  async function addPage(
    visit: SignedInVisit,
    typed: URLSearchParams,
    errors: Record<string, string> = {},
    status = 200,
  ): Promise<Page> {
    const { text } = visit;
    const choices = [{ value: '', text: text.administrators.choose }, ...(await roles(visit))];
    const fields = html`<input type="hidden" name="form" value="${randomUUID()}">
${field({ name: 'email', label: text.signIn.email, type: 'email', value: typed.get('email') ?? '', error: errors.email, autocomplete: 'off' })}
${select('organization', text.administrators.role, choices, typed.get('organization') ?? '', errors.organization)}
<div class="actions">${button(text.administrators.add)} ${actionLink(listPath, text.form.cancel)}</div>`;
    return { title: text.administrators.add, body: form(visit, fields, errors), status };
  }

  async function add(visit: SignedInVisit, typed: URLSearchParams): Promise<Answer> {
    const { text } = visit;
    const email = (typed.get('email') ?? '').trim().toLowerCase();
    const chosen = typed.get('organization') ?? '';
    const errors: Record<string, string> = {};
    if (!isEmail(email)) errors.email = text.administrators.emailWrong;
    if (!(await roles(visit)).some(({ value }) => value === chosen))
      errors.organization = text.administrators.roleMissing;
    if (Object.keys(errors).length > 0) return addPage(visit, typed, errors, 422);
    const formId = typed.get('form') ?? '';
    const organizationId = chosen === 'operator' ? undefined : chosen;
    const secret = await linkSecret(visit, email, formId);
    try {
      const added = await store.addAdministrator(
        email,
        organizationId,
        createInvitation(secret),
        actorOf(visit),
      );
      return { to: invitedPath(added.id, formId) };
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      // The form may have been sent twice: then the link is this one's.
      const invited = await store.findInvitedAdministrator(hashToken(secret));
      if (invited?.email === email) return { to: invitedPath(invited.id, formId) };
      return addPage(visit, typed, { email: text.administrators.taken }, 422);
    }
  }

  /**
   * Not stored: the browser's secret and the form give it again. Once it is used, the password is another one, and the
   * same form would give another secret.
   */
  async function linkSecret({ token }: SignedInVisit, email: string, formId: string): Promise<string> {
    const passwordHash = (await store.findCredentials(email))?.passwordHash ?? '';
    return derived(token, `invitation ${email} ${formId} ${passwordHash}`).toString('base64url');
  }

  async function administratorOf({ parameters, signIn }: SignedInVisit): Promise<Administrator> {
    const found = await store.findAdministrator(parameters.administratorId ?? '');
    // Whoever removed the own account by mistake could not come back.
    if (found === undefined || found.id === signIn.administrator.id) throw notFound();
    return found;
  }

  async function askToInvite(visit: SignedInVisit): Promise<Page> {
    const { text } = visit;
    const { email } = await administratorOf(visit);
    const fields = html`<input type="hidden" name="form" value="${randomUUID()}">
<div class="actions">${button(text.administrators.invite)} ${actionLink(listPath, text.form.cancel)}</div>`;
    const body = html`${paragraph(html`<strong>${chosenName(email)}</strong>`)}${paragraph(text.administrators.inviteIntro)}${form(visit, fields)}`;
    return { title: text.administrators.invite, body };
  }

  async function invite(visit: SignedInVisit, typed: URLSearchParams): Promise<Answer> {
    const { id, email } = await administratorOf(visit);
    const formId = typed.get('form') ?? '';
    const secret = await linkSecret(visit, email, formId);
    await store.replaceInvitation(id, createInvitation(secret), actorOf(visit));
    return { to: invitedPath(id, formId) };
  }

  async function invited(visit: SignedInVisit): Promise<Page> {
    const { text, query, publicUrl } = visit;
    const { email } = await administratorOf(visit);
    const secret = await linkSecret(visit, email, query.get('form') ?? '');
    if ((await store.findInvitedAdministrator(hashToken(secret)))?.email !== email) throw notFound();
    const address = publicUrl + invitationPath(secret);
    const body = html`${paragraph(text.administrators.invitedIntro, ' ', html`<strong>${chosenName(email)}</strong>`)}
${copyable(text.administrators.link, 'link', address, text.administrators.copyLink, text.issued.copied)}
${paragraph(link(listPath, text.administrators.toList))}`;
    return { title: text.administrators.invitedTitle, body };
  }

  async function askToRemove(visit: SignedInVisit): Promise<Page> {
    const { text } = visit;
    const { email } = await administratorOf(visit);
    const fields = html`<div class="actions">${button(text.administrators.remove)} ${actionLink(listPath, text.form.cancel)}</div>`;
    const body = html`${alert('warning', text.administrators.removeQuestion, paragraph(html`<strong>${chosenName(email)}</strong>`))}${paragraph(text.administrators.removeIntro)}${form(visit, fields)}`;
    return { title: text.administrators.removeTitle, body };
  }

  return [
    { path: listPath, for: 'operators', show: list, submit: submitSearch },
    {
      path: `${listPath}/new`,
      for: 'operators',
      fresh: true,
      show: async (visit) => addPage(visit, visit.query),
      submit: add,
    },
    { path: `${listPath}/:administratorId/invited`, for: 'operators', fresh: true, show: invited },
    {
      path: `${listPath}/:administratorId/invite`,
      for: 'operators',
      fresh: true,
      show: askToInvite,
      submit: invite,
    },
    {
      path: `${listPath}/:administratorId/remove`,
      for: 'operators',
      fresh: true,
      show: askToRemove,
      submit: async (visit) => {
        const { id } = await administratorOf(visit);
        await store.removeAdministrator(id, actorOf(visit));
        return { to: `${listPath}?removed=1` };
      },
    },
  ];
}
