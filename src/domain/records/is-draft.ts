/**
 * Recognises statuses of records that are not public yet, in any case and spelling: `inVorbereitung`, `not_yet_published`, „Entwurf“.
 * A negation inverts a word only if nothing but small words are between both, so that “nicht öffentlich – Entwurf” is a draft.
 */
import { splitWordList } from '../values/split-word-list.ts';

/** "Draft" in European languages, without diacritics. Compounds such as Entwurfsfassung have them as a part. */
const draftWords = [
  // English, German, Luxembourgish
  ...['draft', 'entwurf', 'entwuerf', 'entworf'],
  // French, Spanish, Galician, Portuguese, Catalan, Basque, Italian, Maltese, Romanian
  ...['brouillon', 'ebauche', 'borrador', 'rascunho', 'esborran', 'zirriborro', 'bozza', 'bozze', 'abbozz'],
  ...['ciorna', 'ciorne', 'schita', 'schite'],
  // Dutch, Danish, Norwegian, Swedish
  ...['concept', 'ontwerp', 'udkast', 'kladd', 'utkast'],
  // Polish, Czech, Slovak, Slovene, Croatian, Serbian, Bulgarian, Macedonian, Russian, Ukrainian
  ...['szkic', 'roboczy', 'robocza', 'koncept', 'osnutek', 'osnutk', 'nacrt', 'нацрт', 'чернов', 'черновик'],
  ...['чернетк', 'скица', 'skica'],
  // Lithuanian, Latvian, Estonian, Finnish, Hungarian
  ...['juodrast', 'melnrakst', 'mustand', 'kavand', 'luonno', 'piszkozat', 'vazlat', 'tervezet'],
  // Greek, Turkish, Irish, Welsh
  ...['προχειρ', 'προσχεδι', 'taslak', 'dreacht', 'drafft'],
];

// The words below are those of the languages of the vocabulary: German, English, French, Spanish, Catalan, Italian, Dutch, Polish.

const publishedStem = [
  ...[
    'publi',
    'pubblic',
    'gepubli',
    'opubliko',
    'released',
    'vero?e?ffentlich',
    'o?e?ffentlich',
    'freige(?:geben|schaltet)',
  ],
  ...['openbaar', 'vrijgegeven', 'udostepni', 'oglosz'],
].join('|');
const publishedWord = new RegExp(`^(?:${publishedStem})`);
const unpublishedWord = new RegExp(`^(?:un|de|non|not|nicht|niet|on|onge|nie)(?:${publishedStem})|^inedit`);

/** "Planned" and "in preparation". */
const plannedWord = new RegExp(
  `^(?:${[
    ...[
      'planned',
      'planning',
      'scheduled',
      'prepar',
      '(?:ein|vor)?geplant',
      'planung',
      'vorgesehen',
      'vorbereit',
    ],
    ...[
      'planif',
      'programme',
      'prevu',
      'planead',
      'programad',
      'previst',
      'programat',
      'pianific',
      'programmat',
    ],
    ...['(?:in)?gepland', 'voorberei', '(?:za)?planowan', 'przygotow'],
  ].join('|')})`,
);

const negations = new Set(
  splitWordList(`
  not | non | never | without | nicht | nie | niemals | kein | keine | ohne | ne | n | pas | jamais | sans | no | nunca |
  sin | mai | senza | sense | niet | nooit | geen | zonder | nigdy | bez`),
);

/** Between a negation and its word. */
const smallWords = new Set(
  splitWordList(`
  yet | longer | a | an | is | in | be | been | being | noch | mehr | im | ein | zur | zu | encore | plus | un | une |
  en | est | ete | aun | todavia | ya | es | esta | se | ha | sido | encara | ancora | piu | e | stato | stata | nog |
  meer | het | jeszcze | juz | w | zostal | zostala | zostalo`),
);

type Meaning = 'draft' | 'unpublished' | 'planned';

function findMeaning(words: readonly string[], index: number): Meaning | undefined {
  const word = words[index] as string;
  let before = index - 1;
  while (before >= 0 && smallWords.has(words[before] as string)) before -= 1;
  const isNegated = before >= 0 && negations.has(words[before] as string);
  if (publishedWord.test(word)) return isNegated ? 'unpublished' : undefined;
  if (isNegated) return undefined;
  if (unpublishedWord.test(word)) return 'unpublished';
  if (plannedWord.test(word)) return 'planned';
  return draftWords.some((draft) => word.includes(draft)) ? 'draft' : undefined;
}

/** @returns the words of each part between punctuation, in lower case and without diacritics */
function splitStatus(status: string): string[][] {
  const letters = status
    .normalize('NFKD')
    // Combining marks, and invisible characters such as a soft hyphen.
    .replace(/[\p{M}\p{Cf}]/gu, '')
    .replace(/[łŁ]/g, 'l')
    .replace(/(?<=\p{Ll})(?=\p{Lu}\p{Ll})/gu, ' ');
  return (
    letters
      // Upper case first: ß and SS, and both forms of the Greek sigma, have the same upper case.
      .toUpperCase()
      .toLowerCase()
      .split(/[^\p{L}\p{N}\s'’_-]|\s[-_]+\s/u)
      .map((part) => part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))
  );
}

const findMeanings = (status: string): (Meaning | undefined)[] =>
  splitStatus(status).flatMap((words) => words.map((_, index) => findMeaning(words, index)));

/** Requests read the status of each survey, and most of them share a few. */
const knownStatuses = new Map<string, boolean>();
const maxKnownStatuses = 1_000;

/** Whether a survey with this status is a draft. A planned survey is one, too: nobody has answered it. */
export function isDraft(status: string): boolean {
  if (knownStatuses.size >= maxKnownStatuses) knownStatuses.clear();
  return knownStatuses.getOrInsertComputed(status, () =>
    findMeanings(status).some((meaning) => meaning !== undefined),
  );
}

/** Whether a status has a word for drafts or unpublished records. Planned sessions and works are public. */
export const hasDraftWord = (status: string): boolean =>
  findMeanings(status).some((meaning) => meaning === 'draft' || meaning === 'unpublished');

/** Whether a status says that the record is not published, and nothing else. */
export function isUnpublished(status: string): boolean {
  const [words = [], ...others] = splitStatus(status).filter((part) => part.length > 0);
  const last = words.length - 1;
  const saysOnly = (word: string) => smallWords.has(word) || negations.has(word);
  return (
    others.length === 0 &&
    last >= 0 &&
    findMeaning(words, last) === 'unpublished' &&
    words.slice(0, last).every(saysOnly)
  );
}

/** Beside "published", they do not change the meaning. */
const auxiliaries = new Set(
  splitWordList(`
  is | has | been | ist | wurde | bereits | est | es | esta | ha | sido | e | stato | stata`),
);

/** Whether a status says that the record is published, and nothing else. */
export function isPublished(status: string): boolean {
  const words = splitStatus(status).flat();
  return (
    words.some((word) => publishedWord.test(word)) &&
    words.every((word) => publishedWord.test(word) || auxiliaries.has(word))
  );
}
