import type { Messages } from '../en.ts';

export const publishedData: Pick<Messages, 'browse'> = {
  browse: {
    title: 'Veröffentlichte Daten',
    intro:
      'Diese Daten Ihrer Kommune werden über die API veröffentlicht. Jeder gültige Schlüssel erlaubt den Abruf aller hier gezeigten Daten. Entwürfe sowie Umfrageergebnisse, die zum Schutz der Befragten zurückgehalten werden, werden weder veröffentlicht noch hier angezeigt.',
    reset: 'Alle Filter entfernen',
    submissionWords: 'Titel, Text oder Aktenzeichen',
    sessionWords: 'Gremium oder Titel',
    any: () => 'Alle',
    anySource: 'Alle Quellen',
    invalidDate: 'Geben Sie ein Datum ein, zum Beispiel 31.03.2026.',
    reversedDates: 'Das Datum im Feld „Bis“ darf nicht vor dem Datum im Feld „Von“ liegen.',
    searchedTo: (date) =>
      `Die Suche reicht bis zum ${date} zurück. Ältere Einträge wurden noch nicht durchsucht.`,
    searchFurther: 'Ältere Einträge durchsuchen',
    noMatch: 'Es wurden keine Treffer gefunden.',
    noSurveys: 'Es sind noch keine Umfragen veröffentlicht.',
    submissionTitle: (reference) => `Anliegen ${reference}`,
    noText: 'Dieses Anliegen enthält keinen Text.',
    yes: 'ja',
    no: 'nein',
    sessionTitle: (committee, date) => `${committee}, ${date}`,
    agendaEmpty: 'Auf der Tagesordnung stehen keine Anliegen.',
    agendaCut: (shown, all) => `Angezeigt werden die ersten ${shown} von ${all} Anliegen.`,
    position: 'Nr.',
    questionType: 'Fragetyp',
    option: 'Antwort',
    shareOf: (responses) =>
      responses === '1' ? 'Anteil an 1 Teilnahme' : `Anteil an ${responses} Teilnahmen`,
    unpublishedAnswers: 'Keine Antwort oder Antwort nicht veröffentlicht',
    severalAnswers:
      'Mehrere Antworten waren möglich. Die Anteile können deshalb zusammen mehr als 100\u00a0% ergeben.',
    rounded: 'Die Anteile sind gerundet.',
    noOptions: 'Zu dieser Frage wurden keine Antworten gezählt.',
    questionsCut: (shown, all) => `Angezeigt werden die ersten ${shown} von ${all} Fragen.`,
    noQuestions: 'Diese Umfrage enthält keine Fragen.',
    viaApi: 'Abruf über die API',
    request: 'Anfrage',
    requestHint: 'Ersetzen Sie IHR_API_SCHLUESSEL durch einen Schlüssel.',
    response: 'Antwort (JSON)',
    responseCut: (shown, all) => `Angezeigt werden die ersten ${shown} kB von ${all} kB.`,
    runRequest: 'Anfrage ausprobieren',
  },
};
