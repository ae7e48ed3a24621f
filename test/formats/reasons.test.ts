/** Reasons as data: their sentences in each language, and how they are stored. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  describeReason,
  maxReasonLength,
  sentences,
  serializeReason,
} from '../../src/domain/reasons/reason.ts';

test('each code has a sentence of its own in each language', () => {
  const { en, ...others } = sentences;
  const codes = Object.keys(en);
  assert.ok(codes.length > 100);
  for (const [language, translated] of Object.entries(others)) {
    assert.deepEqual(Object.keys(translated).toSorted(), codes.toSorted(), language);
    for (const [code, sentence] of Object.entries(translated))
      assert.notEqual(String(sentence), String(en[code as keyof typeof en]), `${language}: ${code}`);
  }
});

test('a stored reason is limited, has no control characters, and can be read', () => {
  const columns = Array.from({ length: 4_096 }, (_, index) => `Spalte ${index} \u0000\u009f\ud800`);
  const cell = { field: 'x'.repeat(100_000), columns };
  for (const reason of [
    { code: 'word-unmapped', ...cell } as const,
    { code: 'question-implausible', number: 1, problem: { code: 'cell-not-number', ...cell } } as const,
  ]) {
    const stored = serializeReason(reason);
    assert.ok(stored.length <= maxReasonLength);
    const read = JSON.parse(stored);
    assert.equal(read.code, reason.code);
    for (const language of [undefined, 'de'] as const) {
      const sentence = describeReason(read, language);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
      assert.doesNotMatch(sentence, /[\u0000-\u001f\u007f-\u009f]|undefined/);
      assert.ok(sentence.isWellFormed());
    }
  }
});

test('a code that another version has stored is shown as it is', () => {
  for (const code of ['of-a-later-version', 'toString', '__proto__'])
    assert.equal(describeReason({ code }, 'de'), code);
});
