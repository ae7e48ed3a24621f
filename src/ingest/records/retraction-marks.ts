/** Finds the marks with which an entry says that it must not be public, whatever their type and spelling. */

import type { Reason } from '../../domain/reasons/reason.ts';
import { isPublished, isUnpublished } from '../../domain/records/is-draft.ts';
import { splitWordList } from '../../domain/values/split-word-list.ts';
import { writesMonthFirst } from './day-month-order.ts';
import { isObject } from './field-validation.ts';
import type { ImportObserver } from './import-observer.ts';
import { findDateProblem } from './plausible-dates.ts';
import { splitWords } from './vocabulary/split-words.ts';
import {
  findPublicationLimit,
  findPublicityName,
  isCancelledName,
  isFlag,
  isNegation,
  isNo,
  isTakesPlaceName,
  isTick,
  isWholePublicityFlag,
  isYes,
} from './vocabulary/vocabulary.ts';

const markReasons = {
  deleted: { code: 'record-deleted' },
  private: { code: 'record-private' },
  draft: { code: 'record-draft' },
} as const satisfies Record<string, Reason>;

type Mark = keyof typeof markReasons;

type Lookup = ReadonlyMap<string, Mark>;

const createLookup = (words: Partial<Record<Mark, readonly string[]>>): Lookup =>
  new Map(
    Object.entries(words).flatMap(([mark, names]) => names.map((name) => [name, mark as Mark] as const)),
  );

/** Names of properties and columns, as `normalizeName` writes them, whose yes or date retracts an entry. */
const retractingNames = createLookup({
  deleted: ['deleted', 'isdeleted', 'deletedat', 'deletedon', 'trashed', 'isremoved', 'removedat'],
  private: splitWordList(`
    private | isprivate | nonpublic | isnonpublic | notpublic | confidential | isconfidential | hidden | ishidden |
    hiddenat | privatevisibility | spam | isspam | restricted | isrestricted`),
  draft: ['unpublished', 'isunpublished', 'unpublishedat', 'draft', 'isdraft'],
});

/** Names of properties and columns whose no retracts an entry. */
const releasingNames = createLookup({
  private: ['public', 'ispublic', 'visible', 'isvisible', 'visibility'],
  draft: ['published', 'ispublished'],
});

/** Names of properties whose word can be that of a record that is not public. */
const stateNames: ReadonlySet<string> = new Set(
  splitWordList(`
  state | workflowstate | reviewstate | moderationstate | publicationstage | privacy | audience | access | accesslevel |
  accessrights | confidentiality | classification | vertraulichkeit | privacylevel | visibilitylevel | visibilitystatus |
  publicationstate | recordstatus | dataclassification | sensitivity`),
);

/** The address of a word in a list, as the access rights of the European Union have one: ".../access-right/NON_PUBLIC". */
const listedWord = /^https?:\/\/\S{1,200}[/#]([A-Za-z_-]{1,40})$/;
const readListedWord = (value: unknown): unknown =>
  typeof value === 'string' ? (listedWord.exec(value.trim())?.[1] ?? value) : value;

const normalizeName = (name: string) => name.toLowerCase().replace(/[^a-z]/g, '');

interface NameMeaning {
  retracting: Mark | undefined;
  releasing: Mark | undefined;
  isState: boolean;
  /** Whether each word but one for everyone withholds the entry: "members". */
  isVisibility: boolean;
  /** Whether its words grade how confidential the entry is: "Vertraulichkeitsstufe". */
  isConfidentiality: boolean;
  /** Whether its yes, or its no, cancels a session. */
  cancelledBy: 'yes' | 'no' | undefined;
  publicity: ReturnType<typeof findPublicityName>;
  limit: ReturnType<typeof findPublicationLimit>;
}

/** Entries of one source have the same names and statuses. */
const maxKnownTexts = 1_000;

/** @returns the function, which remembers its latest results */
export function rememberResults<Result>(describe: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    if (known.size >= maxKnownTexts) known.clear();
    return known.getOrInsertComputed(text, describe);
  };
}

