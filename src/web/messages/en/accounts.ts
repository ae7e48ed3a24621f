/** Texts of the pages about the accounts of a municipality and of the installation. */
import type { OrganizationRole, Permission } from '../../../domain/accounts/account.ts';

/** By the parameter `done` in the address of the list. */
const done: Record<string, string> = {
  removed: 'The account has been removed and signed out everywhere.',
  role: 'The tasks have been changed. They apply from the next page that this person opens.',
  'role-added':
    'The existing account now has these tasks in the municipality. This person signs in as before. If they have no password yet, an operator can create a one-time link.',
  'role-removed':
    'The account no longer has access to this municipality. It keeps its tasks in other municipalities.',
};

export const permissions: Record<Permission, { label: string; hint: string }> = {
  see: {
    label: 'View',
    hint: 'Sees published data, imports, keys and the audit log. Every account may do this.',
  },
  import: {
    label: 'Import',
    hint: 'Uploads files and checks them in a dry run. Publishes nothing.',
  },
  publish: {
    label: 'Publish',
    hint: 'Publishes and undoes imports; corrects, unpublishes and removes records; manages sources, locations and words to replace; switches open data on.',
  },
  keys: { label: 'Keys', hint: 'Issues, changes, rotates and revokes API keys.' },
  accounts: {
    label: 'Accounts and settings',
    hint: 'Invites and removes people, and gives them the tasks that this account has. Changes name, contact, licence and logo of the municipality.',
  },
};

/** Tasks of people. */
export const accounts = {
  title: 'Accounts',
  intro: 'People who can sign in for this municipality. Operators are not listed here.',
  introOfAll:
    'Accounts have tasks in one or more municipalities. To change them, open the municipality. Operators manage all municipalities.',
  filterOfAll: 'Email address or municipality',
  none: 'There are no accounts yet.',
  noneFound: 'No account matches your search.',
  showAll: 'Show all accounts',
  /** Name of the field and of columns. */
  tasks: 'Tasks',
  roles: {
    reader: 'View only',
    administrator: 'Administrator (all tasks)',
    operator: 'Operator',
  } satisfies Record<OrganizationRole | 'operator', string>,
  name: 'Name',
  nameHint: 'Colleagues see it beside the email address. It is never published.',
  nameTooLong: (max: string) => `Enter a name of at most ${max} characters in one line.`,
  kind: 'Kind of account',
  /** Choices of operators for a new account. */
  kinds: {
    municipal: { text: 'Account of a municipality', hint: 'Has the tasks below in one municipality.' },
    operator: {
      text: 'Operator',
      hint: 'Can do everything in every municipality. Choose this only for people who run the server.',
    },
  },
  kindMissing: 'Select a kind of account.',
  hasMoreTasks: 'has tasks that you do not have',
  municipalityHint: 'Enter the exact name. Leave this field empty for an operator.',
  municipalityOptional: 'for accounts of a municipality',
  municipalityMissing: 'Enter the municipality of this account.',
  municipalityOfOperator:
    'Operators do not belong to a municipality. Leave this field empty, or select the other kind.',
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
  taken:
    'There is already an account with this email address. If it has no tasks here, ask an operator to add it.',
  tooManyInvitations: 'You have created too many one-time links. Please try again in an hour.',
  changeRole: 'Change tasks',
  saveRole: 'Save tasks',
  roleEffect: 'The new tasks apply from the next page that this person opens. Nobody is signed out.',
  lastAdministrator: 'This is the last account that manages the accounts of the municipality',
  lastAdministratorHint:
    'If you continue, only operators will be able to change the settings of this municipality and its accounts.',
  invite: 'Create one-time link',
  inviteEffect: 'Using the link signs this person out of all browsers',
  inviteIntro:
    'The link lets this person set a new password. Until then, the current password keeps working. Using the link removes the second factor and its recovery codes. Earlier links stop working immediately.',
  inviteAgain:
    'This account has no password yet. The link lets this person set one. Earlier links stop working immediately.',
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
  removeRoleTitle: 'Remove access',
  removeRoleQuestion: 'Remove the access of this account to the municipality?',
  removeRoleIntro:
    'This person can no longer open the pages of this municipality. The account keeps its tasks in other municipalities. Keys that were issued with it remain valid.',
  done,
};
