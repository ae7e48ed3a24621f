/** Words for what people publish, in the audit log and in the daily email about it. */
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
};
