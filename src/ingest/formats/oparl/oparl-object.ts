/** OParl objects as sources have them, with access to their untyped properties. */
import type { Reason } from '../../../domain/reasons/reason.ts';
import { isObject } from '../../records/field-validation.ts';
import { convertMarkupLine } from '../../records/html-to-text.ts';
import { findRetractionMark, isDenied, isMarked } from '../../records/retraction-marks.ts';
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

/** In such a consultation a committee advises another one, which decides on the paper (`authoritative: false`). */
export const isAdvisory = ({ authoritative }: Record<string, unknown>): boolean => isDenied(authoritative);

/** The standard recommends words for `meetingState`, but systems write their own. */
export const isCancelledMeeting = ({ cancelled, meetingState }: Record<string, unknown>): boolean =>
  isMarked(cancelled) || (typeof meetingState === 'string' && isCancelledTitle(meetingState));

/** An agenda item that the council treats behind closed doors. */
export const isPublicItem = ({ public: isPublic }: Record<string, unknown>): boolean => !isDenied(isPublic);

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
