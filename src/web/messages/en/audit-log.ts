/** Texts of the audit log. */
import type { NamelessActor } from '../../../domain/accounts/actor.ts';
import { actions } from './audit-actions.ts';

export const audit = {
  title: 'Audit log',
  actors: { 'command line': 'Command line', anonymous: 'Not signed in' } satisfies Record<
    NamelessActor,
    string
  >,
  /** That of spreadsheets in this language. */
  delimiter: ',' as ',' | ';',
  titleOfAll: 'Audit log (all municipalities)',
  intro: 'Who changed what, when and from where. Entries cannot be changed.',
  none: 'There are no entries yet.',
  noneFound: 'No entry matches the filter.',
  unknownKey: 'No key matches.',
  changes: (count: number, shown: string) => (count === 1 ? 'One change' : `${shown} changes`),
  noneYet: 'No matching entry has been found yet. Older entries have not been searched.',
  showAll: 'Show all entries',
  download: 'Download all entries as CSV',
  downloadFound: 'Download these entries as CSV',
  person: 'Account',
  key: 'Name or key',
  keyOfAll: 'Key',
  from: 'From',
  until: 'To',
  allActions: 'All actions',
  change: (before: string, after: string) => `${before} → ${after}`,
  empty: 'empty',
  reverted: 'taken back',
  longTexts: { added: 'added', changed: 'changed', removed: 'removed' },
  reason: 'Reason',
  similarSurvey: 'Compared with the survey',
  disabledNotifications: 'Emails switched off',
  onlyThisPerson: (name: string) => `Only entries of ${name}`,
  at: 'Time',
  actor: 'Account',
  action: 'Action',
  subject: 'Subject',
  address: 'Origin',
  actions,
};
