/**
 * Patterns that an installation brings. What one costs cannot be told from looking at it, and it can be more time
 * than anybody has; so they search under a time limit, which V8 keeps even in the middle of a search.
 */
import { setImmediate } from 'node:timers/promises';
import { createContext, Script } from 'node:vm';
import { findMatches, type RedactedText, replaceRanges } from './pii-detectors.ts';

/** Name → pattern with the flags g and u. */
export type CustomPatterns = ReadonlyMap<string, RegExp>;

/** What all patterns together may take for one text, and for all texts of a batch, milliseconds. */
const limitMs = 250;

/** A pattern was not done with a text when its time was up. */
export class SlowPattern {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Replaces what the patterns match in each text by their names. */
export function createCustomRedactor(
  patterns: CustomPatterns,
): (texts: readonly string[], signal: AbortSignal) => Promise<(RedactedText | SlowPattern)[]> {
  const limited = createLimit();
  return async (texts, signal) => {
    // A limit costs a tenth of a millisecond to set: one is enough for a whole batch, unless that has a slow text.
    const all = limited((onPattern) => texts.map((text) => redactOne(text, patterns, onPattern)));
    if (!(all instanceof SlowPattern)) return all;
    const each: (RedactedText | SlowPattern)[] = [];
    for (const text of texts) {
      each.push(limited((onPattern) => redactOne(text, patterns, onPattern)));
      // A batch of slow texts takes minutes, in which a process has to be stopped and to show that it lives.
      await setImmediate();
      signal.throwIfAborted();
    }
    return each;
  };
}

function redactOne(text: string, patterns: CustomPatterns, onPattern: (name: string) => void): RedactedText {
  let redacted: RedactedText = { text, replaced: [] };
  for (const [name, pattern] of patterns) {
    onPattern(name);
    // A pattern can match the empty text before a word: there is nothing to take out.
    const filled = findMatches(redacted.text, pattern).filter(({ start, end }) => end > start);
    redacted = replaceRanges(redacted, filled, name, `[${name}]`);
  }
  return redacted;
}

/** Only a script has a limit, and it may call what is outside. */
function createLimit() {
  const shared = { work: () => {} };
  const context = createContext(shared);
  const script = new Script('work()');
  /** @param work tells which pattern it is at; what it has done is lost when its time is up */
  return <Result>(work: (onPattern: (name: string) => void) => Result): Result | SlowPattern => {
    let at = '';
    let result: Result | undefined;
    shared.work = () => {
      result = work((name) => {
        at = name;
      });
    };
    try {
      script.runInContext(context, { timeout: limitMs });
      return result as Result;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT')
        return new SlowPattern(at);
      throw error;
    }
  };
}
