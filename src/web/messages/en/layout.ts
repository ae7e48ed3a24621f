/** Texts of the frame of every page, of forms and lists, and of error pages. */

/** By HTTP status. */
export const errors: Record<number, { title: string; hint: string }> = {
  400: { title: 'Invalid request', hint: 'Go back to the previous page and try again.' },
  403: {
    title: 'This form has expired',
    hint: 'Nothing was changed. You may have signed in again in another window, or your browser may be blocking cookies. The admin area only works with cookies, and at an address that begins with https:// (or at localhost).',
  },
  404: { title: 'Page not found', hint: 'Check the address. The page may have been removed.' },
  413: {
    title: 'This form is too large',
    hint: 'Nothing was changed. Go back to the previous page, shorten your entries and try again.',
  },
  429: { title: 'Too many attempts', hint: 'Try again later.' },
  500: {
    title: 'Something went wrong',
    hint: 'Try again. If the problem continues, ask your operator to check the server log.',
  },
  503: {
    title: 'The database is busy or unavailable',
    hint: 'An import may be running. No data was lost. Try again in a minute.',
  },
};

export const layout = {
  ownName: 'English',
  skip: 'Skip to content',
  language: 'Language',
  signOut: 'Sign out',
  documentation: 'API documentation',
};

export const form = {
  problems: 'There is a problem',
  error: 'Error',
  optional: 'optional',
  cancel: 'Cancel',
  filter: 'Filter',
  copied: 'Copied.',
  save: 'Save',
};

/** Names of things that several pages show. */
export const terms = {
  all: 'All',
  count: 'Number',
  format: 'Format',
  municipality: 'Municipality',
  name: 'Name',
  period: 'Period',
  sessions: 'Sessions',
  status: 'Status',
  submission: 'Submission',
  submissions: 'Submissions',
  survey: 'Survey',
  surveys: 'Surveys',
  total: 'Total',
};

export const pager = {
  label: 'Pages',
  previous: 'Previous page',
  next: 'Next page',
  older: 'Older entries',
  newest: 'Newest entries',
  of: (page: number, pages: number) => `Page ${page} of ${pages}`,
  all: (count: number, shown: string) => (count === 1 ? '1 result' : `${shown} results`),
  /** @param total undefined: unknown */
  range: (first: string, last: string, total: string | undefined) =>
    `Results ${first}–${last}${total === undefined ? '' : ` of ${total}`}`,
};

export const damagedData = {
  title: 'Some of the data is damaged',
  hint: 'Until your operator has repaired the database, some pages cannot be shown and no changes can be saved. Tell your operator now: the server log names the damaged file and what to do.',
};

export const missingPermission = {
  title: 'Your account lacks a task',
  /** @param names of tasks, of which each is enough */
  hint: (names: readonly string[]) => `This needs ${names.map((name) => `“${name}”`).join(' or ')}.`,
  whom: 'These people can give you the task:',
  operators: 'Ask the people who run this server for the task.',
};

export const errorPage = {
  toStart: 'Go to the start page',
  toForm: 'Back to the form with your entries',
  requestId: (id: string) => `Request ID in the log: ${id}`,
};

export const resumedForm = {
  title: 'You are signed in again',
  hint: 'Your entries have been kept, but not sent yet. Check them in the form before you send it.',
};

export const formOfOther = {
  title: 'Another account filled in this form',
  hint: 'You are signed in with a different account. The entries are not shown to you, and nothing was changed.',
};
