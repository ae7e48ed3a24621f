/** Texts for choosing the sheet of a workbook. */
export const importSheet = {
  importSheet: {
    title: 'This workbook has several sheets with data',
    intro: 'An import reads one sheet. The other sheets are not imported.',
    missing: (sheet: string) => `The sheet “${sheet}” of this source is missing in the workbook`,
    label: 'Sheet to import',
    hint: 'Rostra stores your choice with the source. It also applies to the next files.',
    sourceHint: 'Rostra stores your choice with the source when you publish this import.',
    choose: 'Please choose',
    submit: 'Examine this sheet',
    missingChoice: 'Choose the sheet to import.',
    chosen: 'Sheet:',
    chooseOther: 'Choose another sheet',
  },
};
