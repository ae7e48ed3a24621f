/** Combines the redaction options of an import with the redaction of earlier imports of its source. */

import { hash } from 'node:crypto';
import type { Language } from '../../../domain/organizations/placeholder-words.ts';
import type { RedactionTerms } from '../../../domain/organizations/redaction-terms.ts';
import type { Policy } from '../../../domain/reasons/en/notes.ts';
import type { RedactionKind, RedactionPolicy } from '../../../domain/sources/import-source.ts';
import { InputError } from '../../input-error.ts';
import type { RedactionRules } from './create-redactor.ts';
import type { CustomPatterns } from './custom-pattern-redactor.ts';

/** From flags and environment; undefined if not given. */
export interface RequestedRedaction {
  kinds: readonly RedactionKind[] | undefined;
  country: string | undefined;
  patterns: CustomPatterns;
  /** Of the municipality, or the defaults of the installation. */
  locale: { language: Language; country: string };
  /** Of the municipality. It may shorten its own list, so the policy does not remember them. */
  terms: RedactionTerms;
}

/**
 * @param mayLoosen ignores earlier imports
 * @throws InputError if the import would redact less than earlier ones
 */
export function resolveRedaction(
  { kinds, country, patterns, locale }: RequestedRedaction,
  remembered: RedactionPolicy | undefined,
  mayLoosen: boolean,
): Omit<RedactionRules, 'terms'> {
  const before = mayLoosen ? undefined : remembered;
  const rules = {
    kinds: kinds ?? before?.kinds ?? [],
    country: country ?? before?.country ?? locale.country,
    patterns,
    language: locale.language,
  };
  const lost = before && findLosses(before, toRedactionPolicy(rules));
  if (before === undefined || lost === undefined) return rules;
  throw new InputError({
    code: 'redaction-looser',
    before: toNamedPolicy(before),
    lost,
    flags: toFlags(before),
  });
}

export function toRedactionPolicy({
  kinds,
  country,
  patterns,
}: Pick<RedactionRules, 'kinds' | 'country' | 'patterns'>): RedactionPolicy {
  const checksums = [...patterns].map(([name, { source }]) => [name, hash('sha256', source)]);
  return { kinds, country, patterns: Object.fromEntries(checksums) };
}

/** Without the checksums of its patterns. */
export const toNamedPolicy = ({ patterns, ...policy }: RedactionPolicy): Policy => ({
  ...policy,
  patterns: Object.keys(patterns),
});

const dependsOnCountry = (kind: string) => kind === 'phone' || kind === 'plate';

/** @returns the redaction that `after` lacks. A changed pattern may match less, so it counts as lost */
function findLosses(before: RedactionPolicy, after: RedactionPolicy): Policy | undefined {
  const isSameCountry = before.country === after.country;
  const kinds = before.kinds.filter(
    (kind) => !after.kinds.includes(kind) || (dependsOnCountry(kind) && !isSameCountry),
  );
  const checksums = Object.values(after.patterns);
  const patterns = Object.entries(before.patterns).filter(([, one]) => !checksums.includes(one));
  if (kinds.length + patterns.length === 0) return undefined;
  return { kinds, country: before.country, patterns: patterns.map(([name]) => name) };
}

function toFlags({ kinds, country, patterns }: RedactionPolicy): string {
  const flags = kinds.length === 0 ? [] : [`--redact ${kinds.join(',')}`];
  if (kinds.some(dependsOnCountry)) flags.push(`--redact-country ${country}`);
  if (Object.keys(patterns).length > 0) flags.push('--redact-patterns with the same patterns');
  return flags.join(' ');
}
