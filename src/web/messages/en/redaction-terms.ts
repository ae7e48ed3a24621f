/** Texts of the words that imports replace. */
export const redactionTerms = {
  title: 'Words to replace in texts',
  intro:
    'Imports replace these words, names and patterns in the texts that they publish, in addition to the personal data that each source replaces. The list applies from the next import on. Names of people are not detected. List those that must not be published.',
  open: 'Edit the words',
  label: 'Words, names and patterns',
  hint: 'One on each line. A word or a name is replaced as a whole, in upper and lower case, with endings such as the genitive, and with the last name first. A pattern has a name and a regular expression: Customer number = /K-[0-9]{6}/',
  sample: 'Text to try them on',
  sampleHint: 'The preview shows what would be published of it. It is not stored.',
  preview: 'Preview',
  saved: 'The words have been saved. They apply from the next import on.',
  invalid: (line: string) =>
    `Words, names and patterns: line ${line} must be a word of at least two characters, or a name and a valid regular expression, such as Customer number = /K-[0-9]{6}/.`,
  tooLong: 'Words, names and patterns: enter at most 1,000 lines and 20,000 characters.',
  slow: 'Words, names and patterns: a pattern takes too long on this text. Simplify it.',
};
