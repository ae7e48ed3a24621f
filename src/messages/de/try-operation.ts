import type { Messages } from '../en.ts';

export const tryOperation: Pick<Messages, 'tryIt'> = {
  tryIt: {
    title: 'API ausprobieren',
    intro:
      'Führen Sie eine Anfrage aus und sehen Sie die Antwort, die ein Programm mit einem Schlüssel erhält. Die Anfrage zählt nicht zum Anfragelimit eines Schlüssels.',
    operation: 'Anfrage',
    operations: {
      listSubmissions: 'Anliegen auflisten',
      getSubmission: 'Ein Anliegen abrufen',
      listSessions: 'Sitzungen auflisten',
      getSession: 'Eine Sitzung abrufen',
      listSupport: 'Unterstützungen auflisten',
      getSurveyResults: 'Ergebnisse einer Umfrage abrufen',
      listSurveys: 'Umfragen auflisten',
      getOrganization: 'Angaben zur Kommune abrufen',
      listChanges: 'Änderungen auflisten',
    },
    choose: 'Anfrage auswählen',
    parameterHints: {
      id: 'Kennung des Objekts. Groß- und Kleinschreibung werden nicht unterschieden.',
      cursor: 'Wert von next_cursor aus der vorherigen Seite. Ändern Sie weder den Wert noch die Filter.',
      limit: 'Höchstzahl der Einträge je Seite, zum Beispiel 50.',
      status: 'Nur Anliegen mit genau diesem Status, zum Beispiel in_review.',
      topic: 'Nur Anliegen mit genau diesem Thema, zum Beispiel Mobilität.',
      submission_id: 'Nur die Unterstützungen des Anliegens mit dieser Kennung.',
    },
    noParameters: 'Diese Anfrage hat keine Parameter.',
    required: 'erforderlich',
    run: 'Anfrage ausführen',
    response: 'Antwort',
    header: 'Header',
    value: 'Wert',
    headers: 'Header',
    limitNote:
      'Die Header zum Anfragelimit enthalten den Standardwert. Bei einer Anfrage mit Schlüssel enthalten sie dessen Anfragelimit und die Zahl der verbleibenden Anfragen.',
    body: 'Inhalt',
    nextPage: 'Nächste Seite abrufen',
  },
};
