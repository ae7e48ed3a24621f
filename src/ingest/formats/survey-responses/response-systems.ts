/** Columns that systems for surveys and forms write beside the answers. Headings are in the form of `createHeadingKey`. */
import { splitWordList } from '../../../domain/values/split-word-list.ts';

export interface ResponseSystem {
  name: string;
  /** A table of the system has each of these columns, under one of its names. */
  marks: readonly (readonly HeadingPattern[])[];
  /** Other columns that are no questions. */
  technical: readonly HeadingPattern[];
  /** Cells for a question without an answer. */
  noAnswers?: readonly string[];
  /** How it heads the column for one option of a question. The first form that fits counts. */
  options?: readonly OptionHeading[];
  /** Between several answers in a cell, besides the usual ones. */
  listSeparator?: string;
  /** Of those that are not finished. */
  unfinished?: readonly MarkedResponses[];
  /** Of those that the makers of the survey have written to try it, or have deleted or rejected. */
  excluded?: readonly MarkedResponses[];
}

/** A whole heading, or an expression for names that vary, which sees headings as they are. */
export type HeadingPattern = string | RegExp;

export interface OptionHeading {
  /** Between the question and the option. Empty: the heading is the option. */
  separator: string;
  /** After the option. */
  end?: string;
  isOptionFirst?: true;
  /** Whether cells of those who have not chosen the option say so. */
  hasNo?: true;
  /** Whether the question has a column with all chosen options in a cell, too. */
  hasOwnColumn?: true;
}

/** A column about responses, and its words for some of them. */
interface MarkedResponses {
  column: HeadingPattern;
  words: readonly string[];
}

/** Google Forms writes it into the first column of each sheet with answers. */
export const timeStampHeadings: readonly string[] = splitWordList(`
  timestamp | time stamp | zeitstempel | horodateur | marca temporal | marca de temps | informazioni cronologiche |
  tijdstempel | sygnatura czasowa | zaman damgası | carimbo de data/hora | tidsstämpel | tidsstempel | aikaleima |
  časové razítko | časová značka | časovni žig | időbélyeg | marcaj de timp | vremenska oznaka | laika zīmogs |
  laiko žyma | ajatempel | χρονική σήμανση | отметка времени | позначка часу | клеймо за време | طابع زمني | חותמת זמן |
  dấu thời gian | stempel waktu | stempel masa | タイムスタンプ | 时间戳记 | 時間戳記 | 타임스탬프`);

/** Google Forms writes them into the column beside each question of a quiz, in brackets after its text. */
export const quizItems: ReadonlySet<string> = new Set(['score', 'punktzahl', 'feedback']);

/** Of the whole quiz. */
export const quizHeadings: ReadonlySet<string> = new Set([
  'score',
  'total score',
  'punktzahl',
  'gesamtpunktzahl',
]);

/** Whole headings of columns that mark responses of any system by a yes or a time. A question is none of them. */
export const responseFlags: ReadonlySet<string> = new Set(
  splitWordList(`
  is draft | in draft | is deleted | deleted at | deleted on | is test | is test data | is spam | ist entwurf |
  ist gelöscht | gelöscht am | ist test | ist testdatensatz | testdatensatz | ist spam | webform draft | test data |
  testdaten | test mode | testmodus`),
);

/** Such headings that head a question, too, as in "Entwurf" for a design: only a yes, a time or a state of records marks. */
export const responseFlagWords: ReadonlySet<string> = new Set([
  ...['draft', 'entwurf', 'brouillon', 'preview', 'vorschau', 'spam', 'deleted', 'gelöscht', 'supprimé'],
]);

const trialWords = ['test', 'testdatensatz', 'duplicate', 'duplikat', 'spam', 'trash', 'papierkorb'];
const rejectedWords = ['invalid', 'ungültig', 'disqualified', 'screened out', 'rejected', 'abgelehnt'];
const unfinishedWords = splitWordList(`
  partial | partially complete | incomplete | unfinished | in progress | started | abandoned | abgebrochen |
  unterbrochen | unvollständig | nicht abgeschlossen | begonnen | draft | entwurf | deleted | gelöscht`);

