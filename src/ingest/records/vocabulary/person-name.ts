/** Recognises cells that contain names of people. */
import { givenNames } from './given-names.ts';
import { splitWords } from './split-words.ts';

/** Before a last name without a given name, in the languages of the vocabulary. */
const salutation =
  /^(?:Herrn?|Frau|Dr\.?|Prof\.?|Mr\.?|Mrs\.?|Ms\.?|M\.|Mme\.?|Mlle|Sr\.|Sra\.?|Sig\.|Sig\.ra|Pan|Pani|Dhr\.?|[Mm]evr\.?|dhr\.?|(?:Stadt|Gemeinde|Orts(?:chafts)?|Bezirks|Kreis(?:tags)?)(?:rat|rätin|verordneter?|abgeordneter?)|StR(?:in)?|Council(?:lor|man|woman|member)|Cllr\.?|Alderman|(?:Oberb|B)ürgermeister(?:in)?|Mayor)$/u;

/** Inside a last name. */
const particle = /^(?:von|van|vom|zu|zum|zur|de|del|della|di|da|dos|du|der|den|ten|ter|la|le|el|al|i|y)$/i;

const maxLength = 60;
const maxPeople = 4;
const maxNames = 4;
/** With salutations and particles. */
const maxWords = 7;
const separator = /[;/&]|\s(?:und|and|et|y|e|i|en)\s+(?=\p{Lu})/u;

/** A given name with a last name in either order, or a salutation with a last name; also of a few people. */
export function isPersonName(cell: string): boolean {
  if (cell.length > maxLength * maxPeople) return false;
  const people = cell.split(separator);
  return people.length <= maxPeople && people.every(isOnePerson);
}

function isOnePerson(text: string): boolean {
  // "Mustermann, Erika, SPD"
  const [last = '', first = ''] = text.split(',').map((part) => part.trim());
  const own = `${first} ${last}`.trim();
  const words = own.split(/\s+/).filter((word) => !/^\(/.test(word));
  const names = words.filter((word) => !salutation.test(word) && !particle.test(word));
  if (own.length > maxLength || words.length > maxWords || names.length > maxNames) return false;
  if (names.length === 0 || !names.every((name) => /^\p{Lu}[\p{L}.'’-]*$/u.test(name))) return false;
  if (words.some((word) => salutation.test(word))) return true;
  // A given name may have two parts: Anna-Lena.
  return names.length > 1 && names.some((name) => givenNames.has(splitWords(name)[0] ?? ''));
}
