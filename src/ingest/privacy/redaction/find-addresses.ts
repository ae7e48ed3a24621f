/**
 * Detects streets with a house number in German, English, French, Spanish, Catalan, Italian, Polish and Dutch. Each number
 * is compared with the words before and after it, so the search is linear in the length of the text.
 */
import { findMatches, type TextRange } from './replace-ranges.ts';

/** Not a part of a date, an amount, a time or a file number. A letter or a second number may follow. */
const houseNumber = new RegExp(
  [
    String.raw`(?<![\p{N}\p{L}_#+]|\p{N}[.,:/'’-]|\p{L}-|[€$£§] ?)[1-9]\d{0,4}`,
    String.raw`(?:[a-zA-Z](?![\p{L}\p{N}'’])| [A-Hb-df-h](?![\p{L}\p{N}'’])| a(?=[.,;)]|$)| (?:bis(?! \d)|ter|quater)(?!\p{L}))?`,
    String.raw`(?:(?: ?[-–/+] ?| bis )(?:\d{1,4}[a-zA-Z]?|[A-Z])(?![\p{L}\p{N}]))?`,
    String.raw`(?![\p{L}\p{N}_%]|[.,:/]\p{N}|[-–]\p{N})`,
  ].join(''),
  'gu',
);

/** Characters before and after a number that are compared. */
const contextLength = 70;

// A name: words that begin with a capital letter, numbers before such a word, and articles between them.
const upperWord = String.raw`(?:\p{Lu}\p{L}{0,2}\.|\p{Lu}[\p{L}'’-]{0,30}|\d{1,2}(?:\.|º|er|o)?(?= \p{Lu}))`;
const article = String.raw`(?:de la|de los|de las|de les|de l['’]|dels|del|della|delle|dello|dei|degli|dell['’]|des|du|de|di|da|d['’]|la|le|les|las|los|el|l['’]|i|y|e|et|en|und|św\.|ks\.|gen\.|płk\.|im\.)`;
const name = `(?:${article} ?){0,3}${upperWord}(?: (?:${article} ?){0,2}${upperWord}){0,4}`;
const lowerName = String.raw`(?:de la |de l['’]|du |des |d['’])\p{L}[\p{L}-]{2,30}`;
const numberSign = String.raw`(?:,? (?:[Nn][.°º]|[Nn]r\.?|[Nn]o\.|[Nn][úu]m\.?|número |numero |numer |nummer |civico ) ?|, ?| |(?<=[sS]tr\.))`;

/** Compounds with a word for a street that are not names of streets. */
const notStreet = [
  '(?:Spiel|Park|Stell|Sport|Arbeits|Ausbildungs|Studien|Kita|Krippen|Betreuungs|Kindergarten|Bolz|Fußball|Tennis|Sitz|Steh|Liege|Rast|Lade|Camping|Zelt|Lager|Wohnmobil|Flug|Wende)platz',
  '(?:Rad|Fahrrad|Geh|Fuß|Wander|Rettungs|Um|Wirtschafts|Verbindungs|Reit|Rijks|Snel)weg',
  '(?:Bundes|Landes|Kreis|Staats|Gemeinde|Schnell|Kraftfahr|Fahrrad|Spiel|Einbahn|Anlieger)stra(?:ß|ss)e',
  '(?:Bahn|Bus|Bürger)steig',
  '(?:Monito|Sponso|Cate|Enginee|He)ring',
  '(?:Di|Regi|Mini)str\\.?',
].join('|');
const compound = String.raw`(?!${notStreet})\p{Lu}[\p{L}-]{1,40}(?:stra(?:ß|ss)e|str\.?|gasse|allee|weg|platz|ring|ufer|damm|chaussee|steig|stieg|promenade|wall|graben|gürtel|straat|laan|plein|gracht|kade|singel|dijk|steeg|plantsoen|dreef)`;
const streetWord =
  '(?:Stra(?:ß|ss)e|Str\\.?|Gasse|Allee|Weg|Platz|Ring|Ufer|Damm|Chaussee|Steig|Promenade|Wall|Graben|Gürtel|Lände|Markt|Gracht|Laan|Plein|Kade|Singel)';
/** An adjective before a word for a street, such as Berliner or Lange. */
const adjective = String.raw`(?!(?:Der|Die|Eine|Einer|Diese|Dieser|Bitte|Unsere|Unserer|Meine|Meiner|Zwischen|Hinter|Unter|Neben|Ecke) )\p{Lu}\p{L}{1,25}(?:er|e|en|es) `;
const compoundAdjective =
  '(?:(?:Alte|Neue|Obere|Untere|Große|Kleine|Hintere|Vordere|Mittlere|Innere|Äußere|Lange|Kurze)[nr]? |(?:Oude|Nieuwe|Korte|Prins|Prinses|Koningin|Sankt|St\\.) )';

