/** The types of routes. */

import type { Messages } from '../messages/en.ts';
import type { Access, TenantAccess } from './access.ts';
import type {
  NavigationGroup,
  PageContext,
  SignedInContext,
  TenantContext,
} from './requests/page-context.ts';
import type { AdminResponse, FormState, UntitledPage } from './requests/response-types.ts';

/** The context that the handlers of a route receive. */
interface ContextByAccess
  extends Record<Exclude<Access, TenantAccess>, PageContext>,
    Record<TenantAccess, TenantContext> {
  pendingSecondFactor: SignedInContext;
  signedIn: SignedInContext;
  severalOrganizations: SignedInContext;
  operator: SignedInContext;
}

interface RouteOptions<Who extends Access> {
  path: string;
  access: Who;
  /** Of the form, if it is another one than that of the page. */
  formAccess?: Who extends TenantAccess ? TenantAccess : never;
  /**
   * The user must have authenticated within the last minutes. It is checked when the form is sent; pages without a form,
   * which display a secret, check it before they are displayed. A function decides by the form.
   */
  requiresRecentAuth?: true | ((form: URLSearchParams) => boolean);
  /**
   * Mail programs and other sites may send the form, with any body. Its path contains a secret, and neither cookies nor the
   * body are used.
   */
  acceptsForeignForms?: true;
  /** The form may carry another one, which an ended login session has interrupted. */
  carriesForm?: true;
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
export interface Handlers<Context, Response> {
  get?: (context: Context, form: FormState) => Promise<Response>;
  post?: (context: Context, form: URLSearchParams) => Promise<Response>;
}

/**
 * The page is an entry of the navigation, for the accounts that may see it. The title is also the heading of responses
 * without one.
 */
interface WithTitle<Context> extends Handlers<Context, AdminResponse | UntitledPage> {
  title: (text: Messages) => string;
  group?: NavigationGroup;
  isListed?: (context: PageContext) => boolean;
}

interface WithoutTitle<Context> extends Handlers<Context, AdminResponse> {
  title?: undefined;
  group?: undefined;
  isListed?: undefined;
}

export type Route = {
  [Who in Access]: RouteOptions<Who> & (WithTitle<ContextByAccess[Who]> | WithoutTitle<ContextByAccess[Who]>);
}[Access];
