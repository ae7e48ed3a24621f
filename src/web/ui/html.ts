/** The template tag of pages. Lists in it can wait until the page is written, which takes as many slices as it needs. */
import { type SafeHtml as EagerHtml, html as eagerHtml, isSafeHtml } from '@remix-run/html-template';
import { isSliceUsedUp, waitForSlice } from '../../platform/time-slices.ts';

/** Escaped, or escaped when it is written. */
export type SafeHtml = EagerHtml | LazyHtml;

/** Without booleans, which would be written as words. */
type Value = SafeHtml | string | number | null | undefined | readonly Value[];

/** Parts of a page in their order. They are not written yet. */
class LazyHtml {
  readonly parts: Iterable<Value>;

  constructor(parts: Iterable<Value>) {
    this.parts = parts;
  }

  /** At once. Pages are written with `writeInSlices`. */
  toString(): string {
    return [...listWritten(this)].join('');
  }
}

/** Longer texts are escaped in pieces. */
const maxEscapedLength = 8_192;

const isLongText = (value: Value): boolean => typeof value === 'string' && value.length > maxEscapedLength;

const isLazy = (value: Value): boolean =>
  value instanceof LazyHtml || isLongText(value) || (Array.isArray(value) && value.some(isLazy));

/** Escapes all values but HTML. */
export function html(strings: TemplateStringsArray, ...values: Value[]): SafeHtml {
  if (!values.some(isLazy)) return eagerHtml(strings, ...(values as EagerValues));
  return new LazyHtml(strings.flatMap((text, index) => [eagerHtml.raw`${text}`, values[index]]));
}

type EagerValues =
  Parameters<typeof eagerHtml> extends [TemplateStringsArray, ...infer Values] ? Values : never;

/** Of trusted text. */
html.raw = eagerHtml.raw;

/** A list whose items are rendered when the page is written. */
export const each = <Item>(
  items: Iterable<Item>,
  render: (item: Item, index: number) => SafeHtml,
): SafeHtml => new LazyHtml(mapLazily(items, render));

/** Maps the items whenever somebody reads the result. */
export const mapLazily = <Item, Result>(
  items: Iterable<Item>,
  map: (item: Item, index: number) => Result,
): Iterable<Result> => ({ [Symbol.iterator]: () => Iterator.from(items).map(map) });

/** The written parts, without recursion, because lists have lists. */
function* listWritten(root: Value): Generator<string> {
  const open: Iterator<Value>[] = [[root].values()];
  for (let parts = open.at(-1); parts !== undefined; parts = open.at(-1)) {
    const { done, value } = parts.next();
    if (done) open.pop();
    else if (value instanceof LazyHtml) open.push(value.parts[Symbol.iterator]());
    else if (isLongText(value)) open.push(listPieces(value as string));
    else if (Array.isArray(value)) open.push(value.values());
    else yield isSafeHtml(value) ? String(value) : String(eagerHtml`${value as string}`);
  }
}

/** Escapes replace single characters, so a text can be cut between any two, but each piece may be encoded alone. */
function* listPieces(text: string): Generator<string> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = start + maxEscapedLength;
    // A longer piece would be cut again.
    if (isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
  }
}

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;

/** Joining or encoding a longer text at once would take too long. */
const pieceLength = 65_536;

/** Renders the lists of a page, and waits for another slice whenever one is used up. @returns the page in pieces */
export const writeInSlices = (page: SafeHtml): Promise<string[]> => convertInSlices(page, (piece) => piece);

async function convertInSlices<Piece>(page: SafeHtml, convert: (piece: string) => Piece): Promise<Piece[]> {
  const pieces: Piece[] = [];
  let piece = '';
  for (const written of listWritten(page)) {
    piece += written;
    if (piece.length >= pieceLength) {
      pieces.push(convert(piece));
      piece = '';
    }
    if (isSliceUsedUp()) await waitForSlice();
  }
  return [...pieces, convert(piece)];
}

/** Joining or sending more at once would take too long. */
const maxBytesAtOnce = 4 * pieceLength;

/** A short page, or a long one in pieces. */
export type EncodedPage = Buffer | readonly Buffer[];

/** Renders and encodes a page in slices. */
export async function encodeInSlices(page: SafeHtml): Promise<EncodedPage> {
  const pieces = await convertInSlices(page, (piece) => Buffer.from(piece));
  return countBytes(pieces) <= maxBytesAtOnce ? Buffer.concat(pieces) : pieces;
}

export const countBytes = (page: EncodedPage): number =>
  Buffer.isBuffer(page) ? page.length : page.reduce((sum, { length }) => sum + length, 0);

/** @returns the pieces of a long page, each in its slice */
export async function* sendInSlices(pieces: readonly Buffer[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) {
    if (isSliceUsedUp()) await waitForSlice();
    yield piece;
  }
}
