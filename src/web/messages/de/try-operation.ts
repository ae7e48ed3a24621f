import type { Messages } from '../en.ts';

export const tryOperation: Pick<Messages, 'tryIt'> = {
  tryIt: {
    title: 'API ausprobieren',
    intro:
      'Führen Sie eine Anfrage aus und sehen Sie die Antwort, die ein Programm mit einem Schlüssel erhält. Die Anfrage zählt nicht zur Höchstzahl der Anfragen eines Schlüssels.',
    operation: 'Anfrage',
    operations: {
      listSubmissions: 'Anliegen auflisten',
      getSubmission: 'Ein Anliegen abrufen',
      listSessions: 'Sitzungen auflisten',
      getSession: 'Eine Sitzung abrufen',
      listSupport: 'Unterstützungen auflisten',
      getSurveyResults: 'Ergebnisse einer Umfrage abrufen',
      listSurveys: 'Umfragen auflisten',
      getStatistics: 'Anliegen und Sitzungen zählen',
      searchSubmissions: 'Anliegen suchen',
      searchSessions: 'Sitzungen suchen',
      listFacets: 'Werte der Filter auflisten',
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
      kind: 'Nur Einträge dieser Art. Änderungen: submission (Anliegen), session (Sitzungen) oder survey (Umfragen). Werte der Filter: status, topic (Thema) oder committee (Gremium).',
      from: 'Nur Anliegen und Sitzungen von diesem Tag oder später, zum Beispiel 2026-01-01.',
      to: 'Nur Anliegen und Sitzungen von diesem Tag oder früher, zum Beispiel 2026-12-31.',
      created_from: 'Nur Anliegen von diesem Tag oder später, zum Beispiel 2026-03-01.',
      created_to: 'Nur Anliegen von diesem Tag oder früher, zum Beispiel 2026-03-31.',
      status_changed_from:
        'Nur Anliegen, deren Status sich an diesem Tag oder später geändert hat, zum Beispiel 2026-03-01. Nicht zusammen mit words, created_from oder created_to.',
      status_changed_to:
        'Nur Anliegen, deren Status sich an diesem Tag oder früher geändert hat, zum Beispiel 2026-03-31.',
      committee: 'Nur Sitzungen genau dieses Gremiums.',
      date_from: 'Nur Sitzungen an diesem Tag oder später, zum Beispiel 2026-03-17.',
      date_to: 'Nur Sitzungen an diesem Tag oder früher, zum Beispiel 2026-03-31.',
      direction: 'Reihenfolge: desc beginnt mit der spätesten Sitzung, asc mit der frühesten.',
      submission_id: 'Nur die Unterstützungen des Anliegens mit dieser Kennung.',
    },
    noParameters: 'Diese Anfrage hat keine Parameter.',
    onePerLine: 'Geben Sie jeden Wert in einer eigenen Zeile ein.',
    required: 'erforderlich',
    run: 'Anfrage ausführen',
    response: 'Antwort',
    header: 'Header',
    value: 'Wert',
    headers: 'Header',
    limitNote:
      'Die Header zur Höchstzahl der Anfragen enthalten den Standardwert. Bei einer Anfrage mit Schlüssel enthalten sie dessen Höchstzahl und die Zahl der verbleibenden Anfragen.',
    body: 'Inhalt',
    nextPage: 'Nächste Seite abrufen',
  },
};
