/**
 * The navigation, on two levels: the installation, and one municipality. Its entries are the routes with a title, in their
 * order in `create-routes.ts`. The header shows both levels, and the breadcrumbs are derived from them.
 */
import type { Organization } from '../../../domain/organizations/organization.ts';
import type { PageLink } from '../../ui/breadcrumbs.ts';
import { type Access, hasAccess, isTenantAccess } from '../access.ts';
import type { NavigationEntry, PageContext, TenantContext } from '../requests/page-context.ts';

/** The account of the user: not part of a level. */
const accountEntry: NavigationEntry = {
  path: '/admin/account',
  access: 'signedIn',
  title: (text) => text.myAccount.title,
};

const homeRoute = '/admin/organizations/:organizationId';

/** The home page of a municipality. */
export const organizationPath = ({ id }: { id: string }): string => `/admin/organizations/${id}`;

/** A setting that pages of publications lead to. */
export const openDataPath = ({ organization }: Pick<TenantContext, 'organization'>): string =>
  `${organizationPath(organization)}/open-data`;

export interface NavigationLink extends PageLink, Pick<NavigationEntry, 'group'> {
  /** `page`: this page; `true`: this page is below it. */
  current: 'page' | 'true' | undefined;
}

export interface OrganizationLevel extends PageLink {
  id: string;
  /** undefined on pages that do not belong to the municipality. */
  logo?: Organization['logo'] | undefined;
  links: NavigationLink[];
}

export interface Navigation {
  /** Empty for accounts of one municipality. */
  installation: NavigationLink[];
  /** The municipality of the page, or else the only one of the account. */
  organization: OrganizationLevel | undefined;
  account: NavigationLink;
}

/** @returns undefined unless a user is completely signed in */
export function findNavigation(context: PageContext): Navigation | undefined {
  const { loginSession } = context;
  if (loginSession === undefined || loginSession.pendingSecondFactor) return undefined;
  const municipality = findMunicipality(context);
  const listLinks = (isOfLevel: (access: Access) => boolean) =>
    context.navigation
      .filter(
        ({ access, isListed = () => true }) =>
          isOfLevel(access) && hasAccess(loginSession.account, access, municipality?.id) && isListed(context),
      )
      .map((entry) => toLink(context, entry, municipality?.id));
  return {
    installation: listLinks((access) => access === 'operator' || access === 'severalOrganizations'),
    organization: municipality && {
      ...municipality,
      path: organizationPath(municipality),
      links: listLinks(isTenantAccess),
    },
    account: toLink(context, accountEntry),
  };
}

function toLink(
  { path, text }: PageContext,
  { path: route, title, group }: NavigationEntry,
  organizationId = '',
): NavigationLink {
  const address = route.replace(':organizationId', organizationId);
  // The pages of a municipality belong to its own level.
  const hasPagesBelow = route !== homeRoute && route !== '/admin/organizations';
  const isBelow = hasPagesBelow && path.startsWith(`${address}/`);
  return {
    path: address,
    name: title(text),
    group,
    current: path === address ? 'page' : isBelow ? 'true' : undefined,
  };
}

/** The municipality of the page, or else the only one of the account. */
export function findMunicipality({
  organization,
  loginSession,
}: PageContext): Pick<OrganizationLevel, 'id' | 'name' | 'logo'> | undefined {
  if (organization !== undefined) return organization;
  const [only, ...others] = loginSession?.account.roles ?? [];
  return only && others.length === 0 ? { id: only.organizationId, name: only.organizationName } : undefined;
}

/**
 * The pages above the page, from the top: the municipality (after the list of all, for operators), the entry of the
 * navigation, and the parents that the page declares. Empty for a level's own entries of the installation.
 */
export function listParents(context: PageContext, declared: readonly PageLink[]): PageLink[] {
  const navigation = findNavigation(context);
  if (navigation === undefined) return [];
  const { installation, organization, account } = navigation;
  const isBelow = ({ current }: NavigationLink) => current === 'true';
  if (context.organization === undefined || organization === undefined)
    return [...[...installation, account].filter(isBelow), ...declared];
  if (context.path === organization.path) return [];
  const [overview] = installation;
  return [...(overview ? [overview] : []), organization, ...organization.links.filter(isBelow), ...declared];
}