/** Longer than every known name. */
const maxNameLength = 200;

const describeName = (given: string): NameMeaning =>
  describeKnownName(given.length > maxNameLength ? '' : given);

const describeKnownName = rememberResults((known: string): NameMeaning => {
  // "ris:nichtoeffentlich" of a vendor.
  const name = known.replace(/^[A-Za-z][\w-]{0,40}:/, '');
  const key = normalizeName(name);
  return {
    retracting: retractingNames.get(key),
    releasing: releasingNames.get(key),
    isState: stateNames.has(key),
    isVisibility: /^(?:visibility|sichtbarkeit|sichtbarf(?:ue)?r|visible(?:to|for))$/.test(key),
    isConfidentiality: confidentialityName.test(splitWords(name).join('')),
    cancelledBy: isTakesPlaceName(name) ? 'no' : isCancelledName(name) ? 'yes' : undefined,
    publicity: findPublicityName(name),
    limit: findPublicationLimit(name),
  };
});

const levelWords = '(?:stufe|grad|klasse|level|rating)?';
const confidentialityName = new RegExp(
  `^(?:vertraulichkeits?${levelWords}|geheimhaltungs?${levelWords}|confidentiality${levelWords}|(?:niveau(?:de)?)?confidentialite|(?:nivel(?:de)?)?confidencialidad|(?:nivellde)?confidencialitat|(?:livellodi)?riservatezza|vertrouwelijkheid(?:sniveau)?|(?:poziom)?poufnosci?)$`,
);
/** Names whose words may also grade something else, such as the protection of a tree. */
const levelName =
  /^(?:schutz(?:bedarfs?)?(?:stufe|klasse|bedarf)|schutzbedarf|einstufung|sensib?ilitat|sensitivity(?:level)?|(?:security|information)?classification(?:level)?|securitylevel|klassifizierung)$/;

/** Words of such a grade, as `splitWords` returns them. */
const highLevels: ReadonlySet<string> = new Set(
  splitWordList(`
  hoch | sehr hoch | erhoht | mittel | high | very high | medium | elevated | secret | eleve | elevee | haut | haute |
  alto | alta | muy alta | molt alta | hoog | wysoki | wysoka`),
);
const lowLevels: ReadonlySet<string> = new Set(
  splitWordList(`
  offen | offentlich | oeffentlich | gering | niedrig | normal | keine | kein | ohne | open | public | low | very low |
  none | unclassified | unrestricted | nicht eingestuft | faible | baja | bajo | bassa | basso | baix | baixa | laag |
  niski | niska | openbaar`),
);

/** Whether a cell of a column such as "Vertraulichkeitsstufe" or "Schutzbedarf" may say that its row is not public: "hoch", "2". */
export function mayGradeConfidential(cell: string, column: string): boolean {
  const words = splitWords(cell).join(' ');
  if (describeName(column).isConfidentiality) return isMarked(cell) && !lowLevels.has(words);
  return highLevels.has(words) && levelName.test(splitWords(column).join(''));
}

/** Whether a word grades a row as public: "gering", "offen". */
export const gradesPublic = (cell: string): boolean => lowLevels.has(splitWords(cell).join(' '));

/** Whether a property or a cell under this name says that a session does not take place. */
export function cancelsSession(name: string, value: unknown): boolean {
  const { cancelledBy } = describeName(name);
  return cancelledBy === 'yes' ? isMarked(value) : cancelledBy === 'no' && isNegative(value);
}

/** Whether it is a date with or without a time: 2026-03-01, 01.03.2026 10:15. */
export const isWholeDate = (cell: string): boolean => wholeDate.test(cell.trim());

/** A yes, a no, a tick or a date; other values of a name such as "internal" may be notes. */
const isMark = (value: unknown): boolean =>
  typeof value === 'string'
    ? (isFlag(value) || isWholeDate(value)) && isMarked(value)
    : value === true || value === 1;

