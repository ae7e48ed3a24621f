/**
 * Accounts of the admin area, their roles and credentials: entities and store interfaces. Errors: see store.ts.
 *
 * The store receives tokens as SHA-256 and passwords as Argon2id hashes in PHC string format.
 */
import type { Actor } from './actor.ts';

/** Roles in one municipality, the least powerful one first. An account may have roles in several municipalities. */
export const organizationRoles = ['reader', 'administrator'] as const;
export type OrganizationRole = (typeof organizationRoles)[number];

/** Operators act for every municipality. */
export type AccountRole = OrganizationRole | 'operator';

export type NewAccount =
  | { /** In lower case. */ email: string; role: 'operator'; organizationId: null }
  | { email: string; role: OrganizationRole; organizationId: string };

/** The role of an account in one municipality. */
export interface AssignedRole {
  organizationId: string;
  organizationName: string;
  role: OrganizationRole;
}

export interface Account {
  id: string;
  email: string;
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

/** The role that the account has in a municipality; undefined for strangers. */
export function findRole(
  { isOperator, roles }: Pick<Account, 'isOperator' | 'roles'>,
  organizationId: string | undefined,
): AccountRole | undefined {
  if (isOperator) return 'operator';
  return roles.find((assigned) => assigned.organizationId === organizationId)?.role;
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
   * @param role in this municipality; undefined: every role
   */
  searchAccounts(
    organizationId: string | undefined,
    term: string,
    offset: number,
    limit: number,
    role?: OrganizationRole,
  ): Promise<{ accounts: Account[]; total: number }>;
  /** Searches by id and by email address. */
  findAccount(idOrEmail: string): Promise<Account | undefined>;
  /**
   * Gives an account a role in one more municipality, and invalidates its one-time link, which administrators of another
   * municipality may know.
   *
   * @throws StoreConflictError for an operator, for an account with a role in this municipality, and if the account or the
   *   municipality was removed
   */
  addRole(id: string, organizationId: string, role: OrganizationRole, by?: Actor): Promise<Account>;
  /** Takes effect with the next request of the account. Returns false without a role in this municipality. */
  changeRole(id: string, organizationId: string, role: OrganizationRole, by?: Actor): Promise<boolean>;
  /** Removes the account with its last role. Returns false without a role in this municipality. */
  removeRole(id: string, organizationId: string, by?: Actor): Promise<boolean>;
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
