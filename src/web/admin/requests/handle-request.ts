/** Handles a request: CSRF check, authorization, tenant, handler, response. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Organization } from '../../../domain/organizations/organization.ts';
import type { Store } from '../../../domain/store.ts';
import { StoreConflictError, StoreUnavailableError } from '../../../domain/store-errors.ts';
import { isTimeZone } from '../../../domain/values/timestamps.ts';
import { resultFragment } from '../../ui/components.ts';
import { getFormatter } from '../../ui/formatter.ts';
import { countBytes, sendInSlices } from '../../ui/html.ts';
import { hasAccess, isTenantAccess, listPermissions } from '../access.ts';
import type { AdminContext } from '../admin-context.ts';
import { isValidFormToken } from '../auth/browser-secret.ts';
import { missingPermissionPage } from '../pages/error-page.ts';
import { confirmForm } from '../pages/reauthenticate.ts';
import { mustSetUpSecondFactor, secondFactorPath } from '../pages/set-up-second-factor.ts';
import { otherAuthorPage, signInPage } from '../pages/sign-in.ts';
import type { Handlers, Route } from '../route.ts';
import { layout } from '../ui/layout.ts';
import { findMunicipality, organizationPath } from '../ui/navigation.ts';
import {
  authorField,
  type FormEncoding,
  hasEntries,
  type InterruptedForm,
  isAuthor,
  isTooLarge,
  listEntries,
  readCarriedForm,
  reopenField,
} from './interrupted-form.ts';
import type { PageContext, SignedInContext } from './page-context.ts';
import {
  type AdminResponse,
  FormError,
  MissingPermissionError,
  notFound,
  PageError,
  type UntitledPage,
} from './response-types.ts';
import { addReturnUrl, homePath, removeNul, safeReturnUrl } from './return-url.ts';

export async function handleRequest(
  admin: AdminContext,
  route: Route,
  request: FastifyRequest,
  context: PageContext,
): Promise<AdminResponse> {
  const response = await checkAndHandle(admin, route, request, context).catch((error) => {
    if (!(error instanceof MissingPermissionError)) throw error;
    return missingPermissionPage(admin, context, readOrganizationId(context), error.needed);
  });
  const municipality = findMunicipality(context);
  // For the navigation. Redirects and downloads have none.
  if ('body' in response && municipality !== undefined)
    context.usesApprovals ||= await admin.store.usesApprovals(municipality.id);
  return response;
}

/** Checks the form's CSRF token, the login session, the permission and a recent authentication, in this order. */
async function checkAndHandle(
  admin: AdminContext,
  route: Route,
  request: FastifyRequest,
  context: PageContext,
): Promise<AdminResponse> {
  const form = request.method === 'POST' ? readForm(request) : undefined;
  const reopens = form?.has(reopenField) === true && route.get !== undefined;
  if (form !== undefined && !route.acceptsForeignForms && !isAuthenticForm(request, form, context, reopens))
    throw new PageError(403);
  // Forms of the sign-in pages carry the return URL in a hidden field.
  const returnUrl = form?.get('return');
  if (returnUrl) context.query.set('return', returnUrl);
  // A form can only be opened with a login session, so that session has ended.
  if (form !== undefined && route.access !== 'public' && context.loginSession === undefined)
    return askToSignIn(admin, route, context, readInterruptedForm(request, context));
  const rejection = authorize(admin, route, context, form !== undefined);
  if (rejection !== undefined) return rejection;
  if (isTenantRoute(route)) {
    const [organization, personNames] = await Promise.all([
      requireOrganization(admin.store, context),
      admin.store.listPersonNames(readOrganizationId(context)),
    ]);
    enterOrganization(context, organization);
    context.personNames = personNames;
  }
  if (form !== undefined && reopens) return reopenPage(route, context, listEntries(form));
  if (form !== undefined && needsRecentAuth(route, form)) {
    const confirmation = await confirmForm(admin, context as SignedInContext, form, {
      hasPage: route.get !== undefined,
      encoding: getEncoding(request),
    });
    if (confirmation !== undefined) return confirmation;
  }
  return callRoute(route, context, form);
}

