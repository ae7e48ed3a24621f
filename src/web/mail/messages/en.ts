/** The English texts of emails. The other languages have the same type. */
import type { grantedPermissions, OrganizationRole } from '../../../domain/accounts/account.ts';
import type { NotificationKind } from '../../../domain/accounts/mail.ts';
import type { ImportFault } from '../../../domain/accounts/mail-outbox.ts';
import type { MaintenanceFault, MaintenanceKind } from '../../../domain/installation/maintenance-run.ts';

export const en = {
  locale: 'en-GB',
  facts: {
    account: 'Account',
    tasks: 'Tasks',
    municipality: 'Municipality',
    key: 'Key',
    prefix: 'Key prefix',
    expires: 'Expires',
    lastUsed: 'Last used',
    never: 'never',
    contact: 'Contact',
    purpose: 'Purpose',
    limit: 'Request limit',
    rejected: 'Rejected requests',
    state: 'Status',
    sources: 'Source',
    task: 'Task',
    error: 'Error message',
  },
  roles: {
    reader: 'View only',
    administrator: 'Administrator (all tasks)',
    operator: 'Operator (all municipalities)',
  } satisfies Record<OrganizationRole | 'operator', string>,
  permissions: {
    import: 'Import',
    publish: 'Publish',
    keys: 'Keys',
    accounts: 'Accounts and settings',
  } satisfies Record<(typeof grantedPermissions)[number], string>,
  invitation: {
    subject: (organization: string | null) =>
      organization === null ? 'Your access to Rostra' : `Your access to Rostra for ${organization}`,
    intro: (invitedBy: string) =>
      `${invitedBy} has created a one-time link for you. Use it to set up access to your account in the admin area of Rostra.`,
    action: 'Set up access',
    validity:
      'The link works once, within 7 days. Anyone who has the link can take over your account, so do not forward this message.',
    unexpected:
      'If you did not expect this message, ignore it. Your account does not change until the link is used.',
    reason: (url: string) =>
      `Rostra sent this message because an account was created for this address at ${url}.`,
  },
  passwordReset: {
    subject: 'New password for Rostra',
    intro: 'Somebody asked for a new password for your account, on the sign-in page of Rostra.',
    action: 'Choose a new password',
    validity:
      'The link works once, within one hour. If you receive several messages, only the link in the latest one works. Your second factor does not change. Do not forward this message: anyone with the link can change your password.',
    unexpected: 'If you did not ask for this, ignore this message. Your password stays the same.',
    reason: (url: string) =>
      `Rostra sent this message because somebody entered your email address on the sign-in page at ${url}.`,
  },
  singleSignOn: {
    explanation:
      'Your account has no password in Rostra: you sign in with single sign-on. If you have forgotten the password of single sign-on, ask the people in your organisation who run it.',
    action: 'Go to the sign-in page',
  },
  keyExpiry: {
    subject: (key: string, inDays: string, organization: string) =>
      `API key “${key}” expires ${inDays} – ${organization}`,
    intro: (key: string, time: string) =>
      `The API key “${key}” expires on ${time}. After that, all requests with this key are rejected.`,
    advice:
      'If the key is still needed, change its expiry date or rotate it. Otherwise, you do not need to do anything.',
    action: 'View key',
  },
  keyLimit: {
    subject: (key: string, organization: string) =>
      `API key “${key}” often reaches its limit – ${organization}`,
    intro: (key: string, days: string) =>
      `The API key “${key}” reached its request limit on ${days} of the last 7 days. Further requests were rejected (HTTP status 429), so the program that uses the key may be missing data.`,
    perWindow: (requests: string, window: string) => `${requests} requests per ${window}`,
    inWeek: (requests: string) => `${requests} in the last 7 days`,
    advice:
      'Ask the people who run the program to send fewer requests, for example by fetching only changes. If the program needs this many requests, increase the request limit of the key.',
    action: 'View key',
  },
  importFailure: {
    subject: (organization: string) => `Imports need attention – ${organization}`,
    subjectOfAll: 'Imports of municipalities need attention',
    intro: (organization: string) =>
      `Imports of ${organization} have failed or are overdue. The published data may be out of date.`,
    introOfAll:
      'Imports have failed or are overdue. The published data of these municipalities may be out of date.',
    more: 'Further imports need attention. The page lists all of them.',
    states: {
      failed: 'Import failed',
      stale: 'Import stalled',
      source_failed: 'Import of the source failed',
      source_stale: 'Source overdue',
    } satisfies Record<ImportFault['state'], string>,
    times: {
      failed: 'Failed at',
      stale: 'Last activity',
      source_failed: 'Failing since',
      source_stale: 'Overdue since',
    } satisfies Record<ImportFault['state'], string>,
    advice: 'If you cannot fix the problem yourself, forward this message to the operator.',
    action: 'View imports',
  },
  publicationDigest: {
    subject: (organization: string) => `Publications of colleagues – ${organization}`,
    intro: (organization: string, day: string) =>
      `Colleagues changed the published data of ${organization} on ${day}:`,
    line: (subject: string, person: string, time: string) => `${subject} – ${person}, ${time}`,
    commandLine: 'Command line',
    more: 'The page lists further entries.',
    action: 'View audit log',
  },
  maintenanceFailure: {
    subject: 'Maintenance of Rostra needs attention',
    intro: 'Regular tasks of Rostra have failed or are overdue.',
    tasks: {
      backup: 'Backup',
      restore: 'Restore',
      drill: 'Test of a restore',
      prune: 'Removal of old records',
    } satisfies Record<MaintenanceKind, string>,
    states: { failed: 'Failed', overdue: 'Overdue' } satisfies Record<MaintenanceFault['state'], string>,
    times: {
      failed: 'Failed at',
      overdue: 'Overdue since',
    } satisfies Record<MaintenanceFault['state'], string>,
    advice: 'Run “rostra doctor” on the server. It shows all problems and how to solve them.',
  },
  approval: {
    subjectAsked: (kind: string, organization: string) => `Approval requested: ${kind} – ${organization}`,
    introAsked: (person: string) =>
      `${person} asks you to approve the following. Nothing of it is published until somebody approves it.`,
    subjectDecided: (kind: string, state: string, organization: string) =>
      `${kind}: ${state} – ${organization}`,
    introDecided: {
      approved: 'Your request was approved.',
      returned: 'Your request was returned. Nothing has been published.',
      withdrawn: 'Another person has withdrawn your request. Nothing has been published.',
      expired:
        'Your request has expired, because nobody approved it within 30 days. Nothing has been published.',
    },
    states: { approved: 'approved', returned: 'returned', withdrawn: 'withdrawn', expired: 'expired' },
    what: 'Request',
    askedAt: 'Asked at',
    decidedBy: 'Decided by',
    comment: 'Why it was returned',
    action: 'View request',
  },
  reason: (email: string, url: string) =>
    `You receive this message because your account ${email} is registered at ${url}.`,
  settings: 'Choose which emails you receive',
  unsubscribe: {
    key_expiry: 'Stop emails about expiring keys',
    key_limit: 'Stop emails about keys that reach their limit',
    import_failure: 'Stop emails about imports',
    publication_digest: 'Stop emails about publications of colleagues',
    maintenance_failure: 'Stop emails about maintenance',
    approval_asked: 'Stop emails about requests for approval',
    approval_decided: 'Stop emails about my requests for approval',
  } satisfies Record<NotificationKind, string>,
};

export type MailMessages = typeof en;
