/**
 * Words of several languages for the columns and statuses of a table. Each YAML file beside this one is a language;
 * CONTRIBUTING.md explains their format.
 */
import { basename } from 'node:path';
import { parse } from 'yaml';
import type { SubmissionField } from '../../../contract/resources/submission.ts';
import type { PersonalDataKind } from '../../../domain/sources/suggested-mapping.ts';
import { splitWordList } from '../../../domain/values/split-word-list.ts';
import { listAssets, readTextAsset } from '../../../platform/assets.ts';
import { spellVariants, splitWords } from './split-words.ts';

/** Fields whose columns may have known names. `time`, `district`, `latitude` and `longitude` are parts of other fields. */
export type NamedField =
  | SubmissionField
  | 'time'
  | 'district'
  | 'latitude'
  | 'longitude'
  | 'committeeName'
  | 'sessionDate'
  | 'startTime'
  | 'endTime';

/** The content of a file. */
export interface LanguageFile {
  /** Words of column names; the likeliest first. */
  fields: Partial<Record<NamedField, string[]>>;
  /** Words by published status. */
  statuses: Record<string, string[]>;
  /** Words of columns with a number of things, which identifies no row. */
  counts: string[];
  /** Words of columns with another number than that of the supporters: needed, against, invalid, a share. */
  otherNumbers: string[];
  /** Words of columns whose yes and no are a status. */
  outcomes: string[];
  yes: string[];
  no: string[];
  /** Words at the start or the end of the title of a cancelled session. */
  cancelled: string[];
  /** Words instead of the time of a session that waits for a new date. */
  postponed: string[];
  /** Names of columns whose no cancels a session. */
  takesPlace: string[];
  /** Names of columns whose yes or date says that a row is not public. */
  withheld: string[];
  /** Names of columns whose no says so. */
  released: string[];
  /** Words within such names that count only in a column of yes and no. An entry that starts with = is a whole name. */
  withheldFlags: string[];
  releasedFlags: string[];
  /** Names of columns with the date from which on, or until which, a row is public. */
  publicFrom: string[];
  publicUntil: string[];
  /** Names of columns that say which record a row repeats, or that it repeats one. */
  duplicates: string[];
  /** Words of column names. An entry that starts with = is a whole name. */
  personalData: Partial<Record<PersonalDataKind, string[]>>;
}

const listFiles = () => listAssets('src/ingest/records/vocabulary').filter((name) => name.endsWith('.yaml'));
const getLanguage = (file: string) => basename(file, '.yaml');

/** Codes such as `de`. */
export const listLanguages = (): string[] => listFiles().map(getLanguage);

/** By the code of the language. */
export function readLanguageFiles(): Record<string, LanguageFile> {
  return Object.fromEntries(
    listFiles().map((file) => [
      getLanguage(file),
      parse(readTextAsset(file), { schema: 'failsafe' }) as LanguageFile,
    ]),
  );
}

export interface KnownName {
  /** The position in the list of its language, 0 for the likeliest. */
  rank: number;
  /** With accents. */
  spelling: string;
}

type NamesByWords = ReadonlyMap<string, KnownName>;

interface Vocabulary {
  fields: ReadonlyMap<string, NamesByWords>;
  statuses: ReadonlyMap<string, string>;
  counts: ReadonlySet<string>;
  otherNumbers: ReadonlySet<string>;
  outcomes: ReadonlySet<string>;
  yes: ReadonlySet<string>;
  no: ReadonlySet<string>;
  cancelled: ReadonlySet<string>;
  postponed: ReadonlySet<string>;
  takesPlace: ReadonlySet<string>;
  withheld: ReadonlySet<string>;
  released: ReadonlySet<string>;
  withheldFlags: ReadonlySet<string>;
  releasedFlags: ReadonlySet<string>;
  publicFrom: ReadonlySet<string>;
  publicUntil: ReadonlySet<string>;
  duplicates: ReadonlySet<string>;
  personalData: ReadonlyMap<string, PersonalDataKind>;
  /** Of the longest entry that `listPhrases` is compared with. */
  maxWords: number;
}

