/** What an import redacts: what the person chose, or else what earlier imports of the source did. */
import { createHash } from 'node:crypto';
import type { RedactionKind, RedactionPolicy } from '../../domain/import-source.ts';
import { InputError } from '../parsed-record.ts';
import type { CustomPatterns } from './custom-patterns.ts';
import type { RedactionRules } from './redactor.ts';

/** As flags and environment have it; undefined: not given. */
export interface RequestedRedaction {
  kinds: readonly RedactionKind[] | undefined;
  country: string | undefined;
  patterns: CustomPatterns;
}

const defaultCountry = 'DE';

/**
 * @param mayLoosen the given redaction applies alone, whatever earlier imports did
 * @throws InputError for a choice that is looser than theirs
 */
export function resolveRedaction(
  { kinds, country, patterns }: RequestedRedaction,
  remembered: RedactionPolicy | undefined,
  mayLoosen: boolean,
): RedactionRules {
  const before = mayLoosen ? undefined : remembered;
  const rules = {
    kinds: kinds ?? before?.kinds ?? [],
    country: country ?? before?.country ?? defaultCountry,
    patterns,
  };
  const lost = before === undefined ? [] : lostFrom(before, toRedactionPolicy(rules));
  if (before === undefined || lost.length === 0) return rules;
  throw new InputError(
    `Earlier imports of this source redacted ${describePolicy(before)}. This import would no longer redact ${lost.join(', ')}, and could publish personal data again. Nothing was read. Choose at least the same (${flagsOf(before)}), or add --loosen-redaction to redact only what this command names.`,
  );
}

export function toRedactionPolicy({ kinds, country, patterns }: RedactionRules): RedactionPolicy {
  const checksums = [...patterns].map(([name, { source }]) => [name, checksum(source)]);
  return { kinds, country, patterns: Object.fromEntries(checksums) };
}

const checksum = (text: string) => createHash('sha256').update(text).digest('hex');

/** For people: `email, phone (DE), pattern "Name"`. */
export function describePolicy({ kinds, country, patterns }: RedactionPolicy): string {
  const named = kinds.map((kind) => (dependsOnCountry(kind) ? `${kind} (${country})` : kind));
  return [...named, ...Object.keys(patterns).map(patternNamed)].join(', ');
}

const dependsOnCountry = (kind: string) => kind === 'phone' || kind === 'plate';
const patternNamed = (name: string) => `the pattern "${name}"`;

/** The parts of a choice that another one does not cover. A pattern that was changed may find less than before. */
function lostFrom(before: RedactionPolicy, after: RedactionPolicy): string[] {
  const isSameCountry = before.country === after.country;
  const kinds = before.kinds.filter(
    (kind) => !after.kinds.includes(kind) || (dependsOnCountry(kind) && !isSameCountry),
  );
  const checksums = Object.values(after.patterns);
  const patterns = Object.entries(before.patterns).filter(([, one]) => !checksums.includes(one));
  return [
    ...kinds.map((kind) => (dependsOnCountry(kind) ? `${kind} (${before.country})` : kind)),
    ...patterns.map(([name]) => patternNamed(name)),
  ];
}

function flagsOf({ kinds, country, patterns }: RedactionPolicy): string {
  const flags = kinds.length === 0 ? [] : [`--redact ${kinds.join(',')}`];
  if (kinds.some(dependsOnCountry)) flags.push(`--redact-country ${country}`);
  if (Object.keys(patterns).length > 0) flags.push('--redact-patterns with the same patterns');
  return flags.join(' ');
}