async function callRoute(
  route: Route,
  context: PageContext,
  form: URLSearchParams | undefined,
): Promise<AdminResponse> {
  const response = await callHandler(route, context, form);
  if (response === undefined) throw notFound();
  return 'body' in response && response.title === undefined
    ? { ...response, title: route.title?.(context.text) ?? '' }
    : (response as AdminResponse);
}

/** Responds like the page with these fields in its URL. */
async function reopenPage(
  route: Route,
  context: PageContext,
  entries: InterruptedForm['entries'],
): Promise<AdminResponse> {
  const { loginSession } = context;
  const isSignInPage = route.access === 'public' || route.access === 'pendingSecondFactor';
  if (!isSignInPage && loginSession !== undefined && !isAuthor(entries, loginSession.account.id))
    return otherAuthorPage(context);
  context.query = new URLSearchParams(
    entries.flatMap(([name, value]) => (name === authorField ? [] : [[name, removeNul(value)]])),
  );
  context.isReopened = true;
  const response = await callRoute(route, context, undefined);
  // The address has no entries, so a link to another language would lose them.
  return 'body' in response ? { ...response, oneTime: true } : response;
}

/** The form of a request, as far as it may be shown again. */
export function readInterruptedForm(request: FastifyRequest, { path }: PageContext): InterruptedForm {
  return { path, encoding: getEncoding(request), entries: listEntries(readForm(request)) };
}

const getEncoding = (request: FastifyRequest): FormEncoding =>
  /^multipart\/form-data\b/i.test(request.headers['content-type'] ?? '') ? 'multipart/form-data' : undefined;

/** The sign-in page, which carries the form that the ended login session has interrupted. */
function askToSignIn(
  admin: AdminContext,
  route: Route,
  context: PageContext,
  sent: InterruptedForm,
): AdminResponse {
  const isSignInPage = route.access === 'pendingSecondFactor';
  const interrupted = isSignInPage ? readCarriedForm(new URLSearchParams([...sent.entries])) : sent;
  const path = isSignInPage ? safeReturnUrl(context.query) : route.get && context.path;
  const hasFile = context.upload !== undefined || context.uploadedFile !== undefined;
  if (
    path === undefined ||
    interrupted === undefined ||
    !hasEntries(interrupted) ||
    isTooLarge(interrupted)
  ) {
    const isLost = interrupted !== undefined && isTooLarge(interrupted);
    const ended = isLost ? 'lost' : hasFile ? 'file' : 'nothing';
    return { redirectTo: addReturnUrl('/admin/sign-in', path, { ended }) };
  }
  context.query = new URLSearchParams({ return: path, ended: hasFile ? 'file' : 'kept' });
  return signInPage(admin, context, { interrupted });
}

const needsRecentAuth = ({ requiresRecentAuth: required }: Route, form: URLSearchParams) =>
  typeof required === 'function' ? required(form) : required === true;

async function callHandler(route: Route, context: PageContext, form: URLSearchParams | undefined) {
  // `authorize` and `requireOrganization` guarantee the context type that the route declares.
  const { get, post } = route as Handlers<PageContext, AdminResponse | UntitledPage>;
  if (form === undefined) return get?.(context, { values: context.query, errors: {} });
  try {
    return await post?.(context, form);
  } catch (error) {
    if (!(error instanceof FormError) || get === undefined) throw error;
    return { status: error.status, ...(await get(context, { values: form, errors: error.errors })) };
  }
}

const isTenantRoute = ({ access }: Route) => isTenantAccess(access);

const readOrganizationId = ({ params }: PageContext) => params.organizationId?.toLowerCase() ?? '';

async function requireOrganization(store: Store, context: PageContext) {
  const wanted = readOrganizationId(context);
  const organization = await store.findOrganization(wanted);
  if (organization?.id !== wanted) throw notFound();
  return organization;
}

