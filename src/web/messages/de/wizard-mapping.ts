import type { Messages } from '../en.ts';

const list = (parts: readonly string[]) => new Intl.ListFormat('de').format(parts);
const quoteAll = (columns: readonly string[]) => list(columns.map((column) => `„${column}“`));

export const mappingSuggestion: Messages['mappingSuggestion'] = {
  personalDataKinds: {
    email_addresses: 'E-Mail-Adressen',
    telephone_numbers: 'Telefonnummern',
    coordinates: 'Koordinaten',
    addresses: 'Anschriften',
    streets: 'Straßen',
    postcodes: 'Postleitzahlen',
    parcels: 'Flurstücke',
    nicknames: 'Benutzernamen',
    user_ids: 'Benutzerkennungen',
    notes: 'interne Vermerke',
    names: 'Namen von Personen',
    birth_dates: 'Geburtsdaten',
    bank_accounts: 'Bankverbindungen',
    identifiers: 'weitere Kennungen',
  },
  personalColumn: (column, kind) => `„${column}“ (${kind})`,
  evidence: {
    name: (word) => `bekannter Spaltenname „${word}“`,
    distinct: (distinct, rows) => `${distinct} verschiedene Werte in ${rows} Zeilen`,
    atLeastDistinct: (distinct, rows) => `mindestens ${distinct} verschiedene Werte in ${rows} Zeilen`,
    dates: (pattern, matched, filled) => `${matched} von ${filled} Zellen sind Datumsangaben wie ${pattern}`,
    numbers: (matched, filled) => `${matched} von ${filled} Zellen sind ganze Zahlen`,
    statuses: (known, words) => `${known} von ${words} Werten sind bekannte Statusangaben`,
    texts: (distinct, length) => `${distinct} verschiedene Texte, im Mittel ${length} Zeichen lang`,
    atLeastTexts: (distinct, length) =>
      `mindestens ${distinct} verschiedene Texte, im Mittel ${length} Zeichen lang`,
    addresses: (matched, examined) => `${matched} der ersten ${examined} Zellen sind Internetadressen`,
    filled: (filled, rows) => `in ${filled} von ${rows} Zeilen ausgefüllt`,
  },
  inTexts: {
    house_numbers: 'Straßen und Hausnummern',
    email_addresses: 'E-Mail-Adressen',
    telephone_numbers: 'Telefonnummern',
    bank_accounts: 'Bankverbindungen',
    plates: 'Kennzeichen',
  },
  problems: {
    title: 'Bitte prüfen',
    surveyAnswers:
      'Die Zeilen sehen wie einzelne Antworten auf eine Umfrage aus. Deshalb ist keine Spalte zugeordnet. Importieren Sie die Datei als Umfrage, es sei denn, die Personen haben der Veröffentlichung ihrer Texte zugestimmt. Der Grund:',
    malformedRows: (count) =>
      count === '1'
        ? 'Eine Zeile ist beschädigt und wird nicht übernommen:'
        : `${count} Zeilen sind beschädigt und werden nicht übernommen. Erste Fundstelle:`,
    emptyCells: (count, columns) =>
      count === '1'
        ? `In einer Zeile fehlt die Angabe zu ${quoteAll(columns)}. Diese Zeile wird nicht übernommen.`
        : `In ${count} Zeilen fehlt die Angabe zu ${quoteAll(columns)}. Diese Zeilen werden nicht übernommen.`,
    unreadableRest: 'Die Datei ist beschädigt. Der Import würde an dieser Stelle enden:',
    headerBelowTitle: (row) =>
      `Die Überschriften stehen in Zeile ${row}. Die Zeilen darüber werden nicht importiert. Stehen sie in einer anderen Zeile, wählen Sie diese unten aus.`,
    backslashQuotes:
      'Vor Anführungszeichen in den Zellen steht ein umgekehrter Schrägstrich (\\"), der entfällt. Prüfen Sie einen solchen Text im Testlauf.',
    guessedEncoding: (encoding) =>
      `Die Zeichenkodierung ist in der Datei nicht angegeben. Angenommen wird ${encoding}. Prüfen Sie im Testlauf die Umlaute.`,
    otherLists: (lists) => `Die Datei enthält weitere Listen, die nicht importiert werden: ${lists}`,
    skippedRows: (count, column) =>
      count === '1'
        ? `„${column}“ gibt offenbar an, welche Zeilen öffentlich sind. Eine Zeile wird ausgelassen. Prüfen Sie die Auswahl über dieser Spalte.`
        : `„${column}“ gibt offenbar an, welche Zeilen öffentlich sind. ${count} Zeilen werden ausgelassen. Prüfen Sie die Auswahl über dieser Spalte.`,
    skippedStatuses: (column, words) =>
      `Zeilen mit diesen Werten der Spalte „${column}“ werden nicht veröffentlicht: ${words}`,
    unskippedWords: (column, words) =>
      `Zeilen mit diesen Werten der Spalte „${column}“ werden veröffentlicht: ${words}. Wählen Sie die Werte aus, die nicht veröffentlicht werden dürfen.`,
    duplicateRows: (count, column) =>
      `Zeilen, die laut „${column}“ offenbar andere Datensätze wiederholen: ${count}. Sie werden veröffentlicht.`,
    emptyWords: (words) => `Diese Werte gelten als leere Zellen: ${words}`,
    combinedId: (columns) =>
      `Keine einzelne Spalte kennzeichnet einen Datensatz eindeutig. Gemeinsam eindeutig sind: ${columns}`,
    lastingId: 'Behält jeder Datensatz diesen Wert in späteren Dateien?',
    rowNumberId: (column) =>
      `Die Spalte „${column}“ nummeriert die Zeilen möglicherweise in jeder Datei neu. Gibt es eine andere Spalte, die einen Datensatz kennzeichnet?`,
    uncomparedIds: (compared, column) =>
      `Nur ${compared} verschiedene Werte der Spalte „${column}“ wurden verglichen. Ist jeder Wert eindeutig?`,
    unnamedId: (column) =>
      `Alle Werte der Spalte „${column}“ sind verschieden. Kennzeichnen sie einen Datensatz, und bleiben sie in späteren Dateien gleich?`,
    unnamedColumn: (column, field) =>
      `Nur die Werte der Spalte „${column}“ passen zu „${field}“, ihr Name ist unbekannt. Ist es die richtige Spalte?`,
    repeatedIds: (count, column, examples) =>
      count === '1'
        ? `Eine Zeile hat in der Spalte „${column}“ dieselbe Nummer wie eine frühere Zeile. Die frühere gilt, diese wird nicht übernommen: ${examples}`
        : `${count} Zeilen haben in der Spalte „${column}“ dieselbe Nummer wie eine frühere Zeile. Die frühere gilt, diese werden nicht übernommen: ${examples}`,
    repeatedId: (value, first, again) => `„${value}“ in ${first} und ${again}`,
    otherPriorities: (column, words, recommended) =>
      `Die Spalte „${column}“ enthält andere Wörter als die empfohlenen Prioritäten (${recommended}), zum Beispiel ${words}. Ist es die Priorität der Datensätze? Die Wörter werden unverändert veröffentlicht, wenn Sie sie nicht im Text der Zuordnung umschreiben.`,
    onlyYears: (column) =>
      `Die Spalte „${column}“ enthält nur Jahre. Veröffentlicht wird jeweils der 1. Januar. Gibt es eine Spalte mit dem Tag?`,
    fewTexts: (column, distinct) =>
      `Die Spalte „${column}“ enthält nur ${distinct} verschiedene Texte. Sind es Themen, und steht der Text in einer anderen Spalte?`,
    topicAsText: (column) =>
      `Keine Spalte enthält einen Text. „${column}“ wird deshalb als Text und als Thema veröffentlicht.`,
    unknownStatuses: (column) =>
      `Einige Werte der Spalte „${column}“ sind unbekannt. Wählen Sie unten den zugehörigen Status aus.`,
    tooManyStatuses: (column, max) =>
      `Die Spalte „${column}“ enthält mehr als ${max} verschiedene Werte und wurde deshalb nicht als Status vorgeschlagen.`,
    invalidDates: (count, filled, column, pattern, first) =>
      count === '1'
        ? `Eine von ${filled} Datumsangaben der Spalte „${column}“ sieht nicht aus wie ${pattern}. Diese Zeile wird nicht übernommen: ${first}`
        : `${count} von ${filled} Datumsangaben der Spalte „${column}“ sehen nicht aus wie ${pattern}. Diese Zeilen werden nicht übernommen. Erste Fundstelle: ${first}`,
    ambiguousDates: (column, pattern, alternative) =>
      `Die Datumsangaben der Spalte „${column}“ passen zu ${pattern} und zu ${alternative}. Prüfen Sie, ob Tag und Monat vertauscht sind.`,
    invalidCounts: (count, column, first) =>
      count === '1'
        ? `Eine Zelle der Spalte „${column}“ enthält keine ganze Zahl. Diese Zeile wird nicht übernommen: ${first}`
        : `${count} Zellen der Spalte „${column}“ enthalten keine ganze Zahl. Diese Zeilen werden nicht übernommen. Erste Fundstelle: ${first}`,
    emptyCounts: (count, column) =>
      count === '1'
        ? `Eine Zelle der Spalte „${column}“ ist leer. Für sie wird 0 veröffentlicht.`
        : `${count} Zellen der Spalte „${column}“ sind leer. Für sie wird 0 veröffentlicht.`,
    personalDataInText: (column, kinds) =>
      `Texte der Spalte „${column}“ enthalten ${list(kinds)}. Wählen Sie unten aus, welche Angaben ersetzt werden.`,
    damagedText: (column, example) =>
      `Einige Texte der Spalte „${column}“ enthalten beschädigte Zeichen, zum Beispiel „${example}“.`,
  },
};