let loaded: Vocabulary | undefined;

function loadVocabulary(): Vocabulary {
  if (loaded) return loaded;
  const languages = Object.values(readLanguageFiles());
  const fields = new Map<string, Map<string, KnownName>>();
  for (const language of languages)
    for (const [field, entries] of Object.entries(language.fields)) {
      const names = fields.get(field) ?? new Map<string, KnownName>();
      for (const [rank, spelling] of entries.entries())
        for (const words of spellVariants(spelling))
          if (rank < (names.get(words)?.rank ?? Infinity)) names.set(words, { rank, spelling });
      fields.set(field, names);
    }
  const collect = (select: (language: LanguageFile) => string[]) =>
    new Set(languages.flatMap((language) => select(language).flatMap(spellVariants)));
  const statuses = languages.flatMap((language) =>
    Object.entries(language.statuses).flatMap(([status, entries]) =>
      entries.flatMap(spellVariants).map((words) => [words, status] as const),
    ),
  );
  const personalData = languages.flatMap((language) =>
    Object.entries(language.personalData).flatMap(([kind, entries]) =>
      entries.flatMap(spellEntry).map((words) => [words, kind as PersonalDataKind] as const),
    ),
  );
  const collectEntries = (key: 'withheldFlags' | 'releasedFlags') =>
    new Set(languages.flatMap((language) => language[key].flatMap(spellEntry)));
  // "freigabeDatum" and "Freigabe-Datum"
  const collectNames = (
    key: 'takesPlace' | 'withheld' | 'released' | 'publicFrom' | 'publicUntil' | 'duplicates',
  ) =>
    new Set(
      collect((language) => language[key])
        .values()
        .map(joinWords),
    );
  const known = {
    fields,
    statuses: new Map(statuses),
    counts: collect(({ counts }) => counts),
    otherNumbers: collect(({ otherNumbers }) => otherNumbers),
    outcomes: collect(({ outcomes }) => outcomes),
    yes: collect(({ yes }) => yes),
    no: collect(({ no }) => no),
    cancelled: collect(({ cancelled }) => cancelled),
    postponed: collect(({ postponed }) => postponed),
    takesPlace: collectNames('takesPlace'),
    withheld: collectNames('withheld'),
    released: collectNames('released'),
    withheldFlags: collectEntries('withheldFlags'),
    releasedFlags: collectEntries('releasedFlags'),
    publicFrom: collectNames('publicFrom'),
    publicUntil: collectNames('publicUntil'),
    duplicates: collectNames('duplicates'),
    personalData: new Map(personalData),
  };
  const { counts, outcomes, withheldFlags, releasedFlags } = known;
  const ofPhrases = [known.statuses, counts, outcomes, withheldFlags, releasedFlags, known.personalData];
  const lengths = [...fields.values(), ...ofPhrases].flatMap((entries) =>
    [...entries.keys()].map((words) => words.split(' ').length),
  );
  loaded = { ...known, maxWords: Math.max(...lengths) };
  return loaded;
}

const joinWords = (words: string) => words.replaceAll(' ', '');

/** Of a whole name, with its =. */
const spellEntry = (entry: string): string[] =>
  spellVariants(entry).map((words) => (entry.startsWith('=') ? `=${words}` : words));

/** @returns the sequences of words of a column name that an entry can have, longest first, and all of them as one word */
function listPhrases(words: readonly string[]): string[] {
  const phrases: string[] = [];
  for (let length = Math.min(words.length, loadVocabulary().maxWords); length > 0; length -= 1)
    for (let start = 0; start + length <= words.length; start += 1)
      phrases.push(words.slice(start, start + length).join(' '));
  return [...phrases, words.join('')];
}

export const hasKnownNames = (field: NamedField): boolean => loadVocabulary().fields.has(field);