function findMark(name: string, value: unknown, place: DatePlace): Reason | undefined {
  const { retracting, releasing, isState, isVisibility, isConfidentiality, publicity, limit } =
    describeName(name);
  if (retracting !== undefined && isMarked(value) && !isUnknownEvent(name, value))
    return markReasons[retracting];
  if (releasing !== undefined && isDenied(value)) return markReasons[releasing];
  if (
    publicity === 'withheld'
      ? isMark(value) && !isUnknownEvent(name, value)
      : publicity === 'released' && isDenied(value)
  )
    return markReasons.private;
  if (limit === 'past' && isPastDate(value, place)) return markReasons.private;
  const beginsLater = limit === 'future' || (limit === undefined && publicity === 'released');
  if (beginsLater && isFutureDate(value, place)) return markReasons.draft;
  const stateMark = isState || isConfidentiality ? findStatusMark(readListedWord(value)) : undefined;
  if (stateMark !== undefined) return stateMark;
  if (isConfidentiality && typeof value === 'string' && highLevels.has(splitWords(value).join(' ')))
    return markReasons.private;
  // The end of a period: "visible to: 2060-12-31".
  if (limit === 'past' && isFutureDate(value, place)) return undefined;
  const isLimited = isVisibility && typeof value === 'string' && isMarked(value) && !isReleased(value, place);
  return isLimited ? markReasons.private : undefined;
}

/** Words for a missing value. */
const missingWords: ReadonlySet<string> = new Set([
  ...['null', 'none', 'nil', 'nan', 'nat', 'n a', 'na', 'undefined'],
  // NaN and NaT of pandas.
  ...['na n', 'na t'],
]);

/** Words for a record without such a mark, besides no and the statuses of published records. */
const unmarked: ReadonlySet<string> = new Set(
  splitWordList(`
  kein | keine | keiner | frei | nicht gesperrt | nicht vertraulich | not hidden | kein spam | not spam | no spam | ham`),
);

/** What programs write for false: PostgreSQL, forms of web pages, and pandas in a column with missing values. */
const falseWords: ReadonlySet<string> = new Set(['f', 'off', '0 0']);

const saysNo = (words: string): boolean => falseWords.has(words) || isNo(words);

/**
 * Whether it is neither missing nor no: `true`, "true", 1, "ja", or the date of a deletion, but not "nein (geprüft)". MySQL writes
 * 0000-00-00 for a missing date.
 */
export function isMarked(value: unknown): boolean {
  if (isObject(value) || Array.isArray(value)) return Object.keys(value).length > 0;
  if (typeof value !== 'string')
    return value !== undefined && value !== null && value !== false && value !== 0;
  const text = splitWords(value).join(' ');
  // Word writes ☒ for a checked box.
  if (text === '') return isTick(value) || value.trim() === '☒';
  const isMissing = missingWords.has(text) || /^[0 ]+$/.test(text);
  return !isMissing && !unmarked.has(text) && !saysNo(text) && !isExplainedNo(value) && !isPublished(value);
}

/** "Nein (geprüft)", but not "Nein (intern)" */
function isExplainedNo(value: string): boolean {
  const [, answer = '', explanation = ''] = explained.exec(value.trim()) ?? [];
  return answer.length > 2 && isNo(answer) && !isDenied(explanation);
}

const explained = /^(\p{L}{2,10})\s?\(([^()?]{1,60})\)$/u;

/** Words that deny a release besides no and the statuses of records that are not public. */
const denials: ReadonlySet<string> = new Set(
  splitWordList(`
  gesperrt | ausstehend | blocked | pending | restricted | rejected | abgelehnt | flagged | widerrufen | verweigert |
  offline`),
);

/**
 * Whether it says no to being public: `false`, "false", 0, "nein", "Nein (intern)", "noch nicht freigegeben", "nichtöffentlich". A missing
 * value does not.
 */
export const isDenied = (value: unknown): boolean =>
  isNegative(value) ||
  (typeof value === 'string' &&
    (denials.has(splitWords(value).join(' ')) || findStatusMark(value) !== undefined));

/** "nein", "Nein (verschoben)", "noch nicht" */
function isNegative(value: unknown): boolean {
  if (typeof value !== 'string') return value === false || value === 0;
  const words = splitWords(value);
  const [first = ''] = words.filter((word) => !notYet.has(word));
  return saysNo(words.join(' ')) || isNo(first) || isNegation(first);
}

