/** The context of a request that the pages receive. */
import type { Readable } from 'node:stream';
import type { Permission } from '../../../domain/accounts/account.ts';
import type { Actor, Approval } from '../../../domain/accounts/actor.ts';
import type { LoginSession } from '../../../domain/accounts/login-session.ts';
import type { Organization } from '../../../domain/organizations/organization.ts';
import type { FooterUrls } from '../../../platform/http/footer-urls.ts';
import type { Messages } from '../../messages/en.ts';
import type { RecordsContext, ViewContext } from '../../ui/view-context.ts';
import { type Access, hasAccess, type TenantAccess } from '../access.ts';
import { MissingPermissionError } from './response-types.ts';

export interface StreamedFile {
  /** As the browser sent it. */
  fileName: string;
  content: Readable;
  /** At most this size; undefined: unknown. */
  maxBytes: number | undefined;
}

/** Groups of entries that belong together, in `navigation.groups` of the texts. */
export type NavigationGroup = 'data' | 'imports' | 'access' | 'administration';

/** A route with a title. */
export interface NavigationEntry {
  path: string;
  /** undefined: the entry is before all groups. */
  group?: NavigationGroup | undefined;
  access: Access;
  title: (text: Messages) => string;
  /** Default: for everyone who may see it. */
  isListed?: ((context: PageContext) => boolean) | undefined;
}

export interface PageContext extends ViewContext {
  params: Record<string, string>;
  /** Origin at which clients reach this installation, without a trailing slash; empty if unknown. */
  publicUrl: string;
  /** Origin of one-time links: the public URL, else this server on its machine. A client chooses the host of a request. */
  invitationOrigin: string;
  footerUrls: FooterUrls;
  hasWordSearch: boolean;
  navigation: readonly NavigationEntry[];
  clientAddress: string;
  userAgent: string;
  /** The secret in the browser's cookie. It identifies the login session, if there is one. */
  browserSecret: string;
  loginSession: LoginSession | undefined;
  /** The user has authenticated within the last minutes. */
  hasRecentAuth: boolean;
  /** The municipality in the path, if the account may see it. */
  organization: Organization | undefined;
  /** Whether the municipality of the navigation has approvals or requests for some. */
  usesApprovals: boolean;
  /** The request that the form approves. */
  approves?: Approval;
  /** Of people of this municipality and of operators, by email address. */
  personNames: ReadonlyMap<string, string>;
  recordsAddress: RecordsContext['recordsAddress'] | undefined;
  /** The query has the entries of an interrupted form, which the page shows again. */
  isReopened?: true;
  /** The file of a form that has one. */
  uploadedFile: Buffer | undefined;
  /** The file of a form with `receivesUpload`. The page must read it before it returns its response. */
  upload: StreamedFile | undefined;
  /** Sends a new secret to the browser and returns it. */
  renewBrowserSecret(): string;
  setCookie(name: string, value: string, maxAgeSeconds: number): void;
  cookie(name: string): string | undefined;
}

/** The context of a municipality's page. */
export type TenantContext = PageContext &
  RecordsContext & { loginSession: LoginSession; organization: Organization };

export type SignedInContext = PageContext & { loginSession: LoginSession };

/** Whether the account may do this in the municipality of the page. Pages hide links and buttons of actions otherwise. */
export const may = ({ loginSession, organization }: PageContext, access: TenantAccess): boolean =>
  loginSession !== undefined && hasAccess(loginSession.account, access, organization?.id);

/** For forms whose permission depends on their subject. @throws MissingPermissionError */
export function requirePermission(context: TenantContext, permission: Permission): void {
  if (!may(context, permission)) throw new MissingPermissionError([[permission]]);
}

export function currentActor({ loginSession, clientAddress, approves }: SignedInContext): Actor {
  return { name: loginSession.account.email, address: clientAddress, ...(approves && { approves }) };
}
