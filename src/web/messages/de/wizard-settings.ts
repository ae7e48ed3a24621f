import { optionWords } from '../../../domain/reasons/de/formats.ts';
import type { Messages } from '../en.ts';

export const importSettings: Messages['importSettings'] = {
  intro:
    'Die Daten wurden geprüft, und die Felder sind mit Vorschlägen ausgefüllt. Prüfen Sie die Einstellungen und starten Sie anschließend den Testlauf.',
  introOfFormat:
    'Das Format der Daten ist bekannt. Prüfen Sie die Einstellungen und starten Sie anschließend den Testlauf. Leere Felder haben eine Voreinstellung.',
  endpoint: 'Dieses System wird über seine Schnittstelle (API) abgerufen',
  endpointHint:
    'Speichern Sie die Quelle und rufen Sie die Daten danach auf deren Seite ab. Einen Testlauf gibt es dabei nicht. Dort können Sie auch einen Zeitplan festlegen.',
  saveEndpoint: 'Quelle speichern',
  detected: (format) => `Erkanntes Format: ${format}`,
  detectedReason: 'Grund:',
  chosen: (format) => `Gewähltes Format: ${format}`,
  notDetected: 'Das Format wurde nicht erkannt',
  notDetectedHint: 'Wählen Sie das Format aus. Wenn keines passt, können die Daten nicht importiert werden.',
  otherFormat: 'Anderes Format auswählen',
  chooseFormat: 'Format auswählen',
  fits: 'passt',
  files: 'Dateien im Archiv',
  submit: 'Testlauf starten',
  update: 'Vorschau',
  sourceName: 'Name der Quelle',
  sourceNameHint:
    'Zum Beispiel „Mängelmelder“ oder „Ratsinformationssystem“. Unter diesem Namen merkt sich Rostra die Einstellungen. Beim nächsten Import müssen Sie nur noch die Datei auswählen.',
  mapping: {
    title: 'Zuordnung der Spalten',
    intro: (file, columns, rows) =>
      `Die Datei ${file} hat ${columns} Spalten und ${rows} Zeilen. Nicht ausgewählte Spalten werden nicht veröffentlicht.`,
    readAgain: (row) => `Die Datei wurde mit den Überschriften aus Zeile ${row} neu gelesen`,
    readAgainAsFound: 'Die Datei wurde neu gelesen',
    entriesKept: 'Ihre Eingaben bleiben erhalten. Für die anderen Felder gibt es neue Vorschläge.',
    entriesDrafted: (fields) =>
      `Ihre Eingaben bleiben erhalten, soweit die Datei deren Spalten noch enthält. Bei diesen Feldern steht statt Ihrer Eingabe ein neuer Vorschlag: ${fields}`,
    choose: 'Bitte auswählen',
    unnamedColumn: (number) => `Spalte ${number}`,
    none: 'Keine Spalte',
    suggested: 'vorgeschlagen',
    secondColumnFor: (field) => `Zweite Spalte für ${field}`,
    noSecond: 'Keine zweite Spalte',
    firstRows: 'Die ersten Zeilen der Datei',
    firstRowsHint:
      'Wählen Sie über jeder Spalte, als was sie veröffentlicht wird oder welche Zeilen ihretwegen ausgelassen werden.',
    headingsHint: 'Stehen die Namen der Spalten in einer anderen Zeile, wählen Sie deren Nummer aus.',
    headingsInRow: (row) => `Die Namen der Spalten stehen in Zeile ${row}`,
    publishAs: 'Veröffentlichen als',
    doNotPublish: 'Nicht veröffentlichen',
    leaveOut: {
      filled: 'Zeilen mit einem Eintrag außer „nein“ auslassen',
      no: 'Zeilen mit „nein“ auslassen',
      'not yes': 'Zeilen ohne „ja“ oder Datum auslassen',
      words: 'Zeilen mit bestimmten Wörtern auslassen',
    },
    publishColumnAs: (column) => `Spalte „${column}“ veröffentlichen als`,
    togetherWith: (column) => `zusammen mit „${column}“`,
    locationsOff: 'Wird nicht veröffentlicht, solange Standorte ausgeschaltet sind:',
    alsoAs: (fields) => `auch: ${fields}`,
    row: 'Zeile',
    requiredFields: 'Pflichtfelder',
    optionalFields: 'Weitere Felder',
    columnFor: (field) => `Spalte für „${field}“`,
    withoutColumn: 'Ohne Spalte:',
    sameAs: (field) => `wie „${field}“`,
    noSamples: 'Alle Zellen sind leer.',
    filled: (filled, rows) => `in ${filled} von ${rows} Zeilen ausgefüllt`,
    personal: (columns) =>
      `Vermutlich personenbezogene Daten: ${columns}. Veröffentlichen Sie diese nur, wenn dies zulässig ist.`,
    datePattern: (field) => `So steht das Datum für „${field}“ in der Datei`,
    ownDatePattern: (field) => `Anderes Datumsformat für „${field}“ eingeben`,
    orPattern: 'oder',
    withOrWithoutTime: (date) => `${date}, auch mit Uhrzeit`,
    datePatternHint:
      'YYYY Jahr, MM Monat, MMM Monatsname, DD Tag, HH Stunde (0 bis 23), hh Stunde (1 bis 12) mit A für AM oder PM, mm Minute, ss Sekunde, Z Zeitzone. Trennen Sie mehrere Formate durch |.',
    dateAlternative: (pattern) =>
      `Die Werte passen auch zu ${pattern}. Prüfen Sie, ob Tag und Monat vertauscht sind.`,
    statusValues: 'Veröffentlichter Status je Wert',
    statusIntro: 'Alle Werte der Spalte mit der Anzahl ihrer Zeilen.',
    statusMeaning:
      '„Eingereicht“ heißt: noch nicht erfasst. „Eingegangen“ heißt: von der Verwaltung erfasst, aber noch nicht in Prüfung.',
    statusWord: 'Wert in der Datei',
    statusCount: 'Zeilen',
    publishedStatus: 'Veröffentlichter Status',
    publishedStatusOf: (word) => `Veröffentlichter Status für ${word}`,
    otherWords: 'Alle anderen Werte und leere Zellen',
    chooseStatus: 'Bitte auswählen',
    sameWord: 'Unverändert',
    skippedWord: 'Nicht veröffentlichen',
    rejectWord: 'Zeilen mit anderen Werten nicht übernehmen (leere Zellen: eingereicht)',
    asOthers: 'Wie alle anderen Werte',
    allColumns: 'Alle Spalten der Datei',
    column: 'Spalte',
    values: 'Beispiele',
    fill: 'Ausgefüllt',
    distinct: 'Verschiedene Werte',
    use: 'Veröffentlicht als',
    notPublished: 'wird nicht veröffentlicht',
    personalData: 'Personenbezogene Daten',
    asText: 'Zuordnung als Text bearbeiten',
    asForm: 'Zuordnung im Formular bearbeiten',
    text: 'Zuordnung als Text',
    textHint:
      'Die Schreibweise heißt YAML. Alle Angaben sind in der Dokumentation zu Tabellen beschrieben (englisch).',
    skipping: (isOnly) =>
      `${isOnly ? 'Diese Spalte bestimmt' : 'Diese Spalten bestimmen'}, welche Zeilen nicht veröffentlicht werden:`,
    kept: 'Die Zuordnung enthält weitere Angaben, die unverändert bleiben:',
    errors: {
      required: (field) => `Wählen Sie eine Spalte für „${field}“ aus.`,
      unknownColumn: (column) =>
        `Die Datei enthält keine Spalte „${column}“. Wählen Sie eine andere Spalte aus.`,
      datePattern: (field) =>
        `Wählen Sie aus, wie das Datum für „${field}“ in der Datei steht, zum Beispiel 17.03.2026.`,
      invalidDatePattern: (reason) => `${reason}.`,
      status: (word) => `Wählen Sie den veröffentlichten Status für „${word}“ aus.`,
      statusColumn:
        'Sie haben eine andere Statusspalte ausgewählt. Wählen Sie zu jedem Wert den veröffentlichten Status aus.',
      yaml: (line) => `Die Schreibweise (YAML) ist fehlerhaft. Prüfen Sie Zeile ${line}.`,
      yamlShape: 'Der Text muss eine Zuordnung mit dem Schlüssel „submission“ oder „session“ sein.',
    },
  },
  options: 'Einstellungen zum Format',
  option: optionWords,
  textFile: {
    paste: 'Inhalt stattdessen einfügen',
    show: (characters) => `Inhalt anzeigen oder ändern (${characters} Zeichen)`,
    content: (label) => `Inhalt: ${label}`,
    contentHint: 'Eine ausgewählte Datei ersetzt diesen Text.',
  },
  moreOptions: 'Weitere Angaben zur Umfrage',
  optionDefault: (value) => (value === '' ? 'Voreinstellung' : `Voreinstellung (${value})`),
  personalData: {
    title: 'Personenbezogene Daten in Texten',
    intro:
      'Personenbezogene Daten in Texten können vor der Veröffentlichung ersetzt werden. Der Testlauf zeigt, wie oft sie vorkommen.',
    namesNotDetected:
      'Namen von Personen werden nicht erkannt. Prüfen Sie die Texte vor der Veröffentlichung darauf.',
    legend: 'In Texten ersetzen',
    replaces: (kinds) => `Ersetzt werden: ${kinds}`,
    replacesNothing: 'Es wird nichts ersetzt.',
    kinds: {
      email: { label: 'E-Mail-Adressen', hint: 'zum Beispiel erika@example.org' },
      phone: { label: 'Telefonnummern', hint: 'zum Beispiel 030 1234567' },
      iban: { label: 'Kontonummern', hint: 'IBAN' },
      plate: {
        label: 'Kfz-Kennzeichen',
        hint: 'deutsche, österreichische und Schweizer Kennzeichen, zum Beispiel B-AB 1234',
      },
      address: {
        label: 'Straßen und Hausnummern',
        hint: 'zum Beispiel Hauptstraße 12. Damit entfällt auch die Angabe, wo ein Mangel ist.',
      },
    },
    country: 'Land der Telefonnummern',
    countryOfMunicipality: 'Wie bei der Kommune',
    countryHint: 'Für Nummern ohne Ländervorwahl.',
  },
  more: 'Weitere Einstellungen',
  timeZone: 'Zeitzone der Daten',
  timeZoneHint: 'Für Zeitangaben ohne Zeitzone.',
  timeZoneOfMunicipality: (zone) => `Wie bei der Kommune (${zone})`,
  license: {
    hint: 'Nur für Daten, die eine andere Stelle unter einer eigenen Lizenz bereitstellt. Die Lizenz gilt sofort, auch für bereits veröffentlichte Datensätze, und wird zusammen mit dem Namen der Quelle angezeigt.',
    none: 'Wie bei der Kommune',
    missing: 'Bezeichnung der Lizenz: Geben Sie die Bezeichnung ein oder wählen Sie „Wie bei der Kommune“.',
  },
  locations: {
    title: 'Standorte',
    label: 'Standorte der Anliegen veröffentlichen',
    hint: 'Ein Standort kann zeigen, wo die Person wohnt, die etwas gemeldet hat. Die Koordinaten werden vor dem Speichern gerundet.',
    off: 'Ihre Kommune veröffentlicht keine Standorte. Ändern Sie das zuerst in den Einstellungen der Kommune.',
    published: 'werden veröffentlicht',
    notPublished: 'werden nicht veröffentlicht',
  },
  deletion: {
    legend: 'Datensätze, die in der neuen Datei fehlen',
    keep: {
      text: 'Weiterhin veröffentlichen',
      hint: 'Für Dateien, die nur die neuesten Datensätze enthalten.',
    },
    remove: {
      text: 'Entfernen',
      hint: 'Für Dateien, die immer alle Datensätze enthalten. Der Testlauf zeigt, wie viele Datensätze entfernt würden.',
    },
    limit: 'Nichts entfernen, wenn mehr als dieser Anteil fehlt (Prozent)',
    limitHint: (percent) => `Schützt vor unvollständigen Dateien. Üblich sind ${percent} Prozent.`,
  },
  schedule: {
    label: 'Automatisch abrufen',
    hint: 'Rostra ruft die Internetadresse dann regelmäßig ab und veröffentlicht geänderte Daten ohne Rückfrage.',
    never: 'Nein, nur manuell',
    intervals: {
      '3600000': 'stündlich',
      '21600000': 'alle 6 Stunden',
      '86400000': 'täglich',
      '604800000': 'wöchentlich',
    },
    other: (interval) => `alle ${interval}`,
  },
  errors: {
    tooLong: (present, max) =>
      `Dieser Text hat ${present} Zeichen, möglich sind höchstens ${max}. Kürzen Sie ihn.`,
    notText: (file) =>
      `${file} ist kein Text in UTF-8. Wählen Sie eine andere Datei aus, oder speichern Sie sie als UTF-8.`,
    sourceName: (max) => `Geben Sie einen Namen mit 1 bis ${max} Zeichen ein.`,
    sourceTaken: (name) =>
      `Die Quelle „${name}“ gibt es bereits. Geben Sie einen anderen Namen ein oder brechen Sie den Import ab und beginnen Sie ihn mit dieser Quelle.`,
    number: (min, max) => `Geben Sie eine ganze Zahl von ${min} bis ${max} ein.`,
    country: 'Wählen Sie ein Land aus der Liste.',
    timeZone: 'Wählen Sie eine Zeitzone aus der Liste.',
    limit: 'Geben Sie eine ganze Zahl von 0 bis 100 ein.',
    scheduleNeedsUrl: 'Nur eine Quelle mit einer Internetadresse kann automatisch abgerufen werden.',
  },
};
