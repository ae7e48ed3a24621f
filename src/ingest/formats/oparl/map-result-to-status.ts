/** Maps the result texts of agenda items, such as "einstimmig beschlossen", to statuses of submissions. */
import { normalizeCase } from './oparl-object.ts';

/** The first row whose left side occurs in the result text gives the status. Case-insensitive. */
export type ResultTable = readonly (readonly [contains: string | RegExp, status: string])[];

const createRows = (status: string, words: string): ResultTable =>
  words.split(', ').map((word): [string, string] => [word, status]);

/** Motions about the agenda and the debate, whose rejection does not reject the paper: "Vertagung mehrheitlich abgelehnt". */
const rejectedMotion =
  /(?:vertagung|vertagungsantrag|verweisung|überweisung|absetzung|dringlichkeit|tagesordnung|nichtbefassung|(?:ende|schluss) der (?:debatte|aussprache|rednerliste)|geschäftsordnung|geschäftsordnungsantrag)(?: (?!und |antrag )[^\s,;]{1,40}){0,6}? abgelehnt/giu;

/** "Änderungsantrag der FDP abgelehnt", but not "mit Änderungsantrag der FDP beschlossen". */
const amendment =
  /(?<!mit |mit dem )(?:änderungs|ergänzungs)antr(?:ag|äge):?(?: [^\s,;]{1,40}){0,14}? (?:abgelehnt|angenommen|zugestimmt|beschlossen|zurückgezogen|zurückgenommen)/giu;

/** Negations precede the words that they contain. */
export const defaultResults: ResultTable = [
  ...createRows('withdrawn', 'zurückgezogen, zurückgenommen'),
  ...createRows('completed', 'teilweise abgelehnt'),
  ...createRows('accepted', 'hauptantrag angenommen, hauptantrag zugestimmt, hauptantrag beschlossen'),
  [rejectedMotion, 'in_review'],
  ...createRows(
    'in_review',
    'ablehnung empfohlen, ablehnung wird empfohlen, ablehnung zu empfehlen, empfehlung zur ablehnung, als empfehlung beschlossen',
  ),
  ...createRows('in_review', 'ablehnungsempfehlung, empfehlung: ablehnung, empfehlung ablehnung'),
  ...createRows(
    'rejected',
    'abgelehnt, ablehnung, nicht zugestimmt, nicht beschlossen, nicht angenommen, nicht genehmigt',
  ),
  ...createRows('rejected', 'nicht befürwortet, nicht stattgegeben, keine zustimmung, zustimmung verweigert'),
  ...createRows('rejected', 'zustimmung versagt, keine mehrheit, nicht mehrheitlich, stimmengleichheit'),
  ...createRows(
    'rejected',
    'zustimmung wird verweigert, zustimmung wurde verweigert, zustimmung wird versagt',
  ),
  ...createRows(
    'rejected',
    'zustimmung nicht erteilt, zustimmung wird nicht erteilt, zustimmung wurde nicht erteilt',
  ),
  ...createRows('in_review', 'nicht empfohlen, nicht behandelt, nicht beraten'),
  ...createRows('rejected', 'einstimmig nicht , mehrheitlich nicht '),
  ...createRows('in_review', 'empfiehlt'),
  ...createRows('rejected', 'abzulehnen, zurückgewiesen, zurückzuweisen, abgewiesen, abzuweisen, verworfen'),
  // But not "mehrheitlich Nein: 3, Ja: 15".
  [
    /(?:einstimmig|mehrheitlich|mit mehrheit) (?:dagegen|gegen den antrag|ablehnend|verneint|nein)(?!:?\s?\d)/iu,
    'rejected',
  ],
  ...createRows('rejected', 'für unzulässig erklärt, als unzulässig'),
  ...createRows('completed', 'nichtbefassung, nicht befasst'),
  ...createRows(
    'in_review',
    'vertagung, verweisung, überweisung, zurückstellung, absetzung, nicht erledigt, unerledigt',
  ),
  // "Vertagt (einstimmig beschlossen)", and what another body or a second reading decides.
  ...createRows(
    'in_review',
    'vertagt, zurückgestellt, empfehlung an den, empfehlung an die, 1. lesung, erste lesung',
  ),
  ...createRows(
    'in_review',
    'verschoben, rückgestellt, von der tagesordnung genommen, überwiesen, abgesetzt',
  ),
  // Not "auf die Stellungnahme wird verwiesen".
  ...createRows(
    'in_review',
    'verwiesen an, verwiesen in, verwiesen zu, verwiesen (, verwiesen -, verwiesen –',
  ),
  ...createRows('in_review', 'vorbehaltlich der zustimmung, vorbehaltlich der beschlussfassung'),
  ...createRows(
    'accepted',
    'zugestimmt, beschlossen, angenommen, genehmigt, befürwortet, stattgegeben, antragsgemäß',
  ),
  ...createRows('accepted', 'lt. beschlussvorschlag, laut beschlussvorschlag, gemäß beschlussvorschlag'),
  ...createRows(
    'accepted',
    'gem. beschlussvorschlag, gemäß dem beschlussvorschlag, beschlussvorlage übernommen',
  ),
  ...createRows('completed', 'kenntnisnahme, zur kenntnis, nimmt kenntnis, erledigt'),
  ...createRows('in_review', 'verwiesen, vorberaten, empfohlen, empfehlung, kein beschluss, ohne beschluss'),
  ...createRows(
    'in_review',
    'weiterbehandlung, wiedervorlage, weitere beratung, beratung im, beratung in, angehalten',
  ),
  // The movers agree with the answer, or the council ends a motion without a vote.
  ...createRows('completed', 'einverstanden, keine abstimmung, ohne abstimmung'),
];

