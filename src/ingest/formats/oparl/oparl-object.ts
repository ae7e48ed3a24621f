/** OParl objects as sources have them, with access to their untyped properties. */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { isObject } from '../../records/field-validation.ts';
import { convertMarkupLine } from '../../records/html-to-text.ts';
import {
  cancelsSession,
  findRetractionMark,
  findStatusMark,
  isDenied,
  isMarked,
} from '../../records/retraction-marks.ts';
import { isCancelledTitle } from '../../records/vocabulary/vocabulary.ts';
import type { FieldRule } from '../format-definition.ts';
import { findListType } from './oparl-format.ts';

export type OparlObject = Record<string, unknown> & { id: string };

export const notAnOparlObject: Reason = { code: 'not-oparl-object' };

export const isOparlObject = (value: unknown): value is OparlObject =>
  isObject(value) && typeof value.id === 'string' && typeof value.type === 'string';

/** Some exports lack the type of objects. */
export const addListType = (value: unknown, list: string | undefined, source: string): unknown =>
  isObject(value) && value.type === undefined ? { ...value, type: findListType(list, source) } : value;

/** The last part of an object's `type`, such as `Paper`. */
export const getTypeName = ({ type }: Record<string, unknown>): string =>
  toText(type).split('/').at(-1) as string;

/** Some systems write `"true"` or the time of the deletion. */
export const isDeleted = ({ deleted }: Record<string, unknown>): boolean => isMarked(deleted);

/** @returns why an object must not be public: `deleted`, and properties beyond the standard such as `private` */
export function findWithheld(object: Record<string, unknown>): Reason | undefined {
  return isDeleted(object) ? { code: 'objects-deleted' } : findRetractionMark(object);
}

/** Whether a reference may be followed: an address, or an embedded object that does not say that it is deleted or not public. */
export const isPublicReference = (value: unknown): boolean =>
  !isObject(value) || findWithheld(value) === undefined;

/** In such a consultation a committee advises another one, which decides on the paper (`authoritative: false`). */
export const isAdvisory = ({ authoritative }: Record<string, unknown>): boolean => isDenied(authoritative);

/** `meetingState`, "ris:sitzungsstatus", but not the state of its minutes. */
const stateName = /^(?:\w{1,40}:)?(?:meeting|sitzungs?|termin|session)?_?(?:state|status|zustand)$/i;

/** The standard recommends words for `meetingState`, but systems write their own, and their own properties, such as `findetStatt`. */
export const isCancelledMeeting = (meeting: Record<string, unknown>): boolean =>
  Object.entries(meeting).some(
    ([name, value]) =>
      cancelsSession(name, value) ||
      (typeof value === 'string' && stateName.test(name) && isCancelledTitle(value)),
  );

/** Texts that may say so, too: keywords and properties beyond the standard, but not addresses. */
export const listTexts = (meeting: Record<string, unknown>): string[] =>
  Object.values(meeting)
    .flat()
    .filter((value) => typeof value === 'string')
    .filter((text) => !URL.canParse(text));

/** Characters of a name. */
const maxNameLength = 2_000;

const nonPublic = String.raw`nicht[\s-]{0,2}(?:ö|oe)ff(?:entlich|entl\.|\.)`;
const nonPublicLetters = String.raw`n\.?\s?ö\.?`;
/** "Nichtöffentliche Ratssitzung", "Nichtöffentlicher Teil". */
const nonPublicKind = String.raw`${nonPublic}e[rsn]?\s\p{L}{0,40}(?:sitzung|teil|vorlage|drucksache|antrag|anfrage|tagesordnung|beratung|ausschuss|teils)(?!\p{L})`;

/** "Vertraulich", "Nichtöffentliche", "NÖ" at the start of a name. */
const nonPublicWord = `(?:${nonPublic}(?:e[rsn]?)?|${nonPublicLetters}|vertrauliche?[rsn]?)`;
/** Of them, the plural can be a subject: "Nichtöffentliche Anfragen abschaffen". */
const paperNoun = String.raw`(?:vorlage|drucksache|antrag|anfrage|mitteilung|information|angelegenheit|punkt|(?<!\p{L})top)`;

