/** The order in which a request is dealt with, and what becomes of its answer. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Store } from '../domain/store.ts';
import { StoreConflictError, StoreUnavailableError } from '../domain/store-errors.ts';
import { isValidFormToken, type PageContext } from './page-context.ts';
import { type AdminResponse, notFound, PageError } from './response.ts';
import { addReturnUrl, homePath, prefilledFormUrl } from './return-url.ts';
import type { Route } from './routes.ts';
import { layout } from './ui/layout.ts';

/** Is the form ours, who is it, may they see the page, was the password entered lately: in this order. */
export async function handleRequest(
  store: Store,
  route: Route,
  request: FastifyRequest,
  context: PageContext,
): Promise<AdminResponse> {
  const form = request.method === 'POST' ? readForm(request) : undefined;
  if (form !== undefined && !isAuthenticForm(request, form, context)) throw new PageError(403);
  const here =
    form === undefined ? context.path + formatQuery(context.query) : prefilledFormUrl(context.path, form);
  const first = authorize(route, context, here, form !== undefined);
  if (first !== undefined) return first;
  if (route.access === 'tenant') context.organization = await requireOrganization(store, context);
  // What `admit` and `municipalityOf` have made sure of is what the types of the routes say.
  const handle = (form === undefined ? route.get : route.post) as
    | ((context: PageContext, form?: URLSearchParams) => Promise<AdminResponse>)
    | undefined;
  if (handle === undefined) throw notFound();
  return handle(context, form);
}

async function requireOrganization(store: Store, { loginSession, params }: PageContext) {
  const own = loginSession?.administrator.organizationId ?? null;
  const wanted = params.organizationId?.toLowerCase() ?? '';
  if (own !== null && own !== wanted) throw notFound();
  const organization = await store.findOrganization(wanted);
  if (organization?.id !== wanted) throw notFound();
  return organization;
}

const readForm = (request: FastifyRequest) =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

const formatQuery = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : '');

/** Whether the browser says that the form was sent from a page of ours; old ones say nothing. */
export function isSameOrigin({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}

function isAuthenticForm(
  request: FastifyRequest,
  form: URLSearchParams,
  { browserSecret }: PageContext,
): boolean {
  const foreign = request.headers['sec-fetch-site'] !== undefined && !isSameOrigin(request);
  return !foreign && isValidFormToken(browserSecret, form.get('token') ?? '');
}

/** The form that a request was sent from, with what was typed. */
export function formReturnUrl(request: FastifyRequest): string | undefined {
  const path = request.url.replace(/\?.*$/s, '');
  return request.method === 'POST' ? prefilledFormUrl(path, readForm(request)) : undefined;
}

/** @returns where to go first; undefined when the visitor may see the page. @throws PageError 404 */
function authorize(
  route: Route,
  context: PageContext,
  here: string,
  isForm: boolean,
): AdminResponse | undefined {
  const { loginSession, hasRecentAuth } = context;
  if (route.access === 'public') return undefined;
  const mayComeBack = route.get !== undefined ? here : undefined;
  if (loginSession === undefined) {
    // Whoever sends a form was signed in when it was opened.
    return { redirectTo: addReturnUrl('/admin/sign-in', mayComeBack, isForm ? { ended: '1' } : {}) };
  }
  if (route.access === 'pendingSecondFactor')
    return loginSession.pendingSecondFactor
      ? undefined
      : { redirectTo: homePath(loginSession.administrator) };
  if (loginSession.pendingSecondFactor)
    return { redirectTo: addReturnUrl('/admin/sign-in/code', mayComeBack) };
  if (route.access === 'operator' && loginSession.administrator.organizationId !== null) throw notFound();
  if (route.requiresRecentAuth && !hasRecentAuth)
    return { redirectTo: addReturnUrl('/admin/confirm', mayComeBack) };
  return undefined;
}

export function sendResponse(answer: AdminResponse, context: PageContext, reply: FastifyReply) {
  if ('redirectTo' in answer) return reply.redirect(answer.redirectTo, 303);
  if ('content' in answer) {
    return reply
      .type(answer.type)
      .header('content-disposition', `attachment; filename="${answer.fileName}"`)
      .send(Readable.from(answer.content));
  }
  return reply
    .code(answer.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(layout(context, answer));
}

export function errorStatus(error: unknown): number {
  if (error instanceof PageError) return error.status;
  if (error instanceof StoreUnavailableError) return 503;
  // What a page is about was removed meanwhile.
  if (error instanceof StoreConflictError) return 404;
  const { statusCode = 500, code = '' } = error as { statusCode?: number; code?: string };
  if (statusCode === 413) return 413;
  // Among them a body that is no form, or says that it is something that there is not.
  return statusCode < 500 || code.startsWith('FST_ERR_CTP_') ? 400 : 500;
}
