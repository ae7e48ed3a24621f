/** Searches by a part of a name. */
import type { SqlValue } from '../engine.ts';

interface NameSearch {
  /** A condition: the column contains the term. */
  isIn(column: string): string;
  /** The ids of the municipalities whose name contains the term: a comparison for each row of another table would take longer. */
  organizationIds: string;
}

/** @param bind adds a parameter, and returns its placeholder */
export function createNameSearch(term: string, bind: (value: SqlValue) => string): NameSearch {
  const lower = term.toLowerCase();
  const pattern = bind(toLikePattern(lower));
  // SQLite knows the lower case of ASCII letters only, and words of names begin with a capital letter.
  const capitalized = lower.replace(/^\P{ASCII}/u, (first) => first.toUpperCase());
  const orCapitalized = capitalized === lower ? undefined : bind(toLikePattern(capitalized));
  const isIn = (column: string) => {
    const condition = `lower(${column}) LIKE ${pattern} ESCAPE '!'`;
    return orCapitalized === undefined
      ? condition
      : `(${condition} OR ${column} LIKE ${orCapitalized} ESCAPE '!')`;
  };
  return { isIn, organizationIds: `SELECT organization.id FROM organization WHERE ${isIn('name')}` };
}

/** PostgreSQL has no NUL in texts. */
const toLikePattern = (term: string) => `%${term.replaceAll('\0', '').replaceAll(/[!%_]/g, '!$&')}%`;
