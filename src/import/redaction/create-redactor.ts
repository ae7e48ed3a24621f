/** Redacts personal data in descriptions before they are written, for all formats alike. */
import { isSupportedCountry } from 'libphonenumber-js/min';
import { limits } from '../../contract/field-schemas.ts';
import type { RedactionKind } from '../../domain/import-source.ts';
import { InputError } from '../input-error.ts';
import type { PublishableRecord } from '../parsed-record.ts';
import { type CustomPatterns, createPatternRedactor, type PatternResult } from './custom-pattern-redactor.ts';
import { piiDetectors, type RedactedText, replaceRanges } from './pii-detectors.ts';

export interface RedactionRules {
  kinds: readonly RedactionKind[];
  /** ISO 3166 code for telephone numbers without a country code. */
  country: string;
  patterns: CustomPatterns;
}

export interface Redactor {
  /** The kinds and the names of the patterns. */
  names: readonly string[];
  /** Rejects a record that cannot be redacted. @throws the reason of an abort */
  redact(records: readonly PublishableRecord[], signal: AbortSignal): Promise<PublishableRecord[]>;
}

/**
 * @returns undefined if there is nothing to redact
 * @throws InputError for an unknown country
 */
export function createRedactor({ kinds, country, patterns }: RedactionRules): Redactor | undefined {
  if (!isSupportedCountry(country))
    throw new InputError(`ROSTRA_REDACT_COUNTRY must be a country such as DE, AT or CH, not "${country}".`);
  if (kinds.length === 0 && patterns.size === 0) return undefined;
  const chosen = piiDetectors.filter(({ kind }) => kinds.includes(kind));
  const redactCustom = patterns.size === 0 ? undefined : createPatternRedactor(patterns);
  return {
    names: [...chosen.map(({ kind }) => kind), ...patterns.keys()],
    redact: async (records, signal) => {
      const texts = records.map((parsed) => getDescription(parsed) ?? '');
      const results: PatternResult[] = redactCustom
        ? await redactCustom(texts, signal)
        : texts.map((text) => ({ text, replaced: [] }));
      return records.map((parsed, index) => {
        const result = results[index] as PatternResult;
        if ('slowPattern' in result)
          return rejectRecord(
            parsed,
            `the pattern "${result.slowPattern}" of ROSTRA_REDACT_PATTERNS takes too long on its description: simplify the pattern`,
          );
        const redacted = chosen.reduce(
          (before, { kind, placeholder, detect }) =>
            replaceRanges(before, detect(before.text, country), kind, placeholder),
          result,
        );
        return redacted.replaced.length === 0 ? parsed : replaceDescription(parsed, redacted);
      });
    },
  };
}

/** No other kind of record has a text that citizens wrote. */
function getDescription(parsed: PublishableRecord): string | undefined {
  return 'record' in parsed && parsed.record.kind === 'submission' ? parsed.record.description : undefined;
}

function replaceDescription(parsed: PublishableRecord, { text, replaced }: RedactedText): PublishableRecord {
  if (!('record' in parsed) || parsed.record.kind !== 'submission') return parsed;
  // A placeholder can be longer than the address that it replaces.
  if (text.length > limits.description && [...text].length > limits.description)
    return rejectRecord(parsed, `description has more than ${limits.description} characters after redaction`);
  return { ...parsed, record: { ...parsed.record, description: text }, redacted: replaced };
}

function rejectRecord({ location, id }: PublishableRecord, rejectionReason: string): PublishableRecord {
  return { location, id, rejectionReason };
}
