import type { publications as english } from '../en/publications.ts';

export const publications: typeof english = {
  actions: {
    'import.started': 'Import gestartet',
    'import.undone': 'Import rückgängig gemacht',
    'record.corrected': 'Datensatz berichtigt',
    'record.unpublished': 'Veröffentlichung eines Datensatzes zurückgenommen',
    'record.removed': 'Datensatz endgültig gelöscht',
    'record.reverted': 'Entscheidung über einen Datensatz aufgehoben',
    'organization.edited': 'Angaben zur Kommune geändert',
  },
  recordKinds: { submission: 'Anliegen', session: 'Sitzung', survey: 'Umfrage' },
  openData: {
    openData: 'Offene Daten',
    openDataIndex: 'Suchmaschinen dürfen einzelne Datensätze aufnehmen',
  },
  openDataStates: { on: 'eingeschaltet', off: 'ausgeschaltet' },
  approvalKinds: {
    import: 'Import',
    source_run: 'Abruf einer Quelle',
    undo: 'Rückgängigmachen eines Imports',
    correction: 'Berichtigung eines Datensatzes',
    reversal: 'Aufheben einer Entscheidung über einen Datensatz',
    match: 'Datensatz, der einem zurückgezogenen oder gelöschten gleicht',
    open_data: 'Offene Daten',
    approval_off: 'Ausschalten der Freigaben',
  },
};
