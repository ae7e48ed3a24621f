/** `isWebUrl` repeats the schema of published links, because the compiler of schemas needs memory in each server. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Compile } from 'typebox/compile';
import { limits, webUrl } from '../../src/contract/field-schemas.ts';
import { isWebUrl } from '../../src/domain/values/web-url.ts';

const longUrl = (length: number) => 'https://stadt.example/'.padEnd(length, 'a');

const addresses: [url: string, isValid: boolean][] = [
  ['https://stadt.example/', true],
  ['http://stadt.example:8080/a?b=c#d', true],
  ['https://[2001:db8::1]/', true],
  [longUrl(limits.url), true],
  [longUrl(limits.url + 1), false],
  ['HTTP://stadt.example/', false],
  ['ftp://stadt.example/', false],
  ['//stadt.example/', false],
  ['https://städte.example/', false],
  ['https://stadt.example/Straße', false],
  ['https://stadt.example/a b', false],
  ['https://stadt.example/\n', false],
  [' https://stadt.example/', false],
  ['https://stadt.example/%zz', false],
  ['', false],
];

test('the check of web addresses accepts the same texts as the schema of published links', () => {
  const schema = Compile(webUrl('', ''));
  for (const [url, isValid] of addresses) {
    assert.equal(schema.Check(url), isValid, `schema: ${url}`);
    assert.equal(isWebUrl(url), isValid, `isWebUrl: ${url}`);
  }
});