const streetsBefore: readonly RegExp[] = [
  // Kaiserstraße 12, Karl-Marx-Str. 5, Berliner Straße 14, Keizersgracht 7
  `${compoundAdjective}?(?:${compound}|\\p{Lu}[\\p{L}.-]{1,40}-${streetWord})`,
  `${adjective}${streetWord}`,
  // Straße des 17. Juni 135, Platz der Republik 1
  String.raw`(?:Stra(?:ß|ss)e|Platz|Allee) (?:des|der|am|an der|im|von) (?:\d{1,2}\. )?\p{Lu}[\p{L}-]{1,30}(?: \p{Lu}[\p{L}-]{1,30})?`,
  // Am Marktplatz 5, Im Wiesengrund 3
  String.raw`(?:Am|An der|An den|Auf dem|Auf der|Im|In der|In den|Zum|Zur|Beim|Unter den|Hinter der) (?:\p{Lu}\p{L}{1,20}en )?(?:\p{Lu}[\p{L}-]{0,30})?(?:[mM]arkt|[pP]latz|[hH]of|[bB]erg|[fF]eld|[tT]or|[bB]ach|[aA]nger|[gG]arten|[gG]ärten|[aA]cker|[wW]iesen?|[hH]ang|[rR]ain|[bB]runnen|[bB]ruch|[gG]rund|[wW]inkel|[lL]inden|[bB]rücke|[kK]irche|[mM]ühle|[gG]raben|[hH]öhe|[hH]eide|[sS]ee|[tT]eich|[wW]eiher)`,
  String.raw`(?:[Rr]ue|[Aa]venue|[Aa]v\.|[Bb]oulevard|[Bb]d\.?|[Pp]lace|[Cc]hemin|[Ii]mpasse|[Aa]llée|[Qq]uai|[Rr]oute|[Cc]ours|[Pp]assage|[Rr]uelle) (?:${lowerName}|${name})`,
  String.raw`(?:[Cc]alle|[Cc]/|[Aa]venida|[Aa]vda\.?|[Aa]v\.|[Pp]laza|[Pp]za\.?|[Pp]aseo|[Pp]º|[Cc]amino|[Cc]arretera|[Cc]tra\.|[Rr]onda|[Tt]ravesía|[Gg]lorieta|[Cc]arrer|[Aa]vinguda|[Pp]laça|[Pp]l\.|[Pp]asseig|[Pp]g\.|[Rr]ambla|[Cc]amí|[Pp]assatge|[Tt]ravessera) ?(?:${name})`,
  String.raw`(?:[Vv]ia|[Vv]iale|[Vv]\.le|[Cc]orso|[Cc]\.so|[Pp]iazza|[Pp]\.zza|[Pp]iazzale|[Ll]argo|[Vv]icolo|[Ss]trada|[Ll]ungomare|[Cc]ontrada|[Ss]alita) (?!Statale|Provinciale|Comunale|Regionale)(?:${name})`,
  String.raw`(?:[Uu]l\.|[Uu]lic[ayęą]|[Aa]l\.|[Aa]lej[aiąę]|[Aa]leje|[Pp]l\.|[Pp]lac(?:u|em)?|[Oo]s\.|[Oo]siedl[eu]) ?(?:${name})`,
  'Rynek(?: Główny)?',
].map((street) => new RegExp(`(?<![\\p{L}\\p{N}-])(?:${street})${numberSign}$`, 'u'));

const maybeStreetBefore = /[\p{L}.º°’],? ?$/u;

