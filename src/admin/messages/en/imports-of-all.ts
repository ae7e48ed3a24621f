/** Texts of the imports and synchronisations of all municipalities. */
export const importsOfAll = {
  importsOfAll: {
    title: 'Imports of all municipalities',
    intro: 'All imports and synchronisations, newest first. Dry runs are not listed.',
    syncs: 'Synchronisations',
    syncsIntro: 'The OParl endpoints of all municipalities. Endpoints that need attention come first.',
    organization: 'Municipality',
    allStates: 'All',
    none: 'There are no imports yet.',
    noneFound: 'No import matches the filter.',
    tooMany: (limit: string) => `More than ${limit} municipalities match. Enter a longer part of the name.`,
    showAll: 'Show all imports',
    found: (found: string, all: string) => `${found} of ${all} endpoints`,
    endpoint: 'Endpoint',
    completed: 'Last completed',
    next: 'Next run',
    error: 'Error message',
    conditions: { failed: 'failed', overdue: 'overdue', running: 'running', done: 'in order' },
  },
};
