/** Texts of the list of municipalities, for operators. */
export const organizations = {
  title: 'Municipalities',
  intro: 'Municipalities that need attention come first.',
  none: 'There are no municipalities yet.',
  add: 'Add municipality',
  addIntro:
    'Everything can be changed later in the settings of the municipality. Its data, keys and accounts stay separate from those of all others.',
  added: (name: string) => `${name} has been added`,
  showAll: 'Show all municipalities',
  found: (found: string, all: string) =>
    found !== all
      ? `${found} of ${all} municipalities`
      : all === '1'
        ? 'One municipality'
        : `${all} municipalities`,
  inOrder: 'no problems',
  issues: {
    runFailed: 'import failed',
    sourceFailing: 'import of a source failed',
    sourceStale: 'source overdue',
    runInterrupted: 'import interrupted',
  },
  hints: {
    limitedKeys: 'request limit exceeded',
    inactiveKeysInUse: 'inactive key in use',
    unusedKeys: 'unused keys',
    lacksContact: 'no contact',
    lacksLicense: 'no licence',
  },
  keysExpire: (count: string, first: string) => `expiring keys: ${count}, next ${first}`,
};
