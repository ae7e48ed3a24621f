import { formatExamples } from '../date-example.ts';
import type { Cell, rejections as english, LocationProblem } from '../en/rejections.ts';
import type { Translation, Words } from '../sentence-types.ts';

const objects: Record<'record' | 'agendaEntry' | 'question' | 'option' | 'serviceRequest', string> = {
  record: 'Der Datensatz',
  agendaEntry: 'Ein Eintrag der Tagesordnung',
  question: 'Eine Frage',
  option: 'Eine Antwortmöglichkeit',
  serviceRequest: 'Die Meldung',
};

const types: Readonly<Record<string, string>> = {
  string: 'ein Text',
  integer: 'eine ganze Zahl',
  boolean: 'true oder false',
  array: 'eine Liste',
};

/** One without a heading has a number in mapping files. */
export const nameColumn = (name: string) => name.replace(/^column (?=\d+$)/, 'Spalte ');

export const formatCell = ({ field, columns, constant }: Cell, { field: name }: Pick<Words, 'field'>) =>
  constant === undefined
    ? `${name(field)} (${columns.length === 1 ? 'Spalte' : 'Spalten'} ${columns.map((one) => `„${nameColumn(one)}“`).join(', ')})`
    : `${name(field)} (immer „${constant}“)`;

const locationProblems: Record<LocationProblem, string> = {
  'no-coordinates': 'die Koordinaten sind nicht zwei Zahlen',
  zero: 'die Koordinaten sind 0 und 0',
  'out-of-range':
    'die Koordinaten liegen jenseits der Pole oder des 180. Längengrads oder außerhalb des Gebiets ihres Bezugssystems: Sie können vertauscht sein oder zu einem Bezugssystem gehören, das die Zuordnung nicht nennt',
  swapped: 'Breite und Länge sind vertauscht: So läge der Ort weit außerhalb des Landes',
  'other-system': 'die Koordinaten gehören zu einem anderen Bezugssystem, als die Zuordnung nennt',
};

