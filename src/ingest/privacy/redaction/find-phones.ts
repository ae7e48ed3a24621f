/**
 * Detects telephone numbers that are valid in their country: international ones, and national ones, solid or in groups.
 * Reference numbers, dates, times, amounts and coordinates stay.
 */
import { type CountryCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max';
import type { TextRange } from './replace-ranges.ts';

const manyDigits = /\d(?:\D{0,3}\d){5}/;
/** A telephone number does not start within a longer number, a name or an address. */
const phoneStart = String.raw`(?<![\p{L}\p{N}_+=#№]|\d[.,:/-]|\p{L}-)`;
const digit = String.raw`[ ./()-]{0,3}\d`;
const nextNumber = String.raw` \(?0\d{1,5}[ /)-]{1,3}\d{3}`;
const moreDigits = `(?:${digit}){6}(?:(?!${nextNumber})${digit}){0,10}(?!\\d)`;
const international = String.raw`\(?(?:\+|00)[1-9]${moreDigits}`;
const withTrunkZero = String.raw`\(?0 ?[1-9]${moreDigits}`;
// Countries without a trunk prefix 0, such as Spain, Poland, Italy and the United States.
const endOfNumber = String.raw`(?![\d\p{L}]|[.,:/-]\d)`;
const inGroups = String.raw`(?:1[ .-])?\(?\d{2,4}(?:\) ?|[ .-])\d{2,4}(?:[ .-]\d{2,4}){1,3}${endOfNumber}`;
const inTwoGroups = String.raw`\(?\d{2,4}(?:\) ?|[ /-])\d{5,8}${endOfNumber}`;
const solid = String.raw`\d{9,11}${endOfNumber}`;

/** `0123/21/22`: a file number with the years of a term or of a budget. */
const yearPair = /^\(?0\d{1,5} ?\/ ?(\d{2}) ?[/-] ?(\d{2})(?!\d)/;
const maxTermYears = 6;

const phonePatterns = new Map<CountryCode, RegExp>();

function getPhonePattern(country: CountryCode): RegExp {
  const known = phonePatterns.get(country);
  if (known !== undefined) return known;
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  // The types of the library lack this function.
  const plan = metadata.numberingPlan as { nationalPrefix(): string | undefined } | undefined;
  const national = plan?.nationalPrefix() === '0' ? [withTrunkZero] : [inGroups, inTwoGroups, solid];
  const pattern = new RegExp(`${phoneStart}(?:${[international, ...national].join('|')})`, 'gu');
  phonePatterns.set(country, pattern);
  return pattern;
}

const phoneLookalikes = [
  /(?<!\d|\d[./-])\d{1,2}[./-] ?\d{1,2}[./-] ?(?:(?:19|20)\d{2}(?!\d)|\d{2}(?![./-]?\d))/, // 01.03.2026
  /(?<!\d)(?:19|20)\d{2}[/-]\d{1,2}[/-]\d{1,2}(?!\d)/, // 2026-03-01
  /^\(?0\d{1,5}(?:[ ./-]| ?\/ ?)(?:19|20)\d{2}(?!\d)/, // 0142/2026
  /^\(?0\d{2,6} ?\/ ?\d{2}$/, // 012345/26
  /^\(?0\d{3,5}-\d{2}-\d{1,2}$/, // 01234-26-1
  /^\d{1,2}\.? ?[-/] ?\d{1,2}\.\d{1,2}\.(?:\d{4}|\d{2})(?!\d)/, // 04-12.11.2026
  /^\d{1,2}\.\d{1,2}\.? ?[-/] ?\d{1,2}\.\d{1,2}\./, // 01.02.-03.04.2026
  /^\d{2} \d{2} (?:19|20)\d{2}(?!\d)/, // 01 03 2026
  /^\d{1,2}[.:]\d{2} ?- ?\d/, // 08.00-16.00
  /^(?:[01]\d|2[0-4])[0-5][05] ?[ /-] ?(?:[01]\d|2[0-4])[0-5][05](?!\d)/, // 0800-1630
  /^\+?\d{1,3}(?:\.\d{3})+$/, // 49.500.000
  /^\d{1,3}(?:[ .]\d{3})*[ .]000$/, // 600 000 000
  /^(?:(?:19|20)\d{2}[ -]+){2}/, // 2025 2026 2027
  /^(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])/, // 20260301
  /^(\d)\1+$/, // 999999999
  /^\d{1,8}$/, // 0012345
];

const amountAfter = /^ ?(?:€|EUR|euros?|CHF|Fr\.|£|\$|USD|zł|PLN|kWh|kg|km|m²|m2|m³)(?!\p{L})/iu;

/** Characters before a number that can contain a word for it. */
const contextLength = 30;
const separator = String.raw`[ .:)]{0,3}(?:(?:n[°ºor]?\.?|n[úu]m\.?|number|nummer|numer|número|num[ée]ro|numero|is|ist|:)[ .:]{0,3}){0,2}$`;
const phoneWord = new RegExp(
  `(?:tel(?:efon|ephone|éfono|èfon|éphone|efoon|efono)?|fon|phone|mobile?|móvil|mòbil|handy|cell|cellulare|fax|whatsapp|komórka|gsm|natel|portable|ruf)${separator}`,
  'iu',
);
/** Words for a number of a file, an account or a person, in the languages of the vocabulary. */
const identifierWords = [
  'az|akz|aktenzeichen|drs|drucksache|vorgang|vorlagen?|kennung|seriennummer|gz|geschäftszahl|geschäftszeichen|konto|konten|kto|hhst|haushaltsstellen?',
  'kostenstellen?|kst|kostenträger|kostenart|psk|psp|psp-element|finanzposition|finanzstelle|bic|ref|id|isbn|issn|ean',
  'case|ticket|file|request|order|work order|permit|invoice|account|cost cent(?:er|re)|budget line|docket|bin|bbl|po',
  'dossier|siren|siret|compte|centre de coûts?|imputation',
  'expediente?|exp|registr[oe]|nif|cif|cuenta|partida|cent(?:ro|re) de coste?|póliza|referencia catastral',
  'pratica|protocollo|prot|iva|fiscale|matricola|conto|capitolo|centro di costo|cig|cup',
  'sygnatura|sprawa|sprawy|znak|wniosek|zgłoszenie|regon|nip|pesel|krs|rachunek',
  'zaak|kenmerk|bsn|kvk|rekening|kostenplaats|grootboek',
].join('|');
const numberedNouns =
  '(?:akten|vorgangs|kunden|rechnungs|konto|zähler|inventar|mitglieds|matrikel|personal|steuer|vertrags|auftrags|bestell|artikel|serien|beleg|antrags|beschluss|drucksachen|vorlagen|produkt|investitions|anlagen|flurstücks|objekt|mast|laternen|leuchten|baum|projekt|fall|meldungs|ticket|referenz|versicherungs|lieferschein|dossier|zaak|meter|rekening)-?';
const identifierWord = new RegExp(
  `(?:(?<!\\p{L})(?:${identifierWords})|\\p{L}konto|referen(?:ce|z|cia|tie|za)|${numberedNouns}(?:nummern?|nr)|zeichen|№|#)${separator}`,
  'iu',
);

/** Things with a number directly behind their word. "Questions about the resolution: 0721 1331234" has a telephone number. */
const numberedThings = [
  'maßnahme|beleg|rechnung|laterne|leuchte|lichtpunkt|schacht|hydrant|poller|(?:parkschein)?automat|flurstück|flst|grundbuch|grundbuchblatt|motion|interpellation|postulat|beschluss',
  'b-plan|bebauungsplan|haltestelle|baum|inventar',
  'meter|pole|lamp ?post|street ?light|tree|parcel|lot|resolution|ordinance|bill|fund',
  'compteur|lampadaire|candélabre|délibération|parcelle|facture|contrat|marché',
  'contador|comptador|farola|fanal|moció|moción|factura|contrato|contracte',
  'contatore|lampione|palo|mozione|delibera|fattura|contratto|particella|foglio',
  'licznika?|słup|latarnia|uchwała|druk|działka|faktura|umowa',
  'lantaarnpaal|motie|amendement|besluit|perceel|factuur',
].join('|');
const numberedThing = new RegExp(
  String.raw`(?:(?<!\p{L})(?:${numberedThings})|(?<!\p{L})\p{L}{0,20}(?:mast|zähler|laterne))(?:[ -](?:n[ro°º]?|n[úu]m|number|nummer|numer|número|num[ée]ro)[.:]{0,2})? ?$`,
  'iu',
);
const bareNumberWord = /(?<!\p{L})(?:n[°ºr]|no)[. ]{0,2}$/iu;

export function findPhones(
  text: string,
  { country, isIdentifier }: { country: CountryCode; isIdentifier: boolean },
): TextRange[] {
  if (isIdentifier && !text.includes('+')) return [];
  if (!manyDigits.test(text)) return [];
  const pattern = getPhonePattern(country);
  const found: TextRange[] = [];
  let other: TextRange | undefined;
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const number = findPhoneAtStart(match[0], country);
    if (number === undefined || (isIdentifier && !number.includes('+'))) continue;
    const range = { start: match.index, end: match.index + number.length };
    const { end } = range;
    if (!number.includes('+') && (isOtherNumber(text, range) || continuesList(text, other, range))) {
      other = range;
      continue;
    }
    // A bracket around the whole number belongs to the sentence.
    const start = number.startsWith('(') && !number.includes(')') ? match.index + 1 : match.index;
    found.push({ start, end });
    pattern.lastIndex = end;
  }
  return found;
}

/** A match may contain several numbers, so groups are removed from its end until it is a valid number. */
function findPhoneAtStart(candidate: string, country: CountryCode): string | undefined {
  for (
    let text = candidate;
    text.length >= 7;
    text = text.replace(/(?<![ ./()-])[ ./()-]+\d+$|(?<!\d)\d+$/, '')
  ) {
    if (hasYearPair(text) || phoneLookalikes.some((pattern) => pattern.test(text))) return undefined;
    const dialled = text.replace(/^\(?(?:\+|00)/, '+');
    if (parsePhoneNumberFromString(dialled, { defaultCountry: country, extract: false })?.isValid())
      return text;
  }
  return undefined;
}

function hasYearPair(text: string): boolean {
  const [, from, to] = yearPair.exec(text) ?? [];
  const years = Number(to) - Number(from);
  return years > 0 && years <= maxTermYears;
}

/** Whether the words around a number say that it is an amount or the number of a file or a thing. */
function isOtherNumber(text: string, { start, end }: TextRange): boolean {
  if (amountAfter.test(text.slice(end, end + 8))) return true;
  const before = text.slice(Math.max(0, start - contextLength), start);
  if (phoneWord.test(before)) return false;
  return [identifierWord, numberedThing, bareNumberWord].some((word) => word.test(before));
}

const listSeparator = /^ ?(?:[,;/&]|und|oder|sowie|bis|and|or|to|et|ou|y|o|i|e|en|of|oraz|lub) ?$/;

/** Whether a number of the same form follows one that is no telephone number: "accounts 0201.5000 and 0201.6000". */
function continuesList(text: string, other: TextRange | undefined, { start, end }: TextRange): boolean {
  if (other === undefined || !listSeparator.test(text.slice(other.end, start))) return false;
  const readForm = (from: number, to: number) => text.slice(from, to).replace(/\d/g, '0');
  return readForm(other.start, other.end) === readForm(start, end);
}
