/** Maps the result texts of agenda items, such as "einstimmig beschlossen", to statuses of submissions. */
import { normalizeCase } from './oparl-object.ts';

/** The first row whose left side occurs in the result text gives the status. Case-insensitive. */
export type ResultTable = readonly (readonly [contains: string, status: string])[];

const createRows = (status: string, words: string): ResultTable =>
  words.split(', ').map((word): [string, string] => [word, status]);

/** Motions about the agenda, whose rejection does not reject the paper. */
const rejectedMotions = [
  'vertagung',
  'vertagungsantrag',
  'verweisung',
  'überweisung',
  'absetzung',
  'dringlichkeit',
  'tagesordnung',
].flatMap((motion) =>
  ['', ' einstimmig', ' mehrheitlich'].map((majority) => `${motion}${majority} abgelehnt`),
);

const rejectedMotion = new RegExp(rejectedMotions.join('|'), 'g');

/** Negations precede the words that they contain. Words for the kind of majority come last. */
export const defaultResults: ResultTable = [
  ...createRows('withdrawn', 'zurückgezogen'),
  ...createRows('completed', 'teilweise abgelehnt'),
  ...createRows('accepted', 'hauptantrag angenommen, hauptantrag zugestimmt, hauptantrag beschlossen'),
  ...createRows('in_review', rejectedMotions.join(', ')),
  ...createRows(
    'in_review',
    'ablehnung empfohlen, ablehnung wird empfohlen, ablehnung zu empfehlen, empfehlung zur ablehnung, als empfehlung beschlossen',
  ),
  ...createRows(
    'rejected',
    'abgelehnt, ablehnung, nicht zugestimmt, nicht beschlossen, nicht angenommen, nicht genehmigt',
  ),
  ...createRows('rejected', 'nicht befürwortet, nicht stattgegeben, keine zustimmung, zustimmung verweigert'),
  ...createRows('rejected', 'zustimmung versagt, keine mehrheit, nicht mehrheitlich, stimmengleichheit'),
  ...createRows('rejected', 'einstimmig nicht , mehrheitlich nicht '),
  ...createRows('in_review', 'empfiehlt'),
  ...createRows('rejected', 'abzulehnen, zurückgewiesen, zurückzuweisen, abgewiesen, abzuweisen, verworfen'),
  ...['einstimmig', 'mehrheitlich'].flatMap((majority) =>
    ['dagegen', 'gegen den antrag', 'ablehnend', 'verneint'].flatMap((word) =>
      createRows('rejected', `${majority} ${word}`),
    ),
  ),
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
  ...createRows('in_review', 'verwiesen, überwiesen, vorberaten, abgesetzt, empfohlen, empfehlung'),
  ...createRows(
    'in_review',
    'weiterbehandlung, wiedervorlage, weitere beratung, beratung im, beratung in, angehalten',
  ),
  // The movers agree with the answer, or the council ends a motion without a vote.
  ...createRows('completed', 'einverstanden, keine abstimmung, ohne abstimmung'),
  ...createRows('accepted', 'zustimmung, einstimmig, mehrheitlich, mit mehrheit'),
];

/** @returns undefined: no row of the table matches */
export function mapResultToStatus(result: string, table: ResultTable): string | undefined {
  const text = normalizeCase(result);
  // "Vertagung abgelehnt, Antrag angenommen"
  const ownText = text.replaceAll(rejectedMotion, '');
  const find = (part: string) => table.find(([word]) => isAsserted(part, normalizeCase(word)))?.[1];
  return find(ownText) ?? find(text);
}

const negation = /(?<!\p{L})(?:nicht|keine?)\s+$/u;
/** Characters before a word that can contain a negation. */
const maxNegationLength = 12;

/** Whether a text has the word without a negation before it: "nicht abgelehnt" says nothing of a rejection. */
function isAsserted(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!negation.test(text.slice(Math.max(0, at - maxNegationLength), at))) return true;
  return false;
}
