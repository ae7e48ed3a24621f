/**
 * Takes what points at a person out of descriptions before they are written: the installation's choice, the same
 * for every format.
 */
import { isSupportedCountry } from 'libphonenumber-js/min';
import { limits } from '../../contract/resource-schemas.ts';
import { InputError, type PublishableRecord } from '../parsed-record.ts';
import { type CustomPatterns, createCustomRedactor, SlowPattern } from './custom-patterns.ts';
import { detectors, type PiiKind, type RedactedText, replaceRanges } from './pii-detectors.ts';

export interface RedactionRules {
  kinds: readonly PiiKind[];
  /** Of telephone numbers that are written without one. */
  country: string;
  patterns: CustomPatterns;
}

export interface Redactor {
  /** Of everything that is looked for. */
  names: readonly string[];
  /** Each reading as it may be kept; one that cannot be redacted is refused. Rejects with the reason of an abort. */
  redact(readings: readonly PublishableRecord[], signal: AbortSignal): Promise<RedactedRecord[]>;
}

export interface RedactedRecord {
  reading: PublishableRecord;
  /** The name of each stretch that was replaced. */
  found: readonly string[];
}

/**
 * @returns undefined: nothing is to be redacted
 * @throws InputError for a country that there is not
 */
export function createRedactor({ kinds, country, patterns }: RedactionRules): Redactor | undefined {
  if (!isSupportedCountry(country))
    throw new InputError(`ROSTRA_REDACT_COUNTRY must be a country such as DE, AT or CH, not "${country}".`);
  if (kinds.length === 0 && patterns.size === 0) return undefined;
  const chosen = detectors.filter(({ kind }) => kinds.includes(kind));
  const redactOwn = patterns.size === 0 ? undefined : createCustomRedactor(patterns);
  return {
    names: [...chosen.map(({ kind }) => kind), ...patterns.keys()],
    redact: async (readings, signal) => {
      const texts = readings.map((reading) => descriptionOf(reading) ?? '');
      const begun =
        (await redactOwn?.(texts, signal)) ?? texts.map((text): RedactedText => ({ text, found: [] }));
      return readings.map((reading, index) => {
        const text = begun[index] as RedactedText | SlowPattern;
        if (text instanceof SlowPattern) {
          const reason = `the pattern "${text.name}" of ROSTRA_REDACT_PATTERNS takes too long with its description: make the pattern simpler`;
          return { reading: refusalOf(reading, reason), found: [] };
        }
        const redacted = chosen.reduce(
          (before, { kind, placeholder, find }) =>
            replaceRanges(before, find(before.text, country), kind, placeholder),
          text,
        );
        return redacted.found.length === 0 ? { reading, found: [] } : withText(reading, redacted);
      });
    },
  };
}

/** Submissions alone have a text that citizens wrote. */
function descriptionOf(reading: PublishableRecord): string | undefined {
  return 'record' in reading && reading.record.kind === 'submission' ? reading.record.description : undefined;
}

function withText(reading: PublishableRecord, { text, found }: RedactedText): RedactedRecord {
  if (!('record' in reading) || reading.record.kind !== 'submission') return { reading, found: [] };
  // What stands for a short address can be longer than that.
  if (text.length > limits.description && [...text].length > limits.description) {
    const reason = `description must not have more than ${limits.description} characters, and has once it is redacted`;
    return { reading: refusalOf(reading, reason), found: [] };
  }
  return { reading: { ...reading, record: { ...reading.record, description: text } }, found };
}

function refusalOf({ location, id }: PublishableRecord, rejectionReason: string): PublishableRecord {
  return { location, id, rejectionReason };
}
