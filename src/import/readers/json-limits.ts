/**
 * What JSON allows, and no record can mean: a name that stands twice in one object, of which every parser takes
 * another one, and values nested without end.
 */

/** Longest line, entry and document: bytes, or characters where they are decoded. */
export const maxTextLength = 64 * 1024 * 1024;

/** Levels of objects and arrays; what municipalities publish has fewer than ten. */
export const maxLevels = 100;
export const tooDeepMessage = `is nested more than ${maxLevels} levels deep: nothing in a record is`;

export const repeatedNameMessage = (name: string): string =>
  `has ${JSON.stringify(name.slice(0, 60))} twice in the same object: leave one of them out`;

/** So many levels take more memory than a text of their length may. */
export const maxParsedLevels = 200_000;

/** Whether a text is nested so deeply that it must not be parsed at all. */
export function isNestedTooDeeply(text: string): boolean {
  // A shorter one can do no harm.
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

/** Names, values and brackets of one answer of an endpoint: each takes memory, however short it is. */
const maxTokens = 4_000_000;

/**
 * Checks JSON that arrives in pieces before it is parsed, so that a short text cannot take much memory.
 *
 * @param levels that a record may be nested in
 * @returns a function that takes the next bytes and returns the fault found so far, as a sentence without its subject
 */
export function createSizeCheck(levels: number): (bytes: Uint8Array) => string | undefined {
  let level = 0;
  let tokens = 1;
  let isInText = false;
  let isEscaped = false;

  function look(code: number): void {
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
      look(code);
      if (level > maxLevels + levels) return tooDeepMessage;
      if (tokens > maxTokens) return `has more than ${maxTokens / 1_000_000} million values`;
    }
    return undefined;
  };
}

/**
 * @param text of the value
 * @param value what JSON.parse made of it
 * @returns what is wrong with it, as a sentence without its subject
 */
export function findShapeProblem(text: string, value: unknown): string | undefined {
  const names = namesIn(value);
  if (names === undefined) return tooDeepMessage;
  // The names in the text are counted without looking at them: only a difference is worth a closer look.
  return countNames(text) === names ? undefined : repeatedNameMessage(findRepeated(text));
}

/** How many names the objects in a value have; undefined: it is nested too deeply. */
function namesIn(value: unknown, level = 0): number | undefined {
  if (typeof value !== 'object' || value === null) return 0;
  if (level === maxLevels) return undefined;
  let count = 0;
  // The entries of an array go by names too, which are no names in the text.
  const own = Array.isArray(value) ? 0 : 1;
  for (const name in value) {
    count += own;
    const entry = (value as Record<string, unknown>)[name];
    if (typeof entry !== 'object') continue;
    const within = namesIn(entry, level + 1);
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

/** Where a string ends: the index of its closing quotation mark. @param start of its opening one */
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
  // Blank, tab and line breaks are all that may stand between.
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

/** @param text valid JSON in which one object has a name twice */
function findRepeated(text: string): string {
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
