/** Adding an account, and its one-time links: to copy, and by email. */

import { type Account, findPermissions, type NewAccount } from '../../../domain/accounts/account.ts';
import { MailDeliveryError } from '../../../domain/accounts/mail.ts';
import { createInvitation, getInvitationPath, hashToken } from '../../../domain/accounts/one-time-link.ts';
import { StoreConflictError } from '../../../domain/store-errors.ts';
import { isValidName, parseAccountEmail } from '../../../domain/values/name-and-email-validation.ts';
import { didYouMean } from '../../../platform/did-you-mean.ts';
import { alert, announcement, copyField, field, link, paragraph, userText } from '../../ui/components.ts';
import { html, type SafeHtml } from '../../ui/html.ts';
import type { AdminContext } from '../admin-context.ts';
import { deriveSecret } from '../auth/browser-secret.ts';
import { allowInvitation } from '../auth/login-attempt-limits.ts';
import { permissionFields, readPermissions } from '../forms/account-fields.ts';
import { form, formActions, formIdField } from '../forms/forms.ts';
import { organizationCombobox } from '../forms/organization-combobox.ts';
import { radioGroup } from '../forms/radio-group.ts';
import { currentActor, type SignedInContext } from '../requests/page-context.ts';
import {
  type AdminResponse,
  FormError,
  type FormState,
  notFound,
  type Page,
} from '../requests/response-types.ts';
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

type Errors = Record<string, string>;

/** The municipality of a new account, and its tasks there. */
type Place = WithoutEmail<NewAccount>;
type WithoutEmail<Whole> = Whole extends unknown ? Omit<Whole, 'email'> : never;

const accountKinds = ['municipal', 'operator'] as const;

/** @param mail see `sendInvitation` */
const invitedUrl = (context: SignedInContext, id: string, formId: string, mail = '') =>
  `${accountsPath(context)}/${id}/invited?form=${encodeURIComponent(formId)}${mail}`;

