/** Texts for choosing the sheet of a workbook, the list of a JSON file, or the table of a data portal. */
export const wizardSheet = {
  importSheet: {
    missing: (sheet: string) => `The sheet “${sheet}” of this source is missing in the workbook`,
    hint: 'Rostra stores your choice with the source. It also applies to the next files.',
    sourceHint: 'Rostra stores your choice with the source when you publish this import.',
    choose: 'Please choose',
    sheet: {
      title: 'This workbook has several sheets with data',
      intro: 'An import reads one sheet. The other sheets are not imported.',
      label: 'Sheet to import',
      submit: 'Examine this sheet',
      missingChoice: 'Choose the sheet to import.',
      chosen: 'Sheet:',
      chooseOther: 'Choose another sheet',
    },
    list: {
      title: 'This file has several lists',
      intro: 'An import reads one list. The other lists are not imported.',
      label: 'List to import',
      submit: 'Examine this list',
      missingChoice: 'Choose the list to import.',
      chosen: 'List:',
      chooseOther: 'Choose another list',
    },
    table: {
      title: 'This page has several tables',
      intro: 'An import reads one table. For another one, start another import.',
      label: 'Table to import',
      hint: 'Rostra stores the address of the table with the source.',
      submit: 'Fetch and check this table',
      missingChoice: 'Choose the table to import.',
      chosen: 'Table:',
      chooseOther: 'Choose another table',
    },
  },
};