/** @returns the known name that the column name contains; undefined for an unknown one */
export function rankColumnName(field: NamedField, name: string): KnownName | undefined {
  const names = loadVocabulary().fields.get(field);
  const found = listPhrases(splitWords(name)).flatMap((words) => names?.get(words) ?? []);
  // A stable sort: of equal ranks, the longest phrase is first.
  return found.toSorted((a, b) => a.rank - b.rank)[0];
}

/** Whether a column name has a word of any field. */
export const isFieldName = (name: string): boolean =>
  [...loadVocabulary().fields.keys()].some(
    (field) => rankColumnName(field as NamedField, name) !== undefined,
  );

const timeFields: readonly NamedField[] = [
  'createdAt',
  'statusChangedAt',
  'time',
  'sessionDate',
  'startTime',
  'endTime',
];

/** Whether a column has the name of a time, also within a word such as `DATEOPENED`. */
export const isTimeName = (name: string): boolean =>
  /date|time|datum|zeit|fecha|epoch/i.test(name) ||
  timeFields.some((field) => rankColumnName(field, name) !== undefined);

/** Whether a column name stands for personal data only as a whole, such as "Name", which things have, too. */
export const isWholePersonalDataName = (name: string): boolean =>
  loadVocabulary().personalData.has(`=${splitWords(name).join(' ')}`);

/** @returns the kind of personal data that the column name stands for; of an answer to the public, such as `status_notes`, none */
export function findPersonalDataName(name: string): PersonalDataKind | undefined {
  const { personalData } = loadVocabulary();
  if (isWholeFieldName('answer', name)) return undefined;
  const words = splitWords(name);
  const whole = personalData.get(`=${words.join(' ')}`) ?? personalData.get(words.join(''));
  return (
    whole ??
    listPhrases(words)
      .map((phrase) => personalData.get(phrase))
      .find(Boolean)
  );
}

/**
 * @param columnName decides whether yes and no are the outcome of a decision
 * @returns undefined for an unknown word
 */
export function findStatus(word: string, columnName: string): string | undefined {
  const known = findWholeStatus(word, columnName);
  // Of "Closed (duplicate)", the words in brackets say more.
  const [, general = '', detail = ''] =
    /^([^()]+)\(([^()]+)\)\s*$/.exec(word.slice(0, maxStatusLength)) ?? [];
  if (known !== undefined) return known;
  const parts = [detail, general].map((part) => findWholeStatus(part, columnName));
  // "Vertagt (einstimmig)" says how the council voted.
  if (votes.test(detail)) parts.reverse();
  // "Duplicate (closed)" is no result, and "Rejected (closed)" is one.
  const [first] = ['withdrawn', 'rejected'].filter((status) => parts.includes(status));
  return first ?? parts[0] ?? parts[1];
}

const votes = /^\s*(?:einstimmig|mehrheitlich|unanim|by majority|à l.unanimit|all.unanimit|jednogłośn)/iu;

/** Characters. */
const maxStatusLength = 200;

/** Statuses of submissions that are dealt with. */
const finalStatuses: ReadonlySet<string> = new Set(['accepted', 'rejected', 'completed', 'withdrawn']);
const openStatuses: ReadonlySet<string> = new Set(['submitted', 'received', 'in_review']);

export const isOpenStatus = (status: string): boolean => openStatuses.has(status);

/** Whether a word or a sentence of a source seems to say that something is dealt with: "nicht abgelehnt", "Abgeschlossen (2026)". */
export function looksFinal(text: string): boolean {
  const { statuses } = loadVocabulary();
  const words = splitWords(text.slice(0, maxStatusLength)).slice(0, maxFinalWords);
  const found = listPhrases(words).flatMap((phrase) => statuses.get(phrase) ?? []);
  // "Einstimmig vertagt" is not.
  return found.some((status) => finalStatuses.has(status)) && !found.some(isOpenStatus);
}

const maxFinalWords = 20;

