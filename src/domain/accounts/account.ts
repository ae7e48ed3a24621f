/**
 * Accounts of the admin area, their roles and credentials: entities and store interfaces. Errors: see store.ts.
 *
 * The store receives tokens as SHA-256 and passwords as Argon2id hashes in PHC string format.
 */
import type { Actor } from './actor.ts';

/** Permissions in one municipality besides seeing its pages, in the order of an import. */
export const grantedPermissions = ['import', 'publish', 'keys', 'accounts'] as const;

/** Tasks of people in one municipality. Every role includes seeing its pages. */
export const permissions = ['see', ...grantedPermissions] as const;
export type Permission = (typeof permissions)[number];

/** Each of them suffices to ask for an approval. */
export const askingPermissions = ['import', 'publish', 'accounts'] as const satisfies readonly Permission[];

/** Each of them suffices to decide on some requests: `decidingPermissions` in approval-request.ts. */
export const approvingPermissions = ['publish', 'accounts'] as const satisfies readonly Permission[];
/** Permission to act alone while approvals are off, and to approve. */
export type ApprovingPermission = (typeof approvingPermissions)[number];

/** Names of sets of permissions, the smallest one first. Version 1.0 knows no other sets. */
export const organizationRoles = ['reader', 'administrator'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

export const permissionsByRole: Record<OrganizationRole, readonly Permission[]> = {
  reader: ['see'],
  administrator: permissions,
};

/** In their order, each once, with `see`. */
export const toPermissions = (names: readonly string[]): readonly Permission[] =>
  permissions.filter((each) => each === 'see' || names.includes(each));

/** undefined: the set has no name. */
export const findRole = (held: readonly Permission[]): OrganizationRole | undefined =>
  organizationRoles.find((role) => permissionsByRole[role].length === held.length);

/** Without `see`, which every role includes. */
export const listGranted = (held: readonly Permission[]) =>
  grantedPermissions.filter((each) => held.includes(each));

/** The name of the set, or else its permissions such as `import, publish`. The audit log, commands and files have this form. */
export const formatPermissions = (held: readonly Permission[]): string =>
  findRole(held) ?? listGranted(held).join(', ');

/** An account with a role in a municipality, or an operator of all. */
export type NewAccount =
  | { /** In lower case. */ email: string; organizationId: null }
  | { email: string; organizationId: string; permissions: readonly Permission[] };

/** The role of an account in one municipality. */
export interface AssignedRole {
  organizationId: string;
  organizationName: string;
  /** As version 1.0 knows it: `reader` for every set but the full one. */
  role: OrganizationRole;
  /** With `see`, in their order. */
  permissions: readonly Permission[];
}

export interface Account {
  id: string;
  email: string;
  /** Of the person, for colleagues. */
  name: string | null;
  isOperator: boolean;
  /** Ordered by municipality; empty for operators. */
  roles: readonly AssignedRole[];
  /** Language of emails to this account, such as `de`; null if unknown. */
  language: string | null;
  hasPassword: boolean;
  hasSecondFactor: boolean;
  /** Number of unused recovery codes. */
  recoveryCodes: number;
  createdAt: string;
  createdBy: string;
}

/** Empty for strangers; operators have all. */
export function findPermissions(
  { isOperator, roles }: Pick<Account, 'isOperator' | 'roles'>,
  organizationId: string | undefined,
): readonly Permission[] {
  if (isOperator) return permissions;
  return roles.find((assigned) => assigned.organizationId === organizationId)?.permissions ?? [];
}

/** Whether an account may give these permissions in a municipality to others, and take them away. Nobody gives more than they have. */
export function mayGrant(
  account: Pick<Account, 'isOperator' | 'roles'>,
  organizationId: string,
  granted: readonly Permission[],
): boolean {
  const own = findPermissions(account, organizationId);
  return own.includes('accounts') && granted.every((each) => own.includes(each));
}

export interface Credentials {
  account: Account;
  passwordHash: string | null;
  totpSecret: Buffer | null;
  /** The last time step whose code was accepted (RFC 6238). */
  totpStep: number;
  /** The account has signed in with the OpenID Connect provider. */
  hasIdentity: boolean;
}

/** A one-time link to set a password. */
export interface Invitation {
  /** SHA-256 of the secret in the link. */
  tokenHash: Buffer;
  validMs: number;
  /** Otherwise using the link removes the second factor with its recovery codes. */
  keepsSecondFactor: boolean;
}

export interface InvitedAccount extends Account, Pick<Invitation, 'keepsSecondFactor'> {}

export interface AccountStore {
  /** @throws StoreConflictError if the address is in use, or the municipality was removed */
  addAccount(account: NewAccount, invitation: Invitation, by?: Actor): Promise<Account>;
  /** Ordered by email address; accounts of all municipalities and operators by default. */
  listAccounts(organizationId?: string): Promise<Account[]>;
  /**
   * A page of the accounts whose email address or municipality contains `term`, ordered by email address.
   *
   * @param organizationId undefined: accounts of all municipalities and operators
   * @param permission that they have in this municipality; undefined: any
   */
  searchAccounts(
    organizationId: string | undefined,
    term: string,
    offset: number,
    limit: number,
    permission?: Permission,
  ): Promise<{ accounts: Account[]; total: number }>;
  /** Names of the people who have one, by email address: of accounts of the municipality, and of operators. */
  listPersonNames(organizationId: string): Promise<ReadonlyMap<string, string>>;
  /** Searches by id and by email address. */
  findAccount(idOrEmail: string): Promise<Account | undefined>;
  /**
   * Gives an account a role in one more municipality, and invalidates its one-time link, which administrators of another
   * municipality may know.
   *
   * @throws StoreConflictError for an operator, for an account with a role in this municipality, and if the account or the
   *   municipality was removed
   */
  addRole(id: string, organizationId: string, granted: readonly Permission[], by?: Actor): Promise<Account>;
  /** Takes effect with the next request of the account. Returns false without a role in this municipality. */
  changeRole(
    id: string,
    organizationId: string,
    granted: readonly Permission[],
    by?: Actor,
  ): Promise<boolean>;
  /** Removes the account with its last role. Returns false without a role in this municipality. */
  removeRole(id: string, organizationId: string, by?: Actor): Promise<boolean>;
  /** @param name 1 to 100 characters in one line; null removes it */
  setName(id: string, name: string | null): Promise<void>;
  /** @param language a tag such as `de` */
  setLanguage(id: string, language: string): Promise<void>;
  /** Ends the login sessions too. */
  removeAccount(id: string, by?: Actor): Promise<boolean>;
}

export interface CredentialStore {
  /** Invalidates the previous link of this kind. Password and second factor stay unchanged until the link is used. */
  replaceInvitation(id: string, invitation: Invitation, by?: Actor): Promise<void>;
  /** undefined for an invalid, used or expired link. */
  findInvitedAccount(tokenHash: Buffer): Promise<InvitedAccount | undefined>;
  /**
   * Consumes all links of the account, sets the password, removes the second factor unless the link keeps it, and ends all
   * login sessions.
   *
   * @returns undefined for an invalid, used or expired link
   */
  acceptInvitation(tokenHash: Buffer, passwordHash: string, address: string): Promise<Account | undefined>;
  findCredentials(email: string): Promise<Credentials | undefined>;
  /** Ends all login sessions except `keep`. */
  setPassword(id: string, passwordHash: string, keep: { id: string }, by: Actor): Promise<void>;
  /**
   * Sets the second factor, or removes it (null) with its recovery codes, and ends all login sessions except `keep`. Does
   * nothing if the account already has a second factor, or has none to remove.
   */
  setSecondFactor(id: string, totpSecret: Buffer | null, keep: { id: string }, by: Actor): Promise<void>;
  /** Accepts each time step once: returns false if this step or a later one was used before. */
  consumeTotpStep(id: string, step: number): Promise<boolean>;
  /** Replaces all recovery codes. @param hashes SHA-256 of each code */
  replaceRecoveryCodes(id: string, hashes: readonly Buffer[], by: Actor): Promise<void>;
  /** Accepts each recovery code once. */
  consumeRecoveryCode(id: string, hash: Buffer, address: string): Promise<boolean>;
  /** Stores the identity at the OpenID Connect provider. Returns false if another identity is stored. */
  bindIdentity(id: string, issuer: string, subject: string, address: string): Promise<boolean>;
}
