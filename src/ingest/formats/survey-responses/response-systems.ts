/** Columns that systems for surveys and forms write beside the answers. Headings are in the form of `createHeadingKey`. */

export interface ResponseSystem {
  name: string;
  /** A table of the system has each of these columns, under one of its names. */
  marks: readonly (readonly string[])[];
  /** Other columns that are no questions. */
  technical: readonly string[];
  /** Of those that are not finished. */
  unfinished?: MarkedResponses;
  /** Of those that the makers of the survey have written to try it, or have deleted or rejected. */
  excluded?: MarkedResponses;
}

/** A column about responses, and its words for some of them. */
interface MarkedResponses {
  column: string;
  words: readonly string[];
}

/** Google Forms writes it into the first column of each sheet with answers. */
export const timeStampHeadings: readonly string[] = [
  ...['timestamp', 'time stamp', 'zeitstempel', 'horodateur', 'marca temporal', 'marca de temps'],
  ...[
    'informazioni cronologiche',
    'tijdstempel',
    'sygnatura czasowa',
    'zaman damgası',
    'carimbo de data/hora',
  ],
  ...[
    'tidsstämpel',
    'tidsstempel',
    'aikaleima',
    'časové razítko',
    'časová značka',
    'časovni žig',
    'időbélyeg',
  ],
  ...['marcaj de timp', 'vremenska oznaka', 'laika zīmogs', 'laiko žyma', 'ajatempel', 'χρονική σήμανση'],
  ...['отметка времени', 'позначка часу', 'клеймо за време', 'طابع زمني', 'חותמת זמן', 'dấu thời gian'],
  ...['stempel waktu', 'stempel masa', 'タイムスタンプ', '时间戳记', '時間戳記', '타임스탬프'],
];

/** Whole headings of columns that mark responses of any system by a yes or a time. A question is none of them. */
export const responseFlags: ReadonlySet<string> = new Set([
  ...['is draft', 'in draft', 'is deleted', 'deleted at', 'deleted on', 'is test', 'is test data', 'is spam'],
  ...[
    'ist entwurf',
    'ist gelöscht',
    'gelöscht am',
    'ist test',
    'ist testdatensatz',
    'testdatensatz',
    'ist spam',
  ],
  ...['webform draft', 'test data', 'testdaten', 'test mode', 'testmodus'],
]);

/** Such headings that head a question, too, as in "Entwurf" for a design: only a yes, a time or a state of records marks. */
export const responseFlagWords: ReadonlySet<string> = new Set([
  ...['draft', 'entwurf', 'brouillon', 'preview', 'vorschau', 'spam', 'deleted', 'gelöscht', 'supprimé'],
]);

const trialWords = ['test', 'testdatensatz', 'duplicate', 'duplikat', 'spam', 'trash', 'papierkorb'];
const rejectedWords = ['invalid', 'ungültig', 'disqualified', 'screened out', 'rejected', 'abgelehnt'];
const unfinishedWords = [
  ...['partial', 'partially complete', 'incomplete', 'unfinished', 'in progress', 'started', 'abandoned'],
  ...['abgebrochen', 'unterbrochen', 'unvollständig', 'nicht abgeschlossen', 'begonnen', 'draft', 'entwurf'],
  ...['deleted', 'gelöscht'],
];

/** Cells of a column about states, for responses that may not count. */
export const doubtfulStates: ReadonlySet<string> = new Set([
  ...[...trialWords, ...rejectedWords, ...unfinishedWords],
]);

/** Other cells of such a column. */
export const countingStates: ReadonlySet<string> = new Set([
  ...['complete', 'completed', 'finished', 'submitted', 'valid', 'approved', 'accepted', 'published', 'ok'],
  ...['abgeschlossen', 'vollständig', 'beendet', 'abgesendet', 'gültig', 'angenommen', 'real', 'live'],
]);

/** Headings of columns about states in tables of any origin, which head questions, too; and which of yes and no is doubtful. */
export const stateHeadings: ReadonlyMap<string, 'yes' | 'no'> = new Map([
  ...['status', 'response status', 'state', 'antwortstatus', 'teilnahmestatus', 'test'].map(
    (name) => [name, 'yes'] as const,
  ),
  ...['duplicate', 'duplikat', 'invalid', 'ungültig'].map((name) => [name, 'yes'] as const),
  ...['completed', 'complete', 'finished', 'submitted', 'valid', 'vollständig', 'abgeschlossen'].map(
    (name) => [name, 'no'] as const,
  ),
  ...['beendet', 'gültig'].map((name) => [name, 'no'] as const),
]);

const falseWords = ['0', 'false', 'falsch', 'faux', 'falso', 'no', 'nein'];

