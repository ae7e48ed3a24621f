/** A table of statuses that the user provides. Its rows precede those of the format. */

import type { FormatOptions } from '../format-options.ts';
import { InputError } from '../input-error.ts';
import { parseOptionJson } from '../readers/read-file-named-by-option.ts';
import { fieldChecks, isObject } from '../records/field-validation.ts';

interface OwnStatuses {
  /** Words of the source and their statuses, in the order of the file. */
  rows: readonly (readonly [word: string, status: string])[];
  /** Statuses by normalized word. */
  byWord: ReadonlyMap<string, string>;
}

const none: OwnStatuses = { rows: [], byWord: new Map() };

/** @returns undefined: neither the table of the user nor that of the format has the word */
export const findStatus = (
  word: string,
  defaults: ReadonlyMap<string, string>,
  options: FormatOptions,
): string | undefined => {
  const normalized = normalizeStatusWord(word);
  return getOwnStatuses(options).byWord.get(normalized) ?? defaults.get(normalized);
};

export const getOwnStatuses = ({ statuses }: FormatOptions): OwnStatuses =>
  (statuses as OwnStatuses | undefined) ?? none;

/** `In process`, `in-process` and `in_process` are the same word. */
const normalizeStatusWord = (word: string): string =>
  word
    .normalize('NFC')
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, '_');

/** @throws InputError */
export function parseStatuses(text: string, file: string): OwnStatuses {
  const table = parseOptionJson(text, file);
  const entries = Object.entries(isObject(table) ? (table as Record<string, string>) : {});
  const isStatus = (status: string) =>
    fieldChecks.submission.status?.schema.Check(status) && status.trim() !== '';
  if (entries.length === 0 || !entries.every(([, status]) => isStatus(status)))
    throw new InputError({ code: 'statuses-expected' });
  const rows = entries.map(([word, status]) => [word, status.normalize('NFC')] as const);
  return { rows, byWord: new Map(rows.map(([word, status]) => [normalizeStatusWord(word), status])) };
}