export function inviteAccountRoutes(admin: AdminContext): Route[] {
  const { store } = admin;

  async function addPage(context: SignedInContext, { values, errors }: FormState): Promise<Page> {
    const { text, organization } = context;
    const input = field({
      name: 'organization',
      label: text.terms.municipality,
      hint: text.accounts.municipalityHint,
      value: values.get('organization') ?? '',
      error: errors.organization,
      optional: text.accounts.municipalityOptional,
      autocomplete: 'off',
    });
    const kinds = accountKinds.map((value) => ({ value, ...text.accounts.kinds[value] }));
    const municipality = organizationCombobox(context, input, 'organization');
    const fields = html`${formIdField()}
${field({ name: 'email', label: text.signIn.email, type: 'email', value: values.get('email') ?? '', error: errors.email, autocomplete: 'off' })}
${organization === undefined ? html`${radioGroup('kind', text.accounts.kind, kinds, values.get('kind') ?? '', errors.kind)}${municipality}` : ''}
${permissionFields(context, organization?.id, readPermissions(values))}
${formActions(context, text.accounts.add, accountsPath(context))}`;
    return { title: text.accounts.add, body: form(context, fields, errors) };
  }

  async function add(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const { text } = context;
    const email = parseAccountEmail(values.get('email') ?? '');
    const errors: Errors = email === undefined ? { email: text.accounts.emailWrong } : {};
    const place = await parsePlace(context, values, errors);
    if (email === undefined || place === undefined || Object.keys(errors).length > 0)
      throw new FormError(errors);
    if (!(await allowInvitation(store, context.loginSession.account)))
      throw new FormError({ email: text.accounts.tooManyInvitations }, 429);
    const formId = values.get('form') ?? '';
    const secret = await deriveInvitationSecret(context, email, formId);
    try {
      const invitation = createInvitation(secret);
      const added = await store.addAccount({ ...place, email }, invitation, currentActor(context));
      const mail = await sendInvitation(admin, context, added, secret);
      return { redirectTo: invitedUrl(context, added.id, formId, mail) };
    } catch (error) {
      if (!(error instanceof StoreConflictError)) throw error;
      // If the form was submitted twice, the invitation is this form's.
      const invited = await store.findInvitedAccount(hashToken(secret));
      if (invited?.email === email) return { redirectTo: invitedUrl(context, invited.id, formId) };
      if (await addRole(context, email, place))
        return { redirectTo: `${accountsPath(context)}?done=role-added` };
      throw new FormError({ email: text.accounts.taken });
    }
  }

  /**
   * Gives an existing account a role in one more municipality. It gets no one-time link, because a link gives access to its
   * other roles too. Administrators of its other municipalities may know its password, so only people who could create a
   * link for it may do this.
   *
   * @returns false without this right, and if the account has a role there already, or is an operator's
   */
  async function addRole(context: SignedInContext, email: string, place: Place): Promise<boolean> {
    if (place.organizationId === null) return false;
    const account = await store.findAccount(email);
    if (account === undefined || findPermissions(account, place.organizationId).length > 0) return false;
    if (!mayInvite(context, account)) return false;
    await store.addRole(account.id, place.organizationId, place.permissions, currentActor(context));
    return true;
  }

  /** @returns undefined with an entry in `errors` for an invalid choice. @throws MissingPermissionError */
  async function parsePlace(
    context: SignedInContext,
    values: URLSearchParams,
    errors: Errors,
  ): Promise<Place | undefined> {
    const { text, organization } = context;
    const permissions = readPermissions(values);
    if (organization !== undefined) {
      assertMayGrant(context, organization.id, permissions);
      return { organizationId: organization.id, permissions };
    }
    const kind = accountKinds.find((each) => each === values.get('kind'));
    if (kind === undefined) errors.kind = text.accounts.kindMissing;
    if (kind === 'operator') {
      if (values.get('organization')) errors.organization = text.accounts.municipalityOfOperator;
      return { organizationId: null };
    }
    const organizationId = await findOrganizationId(context, values, errors);
    return kind && organizationId ? { organizationId, permissions } : undefined;
  }

  /** @throws PageError 404 as `requireOtherAccount`, and for an account with other roles. @throws MissingPermissionError */
  async function requireInvitable(context: SignedInContext): Promise<Account> {
    const account = await requireOtherAccount(admin, context);
    const role = context.organization && account.roles.find(isIn(context.organization));
    if (role !== undefined) assertMayGrant(context, role.organizationId, role.permissions);
    if (!mayInvite(context, account)) throw notFound();
    return account;
  }

  async function findOrganizationId(
    { text }: SignedInContext,
    values: URLSearchParams,
    errors: Errors,
  ): Promise<string | undefined> {
    const name = (values.get('organization') ?? '').trim();
    const found = !isValidName(name) ? undefined : await store.findOrganization(name);
    if (found !== undefined) return found.id;
    const names = name === '' ? [] : (await store.listOrganizationNames()).map((each) => each.name);
    const near = didYouMean(name, names);
    errors.organization =
      name === '' ? text.accounts.municipalityMissing : text.accounts.municipalityUnknown(near);
    return undefined;
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

  async function invitePage(context: SignedInContext, { errors }: FormState): Promise<Page> {
    const { text } = context;
    const { email, hasPassword } = await requireInvitable(context);
    const fields = html`${formIdField()}
${formActions(context, text.accounts.invite, accountsPath(context))}`;
    const person = paragraph(html`<strong>${userText(email)}</strong>`);
    const effect = hasPassword
      ? alert('info', text.accounts.inviteEffect, html`${person}${paragraph(text.accounts.inviteIntro)}`)
      : html`${person}${paragraph(text.accounts.inviteAgain)}`;
    const body = html`${errors.limit === undefined ? '' : alert('danger', errors.limit)}${effect}${form(context, fields)}`;
    return { title: text.accounts.invite, body };
  }

  async function invite(context: SignedInContext, values: URLSearchParams): Promise<AdminResponse> {
    const account = await requireInvitable(context);
    const { id, email } = account;
    if (!(await allowInvitation(store, context.loginSession.account)))
      throw new FormError({ limit: context.text.accounts.tooManyInvitations }, 429);
    const formId = values.get('form') ?? '';
    const secret = await deriveInvitationSecret(context, email, formId);
    await store.replaceInvitation(id, createInvitation(secret), currentActor(context));
    const mail = await sendInvitation(admin, context, account, secret);
    return { redirectTo: invitedUrl(context, id, formId, mail) };
  }

  async function invitedPage(context: SignedInContext): Promise<Page> {
    const { text, query, invitationOrigin } = context;
    const { email } = await requireInvitable(context);
    const secret = await deriveInvitationSecret(context, email, query.get('form') ?? '');
    if ((await store.findInvitedAccount(hashToken(secret)))?.email !== email) throw notFound();
    const address = invitationOrigin + getInvitationPath(secret);
    const { link: label, copyLink } = text.accounts;
    const copyableLink = copyField(label, 'link', address, copyLink, text.form.copied);
    const hint =
      admin.publicUrl === undefined
        ? alert('warning', text.accounts.linkIsLocal, paragraph(text.accounts.linkIsLocalHint))
        : '';
    const body = html`${hint}${paragraph(html`<strong>${userText(email)}</strong>`)}${invitationLink(context, email, copyableLink)}
${paragraph(link(accountsPath(context), text.accounts.toList))}`;
    return { title: text.accounts.invitedTitle, body };
  }

  const listRoutes = (path: string) => [
    { path: `${path}/new`, requiresRecentAuth: true, get: addPage, post: add } as const,
    { path: `${path}/:accountId/invited`, requiresRecentAuth: true, get: invitedPage } as const,
    { path: `${path}/:accountId/invite`, requiresRecentAuth: true, get: invitePage, post: invite } as const,
  ];
  return [
    ...listRoutes(allAccountsPath).map((route) => ({ access: 'operator' as const, ...route })),
    ...listRoutes(organizationAccountsRoute).map((route) => ({ access: 'accounts' as const, ...route })),
  ];
}

/** A form that is submitted again sends no second message. */
const sendWindowMs = 3_600_000;

/** @returns the parameter of the next page: `&mail=sent`, `&mail=failed`, or nothing if no message was to be sent */
async function sendInvitation(
  { store, mailer, log }: AdminContext,
  { language, loginSession, organization, invitationOrigin }: SignedInContext,
  account: Account,
  secret: string,
): Promise<string> {
  if (mailer === undefined) return '';
  const [first] = account.roles;
  const assigned = organization === undefined ? first : account.roles.find(isIn(organization));
  const attempts = await store.hitAttemptLimit(
    `invitation ${hashToken(secret).toString('hex')}`,
    1,
    sendWindowMs,
  );
  if (attempts > 1) return '';
  try {
    await mailer.sendInvitation({
      email: account.email,
      role: assigned ?? null,
      language: account.language ?? language,
      invitedBy: describePerson(loginSession.account),
      url: invitationOrigin + getInvitationPath(secret),
    });
    return '&mail=sent';
  } catch (error) {
    if (!(error instanceof MailDeliveryError)) throw error;
    log.warn({ account: account.id, error: error.message }, 'an invitation could not be sent');
    return '&mail=failed';
  }
}

const describePerson = ({ name, email }: Account): string => (name === null ? email : `${name} (${email})`);

/** The link to copy. If it was sent, it is hidden until somebody asks for it. */
function invitationLink({ text, query }: SignedInContext, email: string, copyableLink: SafeHtml): SafeHtml {
  const { sent, sentHint, showLink, failed, failedHint } = text.invitationMail;
  if (query.get('mail') === 'sent')
    return html`${announcement(sent(email))}${paragraph(sentHint)}
<details><summary class="kern-link">${showLink}</summary>
${paragraph(text.accounts.invitedIntro)}
${copyableLink}</details>`;
  const notice = query.get('mail') === 'failed' ? alert('warning', failed, paragraph(failedHint)) : '';
  return html`${notice}${paragraph(text.accounts.invitedIntro)}
${copyableLink}`;
}
