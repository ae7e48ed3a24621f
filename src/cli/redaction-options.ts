/** Which redaction an import applies: flags and environment, compared with earlier imports of the source. */
import { Option } from 'commander';
import type { Config } from '../config/settings.ts';
import type { ImportSource, ImportSourceStore, WritingSource } from '../domain/import-source.ts';
import { InputError } from '../import/parsed-record.ts';
import { readPatternFile } from '../import/redaction/pattern-file.ts';
import { createRedactor, type Redactor } from '../import/redaction/redactor.ts';
import {
  describePolicy,
  type RequestedRedaction,
  resolveRedaction,
  toRedactionPolicy,
} from '../import/redaction/resolve-redaction.ts';
import { exitCodes } from '../process/exit-codes.ts';
import { CommandError } from './command-error.ts';
import { printError } from './output.ts';

export interface RedactionFlags {
  loosenRedaction?: true;
}

export const loosenRedactionOption = () =>
  new Option('--loosen-redaction', 'allow less redaction than in earlier imports of this source');

/** @throws CommandFailure for patterns that cannot be used */
export function readRedactionSettings(config: Config): RequestedRedaction {
  const { redact: kinds, redactCountry: country, redactPatterns: patternFile } = config;
  return orUsageFailure(() => ({ kinds, country, patterns: readPatternFile(patternFile) }));
}

export interface RedactedSource {
  source: WritingSource;
  redactor: Redactor | undefined;
  /** Whether something was imported from it before. */
  isKnown: boolean;
}

/**
 * Decides what an import redacts, before it reads anything.
 *
 * @throws CommandFailure for a choice that is looser than that of earlier imports, and for an unknown country
 */
export async function chooseRedaction(
  store: ImportSourceStore,
  organizationId: string,
  source: ImportSource,
  given: RequestedRedaction,
  { loosenRedaction }: RedactionFlags,
): Promise<RedactedSource> {
  const remembered = await store.findRedaction(organizationId, source);
  return orUsageFailure(() => {
    const rules = resolveRedaction(given, remembered, loosenRedaction === true);
    const choice = toRedactionPolicy(rules);
    const redactor = createRedactor(rules);
    if (given.kinds === undefined && rules.kinds.length > 0)
      printError(`Redacting ${describePolicy(choice)}, as earlier imports of this source did.`);
    return {
      source: { ...source, redaction: choice, follows: remembered },
      redactor,
      isKnown: remembered !== undefined,
    };
  });
}

function orUsageFailure<Result>(make: () => Result): Result {
  try {
    return make();
  } catch (error) {
    if (error instanceof InputError) throw new CommandError(error.message, exitCodes.usage);
    throw error;
  }
}
