import type { RecordKind } from '../../../domain/records/records.ts';
import type { Messages } from '../en.ts';

const contents: Readonly<Record<RecordKind, string>> = {
  submission: 'Anliegen aus der Bevölkerung',
  session: 'Sitzungen der Gremien',
  survey: 'Ergebnisse von Umfragen',
};

const listContents = (kinds: readonly RecordKind[]) =>
  new Intl.ListFormat('de').format(kinds.map((kind) => contents[kind]));

export const openDataPages: Messages['openDataPages'] = {
  title: (municipality) => `Offene Daten: ${municipality}`,
  description: (municipality, kinds) =>
    kinds.length === 0
      ? `Offene Daten. Herausgeber: ${municipality}.`
      : `${listContents(kinds)}: offene Daten zum Lesen und Herunterladen. Herausgeber: ${municipality}.`,
  listDescription: {
    submissions: (municipality) => `Anliegen aus der Bevölkerung. Herausgeber: ${municipality}.`,
    sessions: (municipality) => `Sitzungen der Gremien. Herausgeber: ${municipality}.`,
    surveys: (municipality) => `Ergebnisse von Umfragen. Herausgeber: ${municipality}.`,
  },
  intro: (kinds) =>
    kinds.length === 0
      ? 'Es sind noch keine Daten veröffentlicht.'
      : `${listContents(kinds)}. Alle dürfen diese Daten im Rahmen der Lizenz lesen, herunterladen und weiterverwenden.`,
  navigation: 'Offene Daten',
  overview: 'Übersicht',
  publisher: 'Herausgeber',
  asOf: 'Stand der Daten',
  asOfUnknown: 'unbekannt',
  sourceLicenses: 'Lizenzen einzelner Quellen',
  attribution: 'Quellenangabe',
  decided: 'Entschiedene Anliegen',
  upcoming: 'Nächste Sitzungen',
  noUpcoming: 'Es sind keine künftigen Sitzungen veröffentlicht.',
  timeUnknown: 'Die Uhrzeit dieser Sitzung ist nicht veröffentlicht.',
  timeMissing: 'Uhrzeit nicht veröffentlicht',
  allSessions: 'Alle Sitzungen',
  calendar: 'Kalender aller Sitzungen',
  calendarHint:
    'Abonnieren Sie die Adresse des Kalenders in Ihrem Kalenderprogramm. Wenn Sie die Datei nur öffnen, erscheinen spätere Änderungen nicht. Manche Programme aktualisieren einmal am Tag.',
  committeeCalendar: 'Kalender dieses Gremiums',
  decisions: 'Neueste Entscheidungen',
  decisionsHint:
    'Neueste Entscheidungen sind Anliegen, die angenommen, abgelehnt oder erledigt wurden, nach dem Tag, an dem sich ihr Status geändert hat. Nennt eine Quelle diesen Tag nicht, sind ihre Anliegen hier nicht aufgeführt.',
  explanations: 'Wie die Angaben auf dieser Seite entstehen',
  decisionsFeed: 'Entscheidungen abonnieren (Atom-Feed)',
  noDecisions: 'Es sind keine Entscheidungen mit Datum veröffentlicht.',
  searchSubmissions: 'Anliegen suchen',
  supportHint:
    'Die Unterstützungen zählt das System, in dem sie abgegeben werden. Gezeigt werden die Zahlen des letzten Imports. Wer ein Anliegen unterstützt, geht aus den Daten nicht hervor.',
  supportMissing:
    'Ein Teil der Daten stammt aus Systemen, die keine Unterstützungen zählen. Für diese Anliegen steht hier 0. Das sagt nichts über die tatsächliche Unterstützung aus.',
  surveys: 'Ergebnisse von Umfragen',
  surveysHint: 'Zum Schutz der Befragten werden kleine Antwortzahlen zurückgehalten oder zusammengefasst.',
  allSurveys: 'Alle Umfragen',
  downloads: 'Downloads',
  downloadsDescription: (municipality) =>
    `Alle offenen Daten als Dateien zum Herunterladen. Herausgeber: ${municipality}.`,
  downloadsHint:
    'Die Dateien enthalten dieselben Daten wie diese Seiten, jeweils auf dem neuesten Stand. Die Größe wird angezeigt, sobald eine Datei heruntergeladen wurde. Die Adressen bleiben gleich. „CSV für Excel“ stellt Umlaute richtig dar und enthält keine Formeln. Mit deutschen Einstellungen braucht Excel die Datei mit Semikolons (excel.csv), mit englischen die mit Kommas (excel-comma.csv).',
  table: 'Tabelle',
  tables: {
    submissions: 'Anliegen',
    sessions: 'Sitzungen',
    agenda_items: 'Tagesordnungspunkte: welche Anliegen in welcher Sitzung behandelt werden',
    submission_documents: 'Dokumente zu Anliegen: Titel und Adressen',
    session_documents: 'Dokumente zu Sitzungen: Titel und Adressen',
    surveys: 'Umfragen',
    survey_questions: 'Fragen der Umfragen',
    survey_options: 'Antworten mit ihrer Anzahl',
  },
  csv: 'CSV',
  excel: 'CSV für Excel',
  ndjson: 'NDJSON',
  geoJson: 'Standorte der Anliegen für Kartenprogramme (GeoJSON)',
  columnNames: 'Spalten',
  columns: (count) => `${count}\u00a0Spalten`,
  dataPackage: 'Alle Spalten mit Typ und Beschreibung sowie die Lizenz:',
  about: 'Über diese Daten',
  aboutRecords: {
    howMade:
      'Die Daten stammen aus Systemen der Kommune. Beim Import werden Zeiten, Status und Texte vereinheitlicht. Personenbezogene Daten in Texten können durch einen Hinweis in eckigen Klammern ersetzt sein.',
    gaps: 'Die Daten können Lücken haben: Einer Quelle können ältere Datensätze, Uhrzeiten, Themen oder Unterstützungen fehlen. Der Status ist der des letzten Imports. Entwürfe von Umfragen sind nicht enthalten, ebenso wenig Datensätze, deren Veröffentlichung die Kommune zurückgenommen hat.',
  },
  aboutSurveys: {
    howMade:
      'Die Ergebnisse stammen aus Umfragen der Kommune. Personenbezogene Daten in Texten können durch einen Hinweis in eckigen Klammern ersetzt sein.',
    gaps: 'Entwürfe von Umfragen sind nicht enthalten, ebenso wenig Umfragen, deren Veröffentlichung die Kommune zurückgenommen hat.',
  },
  map: 'Karte der Anliegen',
  mapTab: 'Karte',
  searchMap: 'Suchen und filtern',
  mapDescription: (municipality) =>
    `Karte der Orte, auf die sich Anliegen beziehen. Herausgeber: ${municipality}.`,
  showOnMap: 'Auf der Karte zeigen',
  located: (count, shown) => (count === 1 ? '1 Anliegen mit Standort' : `${shown} Anliegen mit Standort`),
  noLocation: 'Kein passendes Anliegen hat einen Standort.',
  locatedOf: (count, shown, total) =>
    `${shown} von ${total} Anliegen ${count === 1 ? 'hat' : 'haben'} einen veröffentlichten Standort.`,
  mapBound: (examined) => `Die Karte berücksichtigt nur die neuesten ${examined} Anliegen.`,
  wholeMap: 'Ganze Karte',
  area: 'Bereich',
  areaInvalid: 'Der Parameter „area“ ist ungültig',
  areaFormat:
    'Er muss die westliche, südliche, östliche und nördliche Grenze in Grad enthalten, durch Kommas getrennt, zum Beispiel 13.4,52.51,13.41,52.52. ',
  inMiddle: 'in der Mitte',
  fromMiddle: (distance, direction) =>
    `${distance} ${['nördlich', 'nordöstlich', 'östlich', 'südöstlich', 'südlich', 'südwestlich', 'westlich', 'nordwestlich'][direction]} der Mitte`,
  middle: 'Die Entfernungen gelten ab der Mitte aller gefundenen Anliegen.',
  areas: 'Bereiche der Karte als Liste',
  degrees: (from, to) => (to === undefined ? from : `${from} bis ${to}`),
  coordinates: (latitude, longitude) => `Breite ${latitude}, Länge ${longitude}`,
  newest: 'Neuestes Anliegen',
  counts: ['1 Anliegen je Bereich', '2 bis 9', '10 bis 99', '100 und mehr'],
  mapHint: ([width, height, rounding]) =>
    `Jedes Rechteck zeigt die Zahl der Anliegen in seinem Bereich. Wählen Sie es aus, um sie zu sehen. Wenn Sie die Karte vergrößern, werden die Bereiche kleiner, bis etwa ${width} × ${height}. Die Standorte sind auf etwa ${rounding} gerundet, kein Rechteck zeigt also den genauen Ort. Mit den Pfeiltasten verschieben Sie die Karte, mit + und − ändern Sie den Maßstab. Mit der Tastatur erreichen Sie die Anliegen über die Listen darunter. Auf einem Touchscreen nehmen Sie zwei Finger.`,
  approximate: (rounding) => `Der Standort ist nur ungefähr angegeben, auf etwa ${rounding} gerundet.`,
  mapNeedsScript: 'Die Karte braucht JavaScript. Die Listen auf dieser Seite enthalten dieselben Angaben.',
  mapFailed:
    'Die Karte konnte nicht geladen werden. Die Listen auf dieser Seite enthalten dieselben Angaben.',
  marked: 'Hervorgehoben ist der Bereich dieses Anliegens:',
  far: (count, shown) =>
    count === 1 ? '1 Anliegen liegt weit außerhalb.' : `${shown} Anliegen liegen weit außerhalb.`,
  showWhole: 'Ganze Karte zeigen',
  noMapBackground:
    'Der Hintergrund ist einfarbig, weil der Betreiber dieser Seiten keine Hintergrundkarte eingerichtet hat.',
  mapBackground: 'Hintergrund der Karte',
  zoomIn: 'Vergrößern',
  zoomOut: 'Verkleinern',
  resetView: 'Ausschnitt zurücksetzen',
  inView: 'Im Ausschnitt',
  showArea: 'Diesen Bereich zeigen',
  contact: 'Kontakt',
  noContact: 'Die Kommune hat keinen Kontakt angegeben.',
  noCookies: (mapOrigin) =>
    `Diese Seiten setzen keine Cookies und laden nichts von anderen Servern${mapOrigin === undefined ? '' : `, außer dem Hintergrund der Karten von ${mapOrigin}`}.`,
  terms: 'Nutzungsbedingungen',
};
