/** Single sign-on: redirects to the provider, and handles its callback. */
import type { Account } from '../../../domain/accounts/account.ts';
import type { AdminContext } from '../admin-context.ts';
import {
  type Identity,
  type OidcClient,
  OidcError,
  type OidcFlowState,
  parseFlowState,
} from '../auth/oidc-client.ts';
import { reportSignInFailure } from '../auth/report-sign-in-failure.ts';
import type { PageContext } from '../requests/page-context.ts';
import type { AdminResponse } from '../requests/response-types.ts';
import { addReturnUrl, homePath, safeReturnUrl } from '../requests/return-url.ts';
import type { Route } from '../route.ts';
import { startLoginSession } from './sign-in.ts';

/** Holds the state of a login while the browser is at the provider. */
const flowCookie = '__Host-rostra-sign-on';
const flowTimeoutSeconds = 600;

export function oidcLoginRoutes(admin: AdminContext, oidc: OidcClient): Route[] {
  const { store, log } = admin;

  async function startLogin(context: PageContext): Promise<AdminResponse> {
    const returnUrl = safeReturnUrl(context.query);
    const forceLogin = context.query.has('force') && context.loginSession !== undefined;
    try {
      const { url, flow } = await oidc.startLogin(context.language, returnUrl, forceLogin);
      context.setCookie(flowCookie, JSON.stringify(flow), flowTimeoutSeconds);
      return { redirectTo: url };
    } catch (error) {
      return redirectAfterError(context, error, returnUrl);
    }
  }

  function redirectAfterError(
    { loginSession }: PageContext,
    error: unknown,
    returnUrl: string | undefined,
  ): AdminResponse {
    if (!(error instanceof OidcError)) throw error;
    log.warn({ err: error }, 'single sign-on failed');
    const path = loginSession === undefined ? '/admin/sign-in' : '/admin/confirm';
    return { redirectTo: addReturnUrl(path, returnUrl, { failed: '1' }) };
  }

  async function handleCallback(context: PageContext): Promise<AdminResponse> {
    const flow = parseFlowState(context.cookie(flowCookie));
    context.setCookie(flowCookie, '', 0);
    try {
      if (flow === undefined) throw new OidcError('the browser returned without its cookie');
      const identity = await oidc.handleCallback(context.query, flow);
      const found = (await store.findCredentials(identity.email))?.account;
      if (found === undefined) throw new OidcError(`${identity.email} has no account`);
      if (!(await store.bindIdentity(found.id, identity.issuer, identity.subject, context.clientAddress)))
        throw new OidcError(`${identity.email} has another identity at the provider than before`);
      return await completeLogin(context, found, identity, flow);
    } catch (error) {
      if (error instanceof OidcError) reportSignInFailure(admin, context, 'provider');
      return redirectAfterError(context, error, flow?.returnUrl);
    }
  }

  /** The provider is responsible for further factors, so our second factor is not requested. */
  async function completeLogin(
    context: PageContext,
    account: Account,
    { authenticatedAtMs }: Identity,
    { returnUrl, forceLogin }: OidcFlowState,
  ): Promise<AdminResponse> {
    if (forceLogin && context.loginSession !== undefined) {
      if (context.loginSession.account.id !== account.id)
        throw new OidcError(`${account.email} cannot confirm somebody else’s sign-in`);
      await store.recordReauthentication(context.loginSession.id);
      return { redirectTo: returnUrl ?? homePath(account) };
    }
    return startLoginSession(admin, context, account, returnUrl, {
      pendingSecondFactor: false,
      reauthenticatedAtMs: authenticatedAtMs,
    });
  }

  return [
    { path: '/admin/sign-in/provider', access: 'public', get: startLogin },
    { path: '/admin/sign-in/provider/return', access: 'public', get: handleCallback },
  ];
}
