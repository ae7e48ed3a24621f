/** Chooses the redaction of an import, before it reads anything. */

import type { ImportSource, ImportSourceStore, WritingSource } from '../domain/import-source.ts';
import { createRedactor, type Redactor } from '../import/redaction/create-redactor.ts';
import {
  type RequestedRedaction,
  resolveRedaction,
  toNamedPolicy,
  toRedactionPolicy,
} from '../import/redaction/forbid-looser-redaction.ts';
import type { Reason } from '../reasons/reason.ts';

export interface RedactedSource {
  source: WritingSource;
  redactor: Redactor;
  /** Whether an earlier import wrote records of this source. */
  isKnown: boolean;
  /** On redaction that only earlier imports asked for. */
  note: Reason | undefined;
}

/**
 * @param mayLoosen allows less redaction than in earlier imports
 * @throws InputError for an unknown country, and for less redaction than in earlier imports
 */
export async function chooseRedaction(
  store: Pick<ImportSourceStore, 'findRedaction'>,
  organizationId: string,
  source: ImportSource,
  requested: RequestedRedaction,
  mayLoosen: boolean,
): Promise<RedactedSource> {
  const remembered = await store.findRedaction(organizationId, source);
  const rules = resolveRedaction(requested, remembered, mayLoosen);
  const redaction = toRedactionPolicy(rules);
  return {
    source: { ...source, redaction, follows: remembered },
    redactor: createRedactor({ ...rules, patterns: new Map([...rules.patterns, ...requested.terms]) }),
    isKnown: remembered !== undefined,
    note:
      requested.kinds === undefined && rules.kinds.length > 0
        ? { code: 'redacts-as-before', ...toNamedPolicy(redaction) }
        : undefined,
  };
}
