/** The language of a page follows the quality values of Accept-Language (RFC 9110, section 12.5.4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { negotiateLanguage } from '../../../src/web/messages/languages.ts';

const cases: [acceptLanguage: string | undefined, language: string][] = [
  [undefined, 'en'],
  ['', 'en'],
  ['de', 'de'],
  ['de-DE,de;q=0.9,en;q=0.8', 'de'],
  ['en-GB,en;q=0.9,de;q=0.8', 'en'],
  ['en;q=0.5, de;q=0.7', 'de'],
  ['en ; q=0.5 , DE-at ; Q=0.7', 'de'],
  ['fr, de;q=0.1', 'de'],
  ['de;q=0, fr', 'en'],
  ['de;q=high, en;q=0.1', 'en'],
  ['de, en', 'de'],
  ['*', 'en'],
  ['fr, pl;q=0.5', 'en'],
];
for (const [acceptLanguage, language] of cases) {
  test(`a browser that accepts ${JSON.stringify(acceptLanguage)} gets ${language}`, () => {
    assert.equal(negotiateLanguage(undefined, acceptLanguage), language);
  });
}

test('the language that was chosen wins over the header', () => {
  assert.equal(negotiateLanguage('en', 'de'), 'en');
  assert.equal(negotiateLanguage('nonsense', 'de'), 'de');
});
