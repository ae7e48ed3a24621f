/** Chooses the texts of a dry run that a person reads first, because they may contain personal data. */
import type { CountryCode } from 'libphonenumber-js/max';
import { findPlaceholders } from '../../domain/organizations/placeholder-words.ts';
import type { ImportRecord } from '../../domain/records/records.ts';
import type { TextToCheck } from '../../domain/runs/run-queue.ts';
import { findLikelyNames } from '../privacy/redaction/likely-names.ts';
import { detectPersonalData } from '../privacy/redaction/pii-detectors.ts';
import type { TextRange } from '../privacy/redaction/replace-ranges.ts';

/** Of each kind: with a likely name, with personal data that stays, and with a replacement. */
const maxTexts = 3;

/** The rest of a longer text is not searched. */
const maxSearchedLength = 20_000;

/** Of a text in the report, and of its part before the first mark. */
const maxTextLength = 300;
const maxContextLength = 120;

/** The import has searched all texts once. Two searches of each would take twice the time. */
const maxSearchedTexts = 1_000;

interface TextsToCheck {
  add(record: ImportRecord): void;
  /** Likely names first. */
  list(): TextToCheck[];
}

/** @param country ISO 3166 code for telephone numbers without a country code */
export function createTextsToCheck(country: string): TextsToCheck {
  let named: { weight: number; text: TextToCheck }[] = [];
  const remaining: TextToCheck[] = [];
  const replaced: TextToCheck[] = [];
  let searched = 0;
  const list = () => [...named.map(({ text }) => text), ...remaining, ...replaced];
  /** Some sources send the same text many times. */
  const isListed = (text: string) => list().some((one) => one.text === text);
  return {
    add: (record) => {
      if (record.kind !== 'submission') return;
      const text = record.description.slice(0, maxSearchedLength);
      const names = findLikelyNames(text);
      if (names.length > 0) {
        const weight = Math.max(...names.map((name) => name.weight));
        const last = named.at(-1);
        if (named.length === maxTexts && last !== undefined && last.weight >= weight) return;
        const cut = cutText(text, names);
        if (isListed(cut.text)) return;
        named = [...named, { weight, text: cut }]
          .toSorted((one, other) => other.weight - one.weight)
          .slice(0, maxTexts);
      } else if (remaining.length < maxTexts && searched < maxSearchedTexts) {
        searched += 1;
        const found = detectPersonalData(text, { country: country as CountryCode, isIdentifier: false });
        const marks = found.length > 0 ? found : findPlaceholders(text);
        const kept = found.length > 0 ? remaining : replaced;
        if (marks.length === 0 || kept.length === maxTexts) return;
        const cut = cutText(text, marks);
        if (!isListed(cut.text)) kept.push(cut);
      }
    },
    list,
  };
}

/** The part of the text around its first mark. @param marks in order, without overlap, at least one */
function cutText(text: string, marks: readonly TextRange[]): TextToCheck {
  const [{ start: first } = { start: 0 }] = marks;
  const blank = text.indexOf(' ', first - maxContextLength);
  const from = first <= maxContextLength ? 0 : Math.min(blank + 1, first);
  const until = from + maxTextLength;
  return {
    text: text.slice(from, until),
    marks: marks
      .filter(({ end }) => end <= until)
      .map(({ start, end }) => ({ start: start - from, end: end - from })),
    isCutAtStart: from > 0,
    isCutAtEnd: until < text.length,
  };
}
