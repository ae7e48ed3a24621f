/** Texts of the home page of a municipality, and of the overview of all. */
export const home = {
  title: 'Overview',
  empty:
    'Rostra publishes your municipality’s submissions, council sessions and survey results as soon as the first data is imported.',
  published: 'Published',
  publicPage: 'Public page',
  noPublicPage: 'None. Only programs with an API key can read your data.',
  setUpPublicPage: 'Switch open data on',
  latestRun: 'Latest import',
  noRun: 'No import yet',
  runOf: (time: string, source: string) => (source === '' ? time : `${time}, from “${source}”`),
  changes: {
    inserted: (count: string) => `${count} new`,
    changed: (count: string) => `${count} changed`,
    removed: (count: string) => `${count} removed`,
    none: 'nothing changed',
  },
  attention: 'Needs attention',
  nothing: 'Nothing needs your attention.',
  nextFile: 'Next file',
  allSources: (count: string) => `All ${count} sources`,
  lastUpdate: (time: string) => `updated ${time}`,
  nextUpdate: (schedule: string, time: string) => `${schedule}, next ${time}`,
  api: 'Use of the API',
  activeKeys: 'Active keys',
  requests: 'Requests in the last 7 days',
  rejected: (count: string) => `${count} failed`,
  requestsByDay: (days: string) => `Requests per day: ${days}`,
  nextExpiry: 'Next expiry of a key',
};

export const warnings = {
  runFailed: (time: string) => `The import failed ${time}.`,
  runInterrupted: (time: string) => `The import was interrupted ${time}.`,
  toRun: 'View import',
  importWaits: (input: string) => `The import of “${input}” waits for you.`,
  importReturned: (input: string, person: string) => `${person} returned the import of “${input}”.`,
  toWaitingImport: 'Continue import',
  keyExpires: (name: string, time: string) => `The key “${name}” expires ${time}.`,
  moreKeysExpire: (count: string) => `Other keys that expire within 30 days: ${count}`,
  toKey: 'View key',
  toKeys: 'View keys',
  unusedKeys: (count: number, shown: string) =>
    count === 1 ? 'A key has not been used for 90 days.' : `${shown} keys have not been used for 90 days.`,
  keyOverLimit: (name: string, days: number, rejected: string) =>
    `The key “${name}” used up its request limit on ${days === 1 ? 'one' : days} of the last 7 days. Requests rejected: ${rejected}.`,
  inactiveKeyInUse: (name: string, count: string) =>
    `A program still uses the key “${name}”, which has been revoked or has expired. Rejected requests in the last 7 days: ${count}.`,
  noContact: 'Your data is published without a contact.',
  noLicense: 'Your data is published without a licence.',
  toSettings: 'Complete the settings',
};

export const firstSteps = {
  title: 'First steps',
  progress: (done: string, all: string) => `${done} of ${all} done`,
  done: 'Done',
  accounts: 'Invite an administrator of the municipality',
  accountsHint: 'Administrators import data, issue keys, and invite their colleagues.',
  data: 'Import your first data',
  dataHint: 'Upload a file. Your operator can help with very large amounts of data.',
  publicPage: 'Switch open data on',
  publicPageHint: 'Everyone reads the data there in a browser, and downloads it as files.',
  key: 'Issue your first API key',
  keyHint: 'Each program that reads your data gets its own key.',
  settings: 'Add a contact and a licence',
  settingsHint: 'This tells people who use your data whom to contact and what they may do with it.',
  secondFactor: 'Protect your account with a second factor',
  secondFactorHint: 'An app on your phone generates a code for each sign-in.',
};
