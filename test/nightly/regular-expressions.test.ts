/** No regular expression takes more than linear time, because many of them search texts of strangers. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import jsTokens from 'js-tokens';
import { check } from 'recheck';
import { analyse } from 'scslre';
import { checkout } from '../support/checkout.ts';

const files = globSync('src/**/*.ts', { cwd: checkout });

/** Files by expression, such as `/a+/g`. */
const expressions = new Map<string, string>();

function collectLiterals(file: string): void {
  const code = stripTypeScriptTypes(readFileSync(join(checkout, file), 'utf8'));
  for (const { type, value } of jsTokens(code))
    if (type === 'RegularExpressionLiteral') expressions.set(value, file);
}

/** Collects the expressions that modules compose when they are loaded, and those for telephone numbers. */
async function collectComposed(): Promise<void> {
  const original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(original, {
    construct: (target, [source, flags]) => {
      const expression = new target(source, flags);
      const [, file] = /\/(src\/ingest\/[^?\s:]+)/.exec(new Error().stack ?? '') ?? [];
      if (file !== undefined) expressions.set(String(expression), file);
      return expression;
    },
  });
  try {
    for (const file of files.filter((name) => name.startsWith('src/ingest/')))
      await import(pathToFileURL(join(checkout, file)).href);
    const { findPhones } = await import('../../src/ingest/privacy/redaction/find-phones.ts');
    for (const country of ['DE', 'ES', 'US'] as const)
      findPhones('Tel. 0721 1234567', { country, isIdentifier: false });
  } finally {
    globalThis.RegExp = original;
  }
}

/**
 * Carries out an attack, because the checker also reports linear expressions that its random texts keep busy: they need some
 * milliseconds of processor time for a text that takes seconds in quadratic time.
 */
function takesLong(expression: RegExp, text: string): boolean {
  const before = process.cpuUsage();
  text.replace(expression, '');
  return process.cpuUsage(before).user > 200_000;
}

/** @returns why the expression may take more than linear time; undefined if it does not */
async function findFault(expression: string): Promise<string | undefined> {
  const [, source = '', given = ''] = /^\/(.*)\/([a-z]*)$/s.exec(expression) ?? [];
  // The checkers do not know the sticky flag, which only saves time.
  const flags = given.replace('y', '');
  const result = await check(source, flags, { timeout: 60_000 });
  if (result.status === 'vulnerable')
    return takesLong(new RegExp(source, flags), result.attack.string)
      ? `${result.complexity.summary}: ${result.attack.pattern}`
      : undefined;
  if (result.status === 'safe') return undefined;
  // The first checker does not support all expressions. The second one supports all, but finds less.
  const [report] = analyse({ source, flags }, { assumeRejectingSuffix: false }).reports;
  return report && `${report.type} of ${report.character.pick}`;
}

/** The expressions for streets search 70 characters before or after a number. */
const searchesFewCharacters = (expression: string, file: string) =>
  file === 'src/ingest/privacy/redaction/find-addresses.ts' && /\$\/u$|\/uy$/.test(expression);

before(async () => {
  for (const file of files) collectLiterals(file);
  await collectComposed();
});

test('every regular expression takes linear time', async (t) => {
  assert.ok(expressions.size > 300, `found only ${expressions.size} expressions`);
  for (const [expression, file] of expressions) {
    if (searchesFewCharacters(expression, file)) continue;
    await t.test(`${expression} of ${file}`, async () => {
      assert.equal(await findFault(expression), undefined);
    });
  }
});

test('expressions that take quadratic time are found by each checker', async () => {
  assert.match((await findFault('/<!--.*?-->/gs')) ?? '', /polynomial/);
  assert.match((await findFault('/(?i:\\[)[^\\]]*\\]/g')) ?? '', /Move/);
});