/** Cells of a column about states, for responses that may not count. */
export const doubtfulStates: ReadonlySet<string> = new Set([
  ...[...trialWords, ...rejectedWords, ...unfinishedWords],
]);

/** Other cells of such a column. */
export const countingStates: ReadonlySet<string> = new Set(
  splitWordList(`
  complete | completed | finished | submitted | valid | approved | accepted | published | ok | abgeschlossen |
  vollständig | beendet | abgesendet | gültig | angenommen | real | live`),
);

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

const listNumbers = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => String(first + index));

const falseWords = ['0', 'false', 'falsch', 'faux', 'falso', 'no', 'nein'];

export const responseSystems: readonly ResponseSystem[] = [
  {
    // A table of meetings has a start and an end, too, but no address of the person.
    name: 'Microsoft Forms',
    marks: [
      ['id', 'identifikator', 'identyfikator', 'kimlik', 'tunnus', 'идентификатор'],
      splitWordList(`
        start time | startzeit | heure de début | hora de inicio | ora di inizio | begintijd | godzina rozpoczęcia |
        hora de início | starttid | starttidspunkt | başlangıç zamanı | aloitusaika | čas zahájení | время начала |
        hora d'inici`),
      splitWordList(`
        completion time | fertigstellungszeit | abschlusszeit | heure de fin | hora de finalización |
        ora di completamento | tijd van voltooien | voltooiingstijd | godzina ukończenia | hora de conclusão |
        slutförandetid | fuldførelsestidspunkt | tamamlama zamanı | valmistumisaika | čas dokončení | время выполнения |
        hora de finalització`),
      splitWordList(`
        email | e mail | adresse de messagerie | correo electrónico | posta elettronica | adres e mail | e posta |
        sähköposti | e post | электронная почта | correu electrònic`),
    ],
    technical: [
      /^(points|punkte|feedback) [-–] /i,
      ...splitWordList(`
      name | nom | nombre | nome | naam | nazwa | ad | last modified time | language | zeitpunkt der letzten änderung |
      sprache | total points | gesamtpunktzahl | quiz feedback | quizfeedback | grade posted time |
      zeitpunkt der bewertung`),
    ],
  },
  {
    name: 'SurveyMonkey',
    marks: [
      ['respondent id', 'befragten id', 'id du répondant', 'id del encuestado', 'id dell’intervistato'],
    ],
    technical: splitWordList(`
      collector id | collector | date created | date modified | ip address | email address | first name | last name |
      custom data 1 | custom value | language | start date | end date`),
  },
  {
    name: 'Typeform',
    marks: [['start date (utc)'], ['submit date (utc)']],
    technical: ['#', 'network id', 'tags', 'response type', 'stage date (utc)', 'ending', 'score'],
    options: [{ separator: '' }],
    unfinished: [{ column: 'response type', words: ['partial', 'started'] }],
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
      // Times on a page, the order of options, groups of an NPS, scores, and fields of its checks for bots and repeated responses.
      /[_ ](first click|last click|page submit|click count)$/i,
      /_DO(_\d{1,9})?$/,
      / - display order$/i,
      /_NPS_GROUP$/,
      /^SC\d{1,9}$/,
      /^Q_(recaptcha|relevantid|ballotbox|duplicate|totalduration|straightlining|unanswered|ambiguous)/i,
      /^Q_(terminateflag|language|url|chl)$/i,
    ],
    // "Seen but unanswered".
    noAnswers: ['-99'],
    options: [{ separator: ' - Selected Choice - ' }, { separator: ' - ' }],
    listSeparator: ',',
    unfinished: [{ column: 'finished', words: falseWords }],
    // Responses that are only suspected to be spam are counted, as in its own reports.
    excluded: [
      {
        column: 'status',
        words: [
          ...['1', 'survey preview', '2', 'survey test', '9', 'survey preview spam'],
          ...['17', 'offline survey preview'],
        ],
      },
    ],
  },
  {
    name: 'SoSci Survey',
    marks: [['case'], ['questnnr']],
    technical: [
      /^TIME\d{3}$/,
      ...splitWordList(`
      serial | ref | mode | language | started | time sum | mailsent | lastdata | status | finished | q viewer |
      lastpage | maxpage | missing | missrel | time rsi | deg time`),
    ],
    // "Not answered". -1 "I do not know" and -2 are answers.
    noAnswers: ['-9'],
    unfinished: [{ column: 'finished', words: falseWords }],
    excluded: [
      { column: 'mode', words: ['pretest', 'debug', 'admin'] },
      // The person only viewed the questionnaire.
      { column: 'q viewer', words: ['1', 'true', 'ja', 'yes'] },
    ],
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
      ...['quota assignment', 'quota rejected id', 'hflip', 'vflip', 'output mode', 'javascript', 'flash'],
      ...['session id', 'cleaned', 'ats', 'date of last access', /^(rts|rnd_pg_)\d{1,12}$/],
      // Parameters of the address, and data about the participant.
      /^(p|md|c)_\d{4}$/,
    ],
    // Hidden by a filter, not seen, and seen without an answer.
    noAnswers: ['-66', '-77', '-99'],
    // Not invited yet, not started, being answered, or interrupted.
    unfinished: [{ column: 'dispcode', words: listNumbers(10, 29) }],
    // Finished are 31 to 34. Others are screened out, above a quota, or refused.
    excluded: [
      { column: 'tester', words: ['1'] },
      { column: 'dispcode', words: listNumbers(35, 99) },
    ],
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
      splitWordList(`
        user display name | anzeigename | anzeigename des benutzers | anzeigename des nutzers | benutzeranzeigename |
        nom d'affichage de l'utilisateur | nombre a mostrar del usuario | nome visualizzato dell'utente |
        weergavenaam gebruiker | wyświetlana nazwa użytkownika | nome de exibição do usuário |
        nome de apresentação do utilizador | vist navn for bruger | användarens visningsnamn | brukers visningsnamn |
        käyttäjän näyttönimi | zobrazované jméno uživatele | zobrazované meno užívateľa | görüntülenecek kullanıcı adı |
        nom de visualització de l'usuari | nome de usuario para amosar | ime za prikaz korisnika |
        felhasználó megjelenítendő neve | numele afișat al utilizatorului | kasutaja kuvatav nimi |
        bistaratzeko erabiltzaile izena | prikazno ime uporabnika | vartotojo rodomas vardas | ainm úsáideora taispeána |
        nùmene ammustradu a s'utente | приказано име корисника | отображаемое имя пользователя |
        име за визуализация на потребител | імя карыстальніка для паказу | εμφανιζόμενο όνομα χρήστη |
        اسم العرض للمستخدم | نام نمایشی کاربر | 사용자 표시 이름 | ユーザー表示名 | 用户展示名 | 用戶顯示名稱 | 使用顯示名稱 | ชื่อที่แสดง`),
      [
        ...timeStampHeadings,
        ...splitWordList(`
        marca de tiempo | horodatage | znacznik czasu | marca temporal | indicador de dia e hora | marca temporale |
        marca de tempo | denbora marka | stampa ama | метка времени | мітка часу | времево клеймо | временска ознака |
        χρονοσφραγίδα | الطابع الزمني | زمان | 时间戳 | 時間戳 | ประทับเวลา`),
      ],
    ],
    technical: splitWordList(`
      submission id | user id | benutzer id | identifiant utilisateur | id de usuario | id utente | gebruiker id |
      id użytkownika | id do usuário | bruger id | bruker id | användar id | käyttäjätunniste | identif. uživatele |
      id užívateľa | kullanıcı kimliği | id de l'usuari | identificador do usuario | id korisnika | felhasználóazonosító |
      id ul utilizatorului | kasutajatunnus | erabiltzailearen id | id uporabnika | naudotojo id | id úsáideora |
      id pengguna | кориснички id | id пользователя | id користувача | ταυτότητα χρήστη |
      потребителски идентификатор /име/ | رمز المستخدم | شناسه کاربر | זיהוי משתמש | 유저 id | ユーザーid | 用户id | 用戶 id |
      使用者 id | ไอดีผู้ใช้งาน | einsendungs id`),
  },
  {
    name: 'Alchemer',
    marks: [['response id', 'responseid'], ['legacy comments']],
    technical: splitWordList(`
      time started | date submitted | startdate | enddate | status | contact id | comments | tags | language | referer |
      sessionid | user agent | ip address | longitude | latitude | country | city | state/region | postal | zip |
      extended referer | link name`),
    options: [{ separator: ':', isOptionFirst: true }],
    unfinished: [{ column: 'status', words: ['partial'] }],
    excluded: [{ column: 'status', words: ['disqualified', 'deleted'] }],
  },
  {
    name: 'ODK Central',
    marks: [['submissiondate'], ['submitterid'], ['reviewstate']],
    technical: [
      /-(latitude|longitude|altitude|accuracy)$/i,
      ...splitWordList(`
      key | meta instanceid | instanceid | submittername | attachmentspresent | attachmentsexpected | status | deviceid |
      edits | formversion | start | end | today | username | phonenumber`),
    ],
    options: [{ separator: '/', hasNo: true, hasOwnColumn: true }],
    excluded: [{ column: 'reviewstate', words: ['rejected'] }],
  },
  {
    name: 'KoboToolbox',
    marks: [['uuid'], ['submission time'], ['validation status']],
    technical: [
      /^meta\//,
      /_(latitude|longitude|altitude|precision)$/,
      ...splitWordList(`
      start | end | today | deviceid | id | notes | status | submitted by | version | tags | index | media all received |
      username | phonenumber`),
    ],
    options: [{ separator: '/', hasNo: true, hasOwnColumn: true }],
    excluded: [{ column: 'validation status', words: ['validation_status_not_approved', 'not approved'] }],
  },
  {
    name: 'REDCap',
    marks: [['record id'], ['complete?', /^[a-z][a-z0-9_]{0,60}_complete$/]],
    technical: [
      ...['survey identifier', 'survey timestamp', 'event name', 'repeat instrument', 'repeat instance'],
      ...['data access group', /^redcap_/, /^[a-z][a-z0-9_]{0,60}_timestamp$/],
    ],
    options: [
      { separator: ' (choice=', end: ')', hasNo: true },
      { separator: '___', hasNo: true },
    ],
    unfinished: [
      { column: 'complete?', words: ['incomplete'] },
      { column: /^[a-z][a-z0-9_]{0,60}_complete$/, words: ['0', 'incomplete'] },
    ],
  },
  {
    name: 'Drupal Webform',
    marks: [
      ['sid', 'submission id'],
      ['uid', 'submitted by: id'],
      ['serial', 'serial number', 'remote addr', 'ip address', 'draft', 'in draft'],
    ],
    technical: [
      /^submitted (by|to): /i,
      ...splitWordList(`
      time | submitted time | completed time | modified time | username | uuid | token | uri | created | completed |
      changed | current page | remote addr | remote ip address | ip address | langcode | language | webform id |
      entity type | entity id | locked | sticky | flagged | notes | submission uuid | submission uri`),
    ],
    options: [{ separator: ': ' }],
  },
  {
    name: 'Gravity Forms',
    marks: [['entry id'], ['entry date'], ['created by (user id)', 'source url']],
    technical: [
      ...['date updated', 'transaction id', 'payment amount', 'payment date', 'payment status', 'post id'],
      ...['user agent', 'user ip'],
    ],
    options: [{ separator: ' (', end: ')' }],
  },
  {
    name: 'WPForms',
    marks: [['entry id'], ['entry date'], ['entry notes', 'viewed', 'starred']],
    technical: ['user agent', 'user ip', 'unique generated user id', 'type', 'status'],
    excluded: [{ column: 'status', words: ['spam', 'trash'] }],
    unfinished: [{ column: 'status', words: ['partial', 'abandoned'] }],
  },
  {
    name: 'Jotform',
    marks: [['submission date'], ['submission id', 'submission ip']],
    technical: [
      ...['submission url', 'submission edit url', 'last update date', 'flow status', 'approval status'],
    ],
  },
];
