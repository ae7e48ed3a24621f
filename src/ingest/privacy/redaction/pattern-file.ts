/** Reads the pattern file of an installation, JSON or YAML: name → regular expression. */
import { parse } from 'yaml';
import { redactionKinds } from '../../../domain/sources/import-source.ts';
import { InputError, runAll } from '../../input-error.ts';
import { readOptionFile } from '../../readers/read-file-named-by-option.ts';
import type { CustomPatterns } from './custom-pattern-redactor.ts';

const reservedNames: readonly string[] = redactionKinds;

/**
 * Returns no patterns for an empty path. The YAML parser reads JSON too.
 *
 * @throws InputError
 */
export function readPatternFile(path: string): CustomPatterns {
  if (path === '') return new Map();
  const content = parseContent(path);
  if (typeof content !== 'object' || content === null || Array.isArray(content))
    throw new InputError({ code: 'patterns-no-map' });
  return compilePatterns(content as Record<string, unknown>);
}

/** @param patterns regular expressions by name @throws InputError */
export function compilePatterns(patterns: Readonly<Record<string, unknown>>): CustomPatterns {
  return new Map(
    runAll(
      Object.entries(patterns).map(([name, pattern]) => () => [
        checkPatternName(name),
        compilePattern(name, pattern),
      ]),
    ),
  );
}

function parseContent(path: string): unknown {
  const text = readOptionFile(path);
  try {
    return parse(text);
  } catch (error) {
    const [reason = ''] = (error as Error).message.split('\n');
    throw new InputError({ code: 'patterns-unreadable', reason: reason.replace(/:$/, '') });
  }
}

/** Descriptions show the name in place of a match, so it must not look like personal data. */
function checkPatternName(name: string): string {
  if (/^\p{L}[\p{L} -]{0,39}$/u.test(name) && !reservedNames.includes(name)) return name;
  throw new InputError({
    code: 'pattern-name-invalid',
    name: JSON.stringify(name.slice(0, 60)),
    reserved: reservedNames.join(', '),
  });
}

function compilePattern(name: string, pattern: unknown): RegExp {
  if (typeof pattern !== 'string') throw new InputError({ code: 'pattern-no-text', name });
  let expression: RegExp;
  let matchesEmptyText: boolean;
  try {
    expression = new RegExp(pattern, 'gu');
    // V8 compiles an expression with its first use, and rejects one that is too large only then.
    matchesEmptyText = ''.search(expression) === 0;
  } catch (error) {
    // The message repeats the expression before the reason.
    const reason = (error as Error).message.split(': ').at(-1) ?? '';
    throw new InputError({ code: 'pattern-no-regular-expression', name, reason });
  }
  if (matchesEmptyText) throw new InputError({ code: 'pattern-matches-empty-text', name });
  return expression;
}
