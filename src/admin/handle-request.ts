/** The order in which a request is dealt with, and what becomes of its answer. */
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Store, StoreConflictError, StoreUnavailableError } from '../domain/store.ts';
import { isFormToken, type Visit } from './request-context.ts';
import { type Answer, notFound, PageFailure } from './response.ts';
import { detour, filledIn, startPage } from './return-url.ts';
import type { Route } from './routes.ts';
import { layout } from './ui/layout.ts';

/** Is the form ours, who is it, may they see the page, was the password entered lately: in this order. */
export async function answerTo(
  store: Store,
  route: Route,
  request: FastifyRequest,
  visit: Visit,
): Promise<Answer> {
  const form = request.method === 'POST' ? formOf(request) : undefined;
  if (form !== undefined && !isOurs(request, form, visit)) throw new PageFailure(403);
  const here = form === undefined ? visit.path + searchOf(visit.query) : filledIn(visit.path, form);
  const first = admit(route, visit, here, form !== undefined);
  if (first !== undefined) return first;
  if (route.for === 'municipality') visit.organization = await municipalityOf(store, visit);
  // What `admit` and `municipalityOf` have made sure of is what the types of the routes say.
  const handle = (form === undefined ? route.show : route.submit) as
    | ((visit: Visit, form?: URLSearchParams) => Promise<Answer>)
    | undefined;
  if (handle === undefined) throw notFound();
  return handle(visit, form);
}

async function municipalityOf(store: Store, { signIn, parameters }: Visit) {
  const own = signIn?.administrator.organizationId ?? null;
  const wanted = parameters.organizationId?.toLowerCase() ?? '';
  if (own !== null && own !== wanted) throw notFound();
  const organization = await store.findOrganization(wanted);
  if (organization?.id !== wanted) throw notFound();
  return organization;
}

const formOf = (request: FastifyRequest) =>
  request.body instanceof URLSearchParams ? request.body : new URLSearchParams();

const searchOf = (query: URLSearchParams) => (query.size > 0 ? `?${query}` : '');

/** Whether the browser says that the form was sent from a page of ours; old ones say nothing. */
export function isOwnForm({ headers }: FastifyRequest): boolean {
  return headers['sec-fetch-site'] === 'same-origin';
}

function isOurs(request: FastifyRequest, form: URLSearchParams, { token }: Visit): boolean {
  const foreign = request.headers['sec-fetch-site'] !== undefined && !isOwnForm(request);
  return !foreign && isFormToken(token, form.get('token') ?? '');
}

/** The form that a request was sent from, with what was typed. */
export function backOf(request: FastifyRequest): string | undefined {
  const path = request.url.replace(/\?.*$/s, '');
  return request.method === 'POST' ? filledIn(path, formOf(request)) : undefined;
}

/** @returns where to go first; undefined when the visitor may see the page. @throws PageFailure 404 */
function admit(route: Route, visit: Visit, here: string, isForm: boolean): Answer | undefined {
  const { signIn, isFresh } = visit;
  if (route.for === 'everybody') return undefined;
  const mayComeBack = route.show !== undefined ? here : undefined;
  if (signIn === undefined) {
    // Whoever sends a form was signed in when it was opened.
    return { to: detour('/admin/sign-in', mayComeBack, isForm ? { ended: '1' } : {}) };
  }
  if (route.for === 'halfSignedIn')
    return signIn.pendingSecondFactor ? undefined : { to: startPage(signIn.administrator) };
  if (signIn.pendingSecondFactor) return { to: detour('/admin/sign-in/code', mayComeBack) };
  if (route.for === 'operators' && signIn.administrator.organizationId !== null) throw notFound();
  if (route.fresh && !isFresh) return { to: detour('/admin/confirm', mayComeBack) };
  return undefined;
}

export function send(answer: Answer, visit: Visit, reply: FastifyReply) {
  if ('to' in answer) return reply.redirect(answer.to, 303);
  if ('content' in answer) {
    return reply
      .type(answer.type)
      .header('content-disposition', `attachment; filename="${answer.fileName}"`)
      .send(Readable.from(answer.content));
  }
  return reply
    .code(answer.status ?? 200)
    .type('text/html; charset=utf-8')
    .send(layout(visit, answer));
}

export function statusOf(error: unknown): number {
  if (error instanceof PageFailure) return error.status;
  if (error instanceof StoreUnavailableError) return 503;
  // What a page is about was removed meanwhile.
  if (error instanceof StoreConflictError) return 404;
  const { statusCode = 500, code = '' } = error as { statusCode?: number; code?: string };
  if (statusCode === 413) return 413;
  // Among them a body that is no form, or says that it is something that there is not.
  return statusCode < 500 || code.startsWith('FST_ERR_CTP_') ? 400 : 500;
}
