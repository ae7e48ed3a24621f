/** Texts of the home page of a municipality, and of the overview of all. */
export const overview = {
  home: {
    title: 'Overview',
    figures: 'Key figures',
    activeKeys: 'Active keys',
    requests: 'Requests in the last 7 days',
    rejected: (count: string) => `${count} failed`,
    requestsByDay: (days: string) => `Requests per day: ${days}`,
    expiringKeys: 'Keys that expire within 30 days',
    nextExpiry: (time: string) => `The next one expires ${time}`,
    latestRun: 'Latest import',
    noRun: 'None yet',
    attention: 'Needs attention',
    nothing: 'Nothing needs your attention.',
  },
  warnings: {
    runFailed: (time: string) => `The import failed ${time}.`,
    runInterrupted: (time: string) => `The import was interrupted ${time}.`,
    toRun: 'View import',
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
  },
  firstSteps: {
    title: 'First steps',
    progress: (done: string, all: string) => `${done} of ${all} done`,
    done: 'Done',
    data: 'Import your first data',
    dataHint: 'Upload a file. Your operator imports large amounts of data on the command line.',
    key: 'Issue your first API key',
    keyHint: 'Each program that reads your data gets its own key.',
    settings: 'Add a contact and a licence',
    settingsHint: 'This tells people who use your data whom to contact and what they may do with it.',
    secondFactor: 'Protect your account with a second factor',
    secondFactorHint: 'An app on your phone generates a code for each sign-in.',
  },
};