export const rejections: Translation<typeof english> = {
  'field-missing': ({ field }, words) => `${words.field(field)} fehlt`,
  'fields-missing': ({ fields: [first, second] }, words) =>
    `${words.field(first)} und ${words.field(second)} fehlen`,
  'field-unknown': ({ name, near }) =>
    `„${name}“ ist kein bekanntes Feld${near === undefined ? '' : `. Ist „${near}“ gemeint?`}`,
  'type-wrong': ({ field, type }, words) => `${words.field(field)} muss ${types[type] ?? type} sein`,
  'text-too-long': ({ field, max, length }, words) =>
    `${words.field(field)} hat ${words.number(length)} Zeichen, erlaubt sind höchstens ${words.number(max)}`,
  'text-too-short': ({ field, min }, words) =>
    min === 1 ? `${words.field(field)} ist leer` : `${words.field(field)} hat weniger als ${min} Zeichen`,
  'number-too-small': ({ field, min }, words) => `${words.field(field)} muss mindestens ${min} sein`,
  'number-too-large': ({ field, max }, words) => `${words.field(field)} darf höchstens ${max} sein`,
  'location-invalid': ({ problem }, words) => `${words.field('location')}, denn ${locationProblems[problem]}`,
  'field-invalid': ({ field }, words) => `${words.field(field)} ist ungültig`,
  'url-invalid': ({ field }, words) =>
    `${words.field(field)} muss eine Internetadresse sein, die mit https:// oder http:// beginnt, keine Leerzeichen enthält und korrekt kodiert ist`,
  'document-address-invalid':
    'Die Adresse eines Dokuments ist keine gültige Internetadresse (https:// oder http://)',
  'document-address-secret':
    'Die Adresse eines Dokuments oder einer Seite enthält einen Benutzernamen, ein Passwort, einen Schlüssel oder eine Signatur, die abläuft',
  'document-address-internal': 'Die Adresse eines Dokuments oder einer Seite führt in ein internes Netz',
  'document-title-too-long': ({ max }, { number }) =>
    `Der Titel eines Dokuments hat mehr als ${number(max)} Zeichen`,
  'document-file-missing': 'Auf ein Dokument wird nur verwiesen, und die Datei dazu fehlt',
  'problem-in-line': ({ line, problem }, words) => `Zeile ${line}: ${words.reason(problem)}`,
  'document-title-missing': 'Der Titel eines Dokuments fehlt',
  'time-slot-invalid': ({ field }, words) =>
    `${words.field(field)} muss die Form HH:MM oder HH:MM-HH:MM haben`,
  'time-slot-reversed': ({ field }, words) => `${words.field(field)} endet vor dem Beginn`,
  'date-invalid': ({ field }, words) => `${words.field(field)} muss ein Datum wie 2026-03-01 sein`,
  'control-characters': ({ field }, words) => `${words.field(field)} darf keine Steuerzeichen enthalten`,
  'null-character': ({ field }, words) => `${words.field(field)} darf das Zeichen U+0000 nicht enthalten`,
  'incomplete-character': ({ field }, words) => `${words.field(field)} enthält ein unvollständiges Zeichen`,
  'personal-data-typed': ({ field }, words) =>
    `${words.field(field)} darf keine personenbezogenen Daten wie E-Mail-Adressen und Telefonnummern enthalten`,
  'text-blank': ({ field }, words) => `${words.field(field)} ist leer`,
  'not-whole-number': ({ field }, words) => `${words.field(field)} muss eine ganze Zahl sein`,
  'not-text': ({ field }, words) => `${words.field(field)} muss ein Text sein`,
  'not-object': ({ what }) => `${objects[what]} muss ein JSON-Objekt sein`,
  'entry-not-object': 'Der Eintrag muss ein JSON-Objekt sein',
  'not-list': ({ field }, words) => `${words.field(field)} muss eine Liste sein`,
  'list-too-long': ({ field, max }, words) => `${words.field(field)} darf höchstens ${max} Einträge haben`,
  'id-invalid': ({ field, isLongNumber }, words) =>
    `${words.field(field)} muss ein Text oder eine ganze Zahl sein${isLongNumber ? ' und höchstens 15 Ziffern haben. Setzen Sie eine längere Zahl in Anführungszeichen' : ''}`,
  'object-id-invalid': 'Die Kennung des Objekts ist ungültig',
  'time-invalid-form': ({ field, readFrom }, words) =>
    readFrom === undefined
      ? `${words.field(field)} muss ein Zeitpunkt wie 2026-03-01T09:15:00Z sein`
      : `${words.field(field)} muss ein Datum sein, zum Beispiel 17.03.2026 in Excel und 2026-03-17 in CSV-Dateien`,
  'time-without-offset': ({ field }, words) =>
    `Bei ${words.field(field)} fehlt der Abstand zur koordinierten Weltzeit (UTC)`,
  'time-invalid': ({ field }, words) => `${words.field(field)} ist kein gültiger Zeitpunkt`,
  'date-too-early': ({ field, min }, words) =>
    `${words.field(field)} liegt vor dem Jahr ${min} und steht daher für ein unbekanntes Datum`,
  'year-invalid': ({ field }, words) =>
    `${words.field(field)} muss ein Jahr von 1 bis 9999 sein, als Zahl geschrieben`,
  'survey-year-differs': (_, words) =>
    `${words.field('year')} ist nicht das Jahr von ${words.field('endedOn')}`,
  'survey-end-in-future': ({ field }, words) =>
    `${words.field(field)} liegt in der Zukunft, die Umfrage ist also nicht beendet. Importieren Sie sie nach ihrem Ende noch einmal`,
  'date-too-late': ({ field, years }, words) =>
    `${words.field(field)} liegt mehr als ${years} Jahre in der Zukunft und steht daher für ein unbekanntes Datum`,
  'kind-invalid': 'Die Art des Datensatzes (kind) muss „submission“, „session“ oder „survey“ sein',
  'deleted-invalid': 'Das Feld „deleted“ muss true oder false sein',
  'agenda-repeats-submission': 'Die Tagesordnung nennt ein Anliegen zweimal',
  'agenda-too-long': ({ max }) => `Die Tagesordnung hat mehr als ${max} Anliegen`,
  'agenda-unknown-submission': ({ entry, id }) =>
    `Eintrag ${entry} der Tagesordnung verweist auf das unbekannte Anliegen ${id}. Führen Sie Anliegen vor den Sitzungen auf oder importieren Sie die Datei noch einmal`,
  'published-meanwhile':
    'Ein anderer Import hat den Datensatz inzwischen veröffentlicht oder entfernt. Importieren Sie ihn noch einmal',
  'id-repeated': 'Ein früherer Datensatz derselben Datei hat dieselbe Kennung. Der erste gilt',
  'session-differs': 'Eine frühere Zeile derselben Sitzung hat andere Angaben. Die erste gilt',
  'markup-too-long': ({ max }) => `Der formatierte Text hat mehr als ${max} Zeichen`,
  'too-many-tags': ({ max }) => `Der formatierte Text hat mehr als ${max} Auszeichnungen (Tags)`,
  'too-long-after-redaction': ({ field, max }, words) =>
    `${words.field(field)} hat nach dem Ersetzen personenbezogener Daten mehr als ${words.number(max)} Zeichen`,
  'options-alike-after-redaction': ({ question, first, second }) =>
    `Frage ${question}: Die Optionen ${first} und ${second} sind nach dem Ersetzen gleich, und ihre Zahlen dürfen nicht addiert werden; entfernen Sie die personenbezogenen Daten daraus`,
  'pattern-too-slow': ({ pattern, field }, words) =>
    `Das Muster „${pattern}“ braucht ${field === undefined ? 'bei einem Text' : `bei ${words.field(field)}`} zu lange. Vereinfachen Sie es`,
  'word-unmapped': (values, words) =>
    `${formatCell(values, words)} enthält einen Wert ohne Zuordnung. Ordnen Sie ihn zu oder legen Sie fest, dass Zeilen mit ihm nicht veröffentlicht werden`,
  'cell-not-number': (values, words) =>
    `${formatCell(values, words)} ist keine ganze Zahl${values.hasDigits ? '. Geben Sie die Trennzeichen an, falls sie welche enthält' : ''}`,
  'cell-not-date': (values, words) =>
    `${formatCell(values, words)} ist kein Datum wie ${formatExamples(values.patterns, 'de', ' oder ')}${values.hasTime ? ' mit Uhrzeit' : ''}. Berichtigen Sie die Zelle oder das Datumsformat der Zuordnung`,
  'cell-not-time': (values, words) =>
    `${formatCell(values, words)} ist keine Uhrzeit wie 18:00 oder 18:00-20:00. Geben Sie ein Datumsformat an, falls auch ein Datum enthalten ist`,
  'event-invalid': 'Der Termin ist kein gültiges iCalendar',
  'event-start-invalid': 'DTSTART muss ein Datum oder ein Zeitpunkt sein',
  'event-time-invalid': 'DTSTART oder DTEND ist kein gültiger Zeitpunkt',
  'event-end-invalid': 'DTEND oder DURATION ist ungültig',
  'event-time-zone-unknown': 'Die Zeitzone von DTSTART ist unbekannt, und der Kalender legt sie nicht fest',
  'rule-too-frequent': 'RRULE wiederholt den Termin mehrmals am Tag',
  'rule-too-slow': 'Die Wiederholungen nach RRULE lassen sich nicht in angemessener Zeit bestimmen',
  'rule-invalid': 'RRULE, RDATE oder EXDATE ist ungültig',
  'not-oparl-object':
    'Der Eintrag ist kein OParl-Objekt: Er hat keine Kennung, oder sein Typ ist weder angegeben noch aus einer Liste ersichtlich',
  'request-pending':
    'Die Meldung hat ein Token, aber noch keine service_request_id. Rufen Sie sie später noch einmal ab',
  'vote-dates-missing': 'In META fehlen date_begin und date_end',
  'vote-date-invalid': ({ name }) => `${name} in META muss ein Datum wie 16.09.2023 sein`,
  'project-names-missing': ({ count }) =>
    `Keines der ${count} Projekte hat einen Namen: Die Spalte „name“ fehlt oder ist leer`,
  'proposal-date-missing': 'Das Datum fehlt, zum Beispiel created_at',
  'response-without-proposals':
    'Der Eintrag ist eine Antwort der API ohne Vorschläge. Rufen Sie sie noch einmal ab',
  // Why an entry is left out.
  'record-repeated': 'Die Datei enthält diesen Datensatz schon an früherer Stelle',
  'removal-absent': 'Der zu entfernende Datensatz ist nicht veröffentlicht',
  'record-unpublished': 'Ihre Kommune hat die Veröffentlichung des Datensatzes zurückgenommen',
  'record-matched':
    'Ein gleicher Datensatz wurde zurückgezogen oder endgültig gelöscht; siehe „Zurückgezogen und berichtigt“',
};
