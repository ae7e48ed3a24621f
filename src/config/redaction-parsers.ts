/** How the settings of redaction become values. As in `values.ts`, a message goes on after "must". */
import { accessSync, constants } from 'node:fs';
import { type RedactionKind, redactionKinds } from '../domain/import-source.ts';
import { listed } from './setting-parsers.ts';

/** @returns undefined: not chosen */
export function redactedKinds(text: string): readonly RedactionKind[] | undefined {
  if (text === '') return undefined;
  const words = listed(text);
  if (words.join() === 'off') return [];
  if (words.join() === 'all') return redactionKinds;
  const chosen = redactionKinds.filter((kind) => words.includes(kind));
  const known: readonly string[] = redactionKinds;
  if (chosen.length > 0 && words.every((word) => known.includes(word))) return chosen;
  throw new Error(`be off, all, or some of ${redactionKinds.join(', ')}`);
}

/** @returns undefined: not chosen */
export function phoneCountry(text: string): string | undefined {
  if (text === '') return undefined;
  if (/^[A-Z]{2}$/.test(text)) return text;
  throw new Error('be a country such as DE, AT or CH');
}

/** A file that is there; what stands in it is read by what imports. */
export function patternFile(path: string): string {
  if (path === '') return path;
  try {
    accessSync(path, constants.R_OK);
    return path;
  } catch (error) {
    throw new Error(`name a file that can be read (${(error as Error).message})`);
  }
}
