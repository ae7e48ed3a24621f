/**
 * Patterns that an installation brings. What one costs cannot be told from looking at it, and it can be more time
 * than anybody has; so they search under a time limit, which V8 keeps even in the middle of a search.
 */
import { createContext, Script } from 'node:vm';
import { replaceStretches, stretchesOf, type Text } from './personal-data.ts';

/** Name → pattern with the flags g and u. */
export type OwnPatterns = ReadonlyMap<string, RegExp>;

/** What all patterns together may take for one text, and for all texts of a batch, milliseconds. */
const limitMs = 250;

/** A pattern was not done with a text when its time was up. */
export class SlowPattern {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Every text with what the patterns match replaced by their names. */
export function redactOwn(texts: readonly string[], patterns: OwnPatterns): (Text | SlowPattern)[] {
  // A limit costs some ten microseconds to set: one is enough for a whole batch, unless that has a slow text.
  const all = withinLimit((onPattern) => texts.map((text) => redactOne(text, patterns, onPattern)));
  if (!(all instanceof SlowPattern)) return all;
  return texts.map((text) => withinLimit((onPattern) => redactOne(text, patterns, onPattern)));
}

function redactOne(text: string, patterns: OwnPatterns, onPattern: (name: string) => void): Text {
  let redacted: Text = { text, found: [] };
  for (const [name, pattern] of patterns) {
    onPattern(name);
    // A pattern can match the empty text before a word: there is nothing to take out.
    const filled = stretchesOf(redacted.text, pattern).filter(({ start, end }) => end > start);
    redacted = replaceStretches(redacted, filled, name, `[${name}]`);
  }
  return redacted;
}

const shared: { work: () => void } = { work: () => undefined };
const context = createContext(shared);
const script = new Script('work()');

/** @param work told-of patterns name the slow one; what it returns is lost when the time is up */
function withinLimit<Result>(work: (onPattern: (name: string) => void) => Result): Result | SlowPattern {
  let result: Result | SlowPattern = new SlowPattern('');
  let at = '';
  const onPattern = (name: string) => {
    at = name;
  };
  shared.work = () => {
    result = work(onPattern);
  };
  try {
    script.runInContext(context, { timeout: limitMs });
    return result;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return new SlowPattern(at);
    throw error;
  } finally {
    shared.work = () => undefined;
  }
}