const englishStreet = String.raw`(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Square|Sq|Terrace|Ter|Crescent|Close|Gardens|Way|Parkway|Pkwy|Highway|Hwy|Mews|Grove|Row|Walk|Circle)(?!\p{L})`;
/** As people type them. A street light is no street. */
const typedStreet = String.raw`(?:street|st|avenue|ave|av|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|place|pl|terrace|ter)(?![\p{L}\p{N}])(?! ?(?:light|lamp|sign|tree|sweep|clean|corner|festival|fair|market))`;
const streetsAfter: readonly RegExp[] = [
  // 615 E Fourth St, 12 Baker Street, 350 5th Avenue
  String.raw` (?:[NSEW]\.? |North |South |East |West )?(?!Bus |Tennis |Basketball |Volleyball |Parking |Minute |Week |Day )(?:\p{Lu}[\p{L}'’.]{0,25}|\d{1,3}(?:st|nd|rd|th))(?:[ -]\p{Lu}[\p{L}'’.]{0,25}){0,4} ${englishStreet}(?! (?:Festival|School|Station|Bridge|Project|Corridor|Improvements|Plan|Fair|Market))`,
  // 94-08 214 street, 12 5th ave
  String.raw` \d{1,3}(?:st|nd|rd|th)? ${typedStreet}`,
  // 5191 Codwise pl, 12 Main street
  String.raw` \p{Lu}[\p{L}'’.]{1,25}(?: \p{Lu}[\p{L}'’.]{0,25}){0,3} ${typedStreet}`,
  // 12 rue de la Paix, 5 bis, avenue Foch
  String.raw`,? (?:[Rr]ue|[Aa]venue|[Aa]v\.|[Bb]oulevard|[Bb]d\.?|[Bb]ld|[Pp]lace(?! de (?:parking|stationnement|jeux?))|[Cc]hemin|[Ii]mpasse|[Aa]llée|[Qq]uai|[Rr]oute|[Cc]ours|[Pp]assage|[Ss]quare|[Ss]entier|[Rr]uelle|[Ff]aubourg) (?:${lowerName}|${name})`,
].map((street) => new RegExp(street, 'uy'));

/** Behind a street: apt#1, Unit 4B, # 12 */
const apartment = /,? ?(?:(?:apt|apartment|unit|suite|ste)\.? ?#? ?|# ?)[a-z\d]{1,5}(?![\p{L}\p{N}])/iuy;

/** Words after a number that counts something. */
const countedAfter =
  /^ ?(?:°|€|%|(?:km|m|cm|mm|m²|m2|qm|ha|h|kg|Uhr|EUR|Euro|euros?|zł|PLN|CHF|Meter|metros?|metri|mètres|metres|meters|meter|metrów|Prozent|Bäume?n?|Poller|Laternen|Lampen|Bänken?|Parkplätze|Stellplätze|Mülleimer|Autos|Fahrräder|Mal|Tagen?|Wochen|Jahren?|Monate|Kinder|Personen|Haushalte|arbres|árboles|arbres|alberi|drzewa|drzew|bomen|trees|benches|bancos|bancs|panchine|ławki|ławek|banken|plazas|places|posti|miejsc|plaatsen|años|anys|anni|lat|jaar|ans|veces|mal|keer|razy)(?!\p{L})|\. (?:BA|Bauabschnitt|Abschnitt|Teil\p{L}{0,20}|Phase|Stock|OG|etapa|Sitzung|Änderung))/u;

export function findAddresses(text: string): TextRange[] {
  const found: TextRange[] = [];
  for (const { start, end } of findMatches(text, houseNumber)) {
    const range = findStreetBefore(text, start, end) ?? findStreetAfter(text, start, end);
    if (range !== undefined && range.start >= (found.at(-1)?.end ?? 0)) found.push(range);
  }
  return found;
}

function findStreetBefore(text: string, start: number, end: number): TextRange | undefined {
  // Years and postcodes are not house numbers.
  if (/^(?:(?:19|20)\d{2}|\d{5})(?!\d)/.test(text.slice(start, end))) return undefined;
  const from = Math.max(0, start - contextLength);
  const before = text.slice(from, start);
  if (/(?<!\p{L})(?:TOP|Punkt|Ziffer) $/u.test(before)) return undefined;
  if (!maybeStreetBefore.test(before) || countedAfter.test(text.slice(end, end + 20))) return undefined;
  const starts = streetsBefore.map((street) => before.search(street)).filter((index) => index >= 0);
  return starts.length === 0 ? undefined : { start: from + Math.min(...starts), end };
}

/** A number before a street that is more likely the number of something else. */
const otherNumberBefore =
  /(?:Phase|Route|District|Ward|Zone|Line|Bus|Item|Lot|Precinct|PS|IS|MS|No\.|Nr\.|TOP|Punkt|Ziffer|Antr[aä]ge?|Anfragen?|Anlagen?|Vorlagen?) $/;

function findStreetAfter(text: string, start: number, end: number): TextRange | undefined {
  if (/^20[0-4]\d$/.test(text.slice(start, end))) return undefined;
  if (otherNumberBefore.test(text.slice(Math.max(0, start - 10), start))) return undefined;
  for (const street of streetsAfter) {
    street.lastIndex = end;
    if (!street.test(text)) continue;
    apartment.lastIndex = street.lastIndex;
    return { start, end: apartment.test(text) ? apartment.lastIndex : street.lastIndex };
  }
  return undefined;
}
