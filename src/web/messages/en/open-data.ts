/** Texts of the page with the switch of open data. */
import { slugLength } from '../../../domain/organizations/open-data.ts';

export const openData = {
  title: 'Open data',
  intro:
    'With open data, everyone can read and download the published data without a key, at an address of its own. You can switch open data off at any time: its addresses stop working immediately.',
  open: 'Set up open data',
  status: { on: 'Everyone can read the published data without a key.', off: 'Open data is off.' },
  published: { on: 'What is public', off: 'What becomes public' },
  publishedHint:
    'The records that the API publishes, with the same fields. Drafts of surveys and unpublished records are not included.',
  counting: 'being counted',
  personalDataHint:
    'The table shows how often the last import of each source found possible personal data in texts. Anything replaced is not published.',
  unknown: 'unknown until the next import',
  noneFound: 'none found',
  noImports: 'No import has published anything yet.',
  switch: { on: 'Change it, or switch it off', off: 'Switch it on' },
  save: 'Save',
  page: 'Public page',
  files: 'Files',
  license: 'Licence',
  chooseLicense: 'Choose a licence in the settings',
  changeLicense: 'Change the licence',
  slugHint: (before: string) =>
    `The last part of the address: ${before}… Use the letters a to z, digits and hyphens. After a change, the previous address leads to the new one, and no other municipality gets it.`,
  indexHint:
    'Otherwise, search engines list the overview and the lists only. What they have listed can stay visible for weeks after a record was removed.',
  switchOn: 'Switch open data on',
  switchOff: 'Switch open data off',
  done: {
    on: 'Open data is on',
    off: 'Open data is off',
    saved: 'The changes have been saved',
  },
  errors: {
    license: 'Licence: choose one, so that others know how they may use the data.',
    slug: `Name in the address: enter ${slugLength.min} to ${slugLength.max} letters a to z, digits, and single hyphens between them. A few words such as “catalog” are reserved.`,
    taken: 'Name in the address: another municipality has or had this name. Choose another one.',
  },
};
