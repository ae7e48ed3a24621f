/** Texts of the settings for locations of submissions. */
export const locations = {
  title: 'Locations of submissions',
  open: 'Edit the settings for locations',
  intro:
    'A location shows which place a submission is about. People often report something about their own home or street. Then a location can show where they live, even without their name.',
  both: 'A location is published only if you choose a precision here and allow locations in the settings of its source.',
  legend: 'Precision',
  precisions: {
    off: {
      text: 'No locations are published',
      hint: 'Rostra stores no coordinates.',
    },
    3: {
      text: 'Three decimals: about 100 metres (recommended)',
      hint: 'A point moves by up to about 70 metres, so that in a town it does not show which house is meant. Where few houses stand, it still can.',
    },
    4: {
      text: 'Four decimals: about 10 metres',
      hint: 'A point shows the house. Choose this only if nobody reports anything about a home, or if all who report know that it is published.',
    },
  },
  topics: 'Topics without a location',
  topicsHint:
    'One on each line, as the data has them. Submissions with these topics are published without a location, for example those about neighbours or social matters.',
  effect:
    'A lower precision, a further topic and the end of publication apply at once to everything that Rostra has stored. Copies of others, backups, and uploaded files that have not expired keep the former coordinates. A higher precision applies from the next import of each source on.',
  sources: 'Sources',
  noSources: 'There are no sources with locations yet.',
  saved: 'The settings for locations have been saved',
  topicsWrong: (maxLength: number) =>
    `Topics without a location: enter one topic on each line, with at most ${maxLength} characters.`,
  precisionMissing: 'Precision: choose one.',
};