function findWholeStatus(word: string, columnName: string): string | undefined {
  const { statuses, outcomes, yes, no } = loadVocabulary();
  const text = splitWords(word).join(' ');
  const status = statuses.get(text);
  if (status !== undefined || !listPhrases(splitWords(columnName)).some((words) => outcomes.has(words)))
    return status;
  return yes.has(text) ? 'accepted' : no.has(text) ? 'rejected' : undefined;
}

export const isCountName = (columnName: string): boolean =>
  listPhrases(splitWords(columnName)).some((words) => loadVocabulary().counts.has(words));

/** Whether a column name stands for another number than that of supporters, such as `signatures_needed` and "Stimmen in %". */
export const isOtherNumberName = (columnName: string): boolean =>
  columnName.includes('%') || splitWords(columnName).some((word) => loadVocabulary().otherNumbers.has(word));

/** Whether all words of a column name together are known for the field. */
export const isWholeFieldName = (field: NamedField, name: string): boolean =>
  loadVocabulary().fields.get(field)?.has(splitWords(name).join(' ')) === true;

/** "Öffentlich (j/n)" */
const splitFlagName = (name: string): string[] =>
  splitWords(name)
    .join(' ')
    .replace(/ (?:j n|ja nein|y n|yes no)$/, '')
    .split(' ');

type Publicity = 'withheld' | 'released';

/** @returns whether a column with this name says which rows are not public, or which are; undefined for other names */
export function findPublicityName(name: string): Publicity | undefined {
  const { withheld, released } = loadVocabulary();
  const words = splitFlagName(name).join('');
  return withheld.has(words) ? 'withheld' : released.has(words) ? 'released' : undefined;
}

/** Whether a yes under this name cancels a session: "cancelled", "ist abgesagt". */
export const isCancelledName = (name: string): boolean =>
  loadVocabulary().cancelled.has(
    splitFlagName(name)
      .join(' ')
      .replace(/^(?:is|ist|was|wurde) /, ''),
  );

/** Whether a time says that its session waits for a new one: "verschoben". */
export const isPostponedTime = (time: string): boolean =>
  loadVocabulary().postponed.has(splitWords(time).join(' '));

/** Whether a no under this name cancels a session: "Findet statt", "takes_place". */
export const isTakesPlaceName = (name: string): boolean =>
  loadVocabulary().takesPlace.has(splitFlagName(name).join(''));

/** @returns which dates of a column with this name leave out its rows: "Sperrfrist bis", "visible until"; undefined for other names */
export function findPublicationLimit(name: string): 'future' | 'past' | undefined {
  const { publicFrom, publicUntil } = loadVocabulary();
  const words = splitWords(name).join('');
  return publicFrom.has(words) ? 'future' : publicUntil.has(words) ? 'past' : undefined;
}

/** Whether a mark under this name says that a row repeats another record: "duplicate_of", "Dublette". */
export const isDuplicateName = (name: string): boolean =>
  loadVocabulary().duplicates.has(splitFlagName(name).join(''));

/** Parts of a record that are never published: "Name veröffentlichen: nein" says nothing about the rest. */
const unpublishedParts: ReadonlySet<string> = new Set(
  splitWordList(`
  name | namen | names | nachname | vorname | nom | nombre | nome | naam | nazwisko | kontakt | kontaktdaten | contact |
  email | mail | telefon | telefonnummer | phone`),
);

/** @returns what `findPublicityName` returns, for a column of yes and no, whose name may have further words: "Freigabe Web", "do not publish" */
export function findPublicityFlag(name: string): Publicity | undefined {
  const whole = findPublicityName(name);
  if (whole !== undefined) return whole;
  const { withheldFlags, releasedFlags } = loadVocabulary();
  const words = splitFlagName(name);
  if (words.some((word) => unpublishedParts.has(word))) return undefined;
  const phrases = [`=${words.join(' ')}`, ...listPhrases(words)];
  const has = (flags: ReadonlySet<string>) => phrases.some((phrase) => flags.has(phrase));
  const isOdd = (test: (word: string) => boolean) => words.filter(test).length % 2 === 1;
  if (has(withheldFlags)) return isOdd(isNegation) ? 'released' : 'withheld';
  // "Kein Widerspruch gegen Veröffentlichung" negates twice.
  const isDenied = isOdd((word) => isNegation(word) || objections.has(word));
  if (has(releasedFlags)) return isDenied ? 'withheld' : 'released';
  return undefined;
}