/**
 * `(nichtöffentlich)`, `(vertraulich)`, `- NÖ`, `Nichtöffentliche Anfrage der CDU` and `Dringlichkeitsantrag NÖ`, but not
 * `(öffentlich/nichtöffentlich)`.
 */
const nonPublicNote = new RegExp(
  String.raw`(?:^|[([,]|\s[-–—])\s*(?:${nonPublicKind}|${nonPublic}|${nonPublicLetters}|vertraulich)\s*(?:$|[)\]:,]|[-–—](?:\s|$))|^${nonPublicWord}[\s-]\p{L}{0,40}${paperNoun}(?!\p{L})|${paperNoun}(?:en)?\s(?:${nonPublic}|${nonPublicLetters}|vertraulich)$`,
  'iu',
);
/** Beside those: "12. nichtöffentliche Sitzung des Rates", "Rat nichtöffentlich", "Antrag NÖ". */
const nonPublicLabel = new RegExp(
  String.raw`^(?:\d{1,4}\.\s)?${nonPublicKind}|(?<!\p{L})${nonPublic}(?!\p{L})|\s${nonPublicLetters}$`,
  'iu',
);
/** Also of a meeting that is called public. */
const nonPublicPart = new RegExp(String.raw`(?:\(|\s[-–—]\s)${nonPublic}er\steil\)?$`, 'iu');
const nonPublicWords = new RegExp(`${nonPublic}|(?<!\\p{L})${nonPublicLetters}(?!\\p{L})`, 'giu');
/** "(öffentlich)", "Ö" and "öffentliche Ratssitzung", but not "öffentliche Ordnung" and "nach der öffentlichen Sitzung". */
const publicNote =
  /(?<!\p{L}|(?:an|nach|vor)\s(?:die|der)\s)(?:(?:ö|oe)ff(?:entl)?\.|ö(?!\p{L})|(?:ö|oe)ffentlich(?!\p{L}|-\p{L})|(?:ö|oe)ffentliche[nmrs]?\s(?:\p{L}{0,40}(?:sitzung|teil)(?!\p{L})|und\s))/iu;

const toNote = (name: unknown) => toText(name).slice(0, maxNameLength).normalize('NFC').trim();

/** Whether a name or a keyword says that its object is not public. */
export const hasNonPublicNote = (name: unknown): boolean => nonPublicNote.test(toNote(name));

/** @param ofKind matches names of this kind of objects that are not public */
function isNonPublicText(text: string, ofKind: RegExp): boolean {
  if (nonPublicPart.test(text)) return true;
  const isNoted = nonPublicNote.test(text) || ofKind.test(text);
  return isNoted && !publicNote.test(text.replaceAll(nonPublicWords, ''));
}

/** Whether the name of a meeting, or a type, says that no part of it is public. */
export const isNonPublicLabel = (label: unknown): boolean => isNonPublicText(toNote(label), nonPublicLabel);

const fileNoun =
  '(?:anlage|anhang|niederschrift|protokoll|auszug|unterlage|dokument|begründung|stellungnahme|vermerk)';
