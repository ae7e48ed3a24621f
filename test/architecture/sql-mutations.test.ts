/** The mutations of SQL that figure 15 of the trust report counts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkout } from '../support/checkout.ts';
import { listSqlMutations } from '../trust/sql-mutations.ts';

/** @returns the source after each mutation */
const mutate = (source: string) =>
  listSqlMutations(source).map(
    ({ start, end, replacement }) => source.slice(0, start) + replacement + source.slice(end),
  );

/** @returns the statement after each mutation */
const mutateSql = (sql: string) => mutate(`\`${sql}\``).map((source) => source.slice(1, -1));

test('conditions, operators and constants of SQL are mutated', () => {
  assert.deepEqual(mutateSql('SELECT a FROM t WHERE b < 5 AND c IS NULL'), [
    'SELECT a FROM t WHERE true AND c IS NULL',
    'SELECT a FROM t WHERE false AND c IS NULL',
    'SELECT a FROM t WHERE b <= 5 AND c IS NULL',
    'SELECT a FROM t WHERE b >= 5 AND c IS NULL',
    'SELECT a FROM t WHERE b < 6 AND c IS NULL',
    'SELECT a FROM t WHERE b < 5 OR c IS NULL',
    'SELECT a FROM t WHERE b < 5 AND true',
    'SELECT a FROM t WHERE b < 5 AND false',
    'SELECT a FROM t WHERE b < 5 AND c IS NOT NULL',
  ]);
});

test('an assignment is not mutated like a comparison', () => {
  assert.deepEqual(mutateSql('UPDATE t SET a = $1, b = a + $2 WHERE (c = $3)'), [
    'UPDATE t SET a = $1, b = a - $2 WHERE (c = $3)',
    'UPDATE t SET a = $1, b = a + $2 WHERE true',
    'UPDATE t SET a = $1, b = a + $2 WHERE false',
    'UPDATE t SET a = $1, b = a + $2 WHERE (c <> $3)',
  ]);
});

test('a range loses its first and its last value, and AND of the range stays', () => {
  assert.deepEqual(mutateSql('SELECT iif(a NOT BETWEEN $1 AND $2 + b, 0, c)'), [
    'SELECT iif(true, 0, c)',
    'SELECT iif(false, 0, c)',
    'SELECT iif(NOT (a > $1 AND a <= $2 + b), 0, c)',
    'SELECT iif(NOT (a >= $1 AND a < $2 + b), 0, c)',
    'SELECT iif(a BETWEEN $1 AND $2 + b, 0, c)',
    'SELECT iif(a NOT BETWEEN $1 AND $2 - b, 0, c)',
    'SELECT iif(a NOT BETWEEN $1 AND $2 + b, 1, c)',
  ]);
});

test('orders, joins, functions and defaults of SQL are mutated', () => {
  assert.deepEqual(mutateSql('SELECT min(coalesce(a, $1)) FROM t LEFT JOIN u ON true ORDER BY b, c DESC'), [
    'SELECT max(coalesce(a, $1)) FROM t LEFT JOIN u ON true ORDER BY b, c DESC',
    'SELECT min(a) FROM t LEFT JOIN u ON true ORDER BY b, c DESC',
    'SELECT min($1) FROM t LEFT JOIN u ON true ORDER BY b, c DESC',
    'SELECT min(coalesce(a, $1)) FROM t JOIN u ON true ORDER BY b, c DESC',
    'SELECT min(coalesce(a, $1)) FROM t LEFT JOIN u ON false ORDER BY b, c DESC',
    'SELECT min(coalesce(a, $1)) FROM t LEFT JOIN u ON true ORDER BY b DESC, c DESC',
    'SELECT min(coalesce(a, $1)) FROM t LEFT JOIN u ON true ORDER BY b, c ASC',
  ]);
});

test('SQL is found in strings and nested templates, and not in comments, regular expressions and messages', () => {
  const source =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
    "/* `SELECT 1` */ f(/'SELECT 2'/, 4 / 2, `${g({ a: `DELETE FROM t WHERE ${c} > 3` })} = 5`, 'more than 6');";
  assert.deepEqual(
    mutate(source).map((mutated) => /`DELETE.*?`/.exec(mutated)?.[0]),
    [
      'DELETE FROM t WHERE true',
      'DELETE FROM t WHERE false',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source text
      ...['>= 3', '<= 3', '> 4'].map((end) => `DELETE FROM t WHERE ${'${c}'} ${end}`),
    ].map((sql) => `\`${sql}\``),
  );
});

test('the statements that admit a request have mutations on both engines', () => {
  for (const engine of ['sqlite', 'postgres']) {
    const files = ['rate-limit-window.ts', `${engine}/admit-key.ts`];
    const sources = files.map((file) => readFileSync(join(checkout, 'src/store', file), 'utf8'));
    assert.ok(sources.flatMap(listSqlMutations).length > 40, engine);
  }
});