export const responseSystems: readonly ResponseSystem[] = [
  {
    // A table of meetings has a start and an end, too, but no address of the person.
    name: 'Microsoft Forms',
    marks: [
      ['id', 'identifikator', 'identyfikator', 'kimlik', 'tunnus', 'идентификатор'],
      [
        ...['start time', 'startzeit', 'heure de début', 'hora de inicio', 'ora di inizio', 'begintijd'],
        ...['godzina rozpoczęcia', 'hora de início', 'starttid', 'starttidspunkt', 'başlangıç zamanı'],
        ...['aloitusaika', 'čas zahájení', 'время начала', "hora d'inici"],
      ],
      [
        ...[
          'completion time',
          'fertigstellungszeit',
          'abschlusszeit',
          'heure de fin',
          'hora de finalización',
        ],
        ...['ora di completamento', 'tijd van voltooien', 'voltooiingstijd', 'godzina ukończenia'],
        ...['hora de conclusão', 'slutförandetid', 'fuldførelsestidspunkt', 'tamamlama zamanı'],
        ...['valmistumisaika', 'čas dokončení', 'время выполнения', 'hora de finalització'],
      ],
      [
        ...['email', 'e mail', 'adresse de messagerie', 'correo electrónico', 'posta elettronica'],
        ...['adres e mail', 'e posta', 'sähköposti', 'e post', 'электронная почта', 'correu electrònic'],
      ],
    ],
    technical: ['name', 'nom', 'nombre', 'nome', 'naam', 'nazwa', 'ad', 'last modified time', 'language'],
  },
  {
    name: 'SurveyMonkey',
    marks: [
      ['respondent id', 'befragten id', 'id du répondant', 'id del encuestado', 'id dell’intervistato'],
    ],
    technical: [
      ...['collector id', 'collector', 'date created', 'date modified', 'ip address', 'email address'],
      ...['first name', 'last name', 'custom data 1', 'custom value', 'language', 'start date', 'end date'],
    ],
  },
  {
    name: 'Typeform',
    marks: [['start date (utc)'], ['submit date (utc)']],
    technical: ['#', 'network id', 'tags', 'response type', 'stage date (utc)', 'ending', 'score'],
    unfinished: { column: 'response type', words: ['partial', 'started'] },
  },
  {
    name: 'Qualtrics',
    marks: [
      ['responseid', 'response id'],
      ['recordeddate', 'recorded date'],
    ],
    technical: [
      ...['startdate', 'enddate', 'status', 'ipaddress', 'progress', 'duration (in seconds)', 'finished'],
      ...[
        'recipientlastname',
        'recipientfirstname',
        'recipientemail',
        'externalreference',
        'externaldatareference',
      ],
      ...['locationlatitude', 'locationlongitude', 'distributionchannel', 'userlanguage', 'q recaptchascore'],
      ...[
        'start date',
        'end date',
        'response type',
        'recipient last name',
        'recipient first name',
        'recipient email',
      ],
      ...[
        'external data reference',
        'location latitude',
        'location longitude',
        'distribution channel',
        'user language',
      ],
    ],
    unfinished: { column: 'finished', words: falseWords },
    // Responses that are only suspected to be spam are counted, as in its own reports.
    excluded: {
      column: 'status',
      words: [
        ...['1', 'survey preview', '2', 'survey test', '9', 'survey preview spam'],
        ...['17', 'offline survey preview'],
      ],
    },
  },
  {
    name: 'SoSci Survey',
    marks: [['case'], ['questnnr']],
    technical: [
      ...[
        'serial',
        'ref',
        'mode',
        'language',
        'started',
        'time sum',
        'mailsent',
        'lastdata',
        'status',
        'finished',
      ],
      ...['q viewer', 'lastpage', 'maxpage', 'missing', 'missrel', 'time rsi', 'deg time'],
    ],
    unfinished: { column: 'finished', words: falseWords },
    excluded: { column: 'mode', words: ['pretest', 'debug', 'admin'] },
  },
  {
    name: 'Unipark',
    marks: [['lfdn'], ['dispcode']],
    technical: [
      ...[
        'external lfdn',
        'tester',
        'lastpage',
        'quality',
        'duration',
        'participant',
        'c 0001',
        'c 0002',
        'c 0003',
      ],
      ...[
        'browser',
        'referer',
        'device type',
        'quota',
        'page history',
        'date of first mail',
        'datetime',
        'language',
      ],
    ],
    // Not started, being answered, or interrupted.
    unfinished: { column: 'dispcode', words: ['20', '21', '22', '23'] },
    excluded: { column: 'tester', words: ['1'] },
  },
  {
    name: 'Decidim',
    marks: [
      ['ip hash', 'hash ip', 'hash de ip', 'hash de l’ip'],
      [
        'user status',
        'benutzerstatus',
        'statut de l’utilisateur',
        "statut de l'utilisateur",
        'estado del usuario',
      ],
    ],
    technical: ['answer id', 'antwort id', 'answered on', 'beantwortet am', 'created at', 'erstellt am'],
  },
  {
    name: 'Nextcloud Forms',
    marks: [
      ['user display name', 'anzeigename', 'anzeigename des benutzers', 'benutzeranzeigename'],
      timeStampHeadings,
    ],
    technical: ['submission id', 'user id', 'benutzer id'],
  },
  {
    name: 'Alchemer',
    marks: [['response id', 'responseid'], ['legacy comments']],
    technical: [
      ...[
        'time started',
        'date submitted',
        'startdate',
        'enddate',
        'status',
        'contact id',
        'comments',
        'tags',
      ],
      ...['language', 'referer', 'sessionid', 'user agent', 'ip address', 'longitude', 'latitude'],
      ...['country', 'city', 'state/region', 'postal'],
    ],
    unfinished: { column: 'status', words: ['partial'] },
    excluded: { column: 'status', words: ['disqualified', 'deleted'] },
  },
  {
    name: 'ODK Central',
    marks: [['submissiondate'], ['submitterid'], ['reviewstate']],
    technical: [
      ...[
        'key',
        'meta instanceid',
        'instanceid',
        'submittername',
        'attachmentspresent',
        'attachmentsexpected',
      ],
      ...['status', 'deviceid', 'edits', 'formversion', 'start', 'end', 'today'],
    ],
    excluded: { column: 'reviewstate', words: ['rejected'] },
  },
  {
    name: 'KoboToolbox',
    marks: [['uuid'], ['submission time'], ['validation status']],
    technical: [
      ...['start', 'end', 'today', 'deviceid', 'id', 'notes', 'status', 'submitted by', 'version', 'tags'],
      'index',
    ],
    excluded: {
      column: 'validation status',
      words: ['validation_status_not_approved', 'not approved'],
    },
  },
];