/** Times on the pages of a municipality are local times there. */
function enterOrganization(context: PageContext, organization: Organization): void {
  context.organization = organization;
  context.usesApprovals = organization.approval === 'on';
  context.recordsAddress = (path) => `${organizationPath(organization)}/data/${path}`;
  // Another version of Node.js may have stored a zone that this one does not know.
  if (!isTimeZone(organization.timeZone)) return;
  context.timeZone = organization.timeZone;
  context.format = getFormatter(context.language, context.timeZone);
}

const readForm = (request: FastifyRequest) =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

const formatQuery = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : '');

/** Whether the browser declares a same-origin request. Old browsers send no such header. */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}

function isAuthenticForm(
  request: FastifyRequest,
  form: URLSearchParams,
  { browserSecret }: PageContext,
  reopens: boolean,
): boolean {
  const foreign = request.headers['sec-fetch-site'] !== undefined && !isSameOrigin(request);
  if (foreign) return false;
  // The token is out of date if the user has signed in again in another tab.
  return (reopens && isSameOrigin(request)) || isValidFormToken(browserSecret, form.get('token') ?? '');
}

/**
 * @returns undefined if the user may see the page; else a redirect to sign in or confirm
 * @throws PageError 404
 * @throws MissingPermissionError
 */
function authorize(
  admin: AdminContext,
  route: Route,
  context: PageContext,
  isForm: boolean,
): AdminResponse | undefined {
  const { loginSession, hasRecentAuth } = context;
  if (route.access === 'public') return undefined;
  const here = isForm ? context.path : context.path + formatQuery(context.query);
  const mayComeBack = route.get !== undefined ? here : undefined;
  if (loginSession === undefined) return { redirectTo: addReturnUrl('/admin/sign-in', mayComeBack) };
  if (route.access === 'pendingSecondFactor')
    return loginSession.pendingSecondFactor ? undefined : { redirectTo: homePath(loginSession.account) };
  if (loginSession.pendingSecondFactor)
    return { redirectTo: addReturnUrl('/admin/sign-in/code', mayComeBack) };
  if (!route.allowedWithoutSecondFactor && mustSetUpSecondFactor(admin, { ...context, loginSession }))
    return { redirectTo: addReturnUrl(secondFactorPath, mayComeBack) };
  const { account } = loginSession;
  const organizationId = readOrganizationId(context);
  const access = (isForm && route.formAccess) || route.access;
  if (!hasAccess(account, access, organizationId)) {
    if (isTenantAccess(access) && hasAccess(account, 'see', organizationId))
      throw new MissingPermissionError(listPermissions(access).map((each) => [each]));
    throw notFound();
  }
  if (route.requiresRecentAuth && route.post === undefined && !hasRecentAuth)
    return { redirectTo: addReturnUrl('/admin/confirm', mayComeBack) };
  return undefined;
}

export async function sendResponse(response: AdminResponse, context: PageContext, reply: FastifyReply) {
  const isFormResponse = reply.request.method === 'POST';
  if ('redirectTo' in response) {
    const { redirectTo } = response;
    // Identity providers are outside.
    const leadsToPage = isFormResponse && redirectTo.startsWith('/');
    return reply.redirect(leadsToPage ? `${redirectTo}${resultFragment}` : redirectTo, 303);
  }
  if ('json' in response)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(response.json));
  if ('content' in response) {
    return reply
      .type(response.type)
      .header('content-disposition', `attachment; filename="${response.fileName}"`)
      .send(Readable.from(response.content));
  }
  const page = await layout(context, response, isFormResponse);
  return reply
    .code(response.status ?? 200)
    .type('text/html; charset=utf-8')
    .header('content-length', countBytes(page))
    .send(Buffer.isBuffer(page) ? page : Readable.from(sendInSlices(page)));
}

export function errorStatus(error: unknown): number {
  if (error instanceof PageError) return error.status;
  if (error instanceof StoreUnavailableError) return 503;
  // The subject of the page has been removed in the meantime.
  if (error instanceof StoreConflictError) return 404;
  const { statusCode = 500, code = '' } = error as { statusCode?: number; code?: string };
  if (statusCode === 413) return 413;
  // This includes bodies that are not forms, or that have an invalid content type.
  return statusCode < 500 || code.startsWith('FST_ERR_CTP_') ? 400 : 500;
}
