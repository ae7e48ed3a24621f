/** Results for AI assistants: small, and without characters that people do not see. */
import { quotedFields } from '../../../contract/mcp-tools.ts';
import { HttpError } from '../responses/errors.ts';
import { createArgumentError } from './read-arguments.ts';

/** Of a result in UTF-8. Assistants cut or refuse results of more than about 25,000 tokens. */
const maxResultBytes = 16_384;

/**
 * Control characters except line breaks and tabs, and characters without a form of their own: joiners, marks of direction, tags,
 * selectors of variants. Instructions can hide in them.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]|[^\P{Cc}\n\t]/gu;

export const cleanText = (text: string): string => text.replace(invisible, '').toWellFormed();

const isLowSurrogate = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff;

/** Moves an end inside a character to its start. */
const alignToCharacter = (text: string, at: number): number =>
  at < text.length && isLowSurrogate(text.charCodeAt(at)) ? at - 1 : at;

const isWebUrl = (text: string) => /^https?:\/\//.test(text);

export interface ValueLimits {
  /** UTF-16 units of a text. An address is never shortened. */
  text: number;
  /** Entries of a list in a record. */
  entries: number;
}

/** Cleans and shortens a value of the API. Unknown values of an object, which are null, are left out. */
export function compactValue(value: unknown, limits: ValueLimits): unknown {
  if (typeof value === 'string') {
    const text = cleanText(value);
    if (text.length <= limits.text || isWebUrl(text)) return text;
    return `${text.slice(0, alignToCharacter(text, limits.text))}…`;
  }
  if (Array.isArray(value)) {
    // Coordinates.
    if (value.every((entry) => typeof entry === 'number')) return value;
    const shown = value.slice(0, limits.entries).map((entry) => compactValue(entry, limits));
    return value.length > shown.length ? [...shown, `… and ${value.length - shown.length} more`] : shown;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      member === null ? [] : [[name, compactValue(member, limits)]],
    ),
  );
}

/** A submission or session, with the texts that people wrote freely under `quoted`. Many texts begin with their title. */
export function compactRecord(record: object, limits: ValueLimits): Record<string, unknown> {
  const { title, description } = record as { title?: unknown; description?: unknown };
  const isRepeated = typeof title === 'string' && String(description).startsWith(title);
  const { title: _, ...withoutTitle } = record as { title?: unknown };
  const entries = Object.entries(compactValue(isRepeated ? withoutTitle : record, limits) as object);
  const quoted = entries.filter(([name]) => quotedFields.has(name));
  return {
    ...Object.fromEntries(entries.filter(([name]) => !quotedFields.has(name))),
    ...(quoted.length > 0 && { quoted: Object.fromEntries(quoted) }),
  };
}

interface TextWindow {
  record: Record<string, unknown>;
  /** Start of the next part of the long texts; undefined after the last one. */
  next: number | undefined;
}

/** The parts of the long texts of a record that begin at `offset`. */
export function cutLongTexts(record: object, offset: number, length: number): TextWindow {
  let next: number | undefined;
  let longest = 0;
  const cut = Object.entries(record).map(([name, value]) => {
    const text = typeof value === 'string' ? cleanText(value) : '';
    longest = Math.max(longest, text.length);
    if (text.length <= length || isWebUrl(text)) return [name, value];
    const end = alignToCharacter(text, offset + length);
    if (end < text.length) next = Math.max(next ?? 0, end);
    return [name, text.slice(alignToCharacter(text, offset), end)];
  });
  if (offset > 0 && offset >= longest)
    throw createArgumentError(`The parameter "text_offset" must be less than ${longest}.`, 'text_offset');
  return { record: Object.fromEntries(cut), next };
}

const tooLarge = new HttpError(
  400,
  'The result is too large for this tool: the operations of the API at /docs return it.',
);

/**
 * The JSON of the first result that is small enough.
 *
 * @param sizes from large to small
 */
export async function fitResult<Size>(
  sizes: readonly Size[],
  compose: (size: Size) => object | Promise<object>,
): Promise<string> {
  for (const size of sizes) {
    const text = JSON.stringify(await compose(size));
    if (Buffer.byteLength(text) <= maxResultBytes) return text;
  }
  throw tooLarge;
}

export interface ListSize extends ValueLimits {
  /** Items of a list. */
  count: number;
}

/**
 * The JSON of as many items as fit, at most `count`.
 *
 * @param shorter limits of the values of a single item that is too large otherwise
 */
export async function fitList(
  count: number,
  limits: ValueLimits,
  shorter: ValueLimits,
  compose: (size: ListSize) => object | Promise<object>,
): Promise<string> {
  for (let tried = count; tried > 0; ) {
    const text = JSON.stringify(await compose({ count: tried, ...limits }));
    const bytes = Buffer.byteLength(text);
    if (bytes <= maxResultBytes) return text;
    tried = Math.min(tried - 1, Math.max(1, Math.floor((tried * maxResultBytes) / bytes)));
  }
  return fitResult([{ count: 1, ...shorter }], compose);
}
