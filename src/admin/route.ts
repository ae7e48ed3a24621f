/** The types of routes. */

import { type Account, findRole } from '../domain/account.ts';
import type { Messages } from './messages/en.ts';
import type { PageContext, SignedInContext, TenantContext } from './page-context.ts';
import type { AdminResponse, FormErrors, UntitledPage } from './response-types.ts';

/** Access levels of routes, and the context that their handlers receive. */
interface ContextByAccess {
  public: PageContext;
  /** The user has entered the password, but not yet the code. */
  pendingSecondFactor: SignedInContext;
  /** Any account. */
  signedIn: SignedInContext;
  /** Accounts with a role in several municipalities, and operators. Others receive 404. */
  severalOrganizations: SignedInContext;
  /** Accounts with a role in the municipality in the path, and operators. Others receive 404. */
  reader: TenantContext;
  /** Administrators of the municipality in the path, and operators. Its readers receive 403, others 404. */
  administrator: TenantContext;
  /** Other accounts receive 404. */
  operator: SignedInContext;
}

export type Access = keyof ContextByAccess;

/**
 * Whether an account that has signed in completely may open pages of a level.
 *
 * @param organizationId of the municipality in the path
 */
export function hasAccess(account: Account, access: Access, organizationId: string | undefined): boolean {
  const role = findRole(account, organizationId);
  if (access === 'operator') return account.isOperator;
  if (access === 'severalOrganizations') return account.isOperator || account.roles.length > 1;
  if (access === 'reader') return role !== undefined;
  return access !== 'administrator' || role === 'administrator' || role === 'operator';
}

interface RouteOptions<Who extends keyof ContextByAccess> {
  path: string;
  access: Who;
  /**
   * The user must have authenticated within the last minutes. It is checked when the form is sent; pages without a form,
   * which display a secret, check it before they are displayed.
   */
  requiresRecentAuth?: true;
  /**
   * Mail programs and other sites may send the form, with any body. Its path contains a secret, and neither cookies nor the
   * body are used.
   */
  acceptsForeignForms?: true;
  /** Accounts that must set up a second factor may use the page before. */
  allowedWithoutSecondFactor?: true;
  /** The page displays its content once, so HEAD is not supported: it would consume the display. */
  oneTime?: true;
  /** The form may contain a file that is streamed to `UploadStorage`, after all other fields. */
  receivesUpload?: true;
  /** The form may contain a file of this size. Other routes reject such forms. */
  maxFileBytes?: number;
}

/** `post` handles the form of the page that `get` returns. */
interface Handlers<Context, Response> {
  /** @param values of the form: those of the URL, or those that `post` rejected with a `FormError`, with its messages */
  get?: (context: Context, values: URLSearchParams, errors: FormErrors) => Promise<Response>;
  post?: (context: Context, form: URLSearchParams) => Promise<Response>;
}

/**
 * The page is an entry of the navigation, for the accounts that may see it. The title is also the heading of responses
 * without one.
 */
interface WithTitle<Context> extends Handlers<Context, AdminResponse | UntitledPage> {
  title: (text: Messages) => string;
}

interface WithoutTitle<Context> extends Handlers<Context, AdminResponse> {
  title?: undefined;
}

export type Route = {
  [Who in keyof ContextByAccess]: RouteOptions<Who> &
    (WithTitle<ContextByAccess[Who]> | WithoutTitle<ContextByAccess[Who]>);
}[keyof ContextByAccess];
