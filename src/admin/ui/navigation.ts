/**
 * The navigation as a table, on two levels: the installation, and one municipality. The header shows both, and the
 * breadcrumbs are derived from them. To add a page to the navigation, add its entry here.
 */
import type { Organization } from '../../domain/organization.ts';
import type { Messages } from '../messages/en.ts';
import { mayEdit, type PageContext } from '../page-context.ts';

interface NavigationEntry {
  /** Path below the level's path; empty for the level's own page. */
  path: string;
  getName(text: Messages): string;
  /** Only for accounts that may change the municipality. */
  requiresEdit?: true;
}

/** The list of municipalities, for operators and for accounts with a role in several of them. */
const organizationListEntry: NavigationEntry = {
  path: '/organizations',
  getName: (text) => text.organizations.title,
};

/** For operators. Paths begin with `/admin`. */
const installationEntries: readonly NavigationEntry[] = [
  organizationListEntry,
  { path: '/imports', getName: (text) => text.importsOfAll.title },
  { path: '/accounts', getName: (text) => text.accounts.title },
  { path: '/audit', getName: (text) => text.audit.titleOfAll },
];

/** For accounts of the municipality, and operators. Paths begin with the municipality's path. */
const organizationEntries: readonly NavigationEntry[] = [
  { path: '', getName: (text) => text.home.title },
  { path: '/keys', getName: (text) => text.keys.title },
  { path: '/data', getName: (text) => text.browse.title },
  { path: '/published', getName: (text) => text.statistics.title },
  { path: '/imports', getName: (text) => text.imports.title },
  { path: '/sources', getName: (text) => text.sources.title },
  { path: '/settings', getName: (text) => text.organizationSettings.title, requiresEdit: true },
  { path: '/accounts', getName: (text) => text.accounts.title, requiresEdit: true },
  { path: '/audit', getName: (text) => text.audit.title },
];

/** The account of the user: not part of a level. */
const accountEntry: NavigationEntry = { path: '/account', getName: (text) => text.myAccount.title };

/** The home page of a municipality. */
export const organizationPath = ({ id }: { id: string }): string => `/admin/organizations/${id}`;

/** A page to link to. */
export interface PageLink {
  path: string;
  name: string;
}

export interface NavigationLink extends PageLink {
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
  const { loginSession, text, path } = context;
  if (loginSession === undefined || loginSession.pendingSecondFactor) return undefined;
  const municipality = findMunicipality(context);
  const toLinks = (base: string, entries: readonly NavigationEntry[]) =>
    entries
      .filter(({ requiresEdit }) => !requiresEdit || mayEdit(context, municipality?.id))
      .map((entry) => toLink(base, entry, path, text));
  const { isOperator, roles } = loginSession.account;
  const ownEntries = roles.length > 1 ? [organizationListEntry] : [];
  const base = municipality && organizationPath(municipality);
  return {
    installation: toLinks('/admin', isOperator ? installationEntries : ownEntries),
    organization:
      base && municipality
        ? { ...municipality, path: base, links: toLinks(base, organizationEntries) }
        : undefined,
    account: toLink('/admin', accountEntry, path, text),
  };
}

function toLink(base: string, entry: NavigationEntry, path: string, text: Messages): NavigationLink {
  const address = base + entry.path;
  // The pages of a municipality belong to its own level.
  const hasPagesBelow = entry.path !== '' && address !== '/admin/organizations';
  const isBelow = hasPagesBelow && path.startsWith(`${address}/`);
  return {
    path: address,
    name: entry.getName(text),
    current: path === address ? 'page' : isBelow ? 'true' : undefined,
  };
}

/** The municipality of the page, or else the only one of the account. */
function findMunicipality({
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
