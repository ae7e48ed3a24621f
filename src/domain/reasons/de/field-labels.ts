import type * as english from '../en/field-labels.ts';

export const submissionFields: typeof english.submissionFields = {
  id: {
    label: 'Kennung',
    hint: 'Kennzeichnet einen Datensatz eindeutig. Jede Zeile braucht eine eigene Kennung, die auch in der nächsten Datei gleich bleibt.',
  },
  referenceNumber: {
    label: 'Aktenzeichen',
    hint: 'Die nach außen bekannte Nummer, zum Beispiel eine Vorgangsnummer.',
  },
  description: {
    label: 'Text',
    hint: 'Titel oder Wortlaut des Anliegens. Mit einer zweiten Spalte werden beide Texte untereinander veröffentlicht.',
  },
  status: {
    label: 'Status',
    hint: 'Stand der Bearbeitung. Ohne Spalte gilt jedes Anliegen als „eingereicht“.',
  },
  topicCategoryName: { label: 'Thema', hint: 'Kategorie oder Sachgebiet.' },
  priorityLevel: { label: 'Priorität', hint: 'Dringlichkeit. Ohne Spalte: normal.' },
  supportCount: { label: 'Unterstützungen', hint: 'Anzahl der Personen, die das Anliegen unterstützen.' },
  hasAttachments: {
    label: 'Anlagen',
    hint: 'Gibt an, ob Bilder oder Dokumente vorliegen: ja, wenn die Zelle ausgefüllt ist.',
  },
  protocolUrl: {
    label: 'Sitzungsprotokoll',
    hint: 'Link zur Niederschrift der Sitzung, in der entschieden wurde.',
  },
  createdAt: { label: 'Eingereicht', hint: 'Tag oder Zeitpunkt der Einreichung.' },
  statusChangedAt: {
    label: 'Status geändert',
    hint: 'Tag oder Zeitpunkt der letzten Änderung. Ohne Spalte gilt der Zeitpunkt der Einreichung.',
  },
  title: { label: 'Titel', hint: 'Nur der Titel. Der Text wird außerdem vollständig veröffentlicht.' },
  sourceUrl: { label: 'Quelle', hint: 'Link zur Seite des Anliegens im Herkunftssystem.' },
  answer: { label: 'Antwort', hint: 'Was die Verwaltung auf das Anliegen geantwortet hat.' },
  sourceStatus: {
    label: 'Status in der Quelle',
    hint: 'Status oder Ergebnis im Wortlaut der Quelle. Ohne Spalte gilt die Zelle des Status.',
  },
  documents: {
    label: 'Dokumente',
    hint: 'Adressen von Dokumenten im System der Quelle. Sie werden verlinkt, nicht kopiert.',
  },
  location: {
    label: 'Standort',
    hint: 'Koordinaten des Orts. Sie werden nur veröffentlicht, wenn Kommune und Quelle es erlauben.',
  },
};

export const sessionFields: typeof english.sessionFields = {
  id: 'Kennung',
  committeeName: 'Gremium',
  date: 'Datum',
  timeSlot: 'Uhrzeit',
  submissionCount: 'Anliegen auf der Tagesordnung',
  createdAt: 'Erfasst',
  submissions: 'Tagesordnung',
  title: 'Titel',
  sourceUrl: 'Quelle',
  place: 'Ort',
  documents: 'Dokumente',
};

export const surveyFields: typeof english.surveyFields = {
  surveyId: 'Kennung',
  title: 'Titel',
  status: 'Status',
  totalResponses: 'Teilnahmen',
  endedOn: 'Beendet am',
  year: 'Jahr',
  questions: 'Fragen',
  questionText: 'Frage',
};