/** Words that release a record besides yes and the statuses of published records. */
const releases: ReadonlySet<string> = new Set(
  splitWordList(`
  frei | sichtbar | visible | visibile | zichtbaar | online | live | ok | alle | all | everyone | anyone | everybody |
  citizens | world | jeder | offentlichkeit | burger | allgemeinheit | jeden | jedermann | alle burger |
  burgerinnen und burger | alle burgerinnen und burger | general public | the public | tous | tout le monde | todos |
  tutti | iedereen | wszyscy | tothom | genehmigt | zugelassen | erteilt | zugestimmt | approved | aprobado | aprobada |
  approuve | approuvee | approvato | approvata | goedgekeurd | zatwierdzone | zatwierdzony`),
);

/** Beside a release, they do not change the meaning: "öffentlich einsehbar", "everyone can see", "ja, mit Foto". */
const neutralWords: ReadonlySet<string> = new Set(
  splitWordList(`
  sichtbar | einsehbar | zuganglich | zugaenglich | access | accessible | visible | visibile | zichtbaar | viewable |
  can | see | view | user | users | nutzer | for | to | fur | fuer | mit | with | foto | fotos | bild | bildern | photo |
  photos`),
);

/** Whether each word is for a release or neutral, and one is clearly for a release: "visible for all", but not "visible for users". */
function isReleasedByWords(cell: string): boolean {
  const words = splitWords(cell.slice(0, maxStatusLength));
  const releasing = words.filter((word) => isYes(word) || releases.has(word) || isPublished(word));
  return (
    words.every((word) => neutralWords.has(word) || releasing.includes(word)) &&
    releasing.some((word) => !neutralWords.has(word))
  );
}

/** With or without a time. */
const wholeDate =
  /^(\d{1,4})([-./])(\d{1,2})[-./](\d{1,4})(?:[T ,]{1,2}(\d{1,2}):(\d{2})(?::\d{2})?(?:\.\d{1,9})?(?: ?(?:(Z|UTC)|Uhr|([+-]\d{2}):?(\d{2})))?)?$/;

/** Where a date was written: its zone without an offset, and the country that decides what 03/04 means. */
export interface DatePlace {
  timeZone: string;
  country?: string | undefined;
}

