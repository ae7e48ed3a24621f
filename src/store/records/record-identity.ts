/**
 * What identifies a record under any id, as texts whose digests are compared.
 *
 * - A submission: its reference number with its day or its text. Without a number, its text of at least 80 characters with its day.
 * - A session: committee, day and time; one without a time, committee and day.
 * - A survey: its title and the texts of its questions.
 */
import type { SurveyTexts } from '../../domain/records/record-decision.ts';
import type { RecordKind } from '../../domain/records/records.ts';
import type { Row } from '../engine.ts';

export interface RecordIdentity {
  /** Cheap: a record equals a decided one only if they share all texts of one of these lists, the most common text first. */
  hints: readonly (readonly string[])[];
  ofDecided(): string[];
  /** It equals a decided record if they share one of these. */
  ofImported(): string[];
}

/** Characters of a text that identifies a submission without a number. */
const minTextLength = 80;

/** Characters of a text without what redaction may replace. */
const minReducedLength = 40;

/** Many records share the end of their reference number, so that an import computes few digests. */
const numberEndLength = 4;

const join = (...parts: readonly string[]): string => JSON.stringify(parts);

/** Of a survey, `row` has also `questionTexts`. @param findDay local day of a time */
export function identifyRecord(
  kind: RecordKind,
  row: Row | SurveyTexts,
  findDay: (at: string) => string,
): RecordIdentity {
  switch (kind) {
    case 'submission':
      return identifySubmission(row as Row, findDay);
    case 'session':
      return identifySession(row as Row);
    case 'survey':
      return identifySurvey(row as SurveyTexts);
  }
}

function identifySubmission(row: Row, findDay: (at: string) => string): RecordIdentity {
  const day = findDay(String(row.created_at));
  const number = foldWords(String(row.reference_number ?? ''));
  const readText = () => identifyText(String(row.description));
  const hasNumber = number !== '';
  return {
    hints: [
      [`day ${day}`],
      ...(hasNumber ? [[`end of number ${number.slice(-numberEndLength)}`, `number ${number}`]] : []),
    ],
    ofDecided: () => {
      const { isLong, whole, reduced, hasPlaceholder } = readText();
      const texts = [
        ...(whole === '' ? [] : [join('whole', whole)]),
        ...(reduced.length < minReducedLength
          ? []
          : [join(hasPlaceholder ? 'redacted' : 'unredacted', reduced)]),
      ];
      return [
        ...(hasNumber ? [join('number and day', number, day)] : []),
        ...texts.flatMap((text) => [
          ...(hasNumber ? [join('number and text', number, text)] : []),
          ...(isLong ? [join(hasNumber ? 'numbered' : 'unnumbered', day, text)] : []),
        ]),
      ];
    },
    ofImported: () => {
      const { whole, reduced, hasPlaceholder } = readText();
      const texts = [
        join('whole', whole),
        join('redacted', reduced),
        ...(hasPlaceholder ? [join('unredacted', reduced)] : []),
      ];
      return [
        ...(hasNumber ? [join('number and day', number, day)] : []),
        ...texts.flatMap((text) => [
          ...(hasNumber ? [join('number and text', number, text)] : [join('numbered', day, text)]),
          join('unnumbered', day, text),
        ]),
      ];
    },
  };
}

function identifySession(row: Row): RecordIdentity {
  const day = String(row.date);
  const committee = foldWords(String(row.committee_name));
  const time = String(row.time_slot ?? '').slice(0, 5);
  const [timed, timedDay, untimed] = [
    join('session', committee, day, time),
    join('session with a time', committee, day),
    join('session without a time', committee, day),
  ];
  return {
    hints: [[`session day ${day}`]],
    ofDecided: () => (time === '' ? [untimed] : [timed, timedDay]),
    ofImported: () => (time === '' ? [timedDay, untimed] : [timed, untimed]),
  };
}

function identifySurvey({ title, questionTexts }: SurveyTexts): RecordIdentity {
  const identity = [join('survey', ...[title, ...questionTexts].map((text) => foldWords(stripMarkup(text))))];
  return { hints: [identity], ofDecided: () => identity, ofImported: () => identity };
}

/** The content by which a person takes two records for the same: day and text, or committee, day and time. */
export function composeContent(
  kind: 'submission' | 'session',
  row: Row,
  findDay: (at: string) => string,
): string {
  return kind === 'submission'
    ? join(findDay(String(row.created_at)), foldWords(stripMarkup(String(row.description))))
    : join(String(row.date), foldWords(String(row.committee_name)), String(row.time_slot ?? '').slice(0, 5));
}

/** The placeholders of redaction are words in brackets. */
const placeholder = /\[[^[\]]{1,100}\]/g;

const streetName = /(?:stra(?:ß|ss)e|str\.?|weg|platz|gasse|allee|ring|ufer|damm|street|road|avenue)$/iu;

const replaceable = /[\p{N}@]|:\/\//u;

/** Without words that redaction may have replaced: those with digits, email addresses, URLs, and the name of a street before its number. */
const dropReplaceable = (text: string): string => {
  if (!replaceable.test(text)) return text;
  const words = text.split(/\s+/);
  return words
    .filter((word, index) => {
      if (replaceable.test(word)) return false;
      return !(/^\p{N}/u.test(words[index + 1] ?? '') && streetName.test(word));
    })
    .join(' ');
};

interface TextIdentity {
  isLong: boolean;
  /** All letters and digits. */
  whole: string;
  /** Without placeholders and words that redaction may have replaced by them. */
  reduced: string;
  hasPlaceholder: boolean;
}

function identifyText(given: string): TextIdentity {
  const text = stripMarkup(given);
  const withoutPlaceholders = text.replaceAll(placeholder, ' ');
  const remaining = dropReplaceable(withoutPlaceholders);
  const whole = foldWords(text);
  return {
    isLong: text.length >= minTextLength,
    whole,
    // Most texts have nothing to leave out.
    reduced: remaining === text ? whole : foldWords(remaining),
    hasPlaceholder: withoutPlaceholders !== text,
  };
}

/** Also entities and invisible characters. Blanks become one. */
const stripMarkup = (text: string): string =>
  text
    .replaceAll(/<[^<>]{0,2000}>|&#?\w{1,20};/g, ' ')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Letters and digits, without case. Most reference numbers are ASCII, which takes a tenth of the time. */
const foldWords = (text: string): string =>
  /^[ -~]*$/.test(text)
    ? text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '')
    : text
        .normalize('NFKC')
        .toUpperCase()
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '');
