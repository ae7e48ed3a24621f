import { publications } from '../../../domain/reasons/de/publications.ts';
import type { Messages } from '../en.ts';

export const recordDecisions: Messages['recordDecisions'] = {
  title: 'Zurückgezogen und berichtigt',
  intro:
    'Bei diesen Datensätzen wurde die Veröffentlichung zurückgenommen oder der Inhalt berichtigt, oder sie wurden endgültig gelöscht. Das bleibt bei jedem Import so, auch wenn ein Import rückgängig gemacht wird, bis die Entscheidung aufgehoben wird.',
  none: 'Bisher wurde über keinen Datensatz entschieden.',
  record: 'Datensatz',
  matches: 'Gleiche Datensätze anderer Importe',
  matchesIntro:
    'Diese Datensätze gleichen einem zurückgezogenen oder endgültig gelöschten. Importe veröffentlichen sie deshalb nicht. Sie können jeden einzeln zulassen: Dann veröffentlicht ihn der nächste Import.',
  latestMatches: (count: string) =>
    `Angezeigt werden die ${count} neuesten. Der Befehl „rostra record matches“ führt alle auf.`,
  matchId: 'Kennung',
  matchOf: 'Gleicht',
  matchSource: 'Quelle',
  matchedAt: 'Seit',
  allow: 'Doch veröffentlichen',
  allowed: 'Zugelassen am',
  allowTitle: 'Gleichen Datensatz veröffentlichen',
  allowConsequence: (decision: string) =>
    `Der Datensatz gleicht einem mit dieser Entscheidung: ${decision}. Der nächste Import, der ihn enthält, veröffentlicht ihn, spätere ebenso.`,
  kinds: publications.recordKinds,
  decision: 'Entscheidung',
  decisionKinds: {
    corrected: 'Berichtigt',
    unpublished: 'Veröffentlichung zurückgenommen',
    removed: 'Endgültig gelöscht',
  },
  at: { corrected: 'Berichtigt am', unpublished: 'Zurückgenommen am', removed: 'Gelöscht am' },
  by: { corrected: 'Berichtigt von', unpublished: 'Zurückgenommen von', removed: 'Gelöscht von' },
  reason: 'Begründung',
  reasonHint:
    'Alle Konten Ihrer Kommune können die Begründung lesen, auch im Änderungsprotokoll. Geben Sie keine personenbezogenen Daten ein.',
  reasonMissing: 'Geben Sie eine Begründung ein.',
  reasonTooLong: (max) =>
    `Die Begründung muss in einer Zeile stehen und darf höchstens ${max} Zeichen haben.`,
  reasonPersonal:
    'Die Begründung enthält personenbezogene Daten wie eine E-Mail-Adresse oder eine Telefonnummer. Begründen Sie die Entscheidung ohne diese Daten.',
  unpublish: 'Veröffentlichung zurücknehmen',
  unpublishTitle: {
    submission: 'Veröffentlichung des Anliegens zurücknehmen',
    session: 'Veröffentlichung der Sitzung zurücknehmen',
    survey: 'Veröffentlichung der Umfrage zurücknehmen',
  },
  consequence: {
    submission:
      'Das Anliegen ist ab dem nächsten Abruf weder über die API noch auf der öffentlichen Seite noch in Tagesordnungen zu finden. Es wird durch keinen Import erneut veröffentlicht, auch dann nicht, wenn ein Import rückgängig gemacht wird. Sie können die Entscheidung jederzeit aufheben.',
    session:
      'Die Sitzung ist ab dem nächsten Abruf weder über die API noch auf der öffentlichen Seite zu finden. Sie wird durch keinen Import erneut veröffentlicht, auch dann nicht, wenn ein Import rückgängig gemacht wird. Sie können die Entscheidung jederzeit aufheben.',
    survey:
      'Die Umfrage und ihre Ergebnisse sind ab dem nächsten Abruf weder über die API noch auf der öffentlichen Seite zu finden. Spätere Importe ändern sie nicht. Sie können die Umfrage jederzeit wieder veröffentlichen, und zwar genau mit den jetzigen Ergebnissen.',
  },
  remove: 'Endgültig löschen',
  removeTitle: {
    submission: 'Anliegen endgültig löschen',
    session: 'Sitzung endgültig löschen',
    survey: 'Umfrage endgültig löschen',
  },
  removeWarning: 'Der Inhalt lässt sich nicht wiederherstellen',
  removeConsequence:
    'Der Datensatz wird ab dem nächsten Abruf nicht mehr ausgeliefert; laufende Downloads, die ihn enthalten, enden nach wenigen Sekunden. Gelöscht werden der Datensatz, frühere Fassungen, die beim Rückgängigmachen eines Imports wiederhergestellt würden, und Fehlermeldungen, die ihn nennen. Nicht abgeschlossene Importe werden abgebrochen, weil ihre Dateien ihn enthalten können. Der letzte Import, der ihn geändert hat, lässt sich nicht mehr rückgängig machen. Der Datensatz wird durch keinen Import erneut veröffentlicht. Gespeichert bleiben nur seine Kennung, die Begründung, der Zeitpunkt und die E-Mail-Adresse Ihres Kontos.',
  removeSource: 'Entfernen Sie den Datensatz auch aus der Quelle.',
  remains: {
    title: 'Verbleibende Kopien',
    backups: 'Sicherungen',
    backupsUntil: (removedAt) =>
      `Vor dem Löschen${removedAt === undefined ? '' : ` (${removedAt})`} erstellte Sicherungen enthalten den Datensatz, bis sie gelöscht werden. Fragen Sie den Systembetrieb, wie lange sie aufbewahrt werden.`,
    importFile: 'Datei eines laufenden Imports',
    importFileUntil: (time) => `Bis der Import endet. Schlägt er fehl, spätestens bis ${time}.`,
    databaseFiles: 'Dateien der Datenbank',
    databaseFilesUntil:
      'Bis andere Daten den Datensatz in frei gewordenem Speicherplatz überschreiben. Der Systembetrieb kann diesen Speicherplatz bereinigen.',
    mirrors: 'Kopien in Programmen, die die Daten spiegeln',
    mirrorsUntil: 'Bis zur nächsten Aktualisierung, bei der der Datensatz gelöscht wird.',
    subscriptions: 'Kalender und Feedreader',
    subscriptionsUntil:
      'Bis sie die Daten erneut abrufen, meist innerhalb eines Tages. Feedreader können einen Eintrag länger behalten.',
    searchEngines: 'Suchmaschinen',
    searchEnginesUntil: 'Bis sie die Seite erneut besuchen, meist innerhalb weniger Wochen.',
    savedCopies: 'Von anderen gespeicherte Kopien',
    savedCopiesUntil: 'Auf diese Kopien hat Ihre Kommune keinen Einfluss.',
  },
  cancelledImports: (count) =>
    count === '1'
      ? 'Ein nicht abgeschlossener Import wurde abgebrochen, weil seine Datei den Datensatz enthalten kann.'
      : `${count} nicht abgeschlossene Importe wurden abgebrochen, weil ihre Dateien den Datensatz enthalten können.`,
  copies: 'Bereits von anderen abgerufene Kopien werden dadurch nicht gelöscht.',
  correct: {
    submission: 'Anliegen berichtigen',
    session: 'Sitzung berichtigen',
    survey: 'Titel und Fragen berichtigen',
  },
  correctIntro: {
    submission:
      'Ihre Änderungen bleiben auch nach späteren Importen bestehen. Alle anderen Angaben folgen weiterhin der Quelle.',
    session:
      'Ihre Änderungen bleiben auch nach späteren Importen bestehen. Alle anderen Angaben und die Tagesordnung folgen weiterhin der Quelle.',
    survey:
      'Die berichtigten Texte bleiben auch nach späteren Importen veröffentlicht. Ändert die Quelle eine Frage, wird der neue Text der Quelle veröffentlicht. Zahlen und Antworten lassen sich nicht berichtigen, weil das den Schutz kleiner Zahlen aufheben würde.',
  },
  correctSubmit: 'Berichtigung veröffentlichen',
  questionNumber: (number) => `Frage ${number}`,
  unchanged: 'Ändern Sie mindestens eine Angabe.',
  timeHint: 'Datum und Uhrzeit in der Zeitzone der Kommune.',
  documentsHint: 'Jedes Dokument in einer eigenen Zeile: Adresse, Leerzeichen, Titel.',
  locationHint:
    'Breite und Länge. Leeren Sie das Feld, wenn der Standort nicht veröffentlicht werden soll; einen anderen kann nur die Quelle angeben.',
  correctedFields: 'Berichtigte Angaben',
  inSource: 'In der Quelle',
  changedMeanwhile:
    'Ein Import hat die Umfrage inzwischen geändert. Prüfen Sie die Texte und berichtigen Sie sie noch einmal.',
  states: {
    removed: {
      submission: 'Dieses Anliegen wurde endgültig gelöscht',
      session: 'Diese Sitzung wurde endgültig gelöscht',
      survey: 'Diese Umfrage wurde endgültig gelöscht',
    },
    unpublished: {
      submission: 'Dieses Anliegen wird nicht veröffentlicht',
      session: 'Diese Sitzung wird nicht veröffentlicht',
      survey: 'Diese Umfrage wird nicht veröffentlicht',
    },
    corrected: {
      submission: 'Dieses Anliegen wurde berichtigt',
      session: 'Diese Sitzung wurde berichtigt',
      survey: 'Diese Umfrage wurde berichtigt',
    },
  },
  latest: {
    submission: 'Letzter Stand der Quelle',
    session: 'Letzter Stand der Quelle',
    survey: 'Ergebnisse bei erneuter Veröffentlichung',
  },
  missing: 'Die Quelle enthält diesen Datensatz nicht mehr.',
  revert: {
    unpublished: 'Wieder veröffentlichen',
    corrected: 'Berichtigung aufheben',
    removed: 'Veröffentlichung wieder zulassen',
  },
  revertMissing: 'Entscheidung aufheben',
  revertConsequence: {
    unpublished: {
      submission:
        'Das Anliegen wird mit dem letzten Stand der Quelle veröffentlicht, auch in Tagesordnungen.',
      session: 'Die Sitzung wird mit dem letzten Stand der Quelle veröffentlicht.',
      survey: 'Die Umfrage wird mit den bisherigen Ergebnissen veröffentlicht.',
    },
    corrected: {
      submission: 'Das Anliegen wird mit dem letzten Stand der Quelle veröffentlicht.',
      session: 'Die Sitzung wird mit dem letzten Stand der Quelle veröffentlicht.',
      survey: 'Die Umfrage wird mit den Texten der Quelle veröffentlicht.',
    },
  },
  correctedAgain: 'Die frühere Berichtigung gilt dann wieder.',
  revertMissingConsequence: 'Der Datensatz wird veröffentlicht, sobald ein Import ihn enthält.',
  corrected: 'Die Berichtigung ist veröffentlicht.',
  reverted: {
    unpublished: 'Der Datensatz ist jetzt wieder veröffentlicht.',
    corrected: 'Die Berichtigung ist aufgehoben. Ab jetzt ist wieder der Stand der Quelle veröffentlicht.',
  },
  revertedMissing:
    'Die Entscheidung gilt nicht mehr. Der Datensatz wird wieder veröffentlicht, sobald ein Import ihn enthält.',
};