/** Whether the whole name is one of a flag, such as "entfernt" and "moderator status". */
export function isWholePublicityFlag(name: string): boolean {
  const { withheldFlags, releasedFlags } = loadVocabulary();
  const entry = `=${splitFlagName(name).join(' ')}`;
  return withheldFlags.has(entry) || releasedFlags.has(entry);
}

/** Words for a record, which exports write before the name of a column: "proposal_publicationStatus". */
const recordWords: ReadonlySet<string> = new Set(
  splitWordList(`
  proposal | contribution | issue | report | case | idea | request | petition | initiative | comment | motion |
  vorschlag | antrag | meldung`),
);

/** Whether it is the name of a member of a person, a picture or an address: "user.hidden" says nothing about the record. */
const isOfOther = (parent: string): boolean =>
  findPersonalDataName(parent) !== undefined || rankColumnName('hasAttachments', parent) !== undefined;

/**
 * @returns the part of a column name that says whether rows are public: "hidden" of "moderation.hidden", "Is_Private" of "Is_Private__c",
 *   "trashed at" of "proposal_trashedAt". The whole name if no part does
 */
export function findPublicityPart(column: string): string {
  const at = column.lastIndexOf('.');
  const member = at < 1 || isOfOther(column.slice(0, at)) ? column : column.slice(at + 1);
  // Salesforce ends names of custom fields so.
  const plain = member.replace(/__c$/i, '');
  const [first = '', ...rest] = splitWords(plain);
  const parts = [column, member, plain, ...(recordWords.has(first) ? [rest.join(' ')] : [])];
  const saysPublicity = (name: string) =>
    findPublicityName(name) !== undefined || findPublicationLimit(name) !== undefined;
  return parts.find(saysPublicity) ?? parts.find((part) => findPublicityFlag(part) !== undefined) ?? column;
}

/** @returns whether the word means yes in any language */
export const isYes = (word: string): boolean => loadVocabulary().yes.has(splitWords(word).join(' '));

/** @returns whether the word means no in any language */
export const isNo = (word: string): boolean => loadVocabulary().no.has(splitWords(word).join(' '));

/** "x", "[x]", "✓" */
export const isTick = (cell: string): boolean =>
  splitWords(cell).join(' ') === 'x' || /^\s*[✓✔☑✅]\ufe0f?\s*$/u.test(cell);

/** @returns whether a cell ticks or answers something, as those of a column of yes and no do */
export const isFlag = (cell: string): boolean => isYes(cell) || isNo(cell) || isTick(cell);

const negations: ReadonlySet<string> = new Set(
  splitWordList(`
  nicht | kein | keine | not | non | pas | no | niet | geen | nie`),
);

/** Words that invert a name of publication: "Widerspruch Veröffentlichung", "exclude from publication". */
const objections: ReadonlySet<string> = new Set(
  splitWordList(`
  widerspruch | widersprochen | untersagt | abgelehnt | verweigert | ausgeschlossen | ausgenommen | gesperrt | sperre |
  verboten | objection | objected | refused | denied | declined | rejected | exclude | excluded | withhold | withheld |
  blocked | suppress | suppressed | prohibited | out | opposition | refus | refuse | refusee | interdit | interdite |
  oposicion | oposicio | prohibido | prohibida | opposizione | vietato | vietata | bezwaar | geweigerd | sprzeciw`),
);

/** @param word as `splitWords` returns it */
export const isNegation = (word: string): boolean => negations.has(word);

/** The session that a replacement names: "Ersatztermin Rat (Sitzung vom 20.3. entfällt)". */
const otherSession = /\((?:Sitzung|Termin) (?:am|vom) [^()]{0,100}\)/giu;

