import { formatTitles } from '../../../domain/reasons/de/formats.ts';
import type { Messages } from '../en.ts';

export const importFormats: Messages['importFormats'] = formatTitles;

export const importSteps: Messages['importSteps'] = {
  importFile: 'Datei importieren',
  importNextFile: 'Nächste Datei importieren',
  history: 'Verlauf',
  open: 'Offene Importe',
  failed: 'Fehlgeschlagene Importe',
  failedIntro: 'Sie können diese Importe mit derselben Datei wiederholen oder abbrechen.',
  openIntro: 'Diese Importe laufen oder warten auf eine Entscheidung.',
  openedAt: 'Begonnen',
  openedBy: 'Begonnen von',
  input: 'Datei oder Internetadresse',
  stage: 'Stand',
  stages: {
    waiting: 'wartet auf den Start',
    waitingToUndo: 'wird in Kürze rückgängig gemacht',
    detection: 'Datei wird geprüft',
    settings: 'wartet auf die Einstellungen',
    approval: 'wartet auf Freigabe',
    dryRun: 'Testlauf läuft',
    confirmation: 'wartet auf Ihre Bestätigung',
    import: 'Import läuft',
    undo: 'wird rückgängig gemacht',
    done: 'abgeschlossen',
    failed: 'fehlgeschlagen',
    cancelled: 'abgebrochen',
  },
  steps: {
    label: 'Schritte des Imports',
    file: 'Datei',
    settings: 'Einstellungen',
    dryRun: 'Testlauf',
    result: 'Ergebnis',
    isDone: 'erledigt:',
  },
  start: {
    intro:
      'Vor der Veröffentlichung sehen Sie das Ergebnis eines Testlaufs. Veröffentlicht wird erst, wenn Sie dieses Ergebnis bestätigen. Sie können den Import in jedem Schritt abbrechen.',
    file: 'Datei',
    fileHint: (size) =>
      `Wählen Sie eine Datei aus oder ziehen Sie sie auf dieses Feld. Möglich sind CSV, Excel, OpenDocument, JSON, XML und weitere Formate, auch komprimiert als .zip oder .gz. Mehrere zusammengehörige Dateien fassen Sie in einer ZIP-Datei zusammen. Höchstens ${size}.`,
    addressInstead: 'Von einer Internetadresse statt aus einer Datei importieren',
    fileInstead: 'Stattdessen eine Datei hochladen',
    url: 'Internetadresse (URL)',
    urlHint:
      'Kopieren Sie die Adresse der Seite mit den Daten aus Ihrem Browser oder die Adresse einer Datei. Sie beginnt mit https://.',
    system: 'System der Website',
    systemHint:
      'Wählen Sie das System aus, wenn Sie es kennen. Bei einer bereits verwendeten Quelle gilt das gespeicherte System.',
    systemOfAddress: 'Anhand der Adresse ermitteln',
    whatIsSource: 'Was ist eine Quelle?',
    sourceIntro:
      'Eine Quelle ist das System, aus dem die Daten stammen, zum Beispiel ein Mängelmelder oder ein Ratsinformationssystem. Rostra merkt sich die Einstellungen jeder Quelle. Beim nächsten Import müssen Sie nur noch die Datei auswählen. Neuere Datensätze einer Quelle ersetzen deren ältere Fassungen.',
    sourceChoice: 'Quelle der Daten',
    sourceHint:
      'Bei einer bereits verwendeten Quelle beginnt der Testlauf sofort mit den gespeicherten Einstellungen.',
    chooseSource: 'Bitte auswählen',
    newSource: 'Neue Quelle (Name wird im nächsten Schritt angegeben)',
    submit: 'Hochladen und prüfen',
    submitAddress: 'Abrufen und prüfen',
    uploading: 'Die Datei wird hochgeladen. Lassen Sie diese Seite geöffnet.',
    errors: {
      sourceMissing: 'Wählen Sie die Quelle der Daten oder „Neue Quelle“ aus.',
      sourceUnknown: 'Diese Quelle gibt es nicht mehr. Wählen Sie eine andere Quelle aus.',
      nothing: 'Wählen Sie eine Datei aus.',
      empty: 'Die Datei ist leer. Wählen Sie eine andere Datei aus.',
      tooLarge: (size) =>
        `Die Datei ist größer als ${size}. Komprimieren Sie sie als .zip oder teilen Sie sie in mehrere Dateien auf.`,
      noSpace:
        'Auf dem Server ist derzeit kein Platz für diese Datei. Versuchen Sie es später noch einmal oder wenden Sie sich an den Systembetrieb.',
      url: 'Geben Sie eine Internetadresse ein, die mit https:// beginnt.',
      urlWithPassword:
        'Geben Sie eine Internetadresse ohne Benutzernamen und Passwort ein. Sie wird gespeichert und ist für andere sichtbar.',
      urlWithKey: (parameter) =>
        `Entfernen Sie den Schlüssel aus der Adresse (den Teil, der mit „${parameter}=“ beginnt): Adressen werden gespeichert und sind für andere sichtbar. Rostra speichert den Schlüssel verschlüsselt: Ein Import fragt danach, wenn das Portal den Zugriff verweigert. Auf der Seite einer Quelle können Sie ihn eintragen.`,
      tooMany:
        'In Ihrer Kommune sind zu viele Importe offen. Schließen Sie zuerst einen davon ab oder brechen Sie ihn ab.',
      incomplete: 'Die Datei wurde nicht vollständig übertragen. Wählen Sie die Datei erneut aus.',
      unwritable:
        'Auf dem Server können derzeit keine Dateien gespeichert werden. Wenden Sie sich an den Systembetrieb.',
    },
    expired:
      'Ihre Anmeldung war abgelaufen. Die Datei wurde deshalb nicht übertragen. Wählen Sie die Datei erneut aus.',
  },
  recordsOfServer: (count) => (count === '1' ? '1 Datensatz laut Server' : `${count} Datensätze laut Server`),
  title: (input) => `Import von ${input}`,
  titleOfUndone: (source) => `Letzter Import der Quelle ${source} wurde rückgängig gemacht`,
  titleOfUndo: (source) => `Letzten Import der Quelle ${source} rückgängig machen`,
  facts: {
    title: 'Angaben zu diesem Import',
    file: 'Datei',
    size: 'Größe',
    address: 'Internetadresse',
    source: 'Quelle',
    format: 'Format',
    startedBy: 'Begonnen von',
  },
  progress: {
    queued: 'Der Import wartet auf den Start',
    queuedUndo: 'Der Import wird in Kürze rückgängig gemacht',
    queuedHint: 'Die Importe Ihrer Kommune werden nacheinander ausgeführt.',
    detection: 'Die Datei wird geprüft',
    detectionHint: 'Das dauert in der Regel einige Sekunden.',
    dryRun: 'Der Testlauf wird durchgeführt',
    dryRunHint: 'Alle Datensätze werden gelesen und geprüft. Es wird nichts veröffentlicht.',
    import: 'Der Import wird durchgeführt',
    importHint:
      'Sie können diese Seite verlassen. Der Import läuft weiter. Das Ergebnis finden Sie anschließend unter „Importe“.',
    undo: 'Der Import wird rückgängig gemacht',
    undoHint: 'Sie können diese Seite verlassen. Der frühere Stand der Quelle wird wiederhergestellt.',
    label: 'Fortschritt',
    records: (count) => (count === '1' ? '1 Datensatz gelesen' : `${count} Datensätze gelesen`),
    percent: (percent) => `${percent} der Daten gelesen`,
    reading: 'Teil 1 von 2: Daten werden gelesen',
    writing: 'Teil 2 von 2: Daten werden veröffentlicht',
    written: (count, all) => `${count} von ${all} Datensätzen verarbeitet`,
    reloads: 'Diese Seite wird automatisch aktualisiert.',
    stopReloading: 'Nicht mehr automatisch aktualisieren',
    reload: 'Jetzt aktualisieren',
    resume: 'Automatisch aktualisieren',
  },
  cancel: 'Import abbrechen',
  cancelUndo: 'Doch nicht rückgängig machen',
  cancelled: 'Der Import wurde abgebrochen',
  cancelledHint: 'Es wurde nichts veröffentlicht. Die hochgeladene Datei wurde gelöscht.',
  nothingPublished: 'Es wurde nichts veröffentlicht.',
  unprepared: 'Dieser Import ist noch nicht vorbereitet',
  unpreparedHint: 'Zuerst muss eine Person mit der Aufgabe „Importieren“ die Einstellungen wählen.',
  undoCancelled: 'Der Import wird nicht rückgängig gemacht',
  undoCancelledHint: 'Alle Datensätze des Imports bleiben veröffentlicht.',
  cancelledDuringImport: (canUndo) =>
    `Bereits importierte Datensätze bleiben veröffentlicht.${canUndo ? ' Um den früheren Stand wiederherzustellen, machen Sie den Import rückgängig.' : ''}`,
  again: 'Weitere Datei importieren',
  changeAddress: 'Internetadresse ändern',
  retry: 'Noch einmal versuchen',
  failures: {
    detection: 'Die Daten konnten nicht geprüft werden',
    dry_run: 'Der Testlauf ist fehlgeschlagen',
    import: 'Der Import ist fehlgeschlagen',
    undo: 'Der Import konnte nicht rückgängig gemacht werden',
  },
  failureHints: {
    detection:
      'Es wurde nichts veröffentlicht. Prüfen Sie, ob Sie die richtige Datei ausgewählt haben und ob sie sich im ursprünglichen Programm öffnen lässt. Importieren Sie die Datei anschließend erneut.',
    dry_run:
      'Es wurde nichts veröffentlicht. Ändern Sie die Einstellungen oder berichtigen Sie die Datei und importieren Sie sie erneut.',
    import:
      'Unter „Importe“ sehen Sie, wie viele Datensätze bereits importiert wurden. Beheben Sie die Ursache und importieren Sie die Datei erneut. Bereits importierte Datensätze bleiben dabei unverändert.',
    undo: 'Es wurde nichts geändert.',
  },
  endpointFailureHint:
    'Die bisherigen Daten bleiben veröffentlicht. Beheben Sie die Ursache und versuchen Sie es noch einmal.',
  addressFailureHint:
    'Es wurde nichts veröffentlicht. Prüfen Sie die Internetadresse und, falls Sie eines gewählt haben, das System der Website. Versuchen Sie es anschließend noch einmal.',
  failureMessage: 'Fehlermeldung:',
  changeSettings: 'Einstellungen ändern',
  result: {
    done: 'Der Import ist abgeschlossen',
    undone: 'Der Import wurde rückgängig gemacht',
    toRun: 'Import im Verlauf ansehen',
    toData: 'Veröffentlichte Daten ansehen',
    toSource: 'Quelle ansehen',
    unavailable: 'Das Ergebnis ist im Verlauf nicht mehr enthalten.',
  },
  undo: {
    action: 'Diesen Import rückgängig machen',
    title: 'Letzten Import rückgängig machen',
    question: (source) => `Den letzten Import der Quelle „${source}“ rückgängig machen?`,
    consequence:
      'Datensätze, die mit diesem Import neu hinzugekommen sind, werden entfernt. Geänderte Datensätze erhalten wieder ihren früheren Inhalt, entfernte Datensätze werden wieder veröffentlicht. Wenn dieser Import personenbezogene Daten in Texten erstmals ersetzt hat, werden die ursprünglichen Texte wieder veröffentlicht. Dies gilt sofort.',
    lastRun: 'Letzter Import',
    removed: 'Datensätze, die entfernt werden',
    restored: 'Datensätze, die wiederhergestellt werden',
    surveys: 'Umfragen, die veröffentlicht bleiben',
    until: 'Möglich bis',
    impossible: 'Der letzte Import dieser Quelle kann nicht rückgängig gemacht werden',
    importedAgain:
      'Aus dieser Quelle wurde inzwischen erneut importiert. Bitte prüfen Sie, welchen Import Sie rückgängig machen.',
    toSource: 'Zurück zur Quelle',
  },
};
