/** Texts of requests to publish, which another person approves. */
import type { ApprovingPermission } from '../../../domain/accounts/account.ts';
import type { ApprovalKind, ApprovalState } from '../../../domain/approvals/approval-request.ts';
import { publications } from '../../../domain/reasons/en/publications.ts';

export const approvals = {
  title: 'Approvals',
  intro:
    'Another person checks each publication first. Requests expire after 30 days, and are listed here for 90 days after they have ended.',
  waiting: 'Waiting',
  noneWaiting: 'No request is waiting.',
  ended: 'Decided recently',
  kinds: publications.approvalKinds satisfies Record<ApprovalKind, string>,
  states: {
    open: 'waiting for approval',
    approved: 'approved',
    returned: 'returned',
    withdrawn: 'withdrawn',
    expired: 'expired',
  } satisfies Record<ApprovalState, string>,
  what: 'Request',
  askedBy: 'Asked by',
  askedAt: 'Asked at',
  expires: 'Expires',
  decidedBy: 'Decided by',
  decidedAt: 'Decided at',
  comment: 'Why it was returned',
  importReturned: (person: string, time: string) => `${person} returned the import on ${time}`,
  subject: 'About',
  onRequestOf: 'At the request of',
  /** On a request whose asker no longer has an account. */
  accountRemoved: 'The account has been removed.',
  asked: 'You have asked for approval. Nothing has been published yet.',
  askedBefore: 'A request about this is waiting already. Your entries have not been saved.',
  returned: 'The request has been returned.',
  withdrawn: 'The request has been withdrawn. Nothing has been published.',
  approved: 'The request has been approved.',
  own: 'You have asked for this yourself. Another person has to approve it.',
  mayNotDecide: 'You may not approve this. Nothing has been published yet.',
  /** Buttons that approve. That of an import names the records. */
  approve: {
    source_run: 'Approve and run the source now',
    undo: 'Approve and undo the import',
    correction: 'Approve and publish the correction',
    reversal: 'Approve and take the decision back',
    match: 'Approve and let imports publish the record',
    open_data: 'Approve and publish with these settings',
    approval_off: 'Approve and switch approvals off',
  } satisfies Record<Exclude<ApprovalKind, 'import'>, string>,
  approveImport: (action: string) => `Approve: ${action}`,
  return: 'Return',
  returnTitle: 'Return instead of approving',
  returnHint: 'The person who asked reads this sentence, also by email. At most 1,000 characters.',
  returnMissing: 'Describe the necessary changes in a sentence.',
  returnTooLong: 'Enter at most 1,000 characters.',
  withdraw: 'Withdraw request',
  /** For colleagues who cannot return it. */
  withdrawOther: 'Withdraw the request of the other person',
  decisionTitle: 'Publish this?',
  nothing: 'Nothing was published: nothing is left to do, or something has changed. Return the request.',
  conflict:
    'This is not possible at the moment. Nothing was published. Try again later, or return the request.',
  dataChanged: 'Published data of the municipality has changed since the dry run',
  dataChangedHint:
    'The import may differ from the dry run. If in doubt, return the request, so that the dry run is repeated.',
  obstacles: {
    gone: 'The subject of the request no longer exists. Return the request.',
    changed:
      'This has changed since the request. It can no longer be approved: return it, so that it is asked again.',
  },
  scheduled: 'Schedule',
  scheduledHint: 'Later imports of this schedule publish without another approval.',
  acceptedPersonalData: (kinds: string) =>
    `Possible personal data is published without replacing it: ${kinds}`,
  field: 'Field',
  present: 'Published now',
  wanted: 'Asked for',
  fieldChanged: 'changed since the request',
  reason: 'Reason',
  address: 'Address',
  sourceRunConsequence: 'The source is fetched now, and its data is published without a dry run.',
  approvalOffConsequence: 'From then on, each person with the task publishes alone.',
  toRequest: 'View request',
  /** On the page of the subject. */
  waits: (kind: string, person: string, time: string) =>
    `${kind}: ${person} asked for approval on ${time}. Nothing has been published yet.`,
  ask: 'Ask for approval',
  askAction: (action: string) => `Ask for approval: ${action}`,
  askHint: 'Another person with the task “Publish” has to approve this. Until then, nothing is published.',
  askSaveHint: (field: string) =>
    `If you switch “${field}” on, another person with the task “Publish” has to approve it when you save. Switching open data off needs no approval.`,
  nobodyElse: {
    publish: 'Nobody else in this municipality may approve publications',
    accounts: 'Nobody else in this municipality may approve switching approvals off',
  } satisfies Record<ApprovingPermission, string>,
  nobodyElseHint: (task: string) =>
    `Give a colleague the task “${task}”, or ask your operator for the approval.`,
  oneWaits: 'A request is waiting for your approval.',
  someWait: (count: string) => `${count} requests are waiting for your approval.`,
  toList: 'View requests',
  setting: {
    title: 'Approval by another person',
    intro:
      'If this is on, nobody publishes alone in the admin area: one person asks, another one with the task “Publish” approves. People who may import but not publish always ask.',
    covered:
      'This applies to imports, “Run now”, undoing an import, corrections, taking decisions on records back, and open data. Unpublishing and removing need no approval.',
    notCovered:
      'Sources on a schedule publish by themselves. The command line and provisioning files publish, too. Settings of sources, words to replace and locations affect later imports without an approval.',
    status: {
      on: 'Approvals are on.',
      off: 'Approvals are off: each person with the task publishes alone.',
    },
    switchOn: 'Switch approvals on',
    switchOff: 'Switch approvals off',
    switchedOn: 'Approvals are on from now on.',
    offHint: 'Another person with the task “Accounts and settings” has to approve this.',
    open: 'Change approvals',
  },
};
