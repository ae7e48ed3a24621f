/** Texts of the frame of every page, of forms and lists, and of error pages. */

/** By HTTP status. */
const errors: Record<number, { title: string; hint: string }> = {
  400: { title: 'Invalid request', hint: 'Go back to the page and try again.' },
  403: {
    title: 'This form has expired',
    hint: 'Nothing was changed. You may have signed in again in another window, or your browser may be blocking cookies. The admin area needs cookies and an address that starts with https, or localhost.',
  },
  404: { title: 'Page not found', hint: 'Check the address. The page may have been removed.' },
  413: { title: 'This form is too large', hint: 'Nothing was changed. Shorten your entries and try again.' },
  429: { title: 'Too many attempts', hint: 'Try again later.' },
  500: { title: 'Something went wrong', hint: 'Ask your operator to check the server log.' },
  503: {
    title: 'The database is busy or unavailable',
    hint: 'An import may be running. No data was lost. Try again in a minute.',
  },
};

export const layout = {
  layout: {
    ownName: 'English',
    skip: 'Skip to content',
    language: 'Language',
    signOut: 'Sign out',
    documentation: 'API documentation',
  },
  form: {
    problems: 'There is a problem',
    error: 'Error',
    optional: 'optional',
    cancel: 'Cancel',
    filter: 'Filter',
    copied: 'Copied.',
  },
  pager: {
    label: 'Pages',
    previous: 'Previous page',
    next: 'Next page',
    older: 'Older entries',
    newest: 'Newest entries',
    of: (page: number, pages: number) => `Page ${page} of ${pages}`,
  },
  errors,
  insufficientRole: {
    title: 'Your role does not allow this',
    hint: 'Your account has the role Reader: it can view pages, but cannot change anything. Ask an administrator of your municipality if you need more rights.',
  },
  errorPage: {
    toStart: 'Go to the start page',
    toForm: 'Back to the form with your entries',
  },
};