/** "NÖ Anlage 3", "N-Anlage 1", "TOP 4 Nichtöffentliche Begründung", "Interne Anlage"; of the plural, only without a verb that can follow it. */
const nonPublicFileStart = new RegExp(
  String.raw`^(?:top\s)?[\d\s./-]{0,20}(?:${nonPublicWord}|(?:interne|geheime)[rsn]?|n(?=-))[\s-]\p{L}{0,40}${fileNoun}(?:(?!\p{L})|(?:en|n|e)(?:$|[^\p{L}\s]|\s(?:\d|zu[mr]?\s)))`,
  'iu',
);
/** "Niederschrift nichtöffentlicher Teil", but not "Bekanntgabe der Beschlüsse aus nichtöffentlicher Sitzung" and "Protokoll nichtöffentlich gefasster Beschlüsse". */
const nonPublicFile = new RegExp(
  String.raw`(?:^|\s)(?:${nonPublic}|${nonPublicLetters}|vertraulich|intern|nur für den dienstgebrauch)$|[([]\s?intern\s?[)\]]|(?<!\p{L})vs-nfd(?!\p{L})|^(?:nicht veröffentlichen|(?:streng )?geheim(?=$|:|\s[-–—]))(?!\p{L})|(?<!\p{L})${nonPublicLetters}[\s-]teils?(?!\p{L})|^\p{L}{0,40}(?:${fileNoun}n?|einladung|tagesordnung)\s(?:\d{1,4}\s)?(?:(?:(?:der|des|zum|zur)\s)?${nonPublicKind}$|(?:${nonPublic}|${nonPublicLetters})(?!\p{L}|\s(?:gefasst|behandelt|beraten|beschl)))`,
  'iu',
);

const listFileLabels = ({ name, fileName }: Record<string, unknown>): string[] =>
  [name, fileName].map((label) =>
    toNote(label)
      .replace(/\.[a-z\d]{2,5}$/i, '')
      .replaceAll('_', ' '),
  );

/** Whether a property or its name says that a file is public: "Niederschrift öffentlich". */
export const saysPublicFile = (file: Record<string, unknown>): boolean =>
  isMarkedPublic(file) ||
  listFileLabels(file).some((label) => publicNote.test(label.replaceAll(nonPublicWords, '')));

/** Of files, the names say it: the standard has no property for it. */
export function isPublicFile(file: Record<string, unknown>): boolean {
  if (findWithheld(file) !== undefined) return false;
  const labels = listFileLabels(file);
  return (
    isMarkedPublic(file) ||
    !labels.some((label) => nonPublicFileStart.test(label) || isNonPublicText(label, nonPublicFile))
  );
}

/** Whether the object itself says that it is public. */
export const isMarkedPublic = ({ public: isPublic }: Record<string, unknown>): boolean =>
  isMarked(isPublic) && !isDenied(isPublic);

/** Unless the council treats the agenda item behind closed doors. Its name counts only without the property of the standard. */
export const isPublicItem = (item: Record<string, unknown>): boolean =>
  findWithheld(item) === undefined && (isMarkedPublic(item) || !hasNonPublicNote(item.name));

/** @returns why a paper must not be public. The standard has no property for it: systems write it into the type, the name and the keywords. */
export function findWithheldPaper(paper: Record<string, unknown>): Reason | undefined {
  const { paperType, name, keyword } = paper;
  const withheld = findWithheld(paper);
  if (withheld !== undefined || isMarkedPublic(paper)) return withheld;
  const isNonPublic =
    isNonPublicLabel(paperType) || hasNonPublicNote(name) || toList(keyword).some(hasNonPublicNote);
  return findStatusMark(paperType) ?? (isNonPublic ? { code: 'record-private' } : undefined);
}

export const toList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** A string or number as text. Objects give an empty text, because calling their own `toString` would be unsafe. */
export const toText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

export const toTextOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? value.trim() : null;

/** Of papers and meetings. */
export const sourceRules: readonly FieldRule<OparlObject, unknown>[] = [
  { field: 'title', from: '`name`', extract: ({ name }) => convertMarkupLine(toText(name)) || null },
  { field: 'sourceUrl', from: '`web`', extract: ({ web }) => web },
];

/** The URL of a referenced object. References are URLs or embedded objects. */
export const getReferenceUrl = (value: unknown): unknown => (isObject(value) ? value.id : value);

/** Case-insensitive. */
export function containsAny(text: string, words: readonly string[]): boolean {
  const normalized = normalizeCase(text);
  return words.some((word) => normalized.includes(normalizeCase(word)));
}

/** For comparison. */
export const normalizeCase = (text: string) => text.normalize('NFC').toLowerCase();