/** @returns undefined for another text, and for an impossible date */
function parseDate(text: string, { timeZone, country = '' }: DatePlace): Temporal.Instant | undefined {
  const [found, first = '', separator, second = '', third = '', hour = 0, minute = 0, utc, hours, minutes] =
    wholeDate.exec(text) ?? [];
  if (found === undefined) return undefined;
  const [year, month, day] =
    first.length > 2
      ? [first, second, third]
      : separator === '/' && writesMonthFirst(country)
        ? [third, first, second]
        : [third, second, first];
  const isSwapped = Number(month) > 12;
  const zone = utc === undefined ? (hours === undefined ? timeZone : `${hours}:${minutes}`) : 'UTC';
  try {
    return Temporal.PlainDateTime.from(
      {
        year: year.length > 2 ? Number(year) : 2000 + Number(year),
        month: Number(isSwapped ? day : month),
        day: Number(isSwapped ? month : day),
        hour: Number(hour),
        minute: Number(minute),
      },
      { overflow: 'reject' },
    )
      .toZonedDateTime(zone)
      .toInstant();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** "deleted at", "gelöscht am": a distant date under another name, such as "Sperrvermerk", may mean for ever. */
const eventName = /(?:at|on|am|date|datum)$|^(?:is)?(?:deleted|removed)$|^gelo?e?scht$/;

/** Whether a date stands for an event that has not happened: 0001-01-01 of .NET, 9999-12-31 of "deleted at", 1970-01-01 of Unix. */
export function isUnknownEvent(name: string, value: unknown): boolean {
  const date = typeof value === 'string' ? parseDate(value.trim(), { timeZone: 'UTC' }) : undefined;
  if (date === undefined || findPublicationLimit(name) !== undefined) return false;
  const problem = findDateProblem(name, date.toString());
  return (
    date.epochMilliseconds === 0 ||
    problem?.code === 'date-too-early' ||
    (problem !== undefined && eventName.test(splitWords(name).join('')))
  );
}

const compareWithNow = (value: unknown, place: DatePlace): number => {
  const date = typeof value === 'string' ? parseDate(value.trim(), place) : undefined;
  return date === undefined ? 0 : Temporal.Instant.compare(date, Temporal.Now.instant());
};

/** Whether it is a date that has not come yet, such as the end of an embargo. */
export const isFutureDate = (value: unknown, place: DatePlace): boolean => compareWithNow(value, place) > 0;

/** Whether it says yes, or is a date of publication that has come. */
export const isPublishedNow = (value: unknown, place: DatePlace): boolean =>
  isMarked(value) && !isFutureDate(value, place);

/** Whether it is a date that is over, such as the last one of a publication. On that day itself, it is not. */
function isPastDate(value: unknown, place: DatePlace): boolean {
  const isDay = typeof value === 'string' && !value.includes(':');
  return compareWithNow(isDay ? `${value.trim()} 23:59` : value, place) < 0;
}

/** Whether an entry on the first day of publication withholds its row. Only a date that has come, and a no, do not: "nach Beschluss" does. */
export const isBeforePublication = (cell: string, place: DatePlace): boolean =>
  isMarked(cell) && compareWithNow(cell, place) >= 0;

/** Whether an entry on the last day of publication withholds its row: "31. März 2020", which is not read, does, and "unbefristet" does not. */
export const isAfterPublication = (cell: string, place: DatePlace): boolean =>
  isPastDate(cell, place) || (/\d/.test(cell) && isMarked(cell) && compareWithNow(cell, place) === 0);

/** Whether it says yes to being public, and nothing else: "ja", "x", "Ja (anonym)", "freigegeben", or the date of a release in the past. */
export function isReleased(cell: string, place: DatePlace): boolean {
  const text = cell.trim();
  if (isWholeDate(text)) return isPublishedNow(text, place);
  const [, answer = '', explanation = ''] = explained.exec(text) ?? [];
  return (
    !text.includes('?') &&
    !isDenied(text) &&
    (isYes(text) ||
      releases.has(splitWords(text).join(' ')) ||
      isPublished(text) ||
      isTick(text) ||
      isReleasedByWords(text) ||
      (isYes(answer) && isReleasing(explanation)))
  );
}

/** Whether an explanation denies nothing: "Ja (anonym)", but not "Ja (nur intern)". */
const isReleasing = (explanation: string): boolean =>
  !isDenied(explanation) &&
  !splitWords(explanation).some((word) => isNegation(word) || privateWords.test(` ${word}`));

/** Words before a negation: "noch nicht". */
const notYet: ReadonlySet<string> = new Set(['noch', 'nog']);

/** @returns why an entry with these properties or cells must not be public; undefined if none of them says so */
export function findRetractionMark(
  entry: unknown,
  place: DatePlace = { timeZone: 'UTC' },
): Reason | undefined {
  if (!isObject(entry)) return undefined;
  let found: Reason | undefined;
  for (const [name, value] of Object.entries(entry)) found ??= findMark(name, value, place);
  return found;
}

const hiddenWords: readonly string[] = splitWordList(`
  hidden | ausgeblendet | versteckt | verborgen | oculto | oculta | ocult | skjult | masque | masquee | cache | cachee |
  nascosto | nascosta | ukryte | ukryty | ukryta`);

/**
 * Whole statuses of entries that are not public, as `splitWords` returns them. A word among others says nothing: "Entwurf
 * beschlossen".
 */
const statusMarks = createLookup({
  draft: splitWordList(`
    draft | entwurf | brouillon | borrador | bozza | esborrany | szkic | rascunho | unconfirmed | kladde | utkast |
    pending moderation | awaiting moderation | in moderation | moderation pending | wartet auf freigabe |
    wartet auf freischaltung | wartet auf moderation | en attente de moderation | zur freigabe | freigabe ausstehend |
    redaktionelle prufung ausstehend | wartet auf bestatigung | pendiente de moderacion | in attesa di moderazione |
    wacht op moderatie | oczekuje na moderacje`),
  private: [
    ...hiddenWords,
    ...splitWordList(`
    private | privat | prive | privado | privato | confidential | vertraulich | confidentiel | embargoed | censored |
    zensiert | nichtoffentlich | nicht offentlich | nichtoeffentlich | nicht oeffentlich | non public | spam | intern |
    internal | geheim | unsichtbar | wird nicht veroffentlicht | privee | interne | confidencial | privada | interno |
    privata | confidenziale | riservato | riservata | vertrouwelijk | poufne | prywatne | wewnetrzne | fortrolig |
    fortroligt | restricted | not visible | nicht sichtbar | noe | vs nf d | tlp red | tlp amber |
    nur fur den dienstgebrauch | verschlusssache | streng vertraulich | streng geheim | vs vertraulich |
    strictly confidential | highly confidential | vs nur fur den dienstgebrauch | nur verwaltung |
    nur fur die verwaltung | nur intern | nur intern sichtbar | nicht zur veroffentlichung | not for publication |
    staff only | members only | admins only | internal only | internal use only | for internal use only | usage interne |
    uso interno | intern gebruik`),
  ],
  deleted: splitWordList(`
    deleted | geloscht | geloescht | eliminado | eliminada | eliminato | verwijderd | trash | trashed | soft deleted |
    papierkorb | supprime | supprimee | borrado | borrada | suprimido | suprimida | eliminata | usuniete | usuniety |
    usunieta | skasowane | eliminat | suprimit | esborrat | slettet`),
});

/** Beside other words, "privat" may concern a property, "intern" an office, "geheim" a vote, and "Entwurf" a document. */
const ambiguousMarks: ReadonlySet<string> = new Set(
  [...statusMarks].flatMap(([words, mark]) =>
    mark === 'draft' || /^(?:nur )?(?:priv|pryw|intern|wewn|geheim)/.test(words) ? [words] : [],
  ),
);

/** Characters. */
const maxStatusLength = 200;

/** Around the parts of a status: brackets and dashes, but no hyphen of a word such as "nicht-öffentlich". */
const partSeparator = /[()[\]{}<>–—]|\s-{1,3}\s/;

/** @returns the parts of "erledigt (intern)", "erledigt [intern]" and "erledigt - intern"; none of a status without such parts */
function splitParts(status: string): string[] {
  if (status.length > maxStatusLength) return [];
  const parts = status.split(partSeparator).filter((part) => part.trim() !== '');
  return parts.length > 1 ? parts : [];
}

/** @returns why an entry in this status must not be public, also for "erledigt (nicht veröffentlichen)" and "gelöscht - erledigt" */
export function findStatusMark(status: unknown): Reason | undefined {
  if (typeof status !== 'string') return undefined;
  return status.length > maxStatusLength ? findWholeMark(status) : findShortMark(status);
}

const findShortMark = rememberResults((status: string): Reason | undefined => {
  const parts = splitParts(status);
  const [mark] = parts.flatMap((part) => findPartMark(part) ?? []);
  return findWholeMark(status) ?? mark ?? [status, ...parts].map(findActorMark).find(Boolean);
});

/** Before the person who has hidden or deleted the entry. */
const actorPrepositions: ReadonlySet<string> = new Set(
  splitWordList(`
  by | from | durch | von | par | por | per | da | dal | dall | dalla | door | przez`),
);
const maxActorWords = 3;
/** Things are removed, too: "removed by contractor". */
const removedWords: ReadonlySet<string> = new Set([
  ...['removed', 'entfernt', 'retire', 'retiree', 'retirado', 'retirada', 'rimosso', 'rimossa'],
]);
const platformActor =
  /^(?:moderat|admin|redakt|editor|author|autor|owner|user|nutzer|benutzer|verfass|erstell)/;

/** @returns why an entry in a status such as "Gelöscht durch Nutzer" or "removed by moderator" must not be public */
function findActorMark(status: string): Reason | undefined {
  const words = splitWords(status);
  const at = words.findIndex((word) => actorPrepositions.has(word));
  const actor = words.slice(at + 1);
  if (at < 1 || actor.length === 0 || actor.length > maxActorWords) return undefined;
  const deed = words.slice(0, at).join(' ');
  const mark = statusMarks.get(deed);
  if (mark === 'deleted' || hiddenWords.includes(deed) || deed === 'censored' || deed === 'zensiert')
    return markReasons[mark ?? 'private'];
  const isRemoved = removedWords.has(deed) && actor.some((word) => platformActor.test(word));
  return isRemoved ? markReasons.deleted : undefined;
}

const findPartMark = (part: string): Reason | undefined =>
  ambiguousMarks.has(splitWords(part).join(' ')) ? undefined : findWholeMark(part);

const clearWords =
  'intern(?!at|et|is)|vertraulich|confidential|gelo?e?scht|n(?:on|ot) public|nicht ?(?:fur die )?(?:ver)?oe?ffentlich';
const privateWords = new RegExp(`(?:^| )(?:${clearWords}|privat|geheim|gesperrt|entwurf)`);

const recordNouns =
  'anliegen|vorgang|meldung|hinweis|eintrag|datens|daten|vorschlag|idee|antrag|anfrage|beitrag|liste|teil|request|submission|record|entr|data';
/** "Private Flächen", "Gesperrte Straßen" and "Entwurf des Haushalts" are subjects. */
const headingWords = new RegExp(
  `(?:^| )(?:${clearWords}|(?:privat|geheim|gesperrt)e[nrs]? (?:${recordNouns})|privat$)|^(?:geheim|gesperrt|entwurf)e?[nrs]?$`,
);
/** "Liste ohne interne und vertrauliche Vorgänge" */
const withoutPrivate = new RegExp(
  `(?:^| )(?:keine?|ohne|no|without|excluding|exklusive|ausser)(?: (?:alle|any|und|oder|and|or|(?:${clearWords}|privat|geheim|gesperrt)[a-z]*)(?= |$))+`,
  'g',
);
/** "Interne Vorgänge entfernt", "Vertraulich: nein", "Öffentliche und nichtöffentliche Sitzungen" */
const includesPublic =
  /(?: entfernt| ausgenommen| nicht enthalten| removed| excluded| nein| no)$|vertraulich behandelt|(?:^| )offentliche?[nrs]? (?:und|oder) nicht ?offentlich/;

/** Whether a heading says that what it heads is not public: "Interne Vorgänge", "Nichtöffentlicher Teil", but not "Keine internen Vorgänge". */
export function isPrivateHeading(text: string): boolean {
  if (findStatusMark(text) !== undefined) return true;
  const words = splitWords(text).join(' ');
  return !includesPublic.test(words) && headingWords.test(words.replaceAll(withoutPrivate, ' '));
}

/** In the languages of the vocabulary. */
const cancelledHeading = new RegExp(
  `^(?:${[
    '(?:abgesagte|entfallene|ausgefallene|gestrichene) [a-z]*(?:sitzungen|termine)',
    'cancell?ed (?:[a-z]*(?:sitzungen|termine)|(?:council )?(?:meetings|sessions))',
    '(?:seances|reunions|sessions) (?:annulees|supprimees)',
    '(?:sesiones|reuniones|plenos) (?:cancelad|suspendid|anulad)[ao]s',
    '(?:sessions|reunions|plens) (?:cancel ?lad|suspes|anul ?lad|desconvocad)[ae]s',
    '(?:sedute|riunioni) (?:annullate|revocate|soppresse)',
    '(?:geannuleerde|afgelaste|vervallen) (?:raads)?vergaderingen',
    'odwolane (?:sesje|posiedzenia)',
  ].join('|')})(?: \\d{4})?$`,
);

/** Whether a heading says that the sessions below it do not take place: "Abgesagte Sitzungen 2026". */
export const isCancelledHeading = (text: string): boolean =>
  text.length <= maxStatusLength && cancelledHeading.test(splitWords(text).join(' '));

/** "Nichtöffentlicher Teil" in a list of agenda items. */
const privatePart =
  /^nicht ?o?e?ffentliche[rsn]? (?:teil|sitzung|beratung|behandlung|vorlage|top|tagesordnungspunkt)$|^(?:closed|executive) session$/;

/** A column with the state of a publication: each word but one for a release may withhold a row. */
const isPublicationState = (name: string): boolean =>
  name === 'moderation' ||
  (/publi|release|freigabe|moderation|offentlich/.test(name) && /(?:status|state|zustand)$/.test(name));

/** The person who has done so, or a reason. */
const retractedBy = /^(?:deleted|hidden)(?:by|reason)$/;

/** Whether a cell says that its row is not public, beside those of `findStatusMark`: "Nichtöffentlicher Teil", "submitted" as a publication status. */
export const mayWithhold = (cell: string, column: string, place: DatePlace): boolean =>
  privatePart.test(splitWords(cell).join(' ')) ||
  mayGradeConfidential(cell, column) ||
  (isMarked(cell) && isRetractingCell(cell, column, place));

function isRetractingCell(cell: string, column: string, place: DatePlace): boolean {
  const name = splitWords(column).join('');
  const isState = isPublicationState(name) && describeName(column).publicity === 'released';
  // "approval_state", which can also be that of a permit.
  const isDeniedState = /(?:status|state)$/.test(name) && isWholePublicityFlag(column) && isDenied(cell);
  return retractedBy.test(name) || (isState && !isReleased(cell, place)) || isDeniedState;
}

/** Whether a status can, but need not, mean that the entry is not public: "entfernt", "erledigt (intern)", "nicht zuständig (privat)". */
export const hasDoubtfulMark = (status: string): boolean =>
  findStatusMark(status) === undefined &&
  (removedWords.has(splitWords(status).join(' ')) ||
    splitParts(status).some((part) => findWholeMark(part)?.code === 'record-private'));

/** What a title has in brackets, or before a colon. */
const titleNotes = /[([]([^()[\]]{3,40})[)\]]|^([^:()[\]]{3,40}):/g;
/** Of the marks, those that cannot be the subject of a record. */
const clearTitleNote = /vertraul|confiden|publi|offentlich|dienstgebrauch|nf d/;
const testTitle = /^(?:test\s?){1,3}\d{0,4}$|bitte (?:löschen|ignorieren)|please (?:delete|ignore)/i;

/**
 * Reads what a title says about its record beside the subject.
 *
 * @returns why the record must not be public ("[vertraulich] Weg", "Nicht veröffentlichen: Weg"), else the words that can, but need not, say
 *   so ("[intern] Weg", "Entwurf: Weg", "Test, bitte löschen"), else undefined
 */
export function readTitleMark(title: string): Reason | string | undefined {
  const start = title.slice(0, maxStatusLength);
  const notes = [...start.matchAll(titleNotes)].map(([, note, first = '']) => note ?? first);
  const clear = notes.filter((note) => clearTitleNote.test(splitWords(note).join(' ')));
  const [mark] = clear.flatMap((note) => findPartMark(note) ?? []);
  return mark ?? testTitle.exec(start)?.[0] ?? notes.find((note) => findWholeMark(note) !== undefined);
}

/** Sentences. More would hide other notes. */
const maxTitleNotes = 20;

/** @returns a function that notes each doubtful word of a title once. Such records are published */
export function createTitleNoter({ onNote }: ImportObserver): (note: string) => void {
  const noted = new Set<string>();
  return (note) => {
    if (noted.size >= maxTitleNotes || noted.has(note)) return;
    noted.add(note);
    onNote?.({ code: 'title-may-withhold', note });
  };
}

function findWholeMark(status: string): Reason | undefined {
  const mark = statusMarks.get(splitWords(status).join(' ')) ?? (isUnpublished(status) ? 'draft' : undefined);
  return mark && markReasons[mark];
}
