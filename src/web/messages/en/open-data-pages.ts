/** Texts of the pages of open data, which everyone can read. */
import type { RecordKind } from '../../../domain/records/records.ts';

/** Of the tables in the downloads, by name. */
const tables: Readonly<Record<string, string>> = {
  submissions: 'Submissions',
  sessions: 'Sessions',
  agenda_items: 'Agenda items: which submissions are on the agenda of which session',
  submission_documents: 'Documents of submissions: their titles and addresses',
  session_documents: 'Documents of sessions: their titles and addresses',
  surveys: 'Surveys',
  survey_questions: 'Questions of surveys',
  survey_options: 'Answers, with the number of responses',
};

const contents: Readonly<Record<RecordKind, string>> = {
  submission: 'submissions of citizens',
  session: 'sessions of the council and its committees',
  survey: 'results of surveys',
};

/** In upper case. */
function listContents(kinds: readonly RecordKind[]): string {
  const list = new Intl.ListFormat('en-GB').format(kinds.map((kind) => contents[kind]));
  return list.charAt(0).toUpperCase() + list.slice(1);
}

export const openDataPages = {
  title: (municipality: string) => `Open data: ${municipality}`,
  description: (municipality: string, kinds: readonly RecordKind[]) =>
    kinds.length === 0
      ? `The open data of ${municipality}.`
      : `${listContents(kinds)}: the open data of ${municipality}, to read and to download.`,
  listDescription: {
    submissions: (municipality: string) => `Submissions of citizens, published by ${municipality}.`,
    sessions: (municipality: string) =>
      `Sessions of the council and its committees, published by ${municipality}.`,
    surveys: (municipality: string) => `Results of surveys, published by ${municipality}.`,
  },
  intro: (kinds: readonly RecordKind[]) =>
    kinds.length === 0
      ? 'No data has been published yet.'
      : `${listContents(kinds)}. Everyone may read, download and reuse this data under its licence.`,
  navigation: 'Open data',
  overview: 'Overview',
  publisher: 'Publisher',
  asOf: 'Data as of',
  asOfUnknown: 'unknown',
  sourceLicenses: 'Licences of single sources',
  attribution: 'Name the source as',
  decided: 'Decided submissions',
  upcoming: 'Next sessions',
  noUpcoming: 'No future sessions have been published.',
  timeUnknown: 'The time of this session has not been published.',
  timeMissing: 'Time not published',
  allSessions: 'All sessions',
  calendar: 'Calendar of all sessions',
  calendarHint:
    'Subscribe to the address of the calendar in your calendar program. If you only open the file, later changes do not appear. Some programs refresh once a day.',
  committeeCalendar: 'Calendar of this committee',
  decisions: 'Latest decisions',
  decisionsHint:
    'The latest decisions are submissions that were accepted, rejected or completed, by the day on which their status changed. Submissions whose source does not report that day are not listed.',
  explanations: 'How the information on this page is made',
  decisionsFeed: 'Subscribe to decisions (Atom feed)',
  noDecisions: 'No decisions with a date have been published.',
  searchSubmissions: 'Search in submissions',
  supportHint:
    'The system in which people support a submission counts them. The numbers are those of the last import. Nobody can tell from this data who supports a submission.',
  supportMissing:
    'Some submissions come from systems that do not count supporters. They have 0 supporters here, which does not mean that nobody supports them.',
  surveys: 'Results of surveys',
  surveysHint: 'To protect the people who answered, small numbers of answers are withheld or combined.',
  allSurveys: 'All surveys',
  downloads: 'Downloads',
  downloadsDescription: (municipality: string) => `All open data of ${municipality} as files.`,
  downloadsHint:
    'The files have the same data as these pages, as of the last change. The size is shown once a file has been downloaded. Addresses stay the same. “CSV for Excel” keeps umlauts, and no cell is a formula. Where numbers have a decimal comma, as in German, Excel needs the file with semicolons (excel.csv), otherwise the one with commas (excel-comma.csv).',
  table: 'Table',
  tables,
  csv: 'CSV',
  excel: 'CSV for Excel',
  ndjson: 'NDJSON',
  geoJson: 'Locations of submissions for programs with maps (GeoJSON)',
  columnNames: 'Columns',
  columns: (count: number) => `${count}\u00a0columns`,
  dataPackage: 'All columns with their types and descriptions, and the licence:',
  about: 'About this data',
  aboutRecords: {
    howMade:
      'The data comes from systems of the municipality. Imports give times, statuses and texts the same format. Personal data in texts may have been replaced by a note in square brackets.',
    gaps: 'The data can have gaps: a source may lack older records, times, topics or numbers of supporters. A status is that of the last import. Surveys in draft, and records that the municipality has withdrawn from publication, are not included.',
  },
  aboutSurveys: {
    howMade:
      'The results come from surveys of the municipality. Personal data in texts may have been replaced by a note in square brackets.',
    gaps: 'Surveys in draft, and surveys that the municipality has withdrawn from publication, are not included.',
  },
  map: 'Map of submissions',
  mapTab: 'Map',
  searchMap: 'Search and filter',
  mapDescription: (municipality: string) => `Where the submissions are, published by ${municipality}.`,
  showOnMap: 'Show on a map',
  located: (count: number, shown: string) =>
    count === 1 ? '1 submission with a location' : `${shown} submissions with a location`,
  noLocation: 'No submission with a location matches.',
  locatedOf: (count: number, shown: string, total: string) =>
    `${shown} of ${total} submissions ${count === 1 ? 'has' : 'have'} a published location.`,
  mapBound: (examined: string) => `The map covers the newest ${examined} matches only.`,
  wholeMap: 'Whole map',
  area: 'Area',
  areaInvalid: 'The parameter “area” is invalid',
  areaFormat:
    'It must be the western, southern, eastern and northern bound in degrees, separated by commas, such as 13.4,52.51,13.41,52.52. ',
  inMiddle: 'in the middle',
  /** @param direction an eighth of a turn each, clockwise from the north */
  fromMiddle: (distance: string, direction: number) =>
    `${distance} ${['north', 'north-east', 'east', 'south-east', 'south', 'south-west', 'west', 'north-west'][direction]} of the middle`,
  middle: 'Distances are from the middle of all matching submissions.',
  areas: 'Areas of the map as a list',
  /** @param to undefined: a single one */
  degrees: (from: string, to: string | undefined) => (to === undefined ? from : `${from} to ${to}`),
  coordinates: (latitude: string, longitude: string) => `latitude ${latitude}, longitude ${longitude}`,
  newest: 'Newest submission',
  /** Of the submissions in an area, by its shade. */
  counts: ['1 submission in an area', '2 to 9', '10 to 99', '100 or more'],
  mapHint: ([width, height, rounding]: readonly string[]) =>
    `Each rectangle shows the number of submissions in its area. Select it to see them. As you zoom in, the areas become smaller, down to about ${width} × ${height}. Locations are rounded to about ${rounding}, so no rectangle shows the exact place. Arrow keys move the map; + and − zoom. To reach the submissions by keyboard, use the lists below. On a touchscreen, use two fingers.`,
  approximate: (rounding: string) => `The location is approximate: rounded to about ${rounding}.`,
  mapNeedsScript: 'The map needs JavaScript. The lists on this page contain the same data.',
  mapFailed: 'The map could not be loaded. The lists on this page contain the same data.',
  marked: 'The area of this submission is highlighted:',
  far: (count: number, shown: string) =>
    count === 1 ? '1 submission is far outside.' : `${shown} submissions are far outside.`,
  showWhole: 'Show the whole map',
  noMapBackground: 'The background is plain because the operator of these pages has not set up a base map.',
  mapBackground: 'Background of the map',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  resetView: 'Reset the view',
  /** Before a number of submissions. */
  inView: 'In view',
  showArea: 'Show this area',
  contact: 'Contact',
  noContact: 'The municipality has not named a contact.',
  /** @param mapOrigin of the background of maps; undefined: they have none */
  noCookies: (mapOrigin: string | undefined) =>
    `These pages set no cookies and load nothing from other servers${mapOrigin === undefined ? '' : `, except the background of maps, from ${mapOrigin}`}.`,
  terms: 'Terms of use',
};
