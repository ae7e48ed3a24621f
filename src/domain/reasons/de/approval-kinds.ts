export const approvalKindNames = {
  import: 'Import',
  source_run: 'Abruf einer Quelle',
  undo: 'Rückgängigmachen eines Imports',
  correction: 'Berichtigung eines Datensatzes',
  reversal: 'Aufheben einer Entscheidung über einen Datensatz',
  match: 'Datensatz, der einem zurückgezogenen oder gelöschten gleicht',
  open_data: 'Offene Daten',
  approval_off: 'Ausschalten der Freigaben',
};
