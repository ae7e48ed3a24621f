import { sessionFields, surveyFields } from '../../../domain/reasons/de/field-labels.ts';
import type { Messages } from '../en.ts';

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const nouns = {
  submission: ['Anliegen', 'Anliegen'],
  session: ['Sitzung', 'Sitzungen'],
  survey: ['Umfrage', 'Umfragen'],
  record: ['Datensatz', 'Datensätze'],
} as const;

export const dryRun: Messages['dryRun'] = {
  done: 'Der Testlauf ist abgeschlossen. Es wurde noch nichts veröffentlicht.',
  question: 'Diese Daten veröffentlichen?',
  outcome: {
    records: (count, kind) => {
      const [one, several] = nouns[kind];
      return `${count} ${count === '1' ? one : several}`;
    },
    withData: (records, kinds) => `${records} mit ${kinds.join(', ')}`,
    inserted: (records, isOne) => `${records} ${isOne ? 'kommt' : 'kommen'} hinzu`,
    changed: (records, isOne) => `${records} ${isOne ? 'wird' : 'werden'} geändert`,
    removed: (records, isOne) => `${records} ${isOne ? 'wird' : 'werden'} entfernt`,
    unchanged: (records, isOne) => `${records} ${isOne ? 'bleibt' : 'bleiben'} unverändert`,
    rejected: (count, isRow) => {
      if (count === '1') return `${isRow ? 'eine Zeile' : 'ein Datensatz'} wird nicht übernommen`;
      return `${count} ${isRow ? 'Zeilen' : 'Datensätze'} werden nicht übernommen`;
    },
    sentence: (parts) => `${capitalize(parts.join(', '))}.`,
    action: {
      inserted: (records) => `${records} veröffentlichen`,
      changed: (records) => `${records} ändern`,
      removed: (records) => `${records} entfernen`,
      nothing: 'Import ohne Änderungen abschließen',
    },
    result: {
      inserted: (records) => `${records} veröffentlicht`,
      changed: (records) => `${records} geändert`,
      removed: (records) => `${records} entfernt`,
      nothing: 'Nichts geändert',
    },
    actions: (parts) => parts.join(', '),
  },
  confirmHint: 'Die Daten sind danach sofort über die API abrufbar.',
  surveysStay: 'Der Import von Umfragen lässt sich nicht rückgängig machen',
  surveysStayHint:
    'Spätere Ergebnisse werden mit den veröffentlichten verglichen, um die Antworten Einzelner zu schützen. Auf der Seite einer Umfrage können Sie ihre Veröffentlichung zurücknehmen. Prüfen Sie Titel, Fragen und Ende vor der Veröffentlichung.',
  surveyEndMissing:
    'Das Ende der Umfrage ist nicht angegeben. Es bestimmt, an welcher Stelle die Umfrage in Listen steht. Ergänzen Sie es in den Einstellungen.',
  nothingToImport: 'Es gibt nichts zu importieren: Kein Datensatz dieser Datei kann veröffentlicht werden.',
  undecided: 'Die Texte enthalten mögliche personenbezogene Daten, die veröffentlicht würden',
  undecidedHint:
    'Lassen Sie die Daten ersetzen und starten Sie den Testlauf erneut. Oder veröffentlichen Sie sie: Dann veröffentlichen auch alle späteren Importe aus dieser Quelle solche Daten, auch die automatischen.',
  replaceFirst: 'Personenbezogene Daten ersetzen',
  cannotPublish: 'Veröffentlichen gehört nicht zu Ihren Aufgaben',
  similarSurvey: (title: string) =>
    `Diese Datei stellt vielleicht dieselben Fragen wie die veröffentlichte Umfrage „${title}“`,
  similarSurveyHint:
    'Setzt sie diese Umfrage fort? Dann aktualisiert Rostra die Umfrage. Als zweite Umfrage mit denselben Teilnehmenden veröffentlicht, könnte der Unterschied zwischen beiden die Antworten einzelner Personen verraten. Das gilt auch für Teile einer Umfrage, zum Beispiel die Ergebnisse eines Stadtteils. Wenn andere Personen teilgenommen haben, zum Beispiel in einem anderen Jahr, ist es eine eigene Umfrage. Die Entscheidung gilt für jede Umfrage der Datei, die aus diesem Grund abgelehnt ist, und steht danach im Änderungsprotokoll.',
  continuesSurvey: 'Sie setzt diese Umfrage fort',
  newSurvey: 'Es ist eine eigene Umfrage',
  questions: {
    'removes-many': 'Der Import würde viele veröffentlichte Datensätze entfernen',
    'repeats-published': 'Diese Datensätze hat bereits eine andere Quelle veröffentlicht',
  },
  confirmAnyway: (action) => `Bestätigen: ${action}`,
  unchanged: 'Alle Datensätze sind bereits in dieser Fassung veröffentlicht.',
  counts: 'Datensätze',
  overview: 'Überblick',
  ofServer: 'Bestand des Servers',
  dates: 'Zeitraum',
  dateRange: (first, last) => (first === last ? first : `${first} bis ${last}`),
  support: 'Unterstützungen',
  supportFigures: (sum, max) => `insgesamt ${sum}, höchstens ${max} je Anliegen`,
  noSupport: 'Diese Quelle enthält keine Unterstützungszahlen.',
  noSupportHint:
    'Für jedes Anliegen wird 0 veröffentlicht. Das bedeutet nicht, dass niemand das Anliegen unterstützt.',
  kinds: {
    submission: 'Anliegen',
    session: 'Sitzungen',
    survey: 'Umfragen',
    support: 'Unterstützungszahlen',
  },
  statuses: 'Status der Anliegen',
  statusWords: 'Status je Wert der Quelle',
  statusWordsHint:
    'Alle Werte mit der Anzahl ihrer Datensätze. Wählen Sie einen anderen Status, wo er nicht stimmt.',
  applyStatuses: 'Übernehmen und erneut testen',
  samples: (count) =>
    count === '1'
      ? 'Ein Datensatz, wie er veröffentlicht würde'
      : `${count} Datensätze, wie sie veröffentlicht würden`,
  samplesHint: 'Prüfen Sie, ob alle Werte an der richtigen Stelle stehen.',
  rowOfFile: 'In der Datei',
  asPublished: 'Veröffentlicht als',
  notShown: 'nicht angezeigt',
  sampleLocation: (metres) => `auf etwa ${metres} Meter gerundet`,
  moreSamples: (count) => (count === '1' ? '1 weiteren anzeigen' : `${count} weitere anzeigen`),
  sampleRecord: (number, kind) => `Datensatz ${number}: ${kind}`,
  sampleKinds: { submission: 'Anliegen', session: 'Sitzung', survey: 'Umfrage' },
  moreQuestions: (count) => (count === '1' ? 'und 1 weitere Frage' : `und ${count} weitere Fragen`),
  rejections: 'Nicht übernommene Datensätze',
  rejectionsHint: 'Diese Datensätze werden nicht veröffentlicht.',
  rejectionsInFile: 'Berichtigen Sie dies in der Quelle und importieren Sie die Datei erneut.',
  rejectionsOf: (count) => (count === '1' ? '1 Datensatz' : `${count} Datensätze`),
  rejectedLine: (line, isOnly) => (isOnly ? ` (Zeile ${line})` : `, zuerst in Zeile ${line}`),
  rejectionList: 'Fundstellen in der Datei',
  remedies: {
    mapping: 'Zuordnung ändern',
    apply: 'Übernehmen und erneut testen',
    confirmFirst: 'Setzen Sie das Häkchen, wenn dies zutrifft.',
  },
  rejectionsLimit: (shown, all) =>
    `Aufgeführt sind die ersten ${shown} von ${all} nicht übernommenen Datensätzen.`,
  lists: {
    changed: {
      title: 'Geänderte Datensätze',
      intro:
        'Der Import würde diese veröffentlichten Datensätze ändern. Von einem langen Text wird der geänderte Teil angezeigt, von Umfragen nur der Titel.',
    },
    removed: {
      title: 'Datensätze, die entfernt werden',
      intro:
        'Diese veröffentlichten Datensätze fehlen in der Datei oder sind darin als gelöscht gekennzeichnet. Nach dem Import sind sie nicht mehr über die API abrufbar.',
    },
    missing: {
      title: 'Datensätze, die in der Datei fehlen',
      intro: 'Diese veröffentlichten Datensätze der Quelle fehlen in der Datei. Sie bleiben veröffentlicht.',
    },
    rejected: {
      title: 'Nicht übernommene Datensätze',
      intro:
        'Diese Datensätze werden nicht veröffentlicht. Die Tabelle zeigt, wo sie in der Datei stehen und warum sie nicht übernommen werden.',
    },
    showAll: 'Alle anzeigen',
    record: 'Datensatz',
    field: 'Feld',
    before: 'Vorher',
    after: 'Nachher',
    isChanged: 'geändert',
    kind: 'Art',
    date: 'Datum',
    limit: (listed, all) => `Aufgeführt sind ${listed} von ${all} Datensätzen.`,
    unavailable: 'Die Liste liegt nicht auf diesem Server',
    unavailableHint:
      'Sie ist mit der hochgeladenen Datei auf einem anderen Server gespeichert. Bitten Sie den Systembetrieb, einen gemeinsamen Ordner für hochgeladene Dateien einzurichten.',
  },
  omitted: 'Ausgelassene Daten',
  titles: {
    title: 'Titel und Fragen',
    untitled: (count, shown) =>
      count === 1
        ? 'Eine Tabelle hat den Namen ihrer Datei als Titel'
        : `${shown} Tabellen haben den Namen ihrer Datei als Titel`,
    untitledHint:
      'Wählen Sie eine Tabelle aus, um Titel und Frage einzugeben. Bei vielen Tabellen legen Sie eine Beschreibungsdatei mit dem Namen metadata.json in das Archiv.',
    show: (tables) => (tables === '1' ? 'Tabelle anzeigen' : `${tables} Tabellen anzeigen`),
    hint: 'Wählen Sie eine Tabelle aus, um ihren Titel oder ihre Frage zu berichtigen.',
    table: 'Tabelle',
    tableTitle: 'Titel',
    titleHint: 'Das Jahr jeder Umfrage folgt in Klammern auf den Titel.',
    question: 'Frage',
    questionHint: 'Haben die Zeilen der Tabelle Namen, werden diese an die Frage angehängt.',
    surveys: 'Umfragen',
    intro: (file) =>
      `Titel und Frage der Umfragen in ${file}. Der Testlauf wird wiederholt. Die Berichtigung gilt auch für die nächsten Dateien dieser Quelle.`,
    submit: 'Berichtigen und erneut prüfen',
    wrong: (max) => `Geben Sie einen Text mit höchstens ${max} Zeichen ein.`,
  },
  personalData: 'Personenbezogene Daten in Texten',
  textsToCheck: 'Diese Texte zuerst lesen',
  textsToCheckHint:
    'Von allen Texten enthalten diese am ehesten den Namen einer Person oder andere personenbezogene Daten. Die Stellen sind markiert.',
  personalDataHint:
    'Die Tabelle zeigt, wie oft personenbezogene Daten in Texten vorkommen. Was ersetzt wird, wird nicht veröffentlicht.',
  personalDataNone: 'In den Texten wurden keine personenbezogenen Daten gefunden.',
  personalDataKind: 'Art',
  personalDataCount: 'Anzahl',
  personalDataReplaced: 'Veröffentlichung',
  replaced: 'wird ersetzt',
  published: 'bleibt im Text sichtbar',
  changeRedaction: 'Einstellungen ändern',
  missing: 'Fehlende Datensätze',
  wouldBeRemoved: (count) =>
    count === '1'
      ? '1 veröffentlichter Datensatz fehlt in der Datei und wird entfernt.'
      : `${count} veröffentlichte Datensätze fehlen in der Datei und werden entfernt.`,
  wouldStay: (count) =>
    count === '1'
      ? '1 veröffentlichter Datensatz fehlt in der Datei. Er bleibt veröffentlicht.'
      : `${count} veröffentlichte Datensätze fehlen in der Datei. Sie bleiben veröffentlicht.`,
  repeated: {
    title: 'Gleiche Datensätze anderer Quellen',
    sentence: (count, total) =>
      count === '1'
        ? `1 von ${total} verglichenen neuen Datensätzen ist bereits veröffentlicht`
        : `${count} von ${total} verglichenen neuen Datensätzen sind bereits veröffentlicht`,
    hint: (source) =>
      `${source === '' ? 'Sie stammen aus einer anderen Quelle' : `Einige stammen aus der Quelle „${source}“`}. Text und Tag sind gleich, bei Sitzungen Gremium und Beginn. Nach diesem Import wären sie doppelt veröffentlicht.`,
    continueSource:
      'Um eine Quelle fortzuführen, brechen Sie den Import ab und beginnen Sie ihn mit dieser Quelle.',
    examples: 'Beispiele, wie sie veröffentlicht sind',
  },
  notes: 'Hinweise',
  sessionFields,
  surveyFields,
};
