/** How the settings of redaction become values. As in `values.ts`, a message goes on after "must". */
import { readFileSync } from 'node:fs';
import { type CountryCode, isSupportedCountry } from 'libphonenumber-js/min';
import { parse } from 'yaml';
import { listed } from './values.ts';

const kinds = ['email', 'phone', 'iban', 'plate'] as const;

export function redactedKinds(text: string): readonly (typeof kinds)[number][] {
  const words = listed(text);
  if (words.join() === 'off') return [];
  if (words.join() === 'all') return kinds;
  const chosen = kinds.filter((kind) => words.includes(kind));
  if (chosen.length > 0 && words.every((word) => (kinds as readonly string[]).includes(word))) return chosen;
  throw new Error(`be off, all, or some of ${kinds.join(', ')}`);
}

export function phoneCountry(text: string): CountryCode {
  if (isSupportedCountry(text)) return text;
  throw new Error('be a country such as DE, AT or CH');
}

/** The patterns of a file, by their names. JSON is read as the YAML that it is. */
export function redactionPatterns(path: string): ReadonlyMap<string, RegExp> {
  if (path === '') return new Map();
  const content = contentOf(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new Error('name a file in which each name has its pattern');
  return new Map(
    Object.entries(content).map(([name, pattern]) => [patternName(name), compiled(name, pattern)]),
  );
}

function contentOf(path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`name a file that can be read (${(error as Error).message})`);
  }
  try {
    return parse(text);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new Error(`name a file of JSON or YAML (${reason.replace(/:$/, '')})`);
  }
}

/** It is published where something was taken out, so nothing in it may be taken for what is redacted itself. */
function patternName(name: string): string {
  if (/^\p{L}[\p{L} -]{0,39}$/u.test(name) && !(kinds as readonly string[]).includes(name)) return name;
  throw new Error(
    `name a file in which names have at most 40 letters, blanks and hyphens, and are none of ${kinds.join(', ')}; ${JSON.stringify(name.slice(0, 60))} is no such name`,
  );
}

function compiled(name: string, pattern: unknown): RegExp {
  if (typeof pattern !== 'string')
    throw new Error(`name a file in which each pattern is a text; that of "${name}" is none`);
  let expression: RegExp;
  try {
    expression = new RegExp(pattern, 'gu');
  } catch (error) {
    throw new Error(`name a file of regular expressions; "${name}" is none (${(error as Error).message})`);
  }
  if (''.search(expression) === 0)
    throw new Error(`name a file of patterns that match something; "${name}" matches the empty text`);
  return expression;
}
