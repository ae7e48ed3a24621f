/**
 * Redacts with the patterns of an installation. A regular expression can take exponential time, so each search has a time
 * limit.
 */
import { setImmediate } from 'node:timers/promises';
import { createTimeLimit, TimeLimitError } from '../../../platform/processor-time-limit.ts';
import { addRanges, findInFolded, isFoldable } from './fold-text.ts';
import { findMatches, replaceRanges, type TextRange } from './replace-ranges.ts';

/** By name, with the flags g and u. */
export type CustomPatterns = ReadonlyMap<string, RegExp>;

/** Several can have the same name. */
type NamedPatterns = readonly (readonly [name: string, pattern: RegExp])[];

/** For all patterns on one text, or on all texts of a batch. */
const timeoutMs = 250;

/** A text with the name of the pattern for each range that was replaced. */
export interface RedactedText {
  text: string;
  replaced: readonly string[];
}

/** `slowPattern`: the pattern that exceeded the time limit. */
export type PatternResult = RedactedText | { slowPattern: string };

/** Replaces each match with the name of its pattern. */
export function createPatternRedactor(
  patterns: NamedPatterns,
): (texts: readonly string[], signal: AbortSignal) => Promise<PatternResult[]> {
  const runLimited = createTimeLimit(timeoutMs);
  const redactLimited = (texts: readonly string[]): RedactedText[] | { slowPattern: string } => {
    let current = '';
    const onPattern = (name: string) => {
      current = name;
    };
    try {
      return runLimited(() => texts.map((text) => redactOne(text, patterns, onPattern)));
    } catch (error) {
      if (error instanceof TimeLimitError) return { slowPattern: current };
      throw error;
    }
  };
  return async (texts, signal) => {
    // Each limit costs 0.1 ms, so the whole batch has one, unless it contains a slow text.
    const all = redactLimited(texts);
    if (!('slowPattern' in all)) return all;
    const each: PatternResult[] = [];
    for (const text of texts) {
      const result = redactLimited([text]);
      each.push('slowPattern' in result ? result : (result[0] as RedactedText));
      // A batch of slow texts takes minutes. Signals and the heartbeat need their turns.
      await setImmediate();
      signal.throwIfAborted();
    }
    return each;
  };
}

function redactOne(text: string, patterns: NamedPatterns, onPattern: (name: string) => void): RedactedText {
  let redacted: RedactedText = { text, replaced: [] };
  for (const [name, pattern] of patterns) {
    onPattern(name);
    const matches = findPattern(redacted.text, pattern);
    redacted = {
      text: replaceRanges(redacted.text, matches, () => `[${name}]`),
      replaced: [...redacted.replaced, ...matches.map(() => name)],
    };
  }
  return redacted;
}

/** In the text as it is, and as people see it. */
function findPattern(text: string, pattern: RegExp): TextRange[] {
  // Empty matches have nothing to redact.
  const find = (reading: string) => findMatches(reading, pattern).filter(({ start, end }) => end > start);
  const found = find(text);
  return isFoldable(text) ? addRanges(text, found, findInFolded(text, find)) : found;
}
