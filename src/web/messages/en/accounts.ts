/** Texts of the pages about the accounts of a municipality and of the installation. */
import type { AccountRole } from '../../../domain/accounts/account.ts';

const roles: Record<AccountRole, string> = {
  reader: 'Reader',
  administrator: 'Administrator',
  operator: 'Operator',
};

const roleHints: Record<AccountRole, string> = {
  reader: 'Can view keys, published data, imports and the audit log, but cannot change anything.',
  administrator:
    'Imports, publishes, unpublishes and deletes data, issues API keys, edits the settings of the municipality, and manages its accounts.',
  operator: 'Can do everything in every municipality. Choose this role only for people who run the server.',
};

/** By the parameter `done` in the address of the list. */
const done: Record<string, string> = {
  removed: 'The account has been removed and signed out everywhere.',
  role: 'The role has been changed. It applies from the next page that this person opens.',
  'role-added':
    'The existing account now has this role in the municipality. This person signs in as before. If they have no password yet, an operator can create a one-time link.',
  'role-removed': 'The role has been removed. The account keeps its roles in other municipalities.',
};

export const accounts = {
  accounts: {
    title: 'Accounts',
    intro: 'People who can sign in for this municipality. Operators are not listed here.',
    introOfAll:
      'Readers and administrators have a role in one or more municipalities. To change a role, open its municipality. Operators manage all municipalities.',
    filterOfAll: 'Email address or municipality',
    noneFound: 'No account matches your search.',
    showAll: 'Show all accounts',
    role: 'Role',
    roles,
    roleHints,
    municipalityHint: 'Enter the exact name. Leave this field empty for an operator.',
    municipalityOptional: 'for readers and administrators',
    municipalityMissing: 'Enter the municipality of this account.',
    municipalityOfOperator:
      'Operators do not belong to a municipality. Leave this field empty, or select another role.',
    municipalityUnknown: (near: string | undefined) =>
      near === undefined
        ? 'There is no municipality with this name.'
        : `There is no municipality with this name. Did you mean “${near}”?`,
    password: 'Sign-in',
    noPassword: 'invited',
    withSecondFactor: 'with second factor',
    withoutSecondFactor: 'without second factor',
    added: 'Added',
    actions: 'Actions',
    yourself: 'your account',
    add: 'Add account',
    emailWrong: 'Enter an email address, such as name@stadt.example.',
    roleMissing: 'Select a role.',
    taken:
      'There is already an account with this email address. If it has no role here, ask an operator to add it.',
    tooManyInvitations: 'You have created too many one-time links. Please try again in an hour.',
    changeRole: 'Change role',
    saveRole: 'Save role',
    roleEffect: 'The new role applies from the next page that this person opens. Nobody is signed out.',
    lastAdministrator: 'This is the last administrator of the municipality',
    lastAdministratorHint:
      'If you continue, only operators will be able to change this municipality and its accounts.',
    invite: 'Create one-time link',
    inviteEffect: 'Using the link signs this person out of all browsers',
    inviteIntro:
      'The link lets this person set a new password. Until then, the current password keeps working. Using the link removes the second factor and its recovery codes. Earlier links stop working immediately.',
    invitedTitle: 'One-time link',
    invitedIntro: 'Send this link to the person through a secure channel. It works once, within 7 days.',
    linkIsLocal: 'The link works only on the computer that runs Rostra',
    linkIsLocalHint:
      'The public address of Rostra is not set (ROSTRA_PUBLIC_URL). For other computers, replace the beginning of the link with the address at which you open Rostra.',
    link: 'Link',
    copyLink: 'Copy link',
    toList: 'Back to accounts',
    remove: 'Remove',
    removeTitle: 'Remove account',
    removeQuestion: 'Remove this account?',
    removeIntro:
      'The account will be signed out of all browsers immediately. Keys that were issued with it remain valid.',
    removeRoleTitle: 'Remove role',
    removeRoleQuestion: 'Remove the role of this account in the municipality?',
    removeRoleIntro:
      'This person can no longer open the pages of this municipality. The account keeps its roles in other municipalities. Keys that were issued with it remain valid.',
    done,
  },
};