/** Each of them accepts if nothing but words of a vote is beside it. */
const majorities = ['einstimmig', 'mehrheitlich', 'mit mehrheit', 'zustimmung'];

/** "Einstimmig bei 2 Enthaltungen", "mehrheitlich (5 dafür, 3 dagegen)". */
const voteWords: ReadonlySet<string> = new Set([
  ...['einstimmig', 'einstimmige', 'einstimmiger', 'mehrheitlich', 'mehrheitliche', 'mehrheitlicher'],
  ...['mit', 'mehrheit', 'zustimmung', 'annahme', 'beschluss', 'wird', 'wurde', 'gefasst', 'nr'],
  ...['abstimmung', 'abstimmungsergebnis', 'ergebnis'],
  ...['ja', 'nein', 'dafür', 'dagegen', 'für', 'gegen', 'zu', 'bei', 'und', 'ohne', 'keine', 'keiner'],
  ...['stimme', 'stimmen', 'jastimme', 'jastimmen', 'neinstimme', 'neinstimmen', 'gegenstimme'],
  ...['gegenstimmen', 'enthaltung', 'enthaltungen', 'stimmenthaltung', 'stimmenthaltungen', 'enth'],
  ...['ein', 'eine', 'einer', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun', 'zehn'],
  ...['der', 'die', 'den', 'dem', 'des'],
]);

/** Behind the words for votes: "der CDU und von Bündnis 90/Die Grünen". Their names begin with a capital letter, and verbs do not. */
const voters =
  /(?<=(?:timmen?|nthaltung|nthaltungen) )(?:der|des|von|vom|aus|durch)(?: (?:[\p{Lu}\d][^\s]{0,40}|und|sowie|der|des|die|von)){1,20}/gu;

/** "Einstimmige Zustimmung zur Vorlage in geänderter Fassung", but not "Zustimmung zum Änderungsantrag". */
const asProposed =
  /(?<!\p{L})(?:(?:zum|zur|für den|für die|(?:gemäß|laut|entsprechend)(?: der| dem)?) (?:beschluss|verwaltungs)?(?:antrag|vorlage|vorschlag)|in geänderter fassung|mit änderung(?:en)?)(?!\p{L})/giu;

function isMajorityAlone(text: string): boolean {
  const vote = normalizeCase(text.replaceAll(voters, '').replaceAll(asProposed, ''));
  const words = vote.split(/[^\p{L}]+/u).filter(Boolean);
  return majorities.some((word) => isAsserted(vote, word)) && words.every((word) => voteWords.has(word));
}

const votesFor = '(?:dafür|ja(?:-?stimmen?)?)';
const votesAgainst = '(?:dagegen|gegenstimmen?|nein(?:-?stimmen?)?)';
const countsComeFirst = new RegExp(
  String.raw`^\D*\d{1,4}\s?(?:stimmen?\s)?(?:${votesFor}|${votesAgainst})`,
  'u',
);

/** @returns undefined: the text has no count of such votes, as in "12 Ja" and "Ja: 12" */
function readVotes(text: string, votes: string): number | undefined {
  const pattern = countsComeFirst.test(text)
    ? String.raw`(\d{1,4})\s?(?:stimmen?\s)?${votes}(?!\p{L})`
    : String.raw`(?<!\p{L})${votes}[:=]?\s?(\d{1,4})`;
  const count = new RegExp(pattern, 'u').exec(text)?.[1];
  return count === undefined ? undefined : Number(count);
}

/** Whether a majority is against: "mehrheitlich (3 dafür, 20 dagegen)". With equal numbers, a motion is rejected. */
function isOutvoted(text: string): boolean {
  const folded = normalizeCase(text);
  const against = readVotes(folded, votesAgainst);
  return against !== undefined && against >= (readVotes(folded, votesFor) ?? Infinity);
}

/** @returns undefined: no row of the table matches */
export function mapResultToStatus(result: string, table: ResultTable): string | undefined {
  const find = (part: string) => {
    const folded = normalizeCase(part);
    const row = table.find(([word]) => isAsserted(folded, word));
    if (row !== undefined) return row[1];
    if (!isMajorityAlone(part)) return undefined;
    return isOutvoted(part) ? 'rejected' : 'accepted';
  };
  const text = result.normalize('NFC');
  // "Vertagung abgelehnt, Antrag angenommen"
  return find(text.replaceAll(rejectedMotion, '').replaceAll(amendment, '')) ?? find(text);
}

/** "Weder beraten noch beschlossen", "noch nicht beschlossen". */
const negationBefore = /(?<!\p{L})(?:nicht|keine?|ohne|noch)\s+$/u;
/** "Zustimmung wird nicht erteilt", "nicht beschlossen, sondern verwiesen". */
const negationAfter =
  /^(?:,?\s+sondern|:?\s+nein(?!:?\s?\d)|\s+(?:(?:wird|wurde|ist|noch)\s+)?nicht)(?!\p{L})/u;
/** Characters beside a word that can contain a negation. */
const maxNegationLength = 12;

/** Whether a text has the word without a negation beside it: "nicht abgelehnt" says nothing of a rejection. */
function isAsserted(text: string, given: string | RegExp): boolean {
  if (typeof given !== 'string') return text.search(given) !== -1;
  const word = normalizeCase(given);
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    const isNegated =
      negationBefore.test(text.slice(Math.max(0, at - maxNegationLength), at)) ||
      negationAfter.test(text.slice(end, end + maxNegationLength));
    if (!isNegated) return true;
  }
  return false;
}