/** It names no session: "Rat wurde abgesagt - Ersatztermin folgt". */
const laterDate =
  /(?<!\p{L})(?:ersatz|neuer )termin (?:folgt|wird|ist noch|steht|offen|in planung)(?!\p{L}).*$/isu;

/** A title that names another, cancelled session is that of its replacement. */
const replacement = /ersatz|nachhol|replac|reschedul|remplac|sostitu|sustitu|vervang|zast[eę]p/iu;

/** Words for a part that is cancelled, although the session takes place: "(nichtöffentlicher Teil entfällt)". */
const partsOfSession: ReadonlySet<string> = new Set(
  splitWordList(`
  teil | top | tops | tagesordnungspunkt | tagesordnungspunkte | fragestunde | burgerfragestunde | buergerfragestunde |
  einwohnerfragestunde | besichtigung | ortsbesichtigung | ortstermin | vorbesprechung | livestream | ubertragung |
  uebertragung | item | part | stream | agendapunt`),
);

/** "A B G E S A G T" */
const spacedLetters = /(?<!\p{L})\p{L}(?: \p{L}){4,30}(?!\p{L})/gu;

/** "fällt wegen Krankheit aus" */
const separatedVerb = /(?<!\p{L})(fällt|fiel)(?:\s(?!nicht\s)[\p{L}\d.]+){1,6}\saus(?!\p{L})/giu;

/** Between the parts of a title, and before a reason: "entfällt wegen Krankheit". */
const separators =
  /\s[-–—]+\s|[()[\]{}:;,|/!*„“”«»"]|\s(?:wegen|wg\.|aufgrund|mangels|laut|am(?=\s\d)|aus(?=\s\p{L}{1,40}\sGründen)|due to|because of|by)\s/iu;

/** "Findet leider nicht statt", "entfällt ersatzlos" */
const fillers: ReadonlySet<string> = new Set([
  'leider',
  'ersatzlos',
  'kurzfristig',
  'heute',
  'krankheitsbedingt',
  'witterungsbedingt',
  'terminbedingt',
  'unfortunately',
]);

/** "Sitzungsfreie Woche", but not "Ratssitzung nach der Sitzungspause" or "Sondersitzung (sitzungsfreie Woche)". */
const sessionBreak = /^[^\p{L}(]*sitzungs(?:pause|frei(?:e\s+woche)?)(?!\p{L})/iu;

/** Words of the longest entry of `cancelled`. */
const maxCancelledWords = 3;

/**
 * Whether a session is cancelled by a word at the start or the end of its title, or of a part of it: `ENTFÄLLT - Sportausschuss`,
 * `Sportausschuss (abgesagt) 12.3.`.
 */
export function isCancelledTitle(title: string): boolean {
  const text = title
    .normalize('NFKC')
    .replaceAll(spacedLetters, (letters) => letters.replaceAll(' ', ''))
    .replaceAll(separatedVerb, '$1 aus')
    .replace(laterDate, '')
    .replaceAll(otherSession, (session) => (/ersatz/i.test(title) ? '' : session));
  const parts = replacement.test(text) ? [] : text.split(separators);
  return (
    sessionBreak.test(text) ||
    [text, ...parts].some((part) => isCancelledPart(splitWords(part).filter((word) => !fillers.has(word))))
  );
}

function isCancelledPart(words: readonly string[]): boolean {
  const { cancelled } = loadVocabulary();
  // "Keine Ratssitzung ohne Livestream" is a subject.
  if (words[0] === 'keine' && words[2] === 'ohne') return false;
  return Array.from({ length: maxCancelledWords }, (_, index) => index + 1).some((count) => {
    if (cancelled.has(words.slice(0, count).join(' '))) return true;
    const before = words.slice(0, -count);
    return (
      cancelled.has(words.slice(-count).join(' ')) &&
      // "Sitzung nicht abgesagt"
      !isNegation(before.at(-1) ?? '') &&
      !before.some((word) => partsOfSession.has(word))
    );
  });
}
