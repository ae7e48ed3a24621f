/** Words for what people publish, or ask others to approve, in pages and emails. */
export const publications = {
  actions: {
    'import.started': 'Import started',
    'import.undone': 'Import undone',
    'record.corrected': 'Record corrected',
    'record.unpublished': 'Record unpublished',
    'record.removed': 'Record removed for good',
    'record.reverted': 'Decision on a record taken back',
    'organization.edited': 'Municipality edited',
  },
  recordKinds: { submission: 'Submission', session: 'Session', survey: 'Survey' },
  openData: { openData: 'Open data', openDataIndex: 'Search engines may list single records' },
  openDataStates: { on: 'on', off: 'off' },
  approvalKinds: {
    import: 'Import',
    source_run: 'Run of a source',
    undo: 'Undo of an import',
    correction: 'Correction of a record',
    reversal: 'Decision on a record taken back',
    match: 'Record that equals an unpublished or removed one',
    open_data: 'Open data',
    approval_off: 'Approvals switched off',
  },
};
