/**
 * Limits for JSON: nesting, the number of values, and repeated names in an object, which parsers resolve differently
 * (RFC 8259, section 4).
 */
import type { Reason } from '../../../domain/reasons/reason.ts';

/** Maximum of a line, an entry and a document: bytes, or characters of decoded text. */
export const maxTextLength = 64 * 1024 * 1024;

/** Levels of objects and arrays. Real records have fewer than ten. */
export const maxLevels = 100;
export const tooDeep: Reason = { code: 'json-too-deep', max: maxLevels };

export const createRepeatedName = (name: string): Reason => ({
  code: 'json-name-repeated',
  name: name.slice(0, 60),
});

/** Parsing more levels than this takes too much memory. */
export const maxParsedLevels = 200_000;

/** Whether parsing the text would take too much memory. */
export function isNestedTooDeeply(text: string): boolean {
  // A shorter text cannot take much memory.
  if (text.length < 1024 * 1024) return false;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at);
      if (at === -1) return false;
    } else if (code === openingBracket || code === openingBrace) {
      level += 1;
      if (level > maxParsedLevels) return true;
    } else if (code === closingBracket || code === closingBrace) level -= 1;
  }
  return false;
}

/** Names, values and brackets of a response. Each takes memory. */
const maxTokens = 4_000_000;

/**
 * Checks JSON before it is parsed, so that a short text cannot take much memory.
 *
 * @param outerLevels levels around a record
 * @returns a function that receives the next bytes and returns the problem found
 */
export function createSizeCheck(outerLevels: number): (bytes: Uint8Array) => Reason | undefined {
  let level = 0;
  let tokens = 1;
  let isInText = false;
  let isEscaped = false;

  function countByte(code: number): void {
    if (isEscaped) isEscaped = false;
    else if (isInText && code === backslash) isEscaped = true;
    else if (code === quote) isInText = !isInText;
    else if (isInText) return;
    else if (code === comma || code === colon) tokens += 1;
    else if (code === openingBracket || code === openingBrace) {
      tokens += 1;
      level += 1;
    } else if (code === closingBracket || code === closingBrace) level -= 1;
  }

  return (bytes) => {
    for (const code of bytes) {
      countByte(code);
      if (level > maxLevels + outerLevels) return tooDeep;
      if (tokens > maxTokens) return { code: 'json-too-many-values', millions: maxTokens / 1_000_000 };
    }
    return undefined;
  };
}

/**
 * Finds repeated names and too many levels.
 *
 * @param value the parsed text
 */
export function findShapeProblem(text: string, value: unknown): Reason | undefined {
  const names = countParsedNames(value);
  if (names === undefined) return tooDeep;
  // Counting is faster than comparing names. Only a different count needs a comparison.
  return countNames(text) === names ? undefined : createRepeatedName(findRepeatedName(text));
}

/** Counts the names of all objects in the value; undefined: too many levels. */
function countParsedNames(value: unknown, level = 0): number | undefined {
  if (typeof value !== 'object' || value === null) return 0;
  if (level === maxLevels) return undefined;
  let count = 0;
  // The names of array entries are not in the text.
  const own = Array.isArray(value) ? 0 : 1;
  for (const name in value) {
    count += own;
    const entry = (value as Record<string, unknown>)[name];
    if (typeof entry !== 'object') continue;
    const within = countParsedNames(entry, level + 1);
    if (within === undefined) return undefined;
    count += within;
  }
  return count;
}

const quote = 34;
const comma = 44;
const colon = 58;
const backslash = 92;
const openingBracket = 91;
const closingBracket = 93;
const openingBrace = 123;
const closingBrace = 125;

/** @param start index of the opening quotation mark @returns the index of the closing one */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (text.charCodeAt(end - 1) === backslash && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

function isEscaped(text: string, index: number): boolean {
  let before = index;
  while (text.charCodeAt(before - 1) === backslash) before -= 1;
  return (index - before) % 2 === 1;
}

function isName(text: string, end: number): boolean {
  let next = end + 1;
  // Skips white space: blank, tab and line breaks.
  while (text.charCodeAt(next) <= 32) next += 1;
  return text.charCodeAt(next) === colon;
}

/** @param text valid JSON */
function countNames(text: string): number {
  let count = 0;
  for (let start = text.indexOf('"'); start !== -1; ) {
    const end = endOfString(text, start);
    if (isName(text, end)) count += 1;
    start = text.indexOf('"', end + 1);
  }
  return count;
}

/** @param text valid JSON with a repeated name in an object */
function findRepeatedName(text: string): string {
  const open: Set<string>[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '{') open.push(new Set());
    else if (character === '}') open.pop();
    else if (text.charCodeAt(at) === quote) {
      const end = endOfString(text, at);
      if (isName(text, end)) {
        const name = JSON.parse(text.slice(at, end + 1)) as string;
        if (open.at(-1)?.has(name)) return name;
        open.at(-1)?.add(name);
      }
      at = end;
    }
  }
  return '';
}
