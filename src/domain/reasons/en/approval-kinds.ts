/** Names of what another person approves, for pages and emails. */

export const approvalKindNames = {
  import: 'Import',
  source_run: 'Run of a source',
  undo: 'Undo of an import',
  correction: 'Correction of a record',
  reversal: 'Decision on a record taken back',
  match: 'Record that equals an unpublished or removed one',
  open_data: 'Open data',
  approval_off: 'Approvals switched off',
};
