/** Texts of imports that are started in the admin area: start, progress, result, undo. */

import { formatTitles } from '../../../reasons/en/formats.ts';

export const importSteps = {
  importFormats: formatTitles as Record<string, string>,
  importSteps: {
    importFile: 'Import a file',
    importNextFile: 'Import the next file',
    history: 'History',
    open: 'Open imports',
    openIntro: 'These imports are running, or waiting for a decision.',
    openedAt: 'Started',
    openedBy: 'Started by',
    input: 'File or address',
    stage: 'Step',
    /** By the step of the run and the state of the step. */
    stages: {
      waiting: 'waiting to start',
      detection: 'examining the file',
      settings: 'waiting for your settings',
      dryRun: 'dry run in progress',
      confirmation: 'waiting for your confirmation',
      import: 'importing',
      undo: 'undoing an import',
      done: 'completed',
      failed: 'failed',
      cancelled: 'cancelled',
    },
    steps: {
      label: 'Steps of the import',
      file: 'File',
      settings: 'Settings',
      dryRun: 'Dry run',
      result: 'Result',
      isDone: 'completed:',
    },
    start: {
      intro:
        'Nothing is published before you have seen a dry run and confirmed it. You can cancel at every step.',
      data: 'Data',
      file: 'File',
      fileHint: (size: string) =>
        `Choose a file, or drag it onto this field. CSV, Excel, OpenDocument, JSON, XML and others, also compressed as .zip or .gz. Pack several files that belong together into one .zip. At most ${size}.`,
      or: 'Import from an address instead of a file',
      url: 'Address',
      urlHint:
        'Leave this field empty if you upload a file. Otherwise, an address that begins with https://.',
      source: 'Source',
      sourceIntro:
        'A source is the system that the data comes from, such as an issue reporting tool or a council information system. Rostra keeps the settings of each source, so you only choose the file next time. Records of the same source replace their earlier versions.',
      sourceChoice: 'Source of the data',
      sourceHint:
        'With a source that you have used before, the dry run starts immediately with its settings.',
      chooseSource: 'Please choose',
      newSource: 'New source (you name it in the next step)',
      submit: 'Upload and examine',
      uploading: 'Uploading. Keep this page open.',
      errors: {
        sourceMissing: 'Choose the source of the data, or “New source”.',
        sourceUnknown: 'This source no longer exists. Choose another one.',
        nothing: 'Choose a file, or enter an address.',
        both: 'Choose a file, or enter an address, but not both.',
        empty: 'The file is empty. Choose another file.',
        tooLarge: (size: string) =>
          `The file is larger than ${size}. Compress it as .zip, or split it into several files.`,
        noSpace:
          'The server has no space for this file at the moment. Try again later, or ask your operator.',
        url: 'Enter an address that begins with https://.',
        urlWithPassword:
          'Enter an address without a user name and password: it is stored, and others can see it.',
        tooMany: 'Your municipality has too many open imports. Complete or cancel one of them first.',
        incomplete: 'The file was not received completely. Choose it again.',
        unwritable: 'The server cannot store files at the moment. Ask your operator.',
      },
      expired: 'Your session had expired, so the file was not received. Choose it again.',
    },
    title: (input: string) => `Import of ${input}`,
    titleOfUndo: (source: string) => `Undo the last import of ${source}`,
    facts: {
      title: 'About this import',
      file: 'File',
      size: 'Size',
      address: 'Address',
      source: 'Source',
      format: 'Format',
      startedBy: 'Started by',
    },
    progress: {
      queued: 'The import is waiting to start',
      queuedHint: 'Imports of your municipality run one after the other.',
      detection: 'Rostra is examining the file',
      detectionHint: 'This usually takes a few seconds.',
      dryRun: 'The dry run is in progress',
      dryRunHint: 'Rostra is reading and checking all records. Nothing is published.',
      import: 'The import is in progress',
      importHint: 'You can leave this page. The import continues, and its result appears in the history.',
      undo: 'The import is being undone',
      undoHint: 'You can leave this page. Rostra is restoring the earlier state of the source.',
      label: 'Progress',
      records: (count: string) => (count === '1' ? '1 record read' : `${count} records read`),
      percent: (percent: string) => `${percent} of the data read`,
      reloads: 'This page refreshes itself.',
      stopReloading: 'Stop refreshing',
      reload: 'Refresh now',
      resume: 'Refresh automatically',
    },
    cancel: 'Cancel import',
    cancelled: 'The import was cancelled',
    cancelledHint: 'Nothing was published. The uploaded file has been deleted.',
    nothingPublished: 'Nothing was published.',
    cancelledDuringImport:
      'Records that had already been imported stay published. Undo the import to restore the earlier state.',
    again: 'Import another file',
    retry: 'Try again',
    failures: {
      detection: 'The file could not be examined',
      dry_run: 'The dry run failed',
      import: 'The import failed',
      undo: 'The import could not be undone',
    },
    failureHints: {
      detection:
        'Nothing was published. Check that it is the right file and that it opens in its own program, then import it again.',
      dry_run: 'Nothing was published. Change the settings, or correct the file and import it again.',
      import:
        'The history shows how many records had been imported before. Correct the cause and import the file again: records that were already imported do not change.',
      undo: 'Nothing was changed.',
    },
    endpointFailureHint: 'The earlier data stays published. Correct the cause, then try again.',
    addressFailureHint: 'Nothing was published. Check the address, then try again.',
    failureMessage: 'Error message:',
    changeSettings: 'Change settings',
    result: {
      done: 'The import is complete',
      undone: 'The import was undone',
      undoneHint: 'The records of this source are as they were before the import.',
      toRun: 'View in the history',
      toData: 'View published data',
      toSource: 'View source',
      unavailable: 'The result is no longer in the history.',
    },
    undo: {
      action: 'Undo this import',
      title: 'Undo the last import',
      question: (source: string) => `Undo the last import of “${source}”?`,
      consequence:
        'Records that this import added are removed. Records that it changed get their earlier content back, and records that it removed are published again. If this import was the first one that replaced personal data in texts, the original texts are published again. This takes effect immediately.',
      lastRun: 'Last import',
      removed: 'Records that will be removed',
      restored: 'Records that will be restored',
      surveys: 'Surveys that stay published',
      until: 'Possible until',
      undoneBefore: 'The last import of this source has already been undone',
      none: 'There is no import to undo',
      noneHint:
        'Only the last import of a source can be undone, for 30 days, and only as long as none of its records has been changed since.',
      importedAgain:
        'The source has been imported again in the meantime. Check which import you are undoing.',
      toSource: 'Back to the source',
    },
  },
};
